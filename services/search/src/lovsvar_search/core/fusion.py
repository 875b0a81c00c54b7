"""One score of many: words, everyday questions and meaning, put together for each provision.

Each part is brought to about 0–1 and they are added with weights (a convex combination, after Bruch, Gai and
Ingber 2022, "An Analysis of Fusion Functions for Hybrid Retrieval"), times the provision's prior. The weights
and bounds were chosen on labelled questions by `benchmarks/tune_fusion.py`, which also compares with
reciprocal rank fusion.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from operator import attrgetter

from lovsvar_contracts.law import LawType
from lovsvar_search.core.meaning import Near, NearPassage
from lovsvar_search.core.ranking import NAMED_ACT, PINNED

BEST_OF_ACT = 3
"""Provisions of an act by which the act itself is judged."""


@dataclass(frozen=True, slots=True)
class Weights:
    """What each part of a score weighs, and between which cosine similarities meaning goes from 0 to 1."""

    words: float = 0.7
    questions: float = 1.0
    near_questions: float = 2.0
    near_passages: float = 0.5
    act: float = 0.3
    lowest: float = 0.80
    highest: float = 0.95
    lowest_passage: float = 0.80
    highest_passage: float = 0.92


WEIGHTS = Weights()

SCORED_BY_MEANING = Weights(words=0.0, questions=0.0, act=0.0)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A provision that may answer. `number` and `act` tell places and acts apart; `words` is its BM25 score.

    `address` means something to the index that found it alone.
    """

    number: int
    act: int
    law_type: LawType
    prior: float
    words: float
    address: object


@dataclass(frozen=True, slots=True)
class Scored:
    """A candidate with its score, and what the score is made of when that was asked for."""

    score: float
    candidate: Candidate
    near: NearPassage | None = None
    parts: Mapping[str, float] = field(default_factory=dict)

    @property
    def law_type(self) -> LawType:
        """The candidate's law type."""
        return self.candidate.law_type


@dataclass(frozen=True, slots=True)
class Evidence:
    """What speaks for provisions beside their own words, by the number of the place or act.

    `questions` holds BM25 scores of everyday questions. `acts` and `sections` are what the query names.
    """

    questions: Mapping[int, float] = field(default_factory=dict)
    near: Near = field(default_factory=Near)
    acts: frozenset[int] = frozenset()
    sections: frozenset[int] = frozenset()


def fuse(candidates: Iterable[Candidate], evidence: Evidence, weights: Weights = WEIGHTS) -> Sequence[Scored]:
    """Return the candidates with their scores, best first; equals stand in the order of their numbers."""
    candidates = list(candidates)
    most_words = max((c.words for c in candidates), default=0.0) or 1.0
    most_questions = max(evidence.questions.values(), default=0.0) or 1.0
    parts: list[dict[str, float]] = []
    for one in candidates:
        passage = evidence.near.passages.get(one.number)
        near_question = evidence.near.questions.get(one.number, 0.0)
        said = {
            "words": weights.words * one.words / most_words,
            "questions": weights.questions * one.prior * evidence.questions.get(one.number, 0.0) / most_questions,
            "near_questions": weights.near_questions
            * one.prior
            * _share(near_question, weights.lowest, weights.highest),
            "near_passages": weights.near_passages
            * one.prior
            * _share(passage.similarity if passage else 0.0, weights.lowest_passage, weights.highest_passage),
        }
        parts.append(said)
    acts = _acts(candidates, parts)
    scored = []
    for one, said in zip(candidates, parts, strict=True):
        said["act"] = weights.act * acts[one.act]
        if one.act in evidence.acts:
            said["named_act"] = NAMED_ACT
        if one.number in evidence.sections:
            said["named"] = PINNED
        scored.append(Scored(sum(said.values()), one, evidence.near.passages.get(one.number), said))
    scored.sort(key=lambda s: (-s.score, s.candidate.number))
    return scored


def fuse_by_rank(candidates: Iterable[Candidate], evidence: Evidence, constant: float = 60.0) -> Sequence[Scored]:
    """Return the candidates ranked by plain reciprocal rank fusion, to compare with."""
    candidates = list(candidates)
    near = evidence.near
    orders: list[Mapping[int, float]] = [
        {c.number: c.words for c in candidates if c.words},
        evidence.questions,
        near.questions,
        {number: passage.similarity for number, passage in near.passages.items()},
    ]
    scores: defaultdict[int, float] = defaultdict(float)
    for order in orders:
        for rank, number in enumerate(sorted(order, key=lambda n: (-order[n], n)), 1):
            scores[number] += 1.0 / (constant + rank)
    scored = [
        Scored(scores[c.number] + NAMED_ACT * (c.act in evidence.acts) + PINNED * (c.number in evidence.sections), c)
        for c in candidates
    ]
    return sorted(scored, key=attrgetter("score"), reverse=True)


def _share(similarity: float, lowest: float, highest: float) -> float:
    return min(1.0, max(0.0, (similarity - lowest) / (highest - lowest)))


def _acts(candidates: Sequence[Candidate], parts: Sequence[Mapping[str, float]]) -> Mapping[int, float]:
    """Return how much speaks for each act, 0–1: what speaks for its best provisions."""
    by_act: defaultdict[int, list[float]] = defaultdict(list)
    for one, said in zip(candidates, parts, strict=True):
        by_act[one.act].append(sum(said.values()))
    sums = {act: sum(sorted(scores)[-BEST_OF_ACT:]) for act, scores in by_act.items()}
    most = max(sums.values(), default=0.0) or 1.0
    return {act: value / most for act, value in sums.items()}
