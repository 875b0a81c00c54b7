"""What speaks for each provision that may answer a question: one number for each signal, on scales of their own.

No signal is divided by the best of its query: how much a value says is the same whatever else was found. What a
query's words could reach at most (its mass: the sum of their inverse document frequencies) makes scores of short and
long questions comparable. `core/relevance.py` tells what the values say together.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lovsvar_contracts.law import InForce, LawType, ProvisionKind
from lovsvar_search.core.meaning import FAR, Near

Values = NDArray[np.float64]


class Traits(NamedTuple):
    """What kind of text a section is, and whether it is law today."""

    kind: ProvisionKind
    in_force: InForce


TRAITS = tuple(Traits(kind, status) for kind, status in product(ProvisionKind, InForce))


class Candidate(NamedTuple):
    """A provision that may answer. `number`, `act` and `chapter` tell places apart; `words` is its BM25 score.

    `address` means something to the index that found it alone.
    """

    number: int
    act: int
    law_type: LawType
    words: float
    chapter: int
    traits: Traits
    address: object


class Cover(NamedTuple):
    """How much of a query's own words, from 0 to 1 by weight, a place holds in its heading, above it, and anywhere."""

    heading: float
    above: float
    anywhere: float


NO_COVER = Cover(0.0, 0.0, 0.0)

SIGNALS = (
    "words",
    "words_share",
    "words_behind",
    "heading",
    "heading_weight",
    "heading_words",
    "above",
    "anywhere",
    "questions",
    "questions_share",
    "near_questions",
    "near_passages",
    "passages_behind",
    "topic_words",
    "topic_near",
    "chapter_words",
    "chapter_near",
    "document_words",
    "document_passages",
    "document_questions",
    "named",
    "law",
    "annex",
    "other_text",
    "not_in_force",
)
"""The names of the signals, in the order of their values."""

OF_WORDS = (*SIGNALS[: SIGNALS.index("near_questions")], "topic_words", "chapter_words", "document_words")
"""Those that a search by meaning alone leaves out."""

REACH = 2.2
"""What BM25 gives at most for a word beside its inverse document frequency, k1 + 1."""

FULL_CORPUS = 100_000
"""Sections of the corpus by which scores were calibrated."""

NEAREST_PASSAGES = 20
"""Passages that say which documents are near."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What is known of candidates beside their own words, by the number of the place, chapter or act.

    `mass` is the weight of the query's own words, and `scale` what weights and scores of words are multiplied by to be
    those of a corpus of `FULL_CORPUS` sections: in a small one no word is rare. `questions` and `headings` hold BM25
    scores of everyday questions and of headings, `topics` the shares of the mass that the topics of acts and chapters
    hold. `acts` and `sections` are what the query names.
    """

    mass: float = 1.0
    scale: float = 1.0
    covers: Mapping[int, Cover] = field(default_factory=dict)
    headings: Mapping[int, float] = field(default_factory=dict)
    questions: Mapping[int, float] = field(default_factory=dict)
    topics: Mapping[int, float] = field(default_factory=dict)
    near: Near = field(default_factory=Near)
    acts: frozenset[int] = frozenset()
    sections: frozenset[int] = frozenset()


def measure(candidates: Sequence[Candidate], evidence: Evidence) -> Values:
    """Return the value of each signal for each candidate, (candidates, signals)."""
    near, questions, topics = evidence.near, evidence.questions, evidence.topics
    scale = evidence.scale
    mass = scale * evidence.mass
    reach = REACH * max(mass, 1.0)
    best_words = scale * max((one.words for one in candidates), default=0.0)
    best_passage = max((passage.similarity for passage in near.passages.values()), default=FAR)
    documents = _documents(candidates, evidence)
    rows = []
    for one in candidates:
        number, act, law_type, words, chapter, traits, _ = one
        words *= scale
        cover = evidence.covers.get(number, NO_COVER)
        asked = questions.get(number, 0.0)
        passage = near.passages.get(number)
        similarity = passage.similarity if passage else FAR
        topic_near = near.topic(act)
        by_words, by_passages, by_questions = documents[act]
        rows.append(
            (
                words,
                words / reach,
                best_words - words,
                cover.heading,
                cover.heading * mass,
                scale * evidence.headings.get(number, 0.0),
                cover.above,
                cover.anywhere,
                asked,
                asked / reach,
                near.questions.get(number, FAR),
                similarity,
                best_passage - similarity,
                topics.get(act, 0.0),
                topic_near,
                topics.get(chapter, topics.get(act, 0.0)),
                max(topic_near, near.topic(chapter)),
                by_words,
                by_passages,
                by_questions,
                (1.0 if act in evidence.acts else -1.0) if evidence.acts else 0.0,
                law_type is LawType.LOV,
                traits.kind is ProvisionKind.ANNEX,
                traits.kind in (ProvisionKind.TEXT, ProvisionKind.PREAMBLE),
                traits.in_force in (InForce.NOT_YET, InForce.REPEALED),
            )
        )
    return np.array(rows, dtype=np.float64).reshape(len(rows), len(SIGNALS))


def _documents(candidates: Sequence[Candidate], evidence: Evidence) -> Mapping[int, tuple[float, float, float]]:
    """Return for each act how much its provisions stand out together: by words, by passages, by everyday questions.

    Each of the best by one kind of evidence adds the reciprocal of its place (Zhang and others, 2003, call it voting).
    """
    near = evidence.near
    orders = (
        [one for one in candidates if one.words > 0.0],
        [one for one in candidates if one.number in near.passages],
        [one for one in candidates if one.number in near.questions],
    )
    orders[0].sort(key=lambda one: -one.words)
    orders[1].sort(key=lambda one: -near.passages[one.number].similarity)
    orders[2].sort(key=lambda one: -near.questions[one.number])
    votes = {one.act: [0.0, 0.0, 0.0] for one in candidates}
    for kind, order in enumerate(orders):
        for place, one in enumerate(order[:NEAREST_PASSAGES], 2):
            votes[one.act][kind] += 1.0 / place
    return {act: (words, passages, questions) for act, (words, passages, questions) in votes.items()}
