"""Finding provisions over NATS."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from lovsvar_contracts.law import LAW_TYPE_ORDER, InForce, LawType
from lovsvar_contracts.problems import ProblemType
from lovsvar_contracts.search import MAX_QUERY, ProvisionHit

DEPOSITUM = ("lov/1999-03-26-17", "§3-5")

only_asks = pytest.mark.asyncio(loop_scope="module")
"""A test that asks the service of the whole module, and changes nothing."""


def places(hits: tuple[ProvisionHit, ...]) -> list[tuple[str, str]]:
    return [(hit.refid, hit.section) for hit in hits]


@only_asks
async def test_a_question_finds_the_provision_and_shows_the_ledd_that_answers(search: Any) -> None:
    found = await search.find("Hvor mye kan utleieren kreve i depositum?")
    best = found.hits[0]
    assert (best.refid, best.section) == DEPOSITUM
    assert best.ledd == 2
    assert best.snippet == "Utleier kan kreve depositum på høyst fem måneders leie."
    assert (best.act, best.title, best.path) == ("Husleieloven", "§ 3-5. Depositum", ("Kapittel 3. Leie",))
    assert (best.url, best.in_force) == ("/lov/1999-03-26-17#§3-5", InForce.YES)
    assert best.lovdata_url == "https://lovdata.no/lov/1999-03-26-17/%C2%A73-5"
    assert (found.corpus_version, found.prioritized, found.total) == (1, True, 3)


@only_asks
async def test_what_is_not_in_force_comes_after_what_is(search: Any) -> None:
    found = await search.find("depositum måneders leie", law_type=LawType.LOV)
    order = places(found.hits)
    assert order.index(DEPOSITUM) < order.index(("lov/1939-06-16-6", "§9"))
    assert found.hits[order.index(("lov/1939-06-16-6", "§9"))].in_force is InForce.REPEALED


@only_asks
async def test_a_reference_in_the_query_comes_first(search: Any) -> None:
    assert places((await search.find("husll § 2 A-1 depositum")).hits)[0] == ("lov/1999-03-26-17", "§2A-1")
    assert places((await search.find("lakselus og husleieloven § 3-6")).hits)[0] == ("lov/1999-03-26-17", "§3-6")


async def test_an_act_in_the_query_is_preferred(serve: Any, stored: Any, repealed: Any) -> None:
    await stored.store(replace(repealed, in_force="in_force"))
    version = await stored.stamp()
    async with serve(version=version) as search:
        assert places((await search.find("depositum gamle husleieloven")).hits)[0][0] == "lov/1939-06-16-6"
        assert places((await search.find("depositum husll")).hits)[0] == DEPOSITUM


@only_asks
async def test_law_types_are_searched_in_their_order_until_one_gives_enough(search: Any) -> None:
    enough = await search.find("lakselus i anlegg", page_size=6)
    too_few = await search.find("depositum")
    asked = await search.find("lakselus", law_type=LawType.LOV)
    assert enough.searched_law_types == (LawType.LOV, LawType.FORSKRIFT)
    assert {hit.law_type for hit in enough.hits} == {LawType.FORSKRIFT}
    assert too_few.searched_law_types == LAW_TYPE_ORDER
    assert (asked.searched_law_types, asked.prioritized, asked.total) == ((LawType.LOV,), False, 0)


@only_asks
async def test_year_and_ministry_are_demands(search: Any) -> None:
    assert {hit.refid for hit in (await search.find("depositum lakselus", year=1939)).hits} == {"lov/1939-06-16-6"}
    by_ministry = await search.find("depositum lakselus", ministry="fiskeri")
    assert {hit.refid for hit in by_ministry.hits} == {"forskrift/2012-12-05-1140"}
    assert (await search.find("depositum", ministry="finnes ikke")).hits == ()


@only_asks
async def test_pages_follow_each_other_without_gap_or_repetition(search: Any) -> None:
    whole = await search.find("lakselus uke anlegg fisk", page_size=20)
    pages = [await search.find("lakselus uke anlegg fisk", page=n, page_size=2) for n in (1, 2, 3, 4, 5)]
    assert [place for page in pages for place in places(page.hits)] == places(whole.hits)
    assert {page.total for page in pages} == {whole.total} == {7}


async def test_sample_documents_are_marked(serve: Any, empty: Any, husleie: Any) -> None:
    await empty.store(replace(husleie, dataset="eksempel"))
    async with serve(version=await empty.stamp()) as search:
        assert (await search.find("depositum")).hits[0].sample
        assert (await search.status()).sample


async def test_no_query_is_answered_with_an_error(
    serve: Any, stored: Any, embedder: Any, hostile_queries: Sequence[str]
) -> None:
    await stored.embed({(*DEPOSITUM, 2): 0.9})
    carried = [query.encode(errors="replace").decode() for query in hostile_queries]
    asked = [query for query in carried if 1 <= len(query.strip()) <= MAX_QUERY]
    async with serve(embedder=embedder) as search:
        for query in asked:
            found = await search.find(query)
            assert found.total >= len(found.hits), query[:100]
            if reference := query[:200].strip():
                await search.resolve(reference)
    assert len(asked) >= 500


async def test_a_query_that_is_too_long_is_refused_with_the_field_that_is_wrong(
    nats_url: str, serve: Any, stored: Any
) -> None:
    from nats import connect
    from pydantic_core import from_json

    from lovsvar_contracts import subjects

    async with serve():
        connection = await connect(nats_url)
        reply = await connection.request(subjects.SEARCH_PROVISIONS, b'{"query": "' + b"a" * 10_000 + b'"}', timeout=10)
        await connection.close()
    problem = from_json(reply.data)
    assert (problem["kind"], problem["type"]) == ("problem", ProblemType.INVALID_REQUEST)
    assert "query" in problem["detail"]


@only_asks
async def test_names_are_completed_and_hits_counted_as_a_search_so_narrowed_finds_them(search: Any) -> None:
    acts = await search.acts("husl", limit=1)
    assert [act.refid for act in acts.acts] == ["lov/1999-03-26-17"]
    assert acts.corpus_version == 1
    assert [act.refid for act in (await search.find("husll")).acts] == ["lov/1999-03-26-17"]
    facets = (await search.find("depositum lakselus", facets=True)).facets
    assert {one.value for one in facets.law_types} >= {"lov", "forskrift"}
    for one in facets.ministries:
        narrowed = await search.find("depositum lakselus", facets=True, all_types=True, ministry=one.value)
        assert narrowed.facets.word_hits == one.hits
