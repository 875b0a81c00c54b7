"""The part of ingest that sees to it that what is stored gets embedded."""

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable

import structlog
from faststream.nats import NatsBroker
from nats.aio.msg import Msg
from nats.aio.subscription import Subscription

from lovsvar_chassis.progress import Note, unnoted
from lovsvar_chassis.tasks import end
from lovsvar_contracts import subjects
from lovsvar_contracts.ingest import SyncCompleted, SyncEvent, SyncFailed, sync_event_adapter
from lovsvar_ingest.core.embedding import Planned, request_embedding
from lovsvar_ingest.core.embedding_ports import EmbeddingQueue, EmbeddingStore

log = structlog.get_logger()

SILENCE = 30.0
"""Seconds after which a sync that said nothing more is taken for dead."""

SETTLE = 0.5
"""Seconds that hints are gathered, and in which the last request of a queue is acknowledged."""

PATIENCE = {Planned.COMPLETE: 120.0, Planned.UNDER_WAY: 5.0, Planned.LEFT: 5.0}
"""Seconds until planning is done again without a hint; hints may be lost."""


class SyncsUnderWay:
    """The syncs of all processes, as they tell of themselves."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._heard: dict[str, float] = {}

    def hear(self, event: SyncEvent) -> None:
        """Take note of a sync's event."""
        if isinstance(event, SyncCompleted | SyncFailed):
            self._heard.pop(event.sync_id, None)
        else:
            self._heard[event.sync_id] = self._clock()

    def any(self) -> bool:
        """Whether a sync is under way."""
        return any(self._clock() - heard < SILENCE for heard in self._heard.values())


class Planner:
    """Plans at start, when a sync has ended and when passages were embedded. A part: start, stop.

    Syncs go first: it does nothing while one is under way. It listens by plain subscriptions, since an
    answer to what is published to a stream would be taken for the stream's own. It first waits for `vectors_shipped`,
    so that nobody is asked for those.
    """

    def __init__(
        self,
        model: str,
        store: EmbeddingStore,
        queue: EmbeddingQueue,
        broker: NatsBroker,
        vectors_shipped: Callable[[], Awaitable[object]],
    ) -> None:
        self.note: Note = unnoted
        """Called whenever planning was done, or there was nothing to plan."""
        self._model = model
        self._vectors_shipped = vectors_shipped
        self._store = store
        self._queue = queue
        self._broker = broker
        self._syncs = SyncsUnderWay()
        self._woken = asyncio.Event()
        self._subscriptions: list[Subscription] = []
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Begin to listen and to plan."""
        for subject, hear in (
            (subjects.INGEST_PROGRESS_ANY, self._hear_sync),
            (subjects.EMBEDDING_STORED, self._hear_stored),
        ):
            self._subscriptions.append(await self._broker.connection.subscribe(subject, cb=hear))
        self._task = asyncio.create_task(self._plan(), name="planner")

    async def stop(self) -> None:
        """Stop at once; what was begun is done again by whoever plans next."""
        if self._task is not None:
            await end(self._task)
        for subscription in self._subscriptions:
            with contextlib.suppress(Exception):
                await subscription.unsubscribe()

    async def _hear_sync(self, message: Msg) -> None:
        event = sync_event_adapter.validate_json(message.data)
        self._syncs.hear(event)
        if isinstance(event, SyncCompleted | SyncFailed):
            self._woken.set()

    async def _hear_stored(self, message: Msg) -> None:
        self._woken.set()

    async def _plan(self) -> None:
        await self._vectors_shipped()
        while True:
            self._woken.clear()
            self.note()
            planned = Planned.LEFT
            try:
                if not self._syncs.any():
                    planned = await request_embedding(self._model, self._store, self._queue, self._syncs.any)
            except Exception:
                log.exception("planning of embeddings failed")
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._woken.wait(), PATIENCE[planned])
            await asyncio.sleep(SETTLE)
