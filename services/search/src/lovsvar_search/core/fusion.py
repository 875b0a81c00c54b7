"""One score of many: words, everyday questions and meaning, put together for each provision.

Each part is brought to about 0–1 and they are added with weights (a convex combination, after Bruch, Gai and
Ingber 2022, "An Analysis of Fusion Functions for Hybrid Retrieval"), times the provision's prior. The weights
and bounds were chosen on labelled questions by `benchmarks/tune_fusion.py`, which also compares with
reciprocal rank fusion.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from operator import itemgetter
from typing import NamedTuple

from lovsvar_contracts.law import LawType
from lovsvar_search.core.meaning import Near, NearPassage
from lovsvar_search.core.ranking import NAMED_ACT, PINNED

BEST_OF_ACT = 3
"""Provisions of an act by which the act itself is judged."""

_FIRST = itemgetter(0)


@dataclass(frozen=True, slots=True)
class Weights:
    """What each part of a score weighs, and between which cosine similarities meaning goes from 0 to 1."""

    words: float = 0.6
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


class Candidate(NamedTuple):
    """A provision that may answer. `number` and `act` tell places and acts apart; `words` is its BM25 score.

    `address` means something to the index that found it alone.
    """

    number: int
    act: int
    law_type: LawType
    prior: float
    words: float
    address: object


PARTS = ("words", "questions", "near_questions", "near_passages", "act", "named")
"""What a score is made of; the score is their sum."""


class Scored(NamedTuple):
    """A candidate with its score and its `PARTS` in their order."""

    score: float
    candidate: Candidate
    parts: tuple[float, ...] = (0.0,) * len(PARTS)

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


def fuse(candidates: Sequence[Candidate], evidence: Evidence, weights: Weights = WEIGHTS) -> list[Scored]:
    """Return the candidates with their scores, best first; equals stand in the order of their numbers."""
    candidates = sorted(candidates, key=_FIRST)
    said = _said(candidates, evidence, weights)
    sums = [words + questions + near + passages for words, questions, near, passages in said]
    acts = _acts(candidates, sums, weights.act)
    names = bool(evidence.acts or evidence.sections)
    scored: list[Scored] = []
    for one, spoken, total in zip(candidates, said, sums, strict=True):
        of_act, named = acts[one.act], _named(one, evidence) if names else 0.0
        scored.append(Scored(total + of_act + named, one, (*spoken, of_act, named)))
    # Sorting keeps equals in the order they had.
    scored.sort(key=_FIRST, reverse=True)
    return scored


_Said = tuple[float, float, float, float]


def _said(candidates: Sequence[Candidate], evidence: Evidence, weights: Weights) -> list[_Said]:
    """Return what speaks for each candidate: its words, everyday questions, and meaning by either."""
    near, questions = evidence.near, evidence.questions
    meant = near.questions.keys() | near.passages.keys()
    for_words = weights.words / (max((one.words for one in candidates), default=0.0) or 1.0)
    for_questions = weights.questions / (max(questions.values(), default=0.0) or 1.0)
    said = []
    for number, _, _, prior, words, _ in candidates:
        by_meaning = (0.0, 0.0)
        if number in meant:
            by_meaning = _meant(prior, near.questions.get(number), near.passages.get(number), weights)
        said.append((for_words * words, for_questions * prior * questions.get(number, 0.0), *by_meaning))
    return said


def _meant(
    prior: float, by_question: float | None, by_passage: NearPassage | None, weights: Weights
) -> tuple[float, float]:
    """Return what meaning says for a candidate, by questions that it answers and by its own text."""
    questions = _share(by_question, weights.lowest, weights.highest) if by_question else 0.0
    passages = _share(by_passage.similarity, weights.lowest_passage, weights.highest_passage) if by_passage else 0.0
    return weights.near_questions * prior * questions, weights.near_passages * prior * passages


def _named(one: Candidate, evidence: Evidence) -> float:
    if one.number in evidence.sections:
        return PINNED
    return NAMED_ACT if one.act in evidence.acts else 0.0


def fuse_by_rank(candidates: Sequence[Candidate], evidence: Evidence, constant: float = 60.0) -> list[Scored]:
    """Return the candidates ranked by plain reciprocal rank fusion, to compare with."""
    near = evidence.near
    orders: tuple[Mapping[int, float], ...] = (
        {one.number: one.words for one in candidates if one.words},
        evidence.questions,
        near.questions,
        {number: passage.similarity for number, passage in near.passages.items()},
    )
    scores: defaultdict[int, float] = defaultdict(float)
    for order in orders:
        for rank, number in enumerate(sorted(order, key=lambda n: (-order[n], n)), 1):
            scores[number] += 1.0 / (constant + rank)
    scored = [Scored(scores[one.number] + _named(one, evidence), one) for one in candidates]
    return sorted(scored, key=lambda one: (-one.score, one.candidate.number))


def _share(similarity: float, lowest: float, highest: float) -> float:
    return min(1.0, max(0.0, (similarity - lowest) / (highest - lowest)))


def _acts(candidates: Sequence[Candidate], sums: Sequence[float], weight: float) -> Mapping[int, float]:
    """Return how much speaks for each act, 0 to `weight`: what speaks for its best provisions."""
    by_act: defaultdict[int, list[float]] = defaultdict(list)
    for one, said in zip(candidates, sums, strict=True):
        by_act[one.act].append(said)
    best = {act: sum(sorted(said)[-BEST_OF_ACT:]) if len(said) > 1 else said[0] for act, said in by_act.items()}
    most = max(best.values(), default=0.0) or 1.0
    return {act: weight * (value / most) for act, value in best.items()}
