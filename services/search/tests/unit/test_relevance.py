"""What was learnt: the ranking, and how likely its first hit answers."""

import json
from collections.abc import Sequence
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lovsvar_search.adapters.law.onnx_trees import OnnxTrees
from lovsvar_search.app import load_ranker
from lovsvar_search.core.law.relevance import CERTAIN_FROM, FARTHEST, BadRanker, Ranker, first_hit, parse_calibration
from lovsvar_search.core.law.signals import SIGNALS
from lovsvar_search.core.retrieval.candidates import Values


class Given:
    """Scores that are given, whatever the signals (`Trees`)."""

    def __init__(self, *scores: float) -> None:
        self._scores = scores

    def score(self, values: Values) -> Sequence[float]:
        return self._scores


def written(**changes: Any) -> str:
    return json.dumps({"gain": 2.0, "intercept": -2.0, "slope": 1.0, "floor": 0.01, "answers": 0.5} | changes)


def ranker(*scores: float) -> Ranker:
    return Ranker(Given(*scores), Given(1.0), parse_calibration(written()))


def signals(count: int) -> Values:
    return np.zeros((count, len(SIGNALS)))


def test_the_first_hit_is_as_likely_as_was_learnt_and_others_less_by_what_their_scores_are_less() -> None:
    scores, chances = ranker(1.0, 2.0, 0.0).weigh(signals(3))
    assert scores == (1.0, 2.0, 0.0)
    assert chances == pytest.approx([0.5 * np.exp(-1), 0.5, 0.5 * np.exp(-2)])


def test_nothing_is_ranked_when_there_is_nothing() -> None:
    assert ranker().weigh(signals(0)) == ((), ())


def test_how_far_the_first_is_ahead_is_told_and_a_lone_hit_is_as_far_as_can_be() -> None:
    values = signals(3)
    values[1, SIGNALS.index("near_questions")] = 0.9
    told = dict(zip(CERTAIN_FROM, first_hit(values, [1.0, 3.0, 0.5])[0].tolist(), strict=True))
    assert (told["score"], told["ahead_of_1"], told["ahead_of_2"], told["near_questions"]) == (3.0, 2.0, 2.5, 0.9)
    assert told["ahead_of_4"] == FARTHEST
    assert first_hit(values[:1], [1.0])[0, 1] == FARTHEST == first_hit(values[:2], [1.0, 99.0])[0, 1]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "not a file"),
        ("[]", "not a file"),
        ("{}", "not a file"),
        (json.dumps({"gain": 1.0}), "not a file"),
        (written(gain=0.0), "bounds"),
        (written(slope="x"), "not a file"),
        (written(slope=0.0), "bounds"),
        (written(floor=0.9), "bounds"),
        (written(answers=1.5), "bounds"),
        (written(intercept=float("nan")), "no number"),
    ],
)
def test_a_file_that_does_not_fit_says_why(text: str, said: str) -> None:
    with pytest.raises(BadRanker, match=said):
        parse_calibration(text)


@pytest.mark.parametrize("content", [b"", b"not an ONNX model"])
def test_a_ranking_that_cannot_be_loaded_says_so(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "ranker.onnx"
    path.write_bytes(content)
    with pytest.raises(BadRanker, match="cannot be loaded"):
        OnnxTrees(path, SIGNALS)


def test_trees_that_look_at_other_values_are_refused() -> None:
    shipped = files("lovsvar_search").joinpath("data", "ranker.onnx")
    with as_file(shipped) as path, pytest.raises(BadRanker, match="other values"):
        OnnxTrees(path, SIGNALS[::-1])


@given(st.lists(st.floats(-1e6, 1e6), min_size=len(SIGNALS), max_size=len(SIGNALS)))
def test_whatever_the_values_the_shipped_ranking_gives_a_score_and_a_probability(values: list[float]) -> None:
    [score], [chance] = SHIPPED.weigh(np.array([values]))
    assert np.isfinite(score)
    assert 0.0 <= chance <= 1.0


def test_a_row_scores_the_same_beside_others() -> None:
    values = np.random.default_rng(1).uniform(0, 1, (40, len(SIGNALS)))
    together = SHIPPED.trees.score(values)
    assert together == pytest.approx([SHIPPED.trees.score(row[None])[0] for row in values], abs=1e-5)


SHIPPED = load_ranker()
