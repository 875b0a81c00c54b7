"""The probability that the first hit of a search answers: its trees, their calibration, and the bounds chosen on it."""

import dataclasses
import math
from collections.abc import Sequence

import lightgbm
import numpy as np
from ranker_cases import Case, weights_of
from scipy.optimize import minimize

from lovsvar_agent.core.extractive.selection import BESIDE, MAX_ANSWERING
from lovsvar_search.core.law.relevance import Calibration, first_hit
from lovsvar_search.core.retrieval.candidates import Values

CERTAIN_TREES = 150
SLOPE = 1.0
"""What a score below the best costs in the logarithm of probability: LambdaMART's scores are such themselves."""

LOST, RIGHT_ENOUGH, ANSWERED_WRONGLY = 0.01, 0.92, 0.01
"""Shares: of answers found that the floor may hide, of answers that are to be right, of unanswerable questions
answered: a third of the 0.03 that are borne, since others' questions are answered wrongly more often than those learnt
from."""

ASKED = ("story", "several", "paraphrase")
"""The kinds by which it is decided what is answered: asked as people ask, and labelled with all that answers.

A question of the tail is labelled with the one provision that it was written from; others may answer it too.
"""

LOOSELY_LABELLED = ("asked again", "drawn")
"""Kinds of which a first hit may answer though it is not labelled so: certainty is not learnt from them."""


@dataclasses.dataclass(frozen=True)
class First:
    """The first hit of a case: its features, whether it answers, and the weight of the case.

    `quoted` is whether it or another that would be quoted with it answers, `found` whether one of five does.
    """

    case: Case
    values: Values
    right: bool
    quoted: bool
    found: bool
    weight: float

    @property
    def answerable(self) -> bool:
        """Whether the law answers the question."""
        return bool(self.case.question.gold)


def firsts(cases: Sequence[Case], scores: Sequence[np.ndarray]) -> list[First]:
    """Return the first hits of all cases in which the question names nothing outright."""
    weights = weights_of(cases)
    # Of what people ask, a part has no answer in the law: here a fifth, by weight.
    has_none = np.array([not case.question.gold for case in cases])
    weights = np.where(has_none, 0.2 * weights / weights[has_none].sum(), 0.8 * weights / weights[~has_none].sum())
    found = []
    for case, score, weight in zip(cases, scores, weights, strict=True):
        if not case.pinned.any():
            order = np.argsort(-score, kind="stable")
            labels, behind = case.labels[order] > 0, score[order[0]] - score[order]
            beside = labels[:MAX_ANSWERING][behind[:MAX_ANSWERING] <= -math.log(BESIDE) / SLOPE]
            values = first_hit(case.values, score.tolist())[0]
            found.append(First(case, values, bool(labels[0]), beside.any(), labels[:5].any(), float(weight)))
    return found


def learn_certainty(hits: Sequence[First], seed: int) -> lightgbm.Booster:
    """Return trees whose scores say how likely a first hit answers."""
    weights = np.array([hit.weight for hit in hits])
    data = lightgbm.Dataset(
        np.stack([hit.values for hit in hits]).astype(np.float32),
        np.array([hit.right for hit in hits], int),
        weight=weights / weights.mean(),
    )
    parameters = {
        "objective": "binary", "learning_rate": 0.04, "num_leaves": 7, "min_data_in_leaf": 60, "feature_fraction": 0.5,
        "bagging_fraction": 0.7, "bagging_freq": 1, "lambda_l2": 5.0, "num_threads": 2, "seed": seed,
        "deterministic": True, "verbosity": -1,
    }  # fmt: skip
    return lightgbm.train(parameters, data, num_boost_round=CERTAIN_TREES)


def certainty_of(booster: lightgbm.Booster, hits: Sequence[First]) -> np.ndarray:
    """Return the scores of certainty."""
    values = np.stack([hit.values for hit in hits]).astype(np.float32)
    return np.asarray(booster.predict(values, raw_score=True))


def calibrated(hits: Sequence[First], scores: np.ndarray) -> Calibration:
    """Return what makes probabilities of scores of certainty for hits that had no part in them, and the bounds."""
    right = np.array([hit.right for hit in hits], float)
    weights = np.array([hit.weight for hit in hits])

    def loss(line: np.ndarray) -> float:
        margin = line[0] * scores + line[1]
        return float((weights * (np.logaddexp(0.0, margin) - right * margin)).sum())

    gain, intercept = minimize(loss, np.array([1.0, 0.0]), method="L-BFGS-B").x.round(5).tolist()
    calibration = Calibration(gain, intercept, SLOPE, 0.0, 1.0)
    floor, answers = bounds_of(hits, probabilities(calibration, scores))
    return dataclasses.replace(calibration, floor=floor, answers=answers)


def probabilities(calibration: Calibration, scores: np.ndarray) -> np.ndarray:
    """Return how likely first hits of these scores of certainty answer."""
    return np.array([calibration.probability(score) for score in scores.tolist()])


def bounds_of(hits: Sequence[First], chance: np.ndarray) -> tuple[float, float]:
    """Return the probability below which a best hit is as good as none, and that from which it answers.

    The latter is the lowest from which enough of what people ask (`ASKED`) is answered rightly, and few questions are
    answered that nothing answers.
    """
    found, quoted, answerable = (np.array([getattr(hit, n) for hit in hits]) for n in ("found", "quoted", "answerable"))
    weights = np.array([hit.weight for hit in hits])
    asked = np.array([hit.case.question.kind in ASKED for hit in hits])
    # One in a hundred of the questions whose answer is found may be lost.
    floor = float(np.quantile(chance[found], LOST))
    order = np.argsort(-chance)
    rightly = np.cumsum((weights * quoted * asked)[order]) / np.cumsum((weights * asked)[order] + 1e-12)
    wrongly = np.cumsum((weights * ~answerable)[order]) / (weights * ~answerable).sum()
    enough = np.flatnonzero((rightly >= RIGHT_ENOUGH) & (wrongly <= ANSWERED_WRONGLY))
    return round(floor, 4), round(float(chance[order][enough[-1]]) if len(enough) else 1.0, 4)


def show_certainty(hits: Sequence[First], chance: np.ndarray, calibration: Calibration) -> None:
    """Print what is answered, how much of it rightly, by kind too, and how many answers are in each tenth."""
    right, quoted, answerable = (
        np.array([getattr(hit, name) for hit in hits]) for name in ("right", "quoted", "answerable")
    )
    answered, none = chance >= calibration.answers, chance < calibration.floor
    rightly = quoted[answered & answerable].mean()
    print(f"\n{calibration}")
    print(f"of the answerable {answered[answerable].mean():.3f} are answered, {rightly:.3f} of them rightly")
    print(f"of the others {answered[~answerable].mean():.3f}; {none[~answerable].mean():.3f} find nothing")
    kinds = np.array([hit.case.question.kind + hit.case.state for hit in hits])
    for kind in sorted(set(kinds.tolist())):
        of_kind = kinds == kind
        rightly = quoted[of_kind & answered].mean() if (of_kind & answered).any() else 1.0
        print(f"  {kind:40} {of_kind.sum():5} asked, {answered[of_kind].mean():.3f} answered, {rightly:.3f} rightly")
    for tenth in range(10):
        inside = (chance >= tenth / 10) & (chance < (tenth + 1) / 10)
        if inside.any():
            print(f"  probability {chance[inside].mean():.2f}: right {right[inside].mean():.2f} of {inside.sum()}")
