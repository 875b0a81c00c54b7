"""Keeping the index at the stored version.

PostgreSQL is the truth. The follower looks at the stored version often, and at once after `hint`; when it has risen, it
takes the groups of items that changed since, puts them into the index, and swaps what is served in one assignment.
Searches that run meanwhile keep what they hold.
"""

import asyncio
import contextlib
import logging
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from lovsvar_search.core.errors import IndexUnusable, NotReady, StoreUnavailable
from lovsvar_search.core.retrieval.collection import Collection
from lovsvar_search.core.retrieval.corpus import (
    Assemble,
    ChangingIndex,
    Corpus,
    CorpusChanges,
    CorpusSource,
    CorpusState,
)

log = logging.getLogger(__name__)

STARTING = "Søkeindeksen bygges."
FAILED = "Søkeindeksen kunne ikke bygges. Feilen er loggført, og det prøves igjen."
STALE = "{title} kan være utdatert: den er ikke sammenliknet med databasen på {seconds:.0f} sekunder. {why}"

STALE_SECONDS = 15.0
"""How long what is served may differ from what is stored, or not be compared with it, until that is said."""


class CorpusFollower:
    """Follows a collection in the background. A component: start, stop.

    While the database does not answer, what is served stays served: what may be some minutes old is better than
    none. But the follower then says, after `STALE_SECONDS`, that it is not ready, and why.
    """

    def __init__(
        self,
        collection: Collection,
        source: CorpusSource,
        index: ChangingIndex,
        assemble: Assemble,
        poll_seconds: float = 2.0,
    ) -> None:
        self._collection = collection
        self._source = source
        self._index = index
        self._assemble = assemble
        self._poll_seconds = poll_seconds
        self.note: Callable[[], None] = lambda: None
        """Called after each step."""
        self.swapped: Callable[[], None] = lambda: None
        """Called each time that another version is served."""
        self._current_at = time.monotonic()
        self._stored_version: int | None = None
        self._trouble = ""
        self._served: Corpus | None = None
        self._indexed: CorpusState | None = None
        self._reason = STARTING
        self._hint = asyncio.Event()
        self._moved = asyncio.Condition()
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Begin to follow; returns before the index is ready."""
        self._task = asyncio.create_task(self._follow(), name="corpus-follower")

    async def stop(self) -> None:
        """Stop following and close the index."""
        if self._task is not None:
            # Again and again: Python before 3.12 may lose a cancellation that meets the end of a wait.
            while not self._task.done():
                self._task.cancel()
                await asyncio.wait({self._task}, timeout=1.0)
        await self._index.run(self._index.close)

    def hint(self) -> None:
        """Look at the stored version now."""
        self._hint.set()

    def not_ready(self) -> str:
        """Return in Norwegian why nothing is served, or what is served may be old; "" when neither is so."""
        if self._served is None:
            return self._reason
        if self._trouble and self._lag > STALE_SECONDS:
            return STALE.format(title=self._collection.title, seconds=self._lag, why=self._trouble)
        return ""

    def details(self) -> Mapping[str, Any]:
        """Return which version is served, which is stored, and the seconds since they were last seen to be the same."""
        served = self._served.state.version if self._served else None
        return {
            "corpus_version": served,
            "stored_version": self._stored_version,
            "lag_seconds": round(self._lag, 1) if self._served else None,
        }

    @property
    def _lag(self) -> float:
        return time.monotonic() - self._current_at

    @property
    def served(self) -> Corpus:
        """What is served now. Raises `NotReady`."""
        if self._served is None:
            raise NotReady(self._reason)
        return self._served

    @property
    def served_counts(self) -> tuple[int, int]:
        """The version served and the size of its corpus; zeros when nothing is."""
        return (self._served.state.version, self._served.size) if self._served else (0, 0)

    async def able(self, whether: bool) -> None:
        """Wait until requests can be answered from here (`whether` is True), or no longer can.

        That nothing is stored is an answer, that the index is being built is none.
        """
        async with self._moved:
            empty = self._collection.empty
            await self._moved.wait_for(lambda: (self._served is not None or self._reason == empty) is whether)

    async def reach(self, version: int) -> None:
        """Wait until `version` or a later one is served."""
        async with self._moved:
            await self._moved.wait_for(lambda: self.served_counts[0] >= version)

    async def _follow(self) -> None:
        while True:
            self._hint.clear()
            try:
                await self._catch_up()
                self._got_through()
            except StoreUnavailable as exc:
                await self._failed(str(exc), exc.__cause__ or exc)
            except IndexUnusable as exc:
                log.warning("the index is built again: %s", exc)
                self._indexed = None
                # A disk that is full damages it each time.
                await self._failed(FAILED, exc)
            except Exception as exc:
                # A fault in one look must not end the following: what is served stays served.
                log.exception("catching up failed")
                await self._failed(FAILED, exc)
            self.note()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._hint.wait(), self._poll_seconds)

    def _got_through(self) -> None:
        if self._trouble:
            log.warning("the corpus is followed again, after %.0f seconds", self._lag)
        self._trouble = ""
        self._current_at = time.monotonic()

    async def _failed(self, words: str, cause: BaseException) -> None:
        if not self._trouble:
            log.warning("the corpus cannot be followed: %s: %s", type(cause).__name__, " ".join(str(cause).split()))
        self._trouble = words
        await self._become(self._served, words)

    async def _catch_up(self) -> None:
        state = await self._source.state()
        self._stored_version = state.version
        self.note()
        if self._served and self._served.state == state:
            self._served = replace(self._served, state=state)
            return
        if state.version == 0:
            await self._become(None, self._collection.empty)
            return
        if self._served is None:
            await self._become(None, STARTING)
        self._indexed = await self._index.run(self._prepared, state)
        try:
            async with self._source.changes(self._indexed.version) as changes:
                await self._serve(changes, self._indexed)
        except BaseException:
            await asyncio.shield(self._index.run(self._discard))
            raise

    def _discard(self) -> None:
        try:
            self._index.discard()
        except IndexUnusable:
            self._indexed = None

    def _prepared(self, state: CorpusState) -> CorpusState:
        """Open the index, or begin an empty one when what is there cannot grow into `state`; return what it holds."""
        indexed = self._indexed
        if indexed is None:
            with contextlib.suppress(IndexUnusable):
                indexed = self._index.open()
        if indexed is None or indexed.identity != state.identity or indexed.version > state.version:
            self._index.reset()
            return CorpusState(0, state.identity)
        return indexed

    async def _serve(self, changes: CorpusChanges, indexed: CorpusState) -> None:
        companions = await changes.companions()
        self.note()
        if changes.state == indexed:
            snapshot = await self._index.run(self._index.snapshot)
        else:
            if indexed.version > 0:
                await self._index.run(self._index.remove, await changes.groups())
            await self._add_all(changes)
            snapshot = await self._index.run(self._index.commit, changes.state.identity, changes.state.version)
        self._indexed = changes.state
        self.note()
        corpus = await self._index.run(self._assemble, snapshot, companions, changes.state)
        await self._become(corpus)
        self.swapped()
        log.info("serving %s version %d with %d items", self._collection.name, corpus.state.version, corpus.size)

    async def _become(self, served: Corpus | None, reason: str = STARTING) -> None:
        async with self._moved:
            self._served, self._reason = served, reason
            self._moved.notify_all()

    async def _add_all(self, changes: CorpusChanges) -> None:
        """Index each batch while the next is fetched."""
        adding: asyncio.Future[None] | None = None
        async for batch in changes.items():
            if adding is not None:
                await adding
            self.note()
            adding = self._index.run(self._index.add, batch)
        if adding is not None:
            await adding
