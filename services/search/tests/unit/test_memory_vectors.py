"""Vectors in memory: what is near, what is let through, and what is known of it."""

from collections.abc import Mapping, Sequence

import numpy as np
import pytest

from lovsvar_embedder.similarity import SimilarityScale, SimilarityScales
from lovsvar_search.core.retrieval.memory_vectors import NEAREST, MemoryVectors, Passage, Sought

SCALES = SimilarityScales(SimilarityScale(0.0, 0.5), SimilarityScale(0.0, 0.5))
ASKED = (1.0, 0.0)


def like(cosine: float) -> tuple[float, float]:
    """A vector that is so near what is asked."""
    return (cosine, (1.0 - cosine**2) ** 0.5)


def holding(texts: Mapping[str, float], passages: Sequence[Passage]) -> MemoryVectors:
    """Vectors of texts, each as near as told."""
    memory = MemoryVectors("model", SCALES)
    rows = {text: row for row, text in enumerate(texts)}
    memory.hold(passages, rows, np.array([like(cosine) for cosine in texts.values()], np.float32))
    return memory


MEMORY = holding(
    {"a": 0.1, "b": 0.9, "shared": 0.4, "c": 0.3},
    [
        Passage(7, 0, "a"),
        Passage(7, 1, "shared"),
        Passage(7, 2, "b"),
        Passage(5, 0, "c"),
        Passage(5, 1, "shared"),
        Passage(3, 0, "without a vector"),
    ],
)


async def test_the_best_that_an_item_answers_and_its_own_text_are_told_apart() -> None:
    near = await MEMORY.near("model", ASKED, Sought())
    assert near.questions == {5: pytest.approx(0.4), 7: pytest.approx(0.9)}
    assert {number: one.similarity for number, one in near.passages.items()} == {
        5: pytest.approx(0.3),
        7: pytest.approx(0.1),
    }
    assert near.scales is SCALES


async def test_each_part_of_an_item_is_compared() -> None:
    assert MEMORY.answers((2.0, 0.0), 7) == {1: pytest.approx(0.6), 2: pytest.approx(0.95)}
    assert MEMORY.answers(ASKED, 3) == {}


async def test_what_is_not_admitted_is_not_found_unless_it_is_known() -> None:
    assert (await MEMORY.near("model", ASKED, Sought(admitted=frozenset({5, 3})))).questions.keys() == {5}
    both = await MEMORY.near("model", ASKED, Sought(admitted=frozenset(), known=frozenset({7, 99})))
    assert both.questions.keys() == both.passages.keys() == {7}


async def test_the_nearest_are_returned_and_what_is_known_wherever_it_stands() -> None:
    count = 5 * NEAREST
    texts = {str(number): number / count for number in range(count)}
    memory = holding(texts, [Passage(number, 1, str(number)) for number in range(count)])
    near = await memory.near("model", ASKED, Sought(known=frozenset({0})))
    assert near.questions.keys() == {0, *range(count - NEAREST, count)}


async def test_vectors_of_another_model_or_length_find_nothing() -> None:
    assert not (await MEMORY.near("other", ASKED, Sought())).known
    assert not (await MEMORY.near("model", (1.0, 0.0, 0.0), Sought())).known


async def test_a_model_serves_once_there_is_a_vector() -> None:
    memory = MemoryVectors("model", SCALES)
    assert await memory.serving_model() is None
    assert not (await memory.near("model", ASKED, Sought())).known
    assert await MEMORY.serving_model() == "model"
