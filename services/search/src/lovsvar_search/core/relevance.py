"""What the signals say together: a ranking learnt from labelled questions, and how likely its first hit answers.

The ranking is made of regression trees that were boosted to put right answers first (LambdaMART; Burges 2010). Its
scores compare the candidates of one question. How likely the first of them answers is told by a logistic function of
its score, of how far it is ahead of the second, and of some of its signals; each other hit is less likely by what its
score is less. `benchmarks/train_ranker.py` learns both; `data/ranker.onnx` and `data/certainty.json` hold them.
"""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from lovsvar_search.core.signals import SIGNALS, Values

SCORE, AHEAD = "score", "ahead"
"""The names of the first hit's score and of its distance from the second, beside those of signals."""

FARTHEST = 5.0
"""By how much a first hit can be ahead: further says no more. A lone hit is as far ahead as can be."""

CERTAIN_FROM = (
    SCORE,
    AHEAD,
    "near_questions",
    "near_passages",
    "anywhere",
    "heading",
    "words_share",
    "questions_share",
    "chapter_near",
    "named",
)
"""What tells how likely the first hit answers."""


class BadRanker(ValueError):
    """What was learnt does not fit this code. The message says what is wrong with it."""


class Trees(Protocol):
    """The learnt ranking. Any thread may use it."""

    def score(self, values: Values) -> Sequence[float]:
        """Return a score for each row of signals; higher is better."""


@dataclass(frozen=True)
class Certainty:
    """How likely a first hit answers: `weights` of what it is told from, `intercept`, and of lesser scores the `slope`.

    `floor` is the probability below which the best hit is as good as none; `answers` that from which it answers.
    """

    weights: Mapping[str, float]
    intercept: float
    slope: float
    floor: float
    answers: float

    def of_first(self, told: Mapping[str, float]) -> float:
        """Return how likely a first hit answers of which `CERTAIN_FROM` are these."""
        margin = self.intercept + sum(weight * told[name] for name, weight in self.weights.items())
        return 1.0 / (1.0 + math.exp(-max(-50.0, min(50.0, margin))))


@dataclass(frozen=True)
class Ranker:
    """The learnt ranking and what is known of its certainty."""

    trees: Trees
    certainty: Certainty

    def rank(self, values: Values) -> tuple[Sequence[float], Sequence[float]]:
        """Return for each candidate, of which these are the signals, its score and how likely it answers."""
        if not len(values):
            return (), ()
        scores = self.trees.score(values)
        best = self.certainty.of_first(first_hit(values, scores))
        highest = max(scores)
        return scores, [best * math.exp(self.certainty.slope * (score - highest)) for score in scores]


def first_hit(values: Values, scores: Sequence[float]) -> Mapping[str, float]:
    """Return what tells how likely the best of some candidates answers."""
    order = np.argsort(-np.asarray(scores), kind="stable")
    best = order[0]
    ahead = scores[best] - scores[order[1]] if len(order) > 1 else FARTHEST
    told = {SCORE: float(scores[best]), AHEAD: float(min(ahead, FARTHEST))}
    return told | {name: float(values[best, SIGNALS.index(name)]) for name in CERTAIN_FROM if name in SIGNALS}


def parse_certainty(text: str) -> Certainty:
    """Read the file of what is known of certainty. Raises `BadRanker`."""
    try:
        data = json.loads(text)
        weights = {str(name): float(weight) for name, weight in data["weights"].items()}
        certainty = Certainty(weights, *(float(data[name]) for name in ("intercept", "slope", "floor", "answers")))
    except (AttributeError, KeyError, TypeError, ValueError) as exc:
        raise BadRanker(f"not a file of certainty: {exc!r}") from exc
    if set(weights) != set(CERTAIN_FROM):
        raise BadRanker(f"weights are missing or unknown: {sorted(set(weights) ^ set(CERTAIN_FROM))}")
    if not all(map(math.isfinite, (*weights.values(), certainty.intercept, certainty.slope))):
        raise BadRanker("a weight is no number")
    if not 0.0 <= certainty.floor <= certainty.answers <= 1.0 or certainty.slope <= 0.0:
        raise BadRanker("bounds are no probabilities in their order, or the slope is not above zero")
    return certainty
