"""The ports of embedding: the store and the queue."""

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
    """The result of a request by the hashes of its texts: vectors of each kind, and refusals."""

    passages: Mapping[str, Vector] = field(default_factory=dict)
    questions: Mapping[str, Vector] = field(default_factory=dict)
    products: Mapping[str, Vector] = field(default_factory=dict)
    refused: Mapping[str, str] = field(default_factory=dict)
    """The embedder's reason."""


@dataclass(frozen=True, slots=True)
class Missing:
    """The hashes of texts without a vector and without a request, the most urgent of each kind first."""

    law: Sequence[str] = ()
    products: Sequence[str] = ()


class EmbeddingPlans(Protocol):
    """The store while one process plans the embedding."""

    async def begin(self, model: str) -> bool:
        """Make `model` the current model; return whether it was another before."""

    async def uncut(self, cutting: int, limit: int) -> Sequence[UncutDocument]:
        """Return documents without passages of their present content and this chunker version (`cutting`)."""

    async def store_cuts(self, documents: Sequence[CutDocument], cutting: int) -> None:
        """Replace the passages of `documents`, in one transaction."""

    async def drop_removed(self) -> None:
        """Delete the passages of documents that are no longer served."""

    async def missing(self, model: str, limit: int) -> Missing:
        """Return what nobody was asked to embed, at most `limit` texts of the law and of products each.

        Of the law, everyday questions about live provisions come first: they are few, and gain most. Then passages, by
        day of storing (latest first), by number of questions about the provision, first passages of a section before
        others, by law type, short before long. A text of several passages counts once, with the most urgent value of
        each. Of products, names with descriptions come before problems, short before long.
        """

    async def law_is_done(self, model: str) -> bool:
        """Return whether no text of the law waits for a worker, and the model is not complete yet."""

    async def note_requests(self, model: str, texts: Sequence[str]) -> None:
        """Note that these texts are requested."""

    async def forget_requests(self, model: str) -> None:
        """Forget all requests; refusals stay."""

    async def complete(self, model: str) -> None:
        """Note that `model` has every vector of the law; delete earlier models, and vectors of texts that are gone."""


class EmbeddingStore(Protocol):
    """Where passages, questions and vectors are stored. The methods for workers raise `StoreUnavailable`."""

    def planning(self) -> AbstractAsyncContextManager[EmbeddingPlans | None]:
        """Hold planning against other processes while the block runs; None when another holds it."""

    async def unembedded(self, model: str, texts: Sequence[str]) -> Sequence[str]:
        """Return which of these texts have no vector, in the order given."""

    async def questions_of(self, texts: Sequence[str]) -> Mapping[str, str]:
        """Return those of these texts that are everyday questions, by hash."""

    async def products_of(self, texts: Sequence[str], *, asked: bool) -> Mapping[str, str]:
        """Return those of these texts that are products', by hash: names and descriptions, or problems (`asked`)."""

    async def sections_of(self, passages: Sequence[str]) -> Sequence[SectionText]:
        """Return sections from which these texts can be cut; none for a text that is no passage any more."""

    async def store(self, model: str, asked: Sequence[str], answer: Answer) -> None:
        """Store the result of a request in one transaction.

        A text with a vector keeps it; vectors of a model that is not stored any more are dropped.
        """


class EmbeddingQueue(Protocol):
    """The queue of requests for workers."""

    async def waiting(self) -> int:
        """Return the number of requests that are not done, those in work among them."""

    async def ask(self, request: EmbeddingRequested) -> None:
        """Add a request."""

    async def clear(self) -> None:
        """Drop all requests."""
