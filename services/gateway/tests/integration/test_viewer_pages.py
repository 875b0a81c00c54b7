"""The viewer by HTTP: acts, their provisions, what refers to them, and their lists."""

import html
from typing import Any

import pytest

from lovsvar_chassis.problems import problem
from lovsvar_contracts import subjects
from lovsvar_contracts.law import DocumentSummary, InForce, LawType
from lovsvar_contracts.listings import Citations, CitedPlace, Citing, Documents
from lovsvar_contracts.problems import ProblemType
from lovsvar_contracts.search import ProvisionHits
from lovsvar_testkit.hits import make_hit

REFID = "lov/2999-01-01-1"
BROWSER = {"Accept": "text/html"}


@pytest.fixture
def behind(shared_behind: Any) -> Any:
    """The services behind, which all tests here use."""
    return shared_behind


async def test_a_document_that_has_not_changed_is_not_sent_again(gateway: Any, behind: Any) -> None:
    first = await gateway.client.get(f"/{REFID}")
    assert first.headers["Content-Encoding"] == "gzip"
    same = {"If-None-Match": first.headers["ETag"]}
    behind.asked.clear()
    assert (await gateway.client.get(f"/{REFID}", headers=same)).status_code == 304
    assert len(behind.asked) == 1, "one page tells the corpus version"
    for other in (f"/{REFID}?lang=en", f"/{REFID}?sitat=ord"):
        assert (await gateway.client.get(other, headers=same)).status_code == 200


async def test_a_document_that_is_not_here_leads_to_lovdata(gateway: Any, behind: Any) -> None:
    page = await gateway.client.get("/lov/1700-01-01-1", headers=BROWSER)
    assert page.status_code == 404
    assert 'href="https://lovdata.no/lov/1700-01-01-1"' in page.text


@pytest.mark.parametrize(
    ("address", "place"),
    [
        ("§3-5", "%C2%A73-5"),
        ("%C2%A73-5", "%C2%A73-5"),
        ("3-5", "%C2%A73-5"),
        ("§3-5/ledd/2", "%C2%A73-5/ledd/2"),
        ("gdpr/a5?lang=en", "gdpr/a5"),
    ],
)
async def test_a_provision_has_an_address_that_leads_to_its_place(
    gateway: Any, behind: Any, address: str, place: str
) -> None:
    answer = await gateway.client.get(f"/{REFID}/{address}")
    query = "?lang=en" if "lang" in address else ""
    assert (answer.status_code, answer.headers["Location"]) == (303, f"/{REFID}{query}#{place}")


async def test_the_address_of_a_provision_that_does_not_exist_is_not_found(gateway: Any, behind: Any) -> None:
    assert (await gateway.client.get(f"/{REFID}/§99")).status_code == 404


async def test_acts_are_listed_by_what_the_address_says(gateway: Any, behind: Any) -> None:
    page = await gateway.client.get("/lov?bokstav=Å&omrade=Leie&departement=<b>&side=2")
    asked = next(a for a in behind.asked if a.kind == "list_documents")
    assert (asked.series, asked.letter, asked.legal_area, asked.ministry) == ("lov", "Å", "Leie", "<b>")
    assert (asked.page, asked.by_title) == (2, True)
    assert f'<a href="/{REFID}" lang="no">Eksempelleieloven</a>' in page.text
    assert "&lt;b&gt;" in page.text
    assert 'href="/lov?bokstav=%C3%85&amp;omrade=Leie+%3E+Bolig&amp;departement=%3Cb%3E"' in page.text
    assert (await gateway.client.get("/forskrift?side=x&bokstav=%C3%A9e")).status_code == 200
    assert (await gateway.client.get("/lov/")).headers["Location"] == "/lov"


async def test_what_refers_to_a_provision_is_folded_under_it_and_listed_in_full(gateway: Any, behind: Any) -> None:
    citing = Citing(
        refid="forskrift/2999-02-01-2",
        section="§5",
        act="<Forskriften>",
        title="§ 5. Depositum",
        law_type=LawType.FORSKRIFT,
        in_force=InForce.YES,
        basis=True,
        url="/forskrift/2999-02-01-2#§5",
    )
    place = CitedPlace(section="§3-5", total=7, citing=(citing,))
    behind.reply[subjects.SEARCH_CITATIONS] = Citations(refid=REFID, places=(place,), corpus_version=1)
    page = (await gateway.client.get(f"/{REFID}")).text
    assert "Henvist til fra 7 steder" in page
    assert '&lt;Forskriften&gt;, <span class="whole">§ 5</span>. Depositum' in page
    assert ">Hjemmel<" in page
    everything = "/henvisninger?dokument=lov%2F2999-01-01-1&paragraf=%C2%A73-5"
    assert html.escape(everything) in page
    assert "Eksempelleieloven, § 3-5" in (await gateway.client.get(everything)).text


async def test_a_document_is_shown_also_where_what_refers_to_it_cannot_be_found(gateway: Any, behind: Any) -> None:
    behind.reply[subjects.SEARCH_CITATIONS] = problem(ProblemType.UNAVAILABLE, "Databasen svarer ikke.")
    assert (await gateway.client.get(f"/{REFID}")).status_code == 200


async def test_words_are_found_within_a_document(gateway: Any, behind: Any) -> None:
    behind.reply[subjects.SEARCH_PROVISIONS] = ProvisionHits(
        hits=(make_hit("<b>leie</b>", (3, 7)),),
        total=1,
        page=1,
        page_size=20,
        searched_law_types=(LawType.LOV,),
        prioritized=True,
        corpus_version=1,
        took_ms=1,
    )
    page = (await gateway.client.get(f"/{REFID}?finn=leie")).text
    assert next(a for a in behind.asked if a.kind == "find_provisions").document == REFID
    assert "&lt;b&gt;<mark>leie</mark>&lt;/b&gt;" in page
    assert '<a href="#%C2%A73-5" lang="no">' in page


async def test_who_comes_from_an_answer_is_led_back_to_it(gateway: Any, behind: Any) -> None:
    async def page(referer: str) -> str:
        return str((await gateway.client.get(f"/{REFID}", headers={"Referer": referer})).text)

    assert 'class="answered" href="/?run=abc"' in await page(f"{gateway.url}/?run=abc")
    for other in ("http://elsewhere.example/?run=abc", f"{gateway.url}/?run=<b>", f"{gateway.url}/sok?run=abc"):
        assert 'class="answered"' not in await page(other)


async def test_an_act_without_a_date_among_those_in_force_is_in_force(gateway: Any, behind: Any) -> None:
    without = {"in_force": InForce.UNKNOWN, "in_force_from": None}
    (listed,) = (await gateway.client.get("/v1/documents")).json()["documents"]
    summary = DocumentSummary(**{**listed, **without})
    for dataset, said in (("gjeldende-lover", ">I kraft<"), ("eksempel", ">Ikke kjent om i kraft<")):
        one = summary.model_copy(update={"dataset": dataset})
        behind.reply[subjects.SEARCH_DOCUMENTS] = Documents(
            documents=(one,), total=1, page=1, page_size=100, corpus_version=1
        )
        assert said in (await gateway.client.get("/lov")).text
