"""Finding and reading law, with the services behind answering by the book."""

import re
from datetime import date
from typing import Any
from urllib.parse import quote

import pytest

from lovsvar_chassis.problems import problem
from lovsvar_contracts import subjects
from lovsvar_contracts.problems import ProblemType
from lovsvar_gateway.pages import RELEASE

REFID = "lov/2999-01-01-1"


@pytest.fixture
def behind(shared_behind: Any) -> Any:
    """The services behind, which all tests here use."""
    return shared_behind


async def test_a_search_is_passed_on_with_its_filters(gateway: Any, behind: Any) -> None:
    path = "/v1/search?q=depositum&law_type=forskrift&year=1999&ministry=justis&page=2&page_size=20"
    answer = await gateway.client.get(path)
    assert answer.json()["searched_law_types"] == []
    asked = behind.asked[0]
    assert (asked.query, asked.law_type, asked.year, asked.ministry, asked.page, asked.page_size) == (
        "depositum",
        "forskrift",
        1999,
        "justis",
        2,
        20,
    )
    assert asked.correlation_id == answer.headers["X-Trace-Id"]


async def test_a_search_can_be_kept_to_an_area_a_data_set_a_document_and_a_day(gateway: Any, behind: Any) -> None:
    filters = {"legal_area": "husleie", "dataset": "gjeldende-lover", "document": REFID, "in_force_on": "2026-01-31"}
    answer = await gateway.client.get("/v1/search", params={"q": "depositum", **filters})
    assert answer.status_code == 200, answer.text
    asked = behind.asked[0]
    assert (asked.legal_area, asked.dataset, asked.document) == ("husleie", "gjeldende-lover", REFID)
    assert asked.in_force_on == date(2026, 1, 31)


async def test_a_search_says_by_what_it_ranks_and_tells_what_it_ranked_by(gateway: Any, behind: Any) -> None:
    answer = await gateway.client.get("/v1/search?q=depositum&mode=vector&explain=true")
    assert answer.json()["mode"] == "lexical", "there are no vectors behind"
    assert (behind.asked[0].mode, behind.asked[0].explain) == ("vector", True)
    await gateway.client.get("/v1/search?q=depositum")
    assert (behind.asked[1].mode, behind.asked[1].explain) == ("hybrid", False)


async def test_documents_are_listed_with_filters(gateway: Any, behind: Any) -> None:
    answer = await gateway.client.get("/v1/documents?title=leie&page_size=200")
    assert answer.json()["documents"][0]["refid"] == REFID
    assert (behind.asked[0].title, behind.asked[0].page_size) == ("leie", 200)


@pytest.mark.parametrize("refid", [REFID, quote(REFID, safe="")])
async def test_a_document_and_its_outline_are_read_by_a_refid_with_slashes(
    gateway: Any, behind: Any, refid: str
) -> None:
    assert (await gateway.client.get(f"/v1/documents/{refid}")).json()["next_after"] == 0
    assert (await gateway.client.get(f"/v1/documents/{refid}?after=0")).json()["next_after"] is None
    assert (await gateway.client.get(f"/v1/documents/{refid}/outline")).json()["tokens"] == 3
    assert {a.refid for a in behind.asked} == {REFID}


@pytest.mark.parametrize("section", ["%C2%A73-5", "gdpr/a5", "gdpr%2Fa5"])
async def test_a_provision_is_read_by_its_percent_encoded_name(gateway: Any, behind: Any, section: str) -> None:
    answer = await gateway.client.get(f"/v1/documents/{REFID}/provisions/{section}")
    assert answer.status_code == 200, answer.text
    assert answer.json()["section"] in {"§3-5", "gdpr/a5"}


async def test_an_unknown_provision_is_not_found(gateway: Any, behind: Any) -> None:
    answer = await gateway.client.get(f"/v1/documents/{REFID}/provisions/%C2%A799")
    assert (answer.status_code, answer.json()["detail"]) == (404, f"Fant ikke §99 i {REFID}.")


async def test_a_batch_of_provisions_names_what_is_missing(gateway: Any, behind: Any) -> None:
    refs = [{"refid": REFID, "section": s} for s in ("§3-5", "§99")]
    answer = (await gateway.client.post("/v1/provisions:batch", json={"refs": refs})).json()
    assert [p["section"] for p in answer["provisions"]] == ["§3-5"]
    assert [m["section"] for m in answer["missing"]] == ["§99"]
    too_many = await gateway.client.post("/v1/provisions:batch", json={"refs": refs * 26})
    assert (too_many.status_code, too_many.json()["errors"][0]["field"]) == (422, "refs")


async def test_a_reference_that_names_nothing_is_an_answer_too(gateway: Any, behind: Any) -> None:
    answer = await gateway.client.get("/v1/resolve", params={"ref": "tulleloven § 1"})
    assert (answer.status_code, answer.json()["outcome"]) == (200, "none")
    assert behind.asked[0].reference == "tulleloven § 1"


