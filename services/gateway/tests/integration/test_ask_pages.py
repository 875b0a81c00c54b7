"""The ask page and what all pages have, by HTTP, with the services behind answering by the book.

How they look and move is tested in a browser.
"""

import html
import re
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from lovsvar_contracts import subjects
from lovsvar_contracts.law import LawType
from lovsvar_contracts.questions import QuestionFilters

REFID = "lov/2999-01-01-1"
BROWSER = {"Accept": "text/html"}


@pytest.fixture
def behind(shared_behind: Any) -> Any:
    """The services behind, which all tests here use."""
    return shared_behind


def run_of(answer: Any) -> str:
    return parse_qs(urlsplit(answer.headers["Location"]).query)["run"][0]


async def test_a_question_from_the_form_leads_to_its_runs_page(gateway: Any, behind: Any, run_log: Any) -> None:
    first = run_of(await gateway.client.post("/", data={"question": "Hva <først>?", "year": "1999"}))
    form = {"question": "Hva <nå>?", "law_type": "lov", "year": "1999", "ministry": "Just & is", "follows": first}
    answer = await gateway.client.post("/", data=form)
    assert answer.status_code == 303
    (accepted,) = await run_log.read(run_of(answer))
    assert accepted.question == "Hva <nå>?"
    assert accepted.filters == QuestionFilters(law_type=LawType.LOV, year=1999, ministry="Just & is")
    assert accepted.follows == first
    page = await gateway.client.get(answer.headers["Location"])
    assert '<meta http-equiv="refresh" content="2">' in page.text
    assert '<h1 class="question">Hva &lt;nå&gt;?</h1>' in page.text
    assert "Avgrenset til: lov, år 1999, departement «Just &amp; is»." in page.text
    assert f'<a href="/?run={first}">Åpne dette svaret for seg</a>' in page.text
    assert '<span class="asked">Hva &lt;først&gt;?</span>' in page.text
    # The next follow-up begins with the same filters, where they are seen and can be changed.
    assert f'<input type="hidden" name="follows" value="{run_of(answer)}">' in page.text
    assert '<option value="lov" selected>' in page.text
    assert '<details class="narrow" open>' in page.text


async def test_a_question_asked_again_has_the_same_filters_and_follows_the_same(
    gateway: Any, behind: Any, run_log: Any
) -> None:
    first = run_of(await gateway.client.post("/", data={"question": "Hva først?"}))
    form = {"question": "Hva\n\n<nå>?", "law_type": "forskrift", "year": "2020", "ministry": "", "follows": first}
    asked = run_of(await gateway.client.post("/", data=form))
    await gateway.client.delete(f"/v1/questions/{asked}")
    page = await gateway.client.get(f"/?run={asked}")
    (again,) = [f for f in re.findall(r"<form.*?</form>", page.text, re.DOTALL) if "Spør på nytt" in f]
    fields = {name: html.unescape(value) for name, value in re.findall(r'name="(\w+)" value="([^"]*)"', again)}
    assert fields == form
    repeated = run_of(await gateway.client.post("/", data=fields))
    first_event, *_ = await run_log.read(asked)
    (accepted,) = await run_log.read(repeated)
    assert (accepted.question, accepted.filters, accepted.follows) == (
        first_event.question,
        first_event.filters,
        first_event.follows,
    )


@pytest.mark.parametrize("follows", ["0" * 32, "lovsvar.answer.>"])
async def test_a_follow_up_of_what_is_gone_can_be_asked_by_itself(gateway: Any, behind: Any, follows: str) -> None:
    form = {"question": "Og da?", "year": "1999", "follows": follows}
    answer = await gateway.client.post("/", data=form)
    assert answer.status_code in (404, 422)
    assert "Svaret som dette følger opp, finnes ikke lenger" in answer.text
    assert ">Og da?</textarea>" in answer.text
    assert 'name="year" value="1999"' in answer.text
    assert 'name="follows"' not in answer.text


async def test_a_filter_that_is_none_is_told_and_what_was_written_is_kept(gateway: Any, behind: Any) -> None:
    first = run_of(await gateway.client.post("/", data={"question": "Hva først?"}))
    form = {"question": "Og da?", "year": "99", "ministry": "Justis", "follows": first}
    answer = await gateway.client.post("/", data=form)
    assert answer.status_code == 422
    assert "Avgrensningen kan ikke brukes" in answer.text
    for kept in (">Og da?</textarea>", 'value="99"', 'value="Justis"', f'name="follows" value="{first}"'):
        assert kept in answer.text


async def test_a_run_that_follows_what_has_expired_says_so(gateway: Any, behind: Any, js: Any) -> None:
    first = run_of(await gateway.client.post("/", data={"question": "Hva først?"}))
    second = run_of(await gateway.client.post("/", data={"question": "Hva nå?", "follows": first}))
    await js.purge_stream(subjects.STREAM_ANSWERS, subject=subjects.answer(first))
    page = await gateway.client.get(f"/?run={second}")
    assert page.status_code == 200
    assert "Følger opp et spørsmål som ikke er her lenger." in page.text
    assert "Hva først?" not in page.text


