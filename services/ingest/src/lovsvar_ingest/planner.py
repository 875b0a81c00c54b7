"""The component of ingest that plans the embedding of stored texts."""

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable

import structlog

from lovsvar_chassis.progress import Note, unnoted
from lovsvar_chassis.tasks import Background
from lovsvar_contracts.ingest import EmbeddingStored, SyncCompleted, SyncEvent, SyncFailed
from lovsvar_ingest.core.embedding_ports import EmbeddingQueue, EmbeddingStore
from lovsvar_ingest.core.passage_embedding import Planned, request_embedding

log = structlog.get_logger()

SILENCE = 30.0
"""Seconds without an event after which a sync counts as dead."""

SETTLE = 0.5
"""Seconds in which hints are collected, and the last request of a queue is acknowledged."""

PATIENCE = {Planned.COMPLETE: 120.0, Planned.UNDER_WAY: 5.0, Planned.LEFT: 5.0}
"""Seconds until the next planning without a hint; hints may be lost."""


class SyncsUnderWay:
    """The running syncs of all processes, by their events."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._heard: dict[str, float] = {}

    def hear(self, event: SyncEvent) -> None:
        """Count a sync's event."""
        if isinstance(event, SyncCompleted | SyncFailed):
            self._heard.pop(event.sync_id, None)
        else:
            self._heard[event.sync_id] = self._clock()

    def any(self) -> bool:
        """Whether a sync is under way."""
        return any(self._clock() - heard < SILENCE for heard in self._heard.values())


class Planner(Background):
    """Plans at start, after a sync, and after passages were embedded. A component: start, stop.

    Syncs go first: it does nothing while one is under way. It first waits for `vectors_shipped`, so that the shipped
    vectors are not requested.
    """

    def __init__(
        self,
        model: str,
        store: EmbeddingStore,
        queue: EmbeddingQueue,
        vectors_shipped: Callable[[], Awaitable[object]],
        note: Note = unnoted,
    ) -> None:
        """`note` is called after each round of planning."""
        self._note = note
        self._model = model
        self._vectors_shipped = vectors_shipped
        self._store = store
        self._queue = queue
        self._syncs = SyncsUnderWay()
        self._woken = asyncio.Event()

    async def heard_sync(self, event: SyncEvent) -> None:
        """Pause during a sync, and plan when it has ended."""
        self._syncs.hear(event)
        if isinstance(event, SyncCompleted | SyncFailed):
            self._woken.set()

    async def heard_stored(self, event: EmbeddingStored) -> None:
        """Plan again."""
        self._woken.set()

    async def _run(self) -> None:
        await self._vectors_shipped()
        while True:
            self._woken.clear()
            self._note()
            planned = Planned.LEFT
            try:
                if not self._syncs.any():
                    planned = await request_embedding(self._model, self._store, self._queue, self._syncs.any)
            except Exception:
                log.exception("planning of embeddings failed")
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._woken.wait(), PATIENCE[planned])
            await asyncio.sleep(SETTLE)
