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
from lovsvar_search.core.vector_search import FAR, Near, on_learnt_scale

Values = NDArray[np.float64]


class Traits(NamedTuple):
    """What kind of text a section is, and whether it is law today."""

    kind: ProvisionKind
    in_force: InForce


TRAITS = tuple(Traits(kind, status) for kind, status in product(ProvisionKind, InForce))

IS_ANNEX = np.array([trait.kind is ProvisionKind.ANNEX for trait in TRAITS])
IS_OTHER_TEXT = np.array([trait.kind in (ProvisionKind.TEXT, ProvisionKind.PREAMBLE) for trait in TRAITS])
IS_NOT_IN_FORCE = np.array([trait.in_force in (InForce.NOT_YET, InForce.REPEALED) for trait in TRAITS])


class Candidate(NamedTuple):
    """A provision that may answer. `number` and `act` tell places apart.

    `words` is its BM25 score, 0.0 where it was found otherwise; `matches` is whether it has a word of the query all the
    same. `address` means something to the index that found it alone.
    """

    number: int
    act: int
    law_type: LawType
    words: float
    matches: bool
    address: object


COVERS = ("heading", "above", "anywhere", "defines", "pairs")
"""Where a place may hold words of a query, whether it defines them, and whether it holds pairs of them."""


@dataclass(frozen=True, slots=True)
class Candidates:
    """Provisions that may answer, in the order of their numbers: what is known of each, beside what it is.

    `chapters` are numbers too, `traits` places in `TRAITS`. `heading_lengths` is how many words the own heading has,
    `lengths` how many tokens the text. `covers` holds a row for each: how much of a query's own words, from 0 to 1 by
    weight, stands in the heading, above it, anywhere, and in the terms that it defines, and the share of the query's
    pairs of words that stand there as they do in the query (`COVERS`).
    """

    ones: Sequence[Candidate] = ()
    chapters: Sequence[int] = ()
    traits: Sequence[int] = ()
    heading_lengths: Sequence[int] = ()
    lengths: Sequence[int] = ()
    covers: Values = field(default_factory=lambda: np.zeros((0, 5)))


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
    "defines",
    "asks_meaning",
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

    `mass` is the weight of the query's own words, `asked` and `pairs` how many words and pairs it has, `asks_meaning`
    whether it asks what they mean, and `scale` what
    weights and scores of words are multiplied by to be those of a corpus of `FULL_CORPUS` sections: in a small one no
    word is rare. `questions` and `headings` hold BM25 scores of everyday questions and of headings, `topics` the shares
    of the mass that the topics of acts and chapters hold. `acts` and `sections` are what the query names.
    """

    mass: float = 1.0
    asked: int = 0
    pairs: int = 0
    asks_meaning: bool = False
    scale: float = 1.0
    headings: Mapping[int, float] = field(default_factory=dict)
    questions: Mapping[int, float] = field(default_factory=dict)
    topics: Mapping[int, float] = field(default_factory=dict)
    near: Near = field(default_factory=Near)
    acts: frozenset[int] = frozenset()
    sections: frozenset[int] = frozenset()


def measure(candidates: Candidates, evidence: Evidence) -> Values:
    """Return the value of each signal for each candidate, (candidates, signals)."""
    if not candidates.ones:
        return np.zeros((0, len(SIGNALS)))
    near, topics = on_learnt_scale(evidence.near), evidence.topics
    numbers, acts, law_types, found, _, _ = zip(*candidates.ones, strict=True)
    traits = np.asarray(candidates.traits)
    heading, above, anywhere, defines, pairs = candidates.covers.T
    mass = evidence.scale * evidence.mass
    reach = REACH * max(mass, 1.0)
    words = evidence.scale * np.array(found)
    questions = _values(evidence.questions, numbers)
    similarities = np.array([passage.similarity if passage else FAR for passage in map(near.passages.get, numbers)])
    best_passage = max((passage.similarity for passage in near.passages.values()), default=FAR)
    near_questions = _values(near.questions, numbers, FAR)
    by_words, by_passages, by_questions = (
        _votes(acts, values, none) for values, none in ((words, 0.0), (similarities, FAR), (near_questions, FAR))
    )
    act_words = _values(topics, acts)
    act_near = near.topics.similar(acts)
    columns = {
        "words": words,
        "words_share": words / reach,
        "words_behind": words.max() - words,
        "heading": heading,
        "heading_weight": heading * mass,
        "heading_words": evidence.scale * _values(evidence.headings, numbers),
        "heading_beside": np.asarray(candidates.heading_lengths) - heading * evidence.asked,
        "above": above,
        "anywhere": anywhere,
        "defines": defines,
        "asks_meaning": float(evidence.asks_meaning),
        "pairs": pairs,
        "pairs_found": pairs * evidence.pairs,
        "questions": questions,
        "questions_share": questions / reach,
        "near_questions": near_questions,
        "near_passages": similarities,
        "passages_behind": best_passage - similarities,
        "topic_words": act_words,
        "topic_near": act_near,
        "chapter_words": [topics.get(one, act) for one, act in zip(candidates.chapters, act_words, strict=True)],
        "chapter_near": np.maximum(act_near, near.topics.similar(candidates.chapters)),
        "document_words": by_words,
        "document_passages": by_passages,
        "document_questions": by_questions,
        "named": [(1.0 if act in evidence.acts else -1.0) if evidence.acts else 0.0 for act in acts],
        "law": [law_type is LawType.LOV for law_type in law_types],
        "annex": IS_ANNEX[traits],
        "other_text": IS_OTHER_TEXT[traits],
        "not_in_force": IS_NOT_IN_FORCE[traits],
        "length": np.log1p(candidates.lengths),
    }
    values = np.empty((len(numbers), len(SIGNALS)))
    for column, name in enumerate(SIGNALS):
        values[:, column] = columns[name]
    return values


def _values(known: Mapping[int, float], numbers: Sequence[int], otherwise: float = 0.0) -> Values:
    return np.array([known.get(number, otherwise) for number in numbers])


def _votes(acts: Sequence[int], values: Values, none: float) -> list[float]:
    """Return how much the provisions of each one's act stand out together by some values, of which `none` is nothing.

    Each of the best adds the reciprocal of its place (Zhang and others, 2003, call it voting).
    """
    votes: dict[int, float] = {}
    for place, row in enumerate(np.argsort(-values, kind="stable")[:NEAREST_PASSAGES].tolist(), 2):
        if values[row] <= none:
            break
        votes[acts[row]] = votes.get(acts[row], 0.0) + 1.0 / place
    return [votes.get(act, 0.0) for act in acts]
