"""What signals are worth together."""

import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lovsvar_search.app import load_ranker
from lovsvar_search.core.relevance import BadRanker, parse_ranker
from lovsvar_search.core.signals import SIGNALS


def written(**changes: Any) -> str:
    flat = {"knots": [0.0, 1.0], "worths": [0.0, 0.0]}
    curves = {name: changes.pop(name, flat) for name in SIGNALS}
    return json.dumps({"slope": 1.0, "offset": -2.0, "floor": 0.01, "answers": 0.5, "curves": curves, **changes})


def test_a_value_is_worth_what_its_curve_says_between_knots_and_as_much_as_the_last_beyond() -> None:
    ranker = parse_ranker(written(words={"knots": [0.0, 10.0, 20.0], "worths": [0.0, 4.0, 5.0]}))
    values = np.zeros((4, len(SIGNALS)))
    values[:, SIGNALS.index("words")] = [-5.0, 5.0, 15.0, 90.0]
    parts = ranker.parts(values)
    assert parts[:, SIGNALS.index("words")].tolist() == [0.0, 2.0, 4.5, 5.0]
    assert parts.sum() == 11.5


def test_a_better_score_is_likelier_and_none_is_certain_or_breaks() -> None:
    ranker = parse_ranker(written())
    chances = [ranker.probability(score) for score in (-1e9, -2.0, 2.0, 5.0, 1e9)]
    assert chances == sorted(chances)
    assert ranker.probability(2.0) == 0.5
    assert 0.0 <= chances[0] < 1e-9
    assert 1.0 >= chances[-1] > 1 - 1e-9


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "not a file of curves"),
        ("{}", "not a file of curves"),
        (written(curves=[]), "not a file of curves"),
        (written(curves={}), "missing or unknown"),
        (written(words={"knots": [], "worths": []}), "knots of words"),
        (written(words={"knots": [0.0, 1.0], "worths": [0.0, float("nan")]}), "knots of words"),
        (written(words={"knots": [0.0, 0.0], "worths": [1.0, 2.0]}), "knots of words"),
        (written(words={"knots": [0.0, 1.0], "worths": [1.0]}), "knots of words"),
    ],
)
def test_a_file_that_does_not_fit_says_why(text: str, said: str) -> None:
    with pytest.raises(BadRanker, match=said):
        parse_ranker(text)


def test_the_shipped_curves_fit_this_code() -> None:
    ranker = load_ranker()
    assert 0.0 < ranker.floor < ranker.answers < 1.0
    assert ranker.slope > 0


@given(st.lists(st.floats(-1e6, 1e6), min_size=len(SIGNALS), max_size=len(SIGNALS)))
def test_whatever_the_values_a_score_is_finite(values: list[float]) -> None:
    assert np.isfinite(load_ranker().parts(np.array([values]))).all()
