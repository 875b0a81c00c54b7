"""What the signals say together: how likely a provision answers, learnt from labelled questions.

A generalised additive model (Hastie and Tibshirani 1986): each signal has a curve, straight between its knots, that
says what its value is worth in log-odds; a score is the sum of the curves, and a logistic function of it the
probability that the provision answers. So each part of a score can be read, and means the same for every query.
`benchmarks/train_ranker.py` fits the curves; `data/ranker.json` holds them.
"""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from lovsvar_search.core.signals import SIGNALS, Values


class BadRanker(ValueError):
    """The file of curves does not fit this code. The message says what is wrong with it."""


@dataclass(frozen=True)
class Curve:
    """What a signal's value is worth: `worths` at the values of `knots`, in log-odds."""

    knots: Sequence[float]
    worths: Sequence[float]


@dataclass(frozen=True)
class Ranker:
    """Curves by signal, and `slope` and `offset` of the logistic function that makes a probability of a score.

    `floor` is the probability below which the best hit is as good as none; `answers` that from which it answers.
    """

    curves: Mapping[str, Curve]
    slope: float
    offset: float
    floor: float
    answers: float

    def parts(self, values: Values, without: Sequence[str] = ()) -> Values:
        """Return what each signal of each candidate is worth, (candidates, signals); nothing where it is `without`."""
        worths = np.zeros_like(values)
        for column, name in enumerate(SIGNALS):
            if name not in without:
                curve = self.curves[name]
                worths[:, column] = np.interp(values[:, column], curve.knots, curve.worths)
        return worths

    def probability(self, score: float) -> float:
        """Return how likely a provision of that score answers."""
        return 1.0 / (1.0 + math.exp(-max(-50.0, min(50.0, self.slope * score + self.offset))))


def parse_ranker(text: str) -> Ranker:
    """Read the file of curves. Raises `BadRanker`."""
    try:
        data = json.loads(text)
        curves = {name: Curve(tuple(one["knots"]), tuple(one["worths"])) for name, one in data["curves"].items()}
        ranker = Ranker(curves, data["slope"], data["offset"], data["floor"], data["answers"])
    except (AttributeError, KeyError, TypeError, ValueError) as exc:
        raise BadRanker(f"not a file of curves: {exc!r}") from exc
    if set(curves) != set(SIGNALS):
        raise BadRanker(f"curves are missing or unknown: {sorted(set(curves) ^ set(SIGNALS))}")
    for name, curve in curves.items():
        numbers = (*curve.knots, *curve.worths)
        rise = bool(numbers) and list(curve.knots) == sorted(set(curve.knots))
        if not rise or len(curve.knots) != len(curve.worths) or not all(map(math.isfinite, numbers)):
            raise BadRanker(f"the knots of {name} do not rise, or are not as many as their worths")
    return ranker
