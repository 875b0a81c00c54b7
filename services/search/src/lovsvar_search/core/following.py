"""Keeping the index at the corpus's version.

PostgreSQL is the truth. The follower looks at the corpus version often, and at once when told of a finished
sync; when the version has risen it takes the documents that changed since, puts them into the index, and
swaps what is served in one assignment. Searches that run meanwhile keep what they hold.
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Protocol

from lovsvar_search.core.act_names import ActNames
from lovsvar_search.core.corpus import CorpusState, IndexedSection
from lovsvar_search.core.errors import IndexUnusable, NotReady, StoreUnavailable
from lovsvar_search.core.finding import IndexSnapshot

STARTING = "Søkeindeksen bygges."
EMPTY = "Lovsamlingen er tom. Hent den med kommandoen «lovsvar ingest»."


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


@dataclass(frozen=True, slots=True)
class Served:
    """What this process serves: one corpus version."""

    state: CorpusState
    index: CountedSnapshot
    names: ActNames


class CorpusFollower:
    """Follows the corpus in the background. A part: start, stop."""

    def __init__(self, source: CorpusSource, index: ChangingIndex, poll_seconds: float = 2.0) -> None:
        self._source = source
        self._index = index
        self._poll_seconds = poll_seconds
        self._served: Served | None = None
        self._stamp: CorpusState | None = None
        self._reason = STARTING
        self._hint = asyncio.Event()
        self._moved = asyncio.Condition()
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Begin to follow; returns before the index is ready."""
        self._task = asyncio.create_task(self._follow(), name="corpus-follower")

    async def stop(self) -> None:
        """Stop following and let go of the index."""
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task
        await asyncio.to_thread(self._index.close)

    def hint(self) -> None:
        """Tell that the corpus may have changed, so that nobody waits for the next look."""
        self._hint.set()

    def not_ready(self) -> str:
        """Return why nothing is served yet, in Norwegian, or "" when something is."""
        return "" if self._served else self._reason

    @property
    def served(self) -> Served:
        """What is served now. Raises `NotReady`."""
        if self._served is None:
            raise NotReady(self._reason)
        return self._served

    @property
    def served_counts(self) -> tuple[int, int]:
        """The version served and its provisions; zeros when nothing is."""
        return (self._served.state.version, self._served.index.provisions) if self._served else (0, 0)

    async def reach(self, version: int) -> None:
        """Wait until `version` or a later one is served."""
        async with self._moved:
            await self._moved.wait_for(lambda: self.served_counts[0] >= version)

    async def _follow(self) -> None:
        while True:
            self._hint.clear()
            try:
                await self._catch_up()
            except StoreUnavailable as exc:
                self._reason = str(exc)
            except IndexUnusable:
                self._stamp = None
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._hint.wait(), self._poll_seconds)

    async def _catch_up(self) -> None:
        state = await self._source.state()
        if self._served and self._served.state == state:
            return
        if state.version == 0:
            self._served, self._stamp, self._reason = None, None, EMPTY
            return
        indexed = await asyncio.to_thread(self._open, state)
        async with self._source.changes(indexed.version) as changes:
            served = await self._apply(changes, indexed)
        self._served = self._served_stamp(served)

    def _served_stamp(self, served: Served) -> Served:
        self._stamp = served.state
        return served
