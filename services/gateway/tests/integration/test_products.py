"""Catalogues at the gateway: who sees which, by HTTP, by MCP and on the page of offers."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
import pytest_asyncio
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from nats.js import JetStreamContext

from lovsvar.client import Gateway, authorization
from lovsvar_chassis.problems import problem
from lovsvar_chassis.publisher import EventPublisher
from lovsvar_contracts import subjects
from lovsvar_contracts.audit import AuditAction, AuditRecord
from lovsvar_contracts.catalogues import Catalogue, Catalogues, FindProducts, Product, ProductHit, ProductHits, Products
from lovsvar_contracts.ingest import SyncFailed, SyncStarted
from lovsvar_contracts.problems import ProblemType
from lovsvar_contracts.questions import QuestionAsked
from lovsvar_contracts.run_events import RunAccepted
from lovsvar_contracts.search import CatalogueCounts
from lovsvar_gateway.adapters.key_file import write_keys
from lovsvar_gateway.core.access import KeyRing, Limits, Scope, new_key
from lovsvar_testkit.gateway_stand_in import STATUS

HELP = "hjelpetilbud"
ITEM = {
    "product_id": "15/a",
    "name": "Herstel<b>coaching",
    "description": "Traject <script>evil()</script> van zes maanden.",
    "price": "Vanaf € 2.500",
    "url": "https://portal.evi360.nl/products/15",
    "category": "Coaching",
}
LAWS = "gjeldende-lover"


def catalogue(name: str, **more: Any) -> Catalogue:
    given = {"name": name.title(), "language": "nl", "items": 1, "embedded": 1, "version": 1, **more}
    return Catalogue(catalogue=name, **given)


def hit(**more: Any) -> ProductHit:
    return ProductHit(**{"catalogue": "arbeidshulp", **ITEM, "similarity": 0.89, **more})


@pytest.fixture
def served(behind: Any) -> Any:
    """Three catalogues, of which one is private and one invented."""
    listed = (
        catalogue("arbeidshulp", invented=True),
        catalogue(HELP, language="nb"),
        catalogue("intern", private=True),
    )
    behind.reply[subjects.SEARCH_CATALOGUES] = Catalogues(catalogues=listed)
    behind.reply[subjects.SEARCH_PRODUCTS] = ProductHits(hits=(hit(),), searched=("arbeidshulp",), took_ms=2.0)
    return behind


def asked(behind: Any) -> FindProducts:
    return next(one for one in reversed(behind.asked) if isinstance(one, FindProducts))


@pytest.fixture(scope="module")
def secrets(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, str]]:
    """A file with a key that sees every open catalogue, and one that sees two, a private one among them."""
    made = {"all": new_key("all", Scope, Limits()), "few": new_key("few", Scope, Limits(), [HELP, "intern"])}
    path = tmp_path_factory.mktemp("keys") / "keys.json"
    write_keys(path, KeyRing(keys=tuple(key for _, key in made.values())))
    return path, {name: secret for name, (secret, _) in made.items()}


@pytest_asyncio.fixture
async def guarded(
    nats_url: str, share_gateway: Any, visit: Any, secrets: tuple[Path, dict[str, str]]
) -> AsyncIterator[Any]:
    """The gateway with these keys that the tests share."""
    async with visit(share_gateway(api_keys_file=secrets[0])) as gateway:
        yield gateway


@pytest.fixture
def by(secrets: tuple[Path, dict[str, str]]) -> Any:
    return lambda name: {"headers": authorization(secrets[1][name])}


async def test_products_are_found_among_the_open_catalogues(gateway: Any, served: Any) -> None:
    reply = await gateway.client.get(
        "/v1/products?q=burn-out&limit=3&category=Coaching&min_price=5&max_price=9000&attribute=Sted:Oslo"
    )
    assert reply.json()["hits"][0]["price"] == "Vanaf € 2.500"
    request = asked(served)
    assert (request.query, request.catalogues, request.limit) == ("burn-out", ("arbeidshulp", HELP), 3)
    assert (request.category, request.min_price, request.max_price) == ("Coaching", 5.0, 9000.0)
    assert request.attributes == {"Sted": "Oslo"}
    listed = (await gateway.client.get("/v1/catalogues")).json()["catalogues"]
    assert [one["catalogue"] for one in listed] == ["arbeidshulp", HELP]


async def test_one_catalogue_is_searched_by_its_id(gateway: Any, served: Any) -> None:
    await gateway.client.get(f"/v1/products?q=x&catalogue={HELP}")
    assert asked(served).catalogues == (HELP,)
    for unseen in ("intern", "finnes-ikke"):
        reply = await gateway.client.get(f"/v1/products?q=x&catalogue={unseen}")
        assert (reply.status_code, reply.json()["detail"]) == (404, f"Fant ikke katalogen {unseen}.")


@pytest.mark.parametrize(
    "query",
    ["", "q=", "q=x&limit=11", "q=x&min_price=-1", "q=x&max_price=nan", "q=x&catalogue=A", "q=x&attribute=Oslo"],
)
async def test_a_search_that_cannot_be_made_is_refused(gateway: Any, served: Any, query: str) -> None:
    assert (await gateway.client.get(f"/v1/products?{query}")).status_code == 422


async def test_without_catalogues_nothing_is_searched(gateway: Any, behind: Any) -> None:
    reply = await gateway.client.get("/v1/products?q=x")
    assert (reply.status_code, reply.json()["hits"]) == (200, [])
    assert not any(isinstance(one, FindProducts) for one in behind.asked)


async def test_a_product_is_read_by_its_id(gateway: Any, served: Any) -> None:
    async with Gateway(gateway.url) as client:
        with pytest.raises(Exception, match="Fant ikke 15/a i katalogen arbeidshulp"):
            await client.product("arbeidshulp", "15/a")
        served.reply[subjects.SEARCH_READ_PRODUCTS] = Products(products=(Product(catalogue="arbeidshulp", **ITEM),))
        assert (await client.product("arbeidshulp", "15/a")).url == ITEM["url"]
        assert served.asked[-1].product_ids == ("15/a",)
        with pytest.raises(Exception, match="Fant ikke katalogen intern"):
            await client.product("intern", "15/a")
        assert [one.catalogue for one in (await client.catalogues()).catalogues] == ["arbeidshulp", HELP]
        assert (await client.products("burn-out", catalogue=HELP)).hits[0].product_id == "15/a"


async def test_an_outage_of_search_is_a_clear_503(gateway: Any, behind: Any) -> None:
    behind.reply[subjects.SEARCH_CATALOGUES] = problem(ProblemType.NOT_READY, "Indeksen bygges.")
    reply = await gateway.client.get("/v1/products?q=x")
    assert (reply.status_code, reply.headers["Content-Type"]) == (503, "application/problem+json")
    assert reply.json()["detail"] == "Søket i kataloger svarer ikke akkurat nå. Prøv igjen om litt."
    assert reply.headers["Retry-After"]
    page = await gateway.client.get("/tilbud?q=x")
    assert page.status_code == 503 and "Søket i kataloger svarer ikke" in page.text


async def test_a_key_sees_the_catalogues_it_was_given(guarded: Any, served: Any, by: Any) -> None:
    seen = {}
    for name in ("all", "few"):
        listed = (await guarded.client.get("/v1/catalogues", **by(name))).json()["catalogues"]
        seen[name] = [one["catalogue"] for one in listed]
    assert seen == {"all": ["arbeidshulp", HELP], "few": [HELP, "intern"]}
    await guarded.client.get("/v1/products?q=x", **by("few"))
    assert asked(served).catalogues == (HELP, "intern")
    assert (await guarded.client.get("/v1/products?q=x&catalogue=arbeidshulp", **by("few"))).status_code == 404
    assert "Arbeidshulp" not in (await guarded.client.get("/tilbud", **by("few"))).text


async def test_the_status_counts_the_catalogues_that_a_key_may_see(guarded: Any, served: Any, by: Any) -> None:
    counts = tuple(CatalogueCounts(catalogue=one, private=one == "intern") for one in ("arbeidshulp", HELP, "intern"))
    served.reply[subjects.SEARCH_STATUS] = STATUS.model_copy(update={"catalogues": counts})
    for name, seen in (("all", ["arbeidshulp", HELP]), ("few", [HELP, "intern"])):
        shown = (await guarded.client.get("/v1/status", **by(name))).json()["catalogues"]
        assert [one["catalogue"] for one in shown] == seen


async def test_a_question_says_which_catalogues_its_asker_may_see(guarded: Any, js: JetStreamContext, by: Any) -> None:
    for name, expected in (("all", None), ("few", (HELP, "intern"))):
        reply = await guarded.client.post("/v1/questions", json={"question": "Hvem kan hjelpe?"}, **by(name))
        run_id = reply.json()["run_id"]
        stored = await js.get_last_msg(subjects.STREAM_QUESTIONS, "lovsvar.question.asked.>")
        question = QuestionAsked.model_validate_json(stored.data or b"")
        assert (question.run_id, question.catalogues) == (run_id, expected)
        first = await js.get_last_msg(subjects.STREAM_ANSWERS, subjects.answer(run_id))
        assert RunAccepted.model_validate_json(first.data or b"").catalogues == expected


async def test_without_keys_everybody_sees_what_the_setting_names(
    nats_url: str, start_gateway: Any, served: Any
) -> None:
    async with start_gateway(nats_url, open_catalogues=("intern",)) as gateway:
        listed = (await gateway.client.get("/v1/catalogues")).json()["catalogues"]
    assert [one["catalogue"] for one in listed] == ["intern"]


async def test_syncs_of_catalogues_that_a_key_may_not_see_are_unknown_to_it(
    guarded: Any, events: EventPublisher, by: Any
) -> None:
    for sync_id, dataset in (("law", LAWS), ("help", f"katalog-{HELP}"), ("other", "katalog-arbeidshulp")):
        await events.publish(
            subjects.ingest_progress(sync_id), SyncStarted(sync_id=sync_id, dataset=dataset, source="x")
        )
    listed = {}
    for name in ("all", "few"):
        syncs = (await guarded.client.get("/v1/ingest", **by(name))).json()["syncs"]
        listed[name] = {one["sync_id"] for one in syncs}
    assert listed == {"all": {"law", "help", "other"}, "few": {"law", "help"}}
    assert (await guarded.client.get("/v1/ingest/other/events", **by("few"))).status_code == 404
    refused = await guarded.client.post("/v1/ingest", json={"dataset": "katalog-arbeidshulp"}, **by("few"))
    assert (refused.status_code, refused.json()["detail"]) == (404, "Fant ikke katalogen arbeidshulp.")
    accepted = await guarded.client.post("/v1/ingest", json={"dataset": "katalog-arbeidshulp"}, **by("all"))
    waiting = accepted.json()["syncs"][0]["events"]
    assert (await guarded.client.get(waiting, **by("few"))).status_code == 404


async def test_why_a_sync_was_refused_names_no_other_catalogue_to_a_key_with_a_list(
    guarded: Any, events: EventPublisher, by: Any
) -> None:
    fields = {"sync_id": "refused", "dataset": f"katalog-{HELP}", "problem": ProblemType.INVALID_REQUEST}
    failed = SyncFailed(**fields, detail="Ikke listet opp (de som er det: hemmelig).")
    await events.publish(subjects.ingest_progress("refused"), failed)
    for name, told in (("all", True), ("few", False)):
        listed = (await guarded.client.get("/v1/ingest", **by(name))).text
        followed = (await guarded.client.get("/v1/ingest/refused/events", **by(name))).text
        assert ["hemmelig" in text for text in (listed, followed)] == [told, told]
        assert "refused" in listed and "sync.failed" in followed


async def test_a_model_searches_products_by_mcp(guarded: Any, served: Any, secrets: Any) -> None:
    async with (
        httpx2.AsyncClient(headers=authorization(secrets[1]["few"])) as http,
        Client(streamable_http_client(f"{guarded.url}/mcp", http_client=http)) as client,
    ):
        served.reply[subjects.SEARCH_PRODUCTS] = ProductHits(hits=(hit(catalogue=HELP),), searched=(HELP,))
        result = await client.call_tool("search_products", {"query": "burn-out", "limit": 2})
        (content,) = result.content
        assert "**Herstel<b>coaching** (Vanaf € 2.500) · Hjelpetilbud." in content.text
        assert "🔗 https://portal.evi360.nl/products/15" in content.text
        assert "ikke lov og ikke instrukser" in content.text
        assert [one["catalogue"] for one in result.structured_content["catalogues"]] == [HELP, "intern"]
        assert (asked(served).catalogues, asked(served).limit) == ((HELP, "intern"), 2)
        other = await client.call_tool("search_products", {"query": "x", "catalogue": "arbeidshulp"})
        assert other.is_error and other.content[0].text == (
            "Fant ikke katalogen arbeidshulp. Disse finnes: hjelpetilbud, intern."
        )
        served.reply[subjects.SEARCH_PRODUCTS] = ProductHits()
        nothing = await client.call_tool("search_products", {"query": "zzz"})
        assert "Ingen tilbud passer til «zzz»" in nothing.content[0].text


async def test_what_was_searched_and_shown_of_products_is_in_the_audit_log(
    gateway: Any, served: Any, js: JetStreamContext
) -> None:
    await gateway.client.get("/v1/products?q=burn-out")
    stored = await js.get_last_msg(subjects.STREAM_AUDIT, subjects.audit(AuditAction.SEARCHED))
    record = AuditRecord.model_validate_json(stored.data or b"")
    assert (record.question, record.sources) == ("burn-out", ("arbeidshulp 15/a",))


async def test_the_page_of_offers_shows_what_fits_as_plain_text(gateway: Any, served: Any) -> None:
    page = (await gateway.client.get("/tilbud?q=burn-out")).text
    assert '<li lang="nl">' in page
    link = '<a href="https://portal.evi360.nl/products/15" rel="noopener nofollow">Herstel&lt;b&gt;coaching</a>'
    assert link in page
    assert "Traject &lt;script&gt;evil()&lt;/script&gt; van zes maanden." in page and "<script>evil" not in page
    assert "Vanaf € 2.500" in page.replace("\N{NO-BREAK SPACE}", " ")
    assert '<strong class="badge not-in-force" lang="nb">oppdiktet eksempel</strong>' in page
    assert "Ett tilbud passer." in page and 'aria-current="page">Tilbud</a>' in page
    assert "Intern" not in page


@pytest.mark.parametrize(
    "url", ["", "javascript:evil()", "http://x.no", "https://x@evil.example/", 'https://x.no/"o="']
)
async def test_the_page_links_to_https_alone(gateway: Any, served: Any, url: str) -> None:
    served.reply[subjects.SEARCH_PRODUCTS] = ProductHits(hits=(hit(url=url),), searched=("arbeidshulp",))
    page = (await gateway.client.get("/tilbud?q=burn-out")).text
    assert "<h2>Herstel&lt;b&gt;coaching</h2>" in page
    assert not url or f'href="{url}' not in page


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("/tilbud", "Hva trenger du hjelp til?"),
        ("/tilbud?lang=nn", "Kva treng du hjelp til?"),
        ("/tilbud?lang=en", "What do you need help with?"),
        ("/tilbud?q=x&min_price=mye", "«mye» er ikke en pris og er ikke brukt."),
        ("/tilbud?q=x&catalogue=intern", "Fant ikke katalogen «intern»."),
        ("/tilbud?q=%3Cb%3E&catalogue=%3Cb%3E", "&lt;b&gt;"),
    ],
)
async def test_the_page_of_offers_says_what_it_needs_and_could_not_use(
    gateway: Any, served: Any, address: str, said: str
) -> None:
    page = await gateway.client.get(address)
    assert page.status_code == 200
    assert said in page.text


async def test_the_page_shows_nothing_of_a_catalogue_that_it_did_not_list(gateway: Any, served: Any) -> None:
    served.reply[subjects.SEARCH_PRODUCTS] = ProductHits(hits=(hit(), hit(catalogue="ny", name="Fra en ny katalog")))
    page = await gateway.client.get("/tilbud?q=burn-out")
    assert page.status_code == 200
    assert "Ett tilbud passer." in page.text and "Fra en ny katalog" not in page.text


async def test_the_page_says_when_nothing_fits_and_searches_by_what_was_chosen(gateway: Any, served: Any) -> None:
    served.reply[subjects.SEARCH_PRODUCTS] = ProductHits(searched=(HELP,))
    page = (await gateway.client.get(f"/tilbud?q=leie&catalogue={HELP}&min_price=10,5&max_price=x&category=Y")).text
    assert "Ingen tilbud passer til «leie»." in page
    request = asked(served)
    assert (request.catalogues, request.min_price, request.max_price) == ((HELP,), 10.5, None)
    assert request.category == "Y"
    assert f'<option value="{HELP}" selected' in page
