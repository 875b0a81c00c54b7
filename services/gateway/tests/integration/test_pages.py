"""The pages by HTTP, with the services behind answering by the book; how they look and move is tested in a browser."""

import html
import re
from datetime import date
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from lovsvar_chassis.problems import problem
from lovsvar_contracts import subjects
from lovsvar_contracts.facets import Facets, FacetValue
from lovsvar_contracts.law import DocumentSummary, InForce, LawType
from lovsvar_contracts.listings import Citations, CitedPlace, Citing, Documents
from lovsvar_contracts.named_acts import NamedAct
from lovsvar_contracts.problems import ProblemType
from lovsvar_contracts.questions import QuestionFilters
from lovsvar_contracts.search import Acts, ProvisionHit, ProvisionHits, Resolution, ResolvedReference, UnknownWord

REFID = "lov/2999-01-01-1"
BROWSER = {"Accept": "text/html"}


def run_of(answer: Any) -> str:
    return parse_qs(urlsplit(answer.headers["Location"]).query)["run"][0]


def hit(snippet: str, *marks: tuple[int, int]) -> ProvisionHit:
    return ProvisionHit(
        refid=REFID,
        section="§3-5",
        act="Loven",
        title="§ 3-5. <Depositum>",
        law_type=LawType.LOV,
        snippet=snippet,
        marks=marks,
        score=1,
        in_force=InForce.YES,
        url=f"/{REFID}#§3-5",
        lovdata_url="https://lovdata.no/x",
        tokens=1,
    )


def match(refid: str, title: str) -> ResolvedReference:
    return ResolvedReference(
        refid=refid,
        act=title,
        title=title,
        law_type=LawType.LOV,
        in_force=InForce.YES,
        url=f"/{refid}",
        lovdata_url="https://lovdata.no/x",
    )


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


async def test_a_search_shows_marks_and_escapes_everything_else(gateway: Any, behind: Any) -> None:
    behind.reply[subjects.SEARCH_PROVISIONS] = ProvisionHits(
        hits=(hit("<b>leie</b> og leie", (3, 7), (15, 19), (17, 99)),),
        total=31,
        page=2,
        page_size=10,
        searched_law_types=(LawType.LOV,),
        prioritized=True,
        corpus_version=1,
        took_ms=1,
    )
    page = (await gateway.client.get("/sok?q=leie&page=2&year=1999")).text
    assert "&lt;b&gt;<mark>leie</mark>&lt;/b&gt; og <mark>leie</mark>" in page
    assert '<span class="whole">§ 3-5</span>. &lt;Depositum&gt;' in page
    assert "31 treff, side 2 av 4" in page
    assert 'rel="prev" href="/sok?q=leie&amp;page=1&amp;year=1999"' in page
    assert 'rel="next" href="/sok?q=leie&amp;page=3&amp;year=1999"' in page


@pytest.mark.parametrize(("marks", "told"), [(((0, 4),), False), ((), True)])
async def test_hits_that_have_none_of_the_words_are_told_to_be_alike(
    gateway: Any, behind: Any, marks: tuple[tuple[int, int], ...], told: bool
) -> None:
    behind.reply[subjects.SEARCH_PROVISIONS] = ProvisionHits(
        hits=(hit("leie"), hit("leie", *marks)),
        total=2,
        page=1,
        page_size=10,
        searched_law_types=(LawType.LOV,),
        prioritized=True,
        corpus_version=1,
        took_ms=1,
    )
    page = (await gateway.client.get("/sok?q=xyz")).text
    assert ("De er tatt med fordi innholdet ligner" in page) is told


@pytest.mark.parametrize(
    ("matches", "address"),
    [
        ((match(REFID, "Loven"),), f"/{REFID}"),
        ((), "/sok?q=loven+%C2%A7+2"),
        ((match(REFID, "Loven"), match("lov/2999-02-02-2", "Loven")), "/sok?q=loven+%C2%A7+2"),
    ],
)
async def test_a_reference_leads_to_the_one_thing_that_it_names_else_to_what_is_found(
    gateway: Any, behind: Any, matches: tuple[ResolvedReference, ...], address: str
) -> None:
    outcome = {0: "none", 1: "one"}.get(len(matches), "several")
    behind.reply[subjects.SEARCH_RESOLVE] = Resolution(
        reference="loven § 2", outcome=outcome, matches=matches, corpus_version=1
    )
    answer = await gateway.client.get("/henvisning", params={"ref": "loven § 2"})
    assert (answer.status_code, answer.headers["Location"]) == (303, address)


