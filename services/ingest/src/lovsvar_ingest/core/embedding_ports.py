"""What embedding reaches the world through."""

from collections.abc import Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from typing import Protocol

from lovsvar_contracts.ingest import EmbeddingRequested
from lovsvar_embedder.embedder import Vector
from lovsvar_ingest.core.passages import Passage, SectionText


@dataclass(frozen=True, slots=True)
class UncutDocument:
    """A document that changed since it was cut into passages."""

    refid: str
    content_hash: str
    sections: Sequence[SectionText]


@dataclass(frozen=True, slots=True)
class CutDocument:
    """A document's passages by section key, as of `content_hash`."""

    refid: str
    content_hash: str
    passages: Mapping[str, Sequence[Passage]]


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of a request, by the hashes of its texts: vectors of passages and of questions, and refusals."""

    passages: Mapping[str, Vector] = field(default_factory=dict)
    questions: Mapping[str, Vector] = field(default_factory=dict)
    refused: Mapping[str, str] = field(default_factory=dict)
    """Why the embedder does not take a text."""


class EmbeddingPlans(Protocol):
    """The store while one process plans what is to be embedded."""

    async def begin(self, model: str) -> bool:
        """Make `model` the one that is built; return whether it was another before."""

    async def uncut(self, cutting: int, limit: int) -> Sequence[UncutDocument]:
        """Return documents of which no passages are stored as of their content and these rules of cutting."""

    async def store_cuts(self, documents: Sequence[CutDocument], cutting: int) -> None:
        """Replace the passages of `documents`, in one transaction."""

    async def drop_removed(self) -> None:
        """Delete the passages of documents that are no longer served."""

    async def missing(self, model: str, limit: int) -> Sequence[str]:
        """Return texts (by hash) without a vector that nobody was asked to embed, the most urgent first.

        Everyday questions about live provisions come first: they are few, and gain most. Then the passages of
        documents stored last (by day), of the provisions that most questions ask about, first passages before others,
        laws before regulations before the rest, short before long. A text that several passages share counts once, by
        what is most urgent of each.
        """

    async def note_requests(self, model: str, texts: Sequence[str]) -> None:
        """Note that these texts are asked for."""

    async def forget_requests(self, model: str) -> None:
        """Forget all that was asked for; what was refused stays."""

    async def complete(self, model: str) -> None:
        """Note that `model` has every vector; delete earlier models, and vectors of texts that are gone."""


class EmbeddingStore(Protocol):
    """Where passages, questions and their vectors are kept. Workers' methods raise `StoreUnavailable`."""

    def planning(self) -> AbstractAsyncContextManager[EmbeddingPlans | None]:
        """Hold planning against other processes while the block runs; None when another has it."""

    async def unembedded(self, model: str, texts: Sequence[str]) -> Sequence[str]:
        """Return which of these texts have no vector, in the order given."""

    async def questions_of(self, texts: Sequence[str]) -> Mapping[str, str]:
        """Return those of these texts that are everyday questions, by hash."""

    async def sections_of(self, passages: Sequence[str]) -> Sequence[SectionText]:
        """Return sections from which these texts can be cut; none for a text that no passage has any longer."""

    async def store(self, model: str, asked: Sequence[str], answer: Answer) -> None:
        """Answer a request in one transaction: keep the vectors, and why texts were refused.

        A text that has a vector keeps it; vectors of a model that was given up are dropped.
        """


class EmbeddingQueue(Protocol):
    """Where requests wait for workers."""

    async def waiting(self) -> int:
        """Return how many requests are not done, those being worked on among them."""

    async def ask(self, request: EmbeddingRequested) -> None:
        """Add a request."""

    async def clear(self) -> None:
        """Drop all requests."""
