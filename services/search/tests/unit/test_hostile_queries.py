"""No query makes search fail."""

import math
from collections.abc import Iterator, Sequence

import pytest

from lovsvar_contracts.law import InForce, LawType, ProvisionKind
from lovsvar_contracts.search import FindProvisions, ProvisionHits, SearchMode
from lovsvar_legaltext.act_names import Act, ActNames
from lovsvar_search.adapters.law.memory_indexes import TantivyQuestions, TantivyTopics
from lovsvar_search.adapters.retrieval.index_folder import IndexFolder
from lovsvar_search.adapters.retrieval.tantivy_index import TantivyIndex
from lovsvar_search.app import load_lexicon, load_ranker
from lovsvar_search.core.law.collection import law_collection
from lovsvar_search.core.law.provision_search import find_provisions
from lovsvar_search.core.law.sections import EverydayQuestion, IndexedSection
from lovsvar_search.core.retrieval.corpus import Corpus, CorpusState
from lovsvar_search.core.retrieval.items import place_number
from lovsvar_search.core.retrieval.vector_search import Near, NearPassage

ACT = Act("lov/1999-03-26-17", "Lov om husleieavtaler", "Husleieloven", "husll", LawType.LOV, InForce.YES)
TEXTS = {
    "§3-5": "Utleier kan kreve depositum på høyst seks måneders leie, jf. § 3-6.",
    "§9-6": "Oppsigelsesfristen er tre måneder. Arbeidsgiver har taushetsplikt.",
    "§9-9": "0 1 a b c x <script> title text NULL 😀 dep ositum",
}


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Corpus]:
    law = law_collection(load_lexicon(), load_ranker())
    index = TantivyIndex(IndexFolder(tmp_path_factory.mktemp("index")), law)
    index.reset()
    kind, yes = ProvisionKind.PROVISION, InForce.YES
    index.add(
        [
            IndexedSection(ACT, name, name, n, kind, 1999, "x", name, "Depositum", ("Kapittel 1",), text, yes, 9)
            for n, (name, text) in enumerate(TEXTS.items())
        ]
    )
    questions = TantivyQuestions([EverydayQuestion("Kan huseier kaste meg ut?", ACT.refid, "§9-9")])
    topics, snapshot = TantivyTopics([ACT], []), index.commit("db", 1)
    yield Corpus(law, snapshot, CorpusState(1, "here"), len(TEXTS), ActNames([ACT]), questions, topics)
    index.close()


def find(query: str, corpus: Corpus, mode: SearchMode) -> ProvisionHits:
    """Search behind the door, which refuses what is too long."""
    near = Near({place_number(ACT.refid, "§9-6"): 0.9}, {place_number(ACT.refid, "§3-5"): NearPassage(0.9, 1)})
    fields = FindProvisions(query="x", mode=mode, explain=True).model_dump() | {"query": query}
    return find_provisions(FindProvisions.model_construct(**fields), corpus, near)


def test_there_are_five_hundred_of_them_each_once(hostile_queries: Sequence[str]) -> None:
    assert len(hostile_queries) >= 500
    assert len(set(hostile_queries)) == len(hostile_queries)


@pytest.mark.parametrize("mode", list(SearchMode))
def test_none_of_them_raises_and_each_is_answered_with_a_page_that_is_whole(
    corpus: Corpus, hostile_queries: Sequence[str], mode: SearchMode
) -> None:
    for query in hostile_queries:
        found = find(query, corpus, mode)
        assert len(found.hits) <= found.total <= len(TEXTS), query[:100]
        for hit in found.hits:
            assert all(0 <= start < end <= len(hit.snippet) for start, end in hit.marks), query[:100]
            assert hit.score_parts is not None
            assert all(math.isfinite(value) for value in hit.score_parts.values()), query[:100]
        assert found.model_dump_json()


def test_a_phrase_that_stands_nowhere_finds_nothing_and_no_sign_undoes_it(corpus: Corpus) -> None:
    for sign in ('"', "“", "«"):
        assert find(f"{sign}fantasiord depositum{sign}", corpus, SearchMode.HYBRID).hits == ()
