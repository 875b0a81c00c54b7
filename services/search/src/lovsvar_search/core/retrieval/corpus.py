"""One version of a collection as it is searched, and the port that reads a collection's items."""

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Any, Protocol

from lovsvar_search.core.retrieval.collection import Collection
from lovsvar_search.core.retrieval.index import CorpusState, IndexSnapshot, QuestionIndex, TopicIndex


@dataclass(frozen=True, slots=True)
class Corpus:
    """What is searched: one version of a collection. `size` is how many items are counted.

    `names` is what the collection's reader of references looks names up in.
    """

    collection: Collection
    index: IndexSnapshot
    state: CorpusState
    size: int
    names: Any = None
    questions: QuestionIndex | None = None
    topics: TopicIndex | None = None


class CorpusChanges(Protocol):
    """A collection at one version, and what changed in it. Everything is read in one snapshot of the database."""

    @property
    def state(self) -> CorpusState:
        """The version that the changes lead to."""

    async def companions(self) -> Any:
        """Return what is served beside the index, such as names. It is read before the items."""

    async def groups(self) -> Sequence[str]:
        """Return the groups that changed or were removed since the asked version."""

    def items(self) -> AsyncIterator[Sequence[Any]]:
        """Yield what `Collection.item` makes items of, for groups that were added or changed, in batches."""


class CorpusSource(Protocol):
    """A stored collection as the follower reads it. Methods raise `StoreUnavailable`."""

    async def state(self) -> CorpusState:
        """Return the newest version; 0 when nothing has been stored yet."""

    def changes(self, since: int) -> AbstractAsyncContextManager[CorpusChanges]:
        """Return what changed after version `since`; 0 asks for everything."""


Assemble = Callable[[IndexSnapshot, Any, CorpusState], Corpus]
"""Puts together what is searched: the index, the companions and the version that they are of."""
