"""What the follower of the corpus needs: where it is stored, and an index that can change."""

from collections.abc import AsyncIterator, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Protocol

from lovsvar_legaltext.act_names import ActNames
from lovsvar_search.core.corpus import CorpusState, EverydayQuestion, IndexedSection
from lovsvar_search.core.indexes import IndexSnapshot


class CountedSnapshot(IndexSnapshot, Protocol):
    """A snapshot that knows how many provisions it holds."""

    @property
    def provisions(self) -> int:
        """Sections that are provisions."""


class IndexStamp(Protocol):
    """What an index on disk was built from."""

    @property
    def identity(self) -> str:
        """Of which database."""

    @property
    def version(self) -> int:
        """Of which corpus version."""


class ChangingIndex(Protocol):
    """The index as the follower changes it; blocking, one thread at a time. Methods raise `IndexUnusable`."""

    def open(self) -> IndexStamp:
        """Open what is on disk."""

    def reset(self) -> None:
        """Begin with an empty index."""

    def remove(self, refids: Sequence[str]) -> None:
        """Take every section of these documents out."""

    def add(self, sections: Sequence[IndexedSection]) -> None:
        """Put sections in."""

    def commit(self, identity: str, version: int) -> CountedSnapshot:
        """Make the changes last and return the index as it now is."""

    def discard(self) -> None:
        """Forget changes that were not committed."""

    def snapshot(self) -> CountedSnapshot:
        """Return the index as it was last committed."""

    def close(self) -> None:
        """Let go of the files."""


class CorpusChanges(Protocol):
    """The corpus at one version, and what changed in it. Everything is read in one snapshot of the database."""

    @property
    def state(self) -> CorpusState:
        """The version that the changes lead to."""

    async def names(self) -> ActNames:
        """Return the names of every document."""

    async def questions(self) -> Sequence[EverydayQuestion]:
        """Return every everyday question."""

    async def refids(self) -> Sequence[str]:
        """Return the documents that changed or were removed since the asked version."""

    def sections(self) -> AsyncIterator[Sequence[IndexedSection]]:
        """Yield the sections of documents that were added or changed, in batches."""


class CorpusSource(Protocol):
    """The stored corpus as the follower reads it. Methods raise `StoreUnavailable`."""

    async def state(self) -> CorpusState:
        """Return the newest version; 0 when nothing has been stored yet."""

    def changes(self, since: int) -> AbstractAsyncContextManager[CorpusChanges]:
        """Return what changed after version `since`; 0 asks for everything."""