async def test_practice_without_a_provider_is_a_problem_that_waiting_does_not_solve(gateway: Any, behind: Any) -> None:
    answer = await gateway.client.get("/v1/practice", params={"q": "mangel"})
    assert (answer.status_code, answer.json()["type"]) == (503, "urn:lovsvar:problem:not-configured")
    assert not answer.json()["retryable"]
    assert "Retry-After" not in answer.headers


@pytest.mark.parametrize(
    ("type_", "status"),
    [
        (ProblemType.INVALID_REQUEST, 422),
        (ProblemType.NOT_FOUND, 404),
        (ProblemType.CONFLICT, 409),
        (ProblemType.TOO_LARGE, 413),
        (ProblemType.NOT_READY, 503),
        (ProblemType.UNAVAILABLE, 503),
        (ProblemType.TIMEOUT, 504),
        (ProblemType.SOURCE_UNREACHABLE, 502),
        (ProblemType.SOURCE_UNREADABLE, 502),
        (ProblemType.INTERNAL, 500),
    ],
)
async def test_a_problem_from_a_service_has_its_status(
    gateway: Any, behind: Any, type_: ProblemType, status: int
) -> None:
    behind.reply[subjects.SEARCH_PROVISIONS] = problem(type_, "Slik gikk det.")
    answer = await gateway.client.get("/v1/search?q=a")
    assert (answer.status_code, answer.json()["status"], answer.json()["detail"]) == (status, status, "Slik gikk det.")
    assert answer.json()["type"] == f"urn:lovsvar:problem:{type_}"
    assert answer.json()["correlation_id"] == answer.headers["X-Trace-Id"]


async def test_the_viewer_shows_the_whole_document_with_an_anchor_for_each_provision(gateway: Any, behind: Any) -> None:
    page = await gateway.client.get(f"/{REFID}")
    assert page.status_code == 200
    for section in ("§3-5", "§3-6"):
        assert f'id="{section}"' in page.text
    assert page.text.count(">Kapittel 3. Leie</h2>") == 1
    assert "Eksempel: dette dokumentet er oppdiktet" in page.text
    assert f'href="https://lovdata.no/{REFID}"' in page.text
    assert "I kraft" in page.text


async def test_the_viewer_escapes_text_and_allows_no_script_but_its_own(gateway: Any, behind: Any) -> None:
    page = await gateway.client.get(f"/{REFID}")
    assert re.findall(r"<script[^>]*>", page.text) == [f'<script type="module" src="/static/{RELEASE}/viewer.js">']
    assert "&lt;script&gt;alert(1)" in page.text
    assert "Eksempellov om &lt;leie&gt;" in page.text
    policy = page.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self'" in policy
    assert "unsafe" not in policy
    style = await gateway.client.get("/static/lovsvar.css")
    assert (style.status_code, style.headers["Content-Type"].split(";")[0]) == (200, "text/css")


async def test_a_missing_document_is_a_page_for_a_browser_and_a_problem_for_a_program(
    gateway: Any, behind: Any
) -> None:
    browser = await gateway.client.get("/lov/1700-01-01-1", headers={"Accept": "text/html,*/*;q=0.8"})
    program = await gateway.client.get("/lov/1700-01-01-1")
    assert (browser.status_code, program.status_code) == (404, 404)
    assert browser.headers["Content-Type"].startswith("text/html")
    assert program.headers["Content-Type"] == "application/problem+json"


async def test_names_of_acts_are_completed_within_limits_and_kept_by_the_reader_alone(
    gateway: Any, behind: Any
) -> None:
    answer = await gateway.client.get("/v1/acts?q=+aml+&limit=5&law_type=lov")
    assert (answer.status_code, answer.json()["acts"]) == (200, [])
    assert answer.headers["Cache-Control"] == "private, max-age=300"
    assert (behind.asked[0].text, behind.asked[0].limit, behind.asked[0].law_type) == ("aml", 5, "lov")
    for wrong in ("", "q=", "q=a&limit=21", "q=a&limit=0", "q=a&law_type=x", f"q={'a' * 201}", "q=%00"):
        refused = await gateway.client.get(f"/v1/acts?{wrong}")
        assert (refused.status_code, refused.json()["type"]) == (422, "urn:lovsvar:problem:invalid-request"), wrong
    behind.reply[subjects.SEARCH_ACTS] = problem(ProblemType.NOT_READY, "Indeksen bygges.")
    failed = await gateway.client.get("/v1/acts?q=aml")
    assert (failed.status_code, failed.json()["detail"]) == (503, "Indeksen bygges.")
    assert "max-age" not in failed.headers.get("Cache-Control", "")


async def test_a_search_counts_and_searches_all_types_when_it_is_told_to(gateway: Any, behind: Any) -> None:
    assert (await gateway.client.get("/v1/search?q=leie&facets=true&all_types=true")).status_code == 200
    await gateway.client.get("/v1/search?q=leie")
    assert [(asked.facets, asked.all_types) for asked in behind.asked] == [(True, True), (False, False)]
