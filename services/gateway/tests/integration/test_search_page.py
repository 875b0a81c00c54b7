"""The search page by HTTP: hits, counts, filters, and the acts that a search names or may have meant."""

import html
import re
from datetime import date
from typing import Any

import pytest

from lovsvar_chassis.problems import problem
from lovsvar_contracts import subjects
from lovsvar_contracts.facets import Facets, FacetValue, YearSpan
from lovsvar_contracts.law import InForce, LawType
from lovsvar_contracts.named_acts import NamedAct
from lovsvar_contracts.problems import ProblemType
from lovsvar_contracts.search import Acts, ProvisionHits, Resolution, ResolvedReference, UnknownWord
from lovsvar_testkit.hits import make_hit, make_hits

REFID = "lov/2999-01-01-1"
BROWSER = {"Accept": "text/html"}


@pytest.fixture
def behind(shared_behind: Any) -> Any:
    """The services behind, which all tests here use."""
    return shared_behind


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


async def test_a_search_shows_marks_and_escapes_everything_else(gateway: Any, behind: Any) -> None:
    behind.reply[subjects.SEARCH_PROVISIONS] = ProvisionHits(
        hits=(make_hit("<b>leie</b> og leie", (3, 7), (15, 19), (17, 99)),),
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
    assert 'rel="prev" href="/sok?q=leie&amp;page=1&amp;year_from=1999&amp;year_to=1999"' in page
    assert 'rel="next" href="/sok?q=leie&amp;page=3&amp;year_from=1999&amp;year_to=1999"' in page


@pytest.mark.parametrize(("marks", "told"), [(((0, 4),), False), ((), True)])
async def test_hits_that_have_none_of_the_words_are_told_to_be_alike(
    gateway: Any, behind: Any, marks: tuple[tuple[int, int], ...], told: bool
) -> None:
    behind.reply[subjects.SEARCH_PROVISIONS] = ProvisionHits(
        hits=(make_hit("leie"), make_hit("leie", *marks)),
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


async def test_the_act_that_the_words_name_is_shown_first_with_its_title_and_whether_it_is_in_force(
    gateway: Any, behind: Any
) -> None:
    behind.reply[subjects.SEARCH_PROVISIONS] = make_hits(make_hit("leie"), acts=(ACT,))
    behind.reply[subjects.SEARCH_RESOLVE] = Resolution(
        reference="leiel", outcome="one", matches=(match(REFID, "Leieloven"),), corpus_version=1
    )
    page = (await gateway.client.get("/sok?q=leiel")).text
    assert page.index(f'<h2><a href="/{REFID}" lang="no">Leieloven</a></h2>') < page.index('<ol class="hits"')
    assert "Lov om &lt;leie&gt;" in page
    assert "Opphevet" in page
    assert "Du mente kanskje" not in page, "it is named once"


@pytest.mark.parametrize(("language", "shown"), [("en", True), ("nb", False), ("nn", False)])
async def test_readers_of_english_see_the_english_title_of_an_act(
    gateway: Any, behind: Any, language: str, shown: bool
) -> None:
    act = ACT.model_copy(update={"refid": "lov/1999-03-26-17", "act": "Husleieloven"})
    behind.reply[subjects.SEARCH_PROVISIONS] = make_hits(make_hit("leie"), acts=(act,))
    page = (await gateway.client.get(f"/sok?q=husleieloven&lang={language}")).text
    assert ('<span class="english" lang="en">Tenancy Act</span>' in page) is shown


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
    behind.reply[subjects.SEARCH_PROVISIONS] = make_hits(make_hit("leie", (0, 4)), total=1_240, facets=facets)
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


async def test_years_are_a_range_with_counts_by_decade(gateway: Any, behind: Any) -> None:
    spans = (YearSpan(first=2000, last=2009, hits=8), YearSpan(first=1990, last=1999, hits=5))
    behind.reply[subjects.SEARCH_PROVISIONS] = make_hits(make_hit("leie"), facets=Facets(years=spans))
    page = (await gateway.client.get("/sok?q=leie&year_from=1999&year_to=1990")).text
    asked = next(a for a in behind.asked if a.kind == "find_provisions")
    assert (asked.year, asked.year_from, asked.year_to) == (None, 1990, 1999), "typed the other way round"
    assert 'href="/sok?q=leie&amp;year_from=2000&amp;year_to=2009">2000–2009 <span class="count">8</span>' in page
    assert 'aria-current="true" href="/sok?q=leie">1990–1999 <span class="count">5</span>' in page
    chosen = re.findall(r'<a class="chip" href="([^"]*)"', page)
    assert [html.unescape(address) for address in chosen] == ["/sok?q=leie&year_to=1990", "/sok?q=leie&year_from=1999"]


async def test_a_narrowed_search_is_of_all_law_types_and_one_in_an_act_counts_nothing(
    gateway: Any, behind: Any
) -> None:
    for query, all_types, facets in (
        ("", False, True),
        ("&year=1999", True, True),
        ("&year_from=1999", True, True),
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
    behind.reply[subjects.SEARCH_PROVISIONS] = make_hits(make_hit("leie"), **more)
    assert said in (await gateway.client.get("/sok?q=leie")).text
    behind.reply[subjects.SEARCH_PROVISIONS] = make_hits(searched_law_types=(LawType.LOV,), prioritized=False)
    page = (await gateway.client.get("/sok?q=leie&law_type=lov")).text
    assert "Søkt bare i: lov." in page
    assert 'href="/sok?q=leie">Søk uten avgrensningene</a>' in page


async def test_a_page_after_the_last_leads_back(gateway: Any, behind: Any) -> None:
    behind.reply[subjects.SEARCH_PROVISIONS] = make_hits(total=31, page=9)
    page = (await gateway.client.get("/sok?q=leie&page=9")).text
    assert "Side 9 finnes ikke." in page
    assert "Søket ga 31 treff på 4 sider." in page
    assert 'href="/sok?q=leie">Til første side</a>' in page
    assert 'href="/sok?q=leie&amp;page=4">Til siste side</a>' in page
    assert "Ingen treff" not in page


async def test_words_and_filters_that_nothing_has_are_named(gateway: Any, behind: Any) -> None:
    words = (UnknownWord(word="depositim", meant="depositum"), UnknownWord(word="<b>"))
    behind.reply[subjects.SEARCH_PROVISIONS] = make_hits(unknown_words=words, unknown_filters=("ministry",))
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
        ("year_to=99", "«99» er ikke et årstall"),
        ("law_type=<tull>", "«&lt;tull&gt;» er ingen type"),
        ("in_force=x", "«x» kan ikke brukes"),
    ],
)
async def test_a_filter_that_cannot_be_used_is_said_so_and_does_not_narrow(
    gateway: Any, behind: Any, query: str, said: str
) -> None:
    behind.reply[subjects.SEARCH_PROVISIONS] = make_hits(make_hit("leie"))
    page = (await gateway.client.get(f"/sok?q=leie&{query}")).text
    assert said in page
    assert "Avgrenset til" not in page
    asked = next(a for a in behind.asked if a.kind == "find_provisions")
    assert (asked.year_from, asked.year_to, asked.law_type, asked.in_force_on) == (None, None, None, None)


@pytest.mark.parametrize("query", ["year=abc", "page=x", "page=99999999999999999999", "law_type=tull", "ministry=%00"])
async def test_filters_that_make_no_sense_are_left_out(gateway: Any, behind: Any, query: str) -> None:
    assert (await gateway.client.get(f"/sok?q=leie&{query}")).status_code == 200


async def test_a_search_that_fails_says_why_on_its_page(gateway: Any, behind: Any) -> None:
    behind.reply[subjects.SEARCH_PROVISIONS] = problem(ProblemType.NOT_READY, "Indeksen bygges.")
    answer = await gateway.client.get("/sok?q=leie", headers=BROWSER)
    assert "Indeksen bygges." in answer.text
    assert 'value="leie"' in answer.text
