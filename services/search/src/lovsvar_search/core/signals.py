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

    `heading_length` is how many words its own heading has, `length` how many tokens its text has. `address` means
    something to the index that found it alone.
    """

    number: int
    act: int
    law_type: LawType
    words: float
    chapter: int
    traits: Traits
    heading_length: int
    length: int
    address: object


class Cover(NamedTuple):
    """How much of a query's own words, from 0 to 1 by weight, a place holds in its heading, above it, and anywhere.

    `pairs` is the share of the pairs of words that stand in it as they stand in the query.
    """

    heading: float
    above: float
    anywhere: float
    pairs: float


NO_COVER = Cover(0.0, 0.0, 0.0, 0.0)

SIGNALS = (
    "words",
    "words_share",
    "words_behind",
    "heading",
    "heading_weight",
    "heading_words",
    "heading_beside",
    "above",
    "anywhere",
    "pairs",
    "pairs_found",
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
    "length",
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

    `mass` is the weight of the query's own words, `asked` and `pairs` how many words and pairs it has, and `scale` what
    weights and scores of words are multiplied by to be those of a corpus of `FULL_CORPUS` sections: in a small one no
    word is rare. `questions` and `headings` hold BM25 scores of everyday questions and of headings, `topics` the shares
    of the mass that the topics of acts and chapters hold. `acts` and `sections` are what the query names.
    """

    mass: float = 1.0
    asked: int = 0
    pairs: int = 0
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
    if not candidates:
        return np.zeros((0, len(SIGNALS)))
    near, topics = evidence.near, evidence.topics
    numbers, acts, law_types, found, chapters, traits, headings, lengths, _ = zip(*candidates, strict=True)
    mass = evidence.scale * evidence.mass
    reach = REACH * max(mass, 1.0)
    words = evidence.scale * np.array(found)
    covers = np.array([evidence.covers.get(number, NO_COVER) for number in numbers])
    questions = _values(evidence.questions, numbers)
    passages = [near.passages.get(number) for number in numbers]
    similarities = np.array([passage.similarity if passage else FAR for passage in passages])
    best_passage = max((passage.similarity for passage in near.passages.values()), default=FAR)
    documents = _documents(candidates, evidence)
    votes = np.array([documents[act] for act in acts])
    act_words = [topics.get(act, 0.0) for act in acts]
    act_near = near.topics.similar(acts)
    columns = {
        "words": words,
        "words_share": words / reach,
        "words_behind": words.max() - words,
        "heading": covers[:, 0],
        "heading_weight": covers[:, 0] * mass,
        "heading_words": evidence.scale * _values(evidence.headings, numbers),
        "heading_beside": np.array(headings) - covers[:, 0] * evidence.asked,
        "above": covers[:, 1],
        "anywhere": covers[:, 2],
        "pairs": covers[:, 3],
        "pairs_found": covers[:, 3] * evidence.pairs,
        "questions": questions,
        "questions_share": questions / reach,
        "near_questions": _values(near.questions, numbers, FAR),
        "near_passages": similarities,
        "passages_behind": best_passage - similarities,
        "topic_words": act_words,
        "topic_near": act_near,
        "chapter_words": [topics.get(chapter, act) for chapter, act in zip(chapters, act_words, strict=True)],
        "chapter_near": np.maximum(act_near, near.topics.similar(chapters)),
        "document_words": votes[:, 0],
        "document_passages": votes[:, 1],
        "document_questions": votes[:, 2],
        "named": [(1.0 if act in evidence.acts else -1.0) if evidence.acts else 0.0 for act in acts],
        "law": [law_type is LawType.LOV for law_type in law_types],
        "annex": [trait.kind is ProvisionKind.ANNEX for trait in traits],
        "other_text": [trait.kind in (ProvisionKind.TEXT, ProvisionKind.PREAMBLE) for trait in traits],
        "not_in_force": [trait.in_force in (InForce.NOT_YET, InForce.REPEALED) for trait in traits],
        "length": np.log1p(lengths),
    }
    return np.array([columns[name] for name in SIGNALS], dtype=np.float64).T


def _values(known: Mapping[int, float], numbers: Sequence[int], otherwise: float = 0.0) -> Values:
    return np.array([known.get(number, otherwise) for number in numbers])


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