async def test_a_search_is_kept_to_the_act_that_is_named_when_there_is_one(gateway: Any, behind: Any) -> None:
    def resolve(*matches: ResolvedReference) -> None:
        outcome = ("none", "one", "several")[min(len(matches), 2)]
        behind.reply[subjects.SEARCH_RESOLVE] = Resolution(
            reference="x", outcome=outcome, matches=matches, corpus_version=1
        )

    async def searched() -> tuple[str | None, str]:
        page = await gateway.client.get("/sok?q=leie&act=hundeloven")
        return next(a for a in reversed(behind.asked) if a.kind == "find_provisions").document, page.text

    resolve(match("lov/1", "Hundeloven"))
    assert (await searched())[0] == "lov/1"
    resolve(match("lov/1", "Hundeloven"), match("lov/2", "Hundeloven"))
    document, page = await searched()
    assert document is None
    assert 'href="/sok?q=leie&amp;act=lov%2F2"' in page
    resolve()
    document, page = await searched()
    assert document is None
    assert "Fant ingen lov som heter «hundeloven»" in page


def found(*hits: ProvisionHit, **more: Any) -> ProvisionHits:
    known: dict[str, Any] = {"total": len(hits), "page": 1, "page_size": 10, "corpus_version": 1, "took_ms": 1}
    return ProvisionHits(hits=hits, **{**known, "searched_law_types": tuple(LawType), "prioritized": True, **more})


ACT = NamedAct(
    refid=REFID,
    act="Leieloven",
    title="Lov om <leie>",
    abbreviation="leiel",
    law_type=LawType.LOV,
    in_force=InForce.REPEALED,
    url=f"/{REFID}",
    lovdata_url="https://lovdata.no/x",
)


async def test_the_act_that_the_words_name_is_shown_first_with_its_title_and_whether_it_is_in_force(
    gateway: Any, behind: Any
) -> None:
    behind.reply[subjects.SEARCH_PROVISIONS] = found(hit("leie"), acts=(ACT,))
    behind.reply[subjects.SEARCH_RESOLVE] = Resolution(
        reference="leiel", outcome="one", matches=(match(REFID, "Leieloven"),), corpus_version=1
    )
    page = (await gateway.client.get("/sok?q=leiel")).text
    assert page.index(f'<h2><a href="/{REFID}" lang="no">Leieloven</a></h2>') < page.index('<ol class="hits"')
    assert "Lov om &lt;leie&gt;" in page
    assert "Opphevet" in page
    assert "Du mente kanskje" not in page, "it is named once"


async def test_counts_are_links_that_keep_the_search_and_what_is_chosen_can_be_removed(
    gateway: Any, behind: Any
) -> None:
    facets = Facets(
        law_types=(FacetValue(value="lov", hits=1_200), FacetValue(value="forskrift", hits=30)),
        ministries=(FacetValue(value="Barne- & <familiedepartementet>", hits=5),),
        legal_areas=(FacetValue(value="Arv > Skifte", hits=4),),
        in_force=7,
        word_hits=1_230,
    )
    behind.reply[subjects.SEARCH_PROVISIONS] = found(hit("leie", (0, 4)), total=1_240, facets=facets)
    page = (await gateway.client.get("/sok?q=leie&in_force=1&law_type=lov&page=3")).text
    asked = next(a for a in behind.asked if a.kind == "find_provisions")
    assert (asked.facets, asked.all_types, asked.in_force_on) == (True, False, date.today())
    assert 'href="/sok?q=leie&amp;in_force=1&amp;law_type=forskrift"' in page, "the first page of the other type"
    assert '<span class="count">1\N{NO-BREAK SPACE}200</span>' in page
    assert "ministry=Barne-+%26+%3Cfamiliedepartementet%3E" in page
    assert "legal_area=Arv+%3E+Skifte" in page
    assert "1\N{NO-BREAK SPACE}230 har ord fra søket; resten ligner i innhold." in page
    chosen = re.findall(r'<a class="chip" href="([^"]*)"', page)
    assert [html.unescape(address) for address in chosen] == ["/sok?q=leie&in_force=1", "/sok?q=leie&law_type=lov"]


async def test_a_narrowed_search_is_of_all_law_types_and_one_in_an_act_counts_nothing(
    gateway: Any, behind: Any
) -> None:
    for query, all_types, facets in (
        ("", False, True),
        ("&year=1999", True, True),
        ("&ministry=justis", True, True),
        ("&all_types=1", True, True),
        ("&all_types=1&law_type=lov", False, True),
    ):
        behind.asked.clear()
        await gateway.client.get(f"/sok?q=leie{query}")
        asked = next(a for a in behind.asked if a.kind == "find_provisions")
        assert (asked.all_types, asked.facets) == (all_types, facets), query


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"prioritized": True}, "Søkt i: lov, forskrift, vedtak, instruks, reglement, vedlegg."),
        ({"searched_law_types": (LawType.LOV,)}, "Søkt i: lov. Det ga nok treff, så de andre typene er ikke med."),
    ],
)
async def test_the_types_that_were_searched_are_said(
    gateway: Any, behind: Any, more: dict[str, Any], said: str
) -> None:
    behind.reply[subjects.SEARCH_PROVISIONS] = found(hit("leie"), **more)
    assert said in (await gateway.client.get("/sok?q=leie")).text
    behind.reply[subjects.SEARCH_PROVISIONS] = found(searched_law_types=(LawType.LOV,), prioritized=False)
    page = (await gateway.client.get("/sok?q=leie&law_type=lov")).text
    assert "Søkt bare i: lov." in page
    assert 'href="/sok?q=leie">Søk uten avgrensningene</a>' in page


