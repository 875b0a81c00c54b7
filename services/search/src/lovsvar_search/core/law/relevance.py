"""The learnt rank profile: a ranking learnt from labelled questions, and how likely its first hit answers.

Boosted regression trees (LambdaMART; Burges 2010) score the candidates of one question. Other trees score the first hit
by its signals, its score and its lead, and a logistic function makes that a probability (Platt 1999); each other hit is
less likely by its lower score. `benchmarks/train_ranker.py` learns all of it.
"""

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Protocol

import numpy as np

from lovsvar_search.core.law.signals import OF_WORDS, SIGNALS, measure
from lovsvar_search.core.retrieval.candidates import Candidates, Evidence, Values
from lovsvar_search.core.retrieval.collection import RankProfile

FARTHEST = 5.0
"""By how much a first hit can be ahead: further says no more. A lone hit is as far ahead as can be."""

OTHERS = (1, 2, 4)
"""Places, from 0, of the hits whose distance from the first is a value."""

MOST = ("words_share", "heading", "anywhere", "questions_share", "near_questions", "near_passages", "topic_near")
"""Signals of which the highest value of all candidates is a value: the first hit may not be the one that has it."""

CERTAIN_FROM = ("score", *(f"ahead_of_{place}" for place in OTHERS), *(f"most_{name}" for name in MOST), *SIGNALS)
"""What tells how likely the first hit answers."""

_OF_WORDS = [SIGNALS.index(name) for name in OF_WORDS]
_MOST = [SIGNALS.index(name) for name in MOST]


class BadRanker(ValueError):
    """What was learnt does not fit this code. The message says what is wrong with it."""


class Trees(Protocol):
    """Boosted trees. Any thread may use them."""

    def score(self, values: Values) -> Sequence[float]:
        """Return a score for each row of values; higher is better."""


@dataclass(frozen=True)
class Calibration:
    """How the score of certainty becomes a probability, and what follows from that.

    The logarithm of the odds is `gain` times the score and `intercept`; a lesser hit's probability falls by `slope` for
    each unit that its ranking score is less. `floor` is the probability below which the best hit is as good as none;
    `answers` that from which it answers.
    """

    gain: float
    intercept: float
    slope: float
    floor: float
    answers: float

    def probability(self, score: float) -> float:
        """Return how likely a first hit answers that the trees give this score."""
        margin = self.gain * score + self.intercept
        return 1.0 / (1.0 + math.exp(-max(-50.0, min(50.0, margin))))


@dataclass(frozen=True)
class Ranker:
    """The learnt ranking, and what is known of its certainty."""

    trees: Trees
    certainty: Trees
    calibration: Calibration

    @property
    def profile(self) -> RankProfile:
        """The rank profile."""
        return RankProfile(
            SIGNALS, self.rank, self.calibration.floor, self.calibration.answers, learnt_on=100_000, unknown_word=9.0
        )

    def rank(
        self, candidates: Candidates, evidence: Evidence, meaning_alone: bool = False
    ) -> tuple[Values, Sequence[float], Sequence[float]]:
        """Return the values of each candidate's signals, its score and how likely it answers."""
        values = measure(candidates, evidence)
        if meaning_alone:
            values[:, _OF_WORDS] = 0.0
        return values, *self.weigh(values)

    def weigh(self, values: Values) -> tuple[Sequence[float], Sequence[float]]:
        """Return for each candidate, of which these are the signals, its score and how likely it answers."""
        if not len(values):
            return (), ()
        scores = self.trees.score(values)
        [certainty] = self.certainty.score(first_hit(values, scores))
        best, highest = self.calibration.probability(certainty), max(scores)
        return scores, [best * math.exp(self.calibration.slope * (score - highest)) for score in scores]


def first_hit(values: Values, scores: Sequence[float]) -> Values:
    """Return the values of `CERTAIN_FROM` for the best of some candidates, as the one row (1, values)."""
    order = np.argsort(-np.asarray(scores), kind="stable")
    best = scores[order[0]]
    ahead = [min(best - scores[order[place]], FARTHEST) if place < len(order) else FARTHEST for place in OTHERS]
    return np.array([[best, *ahead, *values[:, _MOST].max(axis=0), *values[order[0]]]])


def parse_calibration(text: str) -> Calibration:
    """Read the file of what is known of certainty. Raises `BadRanker`."""
    try:
        data = json.loads(text)
        calibration = Calibration(**{field.name: float(data[field.name]) for field in fields(Calibration)})
    except (KeyError, TypeError, ValueError) as exc:
        raise BadRanker(f"not a file of certainty: {exc!r}") from exc
    if not all(math.isfinite(getattr(calibration, field.name)) for field in fields(Calibration)):
        raise BadRanker("a value is no number")
    if (
        not 0.0 <= calibration.floor <= calibration.answers <= 1.0
        or calibration.slope <= 0.0
        or calibration.gain <= 0.0
    ):
        raise BadRanker("bounds are no probabilities in their order, or the slope or the gain is not above zero")
    return calibration