@pytest.mark.parametrize(
    ("question", "said"), [("  ", "Skriv et spørsmål først"), ("å" * 4_500, "for langt: høyst 4000 tegn")]
)
async def test_a_question_that_cannot_be_asked_is_told_so_on_the_page(
    gateway: Any, behind: Any, question: str, said: str
) -> None:
    answer = await gateway.client.post("/", data={"question": question})
    assert answer.status_code == 422
    assert said in answer.text
    assert question.strip()[:100] in answer.text


async def test_a_form_with_more_fields_than_there_are_is_empty(gateway: Any, behind: Any) -> None:
    form = "&".join(f"question=a&x{n}=1" for n in range(50))
    answer = await gateway.client.post("/", content=form)
    assert answer.status_code == 422
    assert "Skriv et spørsmål først" in answer.text


@pytest.mark.parametrize(
    "foreign", [{"Sec-Fetch-Site": "cross-site"}, {"Origin": "http://elsewhere.example"}, {"Origin": "null"}]
)
async def test_another_site_cannot_ask_or_stop_in_a_readers_name(
    gateway: Any, behind: Any, run_log: Any, foreign: dict[str, str]
) -> None:
    answer = await gateway.client.post("/", data={"question": "Hva nå?", "year": "1999"}, headers=foreign)
    assert answer.status_code == 200
    assert "kom fra en annen nettside" in answer.text
    assert ">Hva nå?</textarea>" in answer.text
    assert 'name="year" value="1999"' in answer.text

    run = run_of(await gateway.client.post("/", data={"question": "Hva nå?"}))
    await gateway.client.post("/stopp", data={"run": run}, headers=foreign)
    assert [e.type for e in await run_log.read(run)] == ["run.accepted"]
    await gateway.client.post("/stopp", data={"run": run}, headers={"Origin": gateway.url})
    assert [e.type for e in await run_log.read(run)] == ["run.accepted", "run.cancelled"]
    stopped = await gateway.client.get(f"/?run={run}")
    assert "Du stoppet dette spørsmålet" in stopped.text
    assert "refresh" not in stopped.text


@pytest.mark.parametrize("pattern", ["*", ">", "*.>", "", "a b", "a\r\nPING"])
async def test_no_pattern_stops_a_run(gateway: Any, behind: Any, run_log: Any, pattern: str) -> None:
    run = run_of(await gateway.client.post("/", data={"question": "Hva nå?"}))
    assert (await gateway.client.post("/stopp", data={"run": pattern})).status_code == 404
    assert [e.type for e in await run_log.read(run)] == ["run.accepted"]


async def test_an_unknown_run_is_a_page_that_can_be_asked_from(gateway: Any, behind: Any) -> None:
    answer = await gateway.client.get(f"/?run={'0' * 32}", headers=BROWSER)
    assert answer.status_code == 404
    assert "finnes ikke lenger" in answer.text
    assert '<textarea id="question"' in answer.text


async def test_every_page_lets_in_its_own_scripts_and_styles_alone_and_has_none_inline(
    gateway: Any, behind: Any
) -> None:
    for path in ("/", "/sok?q=a", f"/{REFID}", "/?run=x", "/sok/finnes-ikke"):
        page = await gateway.client.get(path, headers=BROWSER)
        policy = page.headers["Content-Security-Policy"]
        assert "unsafe" not in policy
        assert "default-src 'none'" in policy
        assert not re.search(r"<style|\sstyle=|\son\w+=|javascript:", page.text), path
        assert all("src=" in tag or "application/json" in tag for tag in re.findall(r"<script[^>]*>", page.text))


async def test_scripts_and_styles_are_kept_for_good_under_the_address_of_their_release(
    gateway: Any, behind: Any
) -> None:
    page = await gateway.client.get("/")
    addresses = re.findall(r'(?:src|href)="(/static/[^"]+)"', page.text)
    assert len(addresses) == 3
    for address in addresses:
        kept = await gateway.client.get(address)
        assert (kept.status_code, kept.headers["Cache-Control"]) == (200, "max-age=31536000, immutable")
        assert kept.headers["Content-Encoding"] == "gzip"
        plain = await gateway.client.get(address, headers={"Accept-Encoding": "identity"})
        assert "Content-Encoding" not in plain.headers
        assert plain.content == kept.content
        name = address.rpartition("/")[2]
        other = await gateway.client.get(f"/static/000000000000/{name}")
        assert other.status_code == 404, "an older release is not served what is newer"
        assert (await gateway.client.get(f"/static/{name}")).headers["Cache-Control"] == "no-cache"


async def test_the_language_that_was_chosen_is_remembered_and_any_other_is_not(gateway: Any, behind: Any) -> None:
    assert '<html lang="nb">' in (await gateway.client.get("/?lang=tull")).text
    chosen = await gateway.client.get("/?lang=nn")
    assert '<html lang="nn">' in chosen.text
    assert "HttpOnly" in chosen.headers["Set-Cookie"]
    assert '<html lang="nn">' in (await gateway.client.get("/sok")).text


async def test_pages_answer_head_without_a_body(gateway: Any, behind: Any) -> None:
    for path in ("/", "/sok", f"/{REFID}", "/lov", "/forskrift", f"/henvisninger?dokument={REFID}"):
        answer = await gateway.client.head(path)
        assert (answer.status_code, answer.content) == (200, b""), path
    assert (await gateway.client.head(f"/{REFID}/§3-5")).status_code == 303