async def test_a_page_after_the_last_leads_back(gateway: Any, behind: Any) -> None:
    behind.reply[subjects.SEARCH_PROVISIONS] = found(total=31, page=9)
    page = (await gateway.client.get("/sok?q=leie&page=9")).text
    assert "Side 9 finnes ikke." in page
    assert "Søket ga 31 treff på 4 sider." in page
    assert 'href="/sok?q=leie">Til første side</a>' in page
    assert 'href="/sok?q=leie&amp;page=4">Til siste side</a>' in page
    assert "Ingen treff" not in page


async def test_words_and_filters_that_nothing_has_are_named(gateway: Any, behind: Any) -> None:
    words = (UnknownWord(word="depositim", meant="depositum"), UnknownWord(word="<b>"))
    behind.reply[subjects.SEARCH_PROVISIONS] = found(unknown_words=words, unknown_filters=("ministry",))
    page = (await gateway.client.get("/sok?q=Depositim+leie&ministry=<tull>")).text
    assert "Fant ingen lov eller forskrift med ordet «depositim». Mente du" in page
    assert 'href="/sok?q=depositum+leie&amp;ministry=%3Ctull%3E"' in page
    assert "med ordet «&lt;b&gt;»" in page
    assert "departement som heter «&lt;tull&gt;»" in page
    assert 'href="/sok?q=Depositim+leie">Fjern avgrensningen</a>' in page


async def test_an_act_that_nobody_knows_is_answered_with_those_of_a_like_name(gateway: Any, behind: Any) -> None:
    behind.reply[subjects.SEARCH_ACTS] = Acts(acts=(ACT,), corpus_version=1)
    page = (await gateway.client.get("/sok?q=frist&act=leielven")).text
    assert "Fant ingen lov som heter «leielven»" in page
    assert f'href="/sok?q=frist&amp;act={REFID.replace("/", "%2F")}"' in page
    assert "Avgrenset til" not in page


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("year=99", "«99» er ikke et årstall"),
        ("law_type=<tull>", "«&lt;tull&gt;» er ingen type"),
        ("in_force=x", "«x» kan ikke brukes"),
    ],
)
async def test_a_filter_that_cannot_be_used_is_said_so_and_does_not_narrow(
    gateway: Any, behind: Any, query: str, said: str
) -> None:
    behind.reply[subjects.SEARCH_PROVISIONS] = found(hit("leie"))
    page = (await gateway.client.get(f"/sok?q=leie&{query}")).text
    assert said in page
    assert "Avgrenset til" not in page
    asked = next(a for a in behind.asked if a.kind == "find_provisions")
    assert (asked.year, asked.law_type, asked.in_force_on) == (None, None, None)


@pytest.mark.parametrize("query", ["year=abc", "page=x", "page=99999999999999999999", "law_type=tull", "ministry=%00"])
async def test_filters_that_make_no_sense_are_left_out(gateway: Any, behind: Any, query: str) -> None:
    assert (await gateway.client.get(f"/sok?q=leie&{query}")).status_code == 200


async def test_a_search_that_fails_says_why_on_its_page(gateway: Any, behind: Any) -> None:
    behind.reply[subjects.SEARCH_PROVISIONS] = problem(ProblemType.NOT_READY, "Indeksen bygges.")
    answer = await gateway.client.get("/sok?q=leie", headers=BROWSER)
    assert "Indeksen bygges." in answer.text
    assert 'value="leie"' in answer.text


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


async def test_pages_answer_head_without_a_body(gateway: Any, behind: Any) -> None:
    for path in ("/", "/sok", f"/{REFID}", "/lov", "/forskrift", f"/henvisninger?dokument={REFID}"):
        answer = await gateway.client.head(path)
        assert (answer.status_code, answer.content) == (200, b""), path
    assert (await gateway.client.head(f"/{REFID}/§3-5")).status_code == 303


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
        hits=(hit("<b>leie</b>", (3, 7)),),
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


async def test_the_language_that_was_chosen_is_remembered_and_any_other_is_not(gateway: Any, behind: Any) -> None:
    assert '<html lang="nb">' in (await gateway.client.get("/?lang=tull")).text
    chosen = await gateway.client.get("/?lang=nn")
    assert '<html lang="nn">' in chosen.text
    assert "HttpOnly" in chosen.headers["Set-Cookie"]
    assert '<html lang="nn">' in (await gateway.client.get("/sok")).text
