"""Syncs: asking for one, and following what it says of itself."""

import asyncio
import contextlib
from collections.abc import AsyncGenerator

import anyio
from nats.aio.subscription import Subscription
from nats.errors import Error as NatsError
from nats.errors import TimeoutError as NatsTimeoutError
from nats.js import JetStreamContext
from nats.js.api import DeliverPolicy
from nats.js.errors import NotFoundError

from lovsvar_chassis.direct_get import read_page
from lovsvar_chassis.publisher import EventPublisher
from lovsvar_contracts import subjects
from lovsvar_contracts.ingest import SyncCompleted, SyncEvent, SyncFailed, SyncRequested, sync_event_adapter
from lovsvar_gateway.adapters.nats_link import Link
from lovsvar_gateway.core.errors import UnknownSync

MAX_LISTED = 100
READ_SECONDS = 5.0

LOOK_SECONDS = 2.0
SOON_SECONDS = 0.1
"""Between two looks at what is stored of a sync: while nothing is heard of it, and when something was published."""

ENDS = (SyncCompleted, SyncFailed)
"""The events that end a sync."""


async def _heard(published: Subscription, seconds: float) -> bool:
    """Wait for something to be published; say whether it was."""
    try:
        await published.next_msg(timeout=seconds)
    except NatsTimeoutError:
        return False
    return True


class Syncs:
    """Syncs as the gateway knows them: the stream of requests and the stream of their events."""

    def __init__(self, events: EventPublisher, link: Link) -> None:
        self._events = events
        self._link = link

    async def request(self, requested: SyncRequested) -> None:
        """Put a sync in the queue. Raises `ProblemError`."""
        await self._link.hold(self._events.publish(subjects.INGEST_REQUESTED, requested))

    async def end(self, sync_id: str) -> int | None:
        """Return the sequence of the sync's last event, or None while it waits or goes on.

        Raises `UnknownSync`, `ProblemError`.
        """
        # In this order: a sync that leaves the queue in between has events by then.
        queued = await self._link.hold(self._queued(sync_id))
        last = await self._link.hold(self._last(sync_id))
        if last is None and not queued:
            raise UnknownSync(sync_id)
        return last[0] if last and isinstance(last[1], ENDS) else None

    async def latest(self) -> list[SyncEvent]:
        """Return the last event of each recent sync, newest first, at most 100. Raises `ProblemError`."""
        return await self._link.hold(self._latest(), within=READ_SECONDS)

    async def follow(self, sync_id: str, after: int) -> AsyncGenerator[tuple[int, SyncEvent], None]:
        """Yield the sync's events with their stream sequences above `after`; end behind its last event.

        Close it (`aclosing`) when leaving early. It needs no consumer: what is published wakes it up, and what is
        stored is read. Raises `UnknownSync` when its events are deleted meanwhile.
        """
        subject = subjects.ingest_progress(sync_id)
        connection = self._events.connection
        published = await connection.subscribe(subject)
        seen, pause = 0, SOON_SECONDS
        try:
            while True:
                page = await self._link.hold(read_page(connection, subjects.STREAM_INGEST_EVENTS, subject, seen + 1))
                for stored in page.messages:
                    seen = stored.sequence
                    event = sync_event_adapter.validate_json(stored.data)
                    if seen > after:
                        yield seen, event
                    if isinstance(event, ENDS):
                        return
                if page.more:
                    continue
                if not page.messages and seen and await self._link.hold(self._last(sync_id)) is None:
                    raise UnknownSync(sync_id)
                pause = SOON_SECONDS if await _heard(published, pause) else LOOK_SECONDS
        finally:
            with contextlib.suppress(NatsError, OSError):
                await published.unsubscribe()

    async def _messages(self, subject: str, policy: DeliverPolicy) -> AsyncGenerator[tuple[int, SyncEvent, int], None]:
        """Yield stream sequence, event, and how many more are stored."""
        subscription = await self._events.jetstream.subscribe(
            subject,
            stream=subjects.STREAM_INGEST_EVENTS,
            ordered_consumer=True,
            deliver_policy=policy,
            idle_heartbeat=1.0,
        )
        try:
            while True:
                with contextlib.suppress(NatsTimeoutError):
                    message = await subscription.next_msg(timeout=60)
                    metadata = message.metadata
                    event = sync_event_adapter.validate_json(message.data)
                    yield metadata.sequence.stream, event, metadata.num_pending
        finally:
            with anyio.CancelScope(shield=True), contextlib.suppress(NatsError, OSError, asyncio.TimeoutError):
                await subscription.unsubscribe()

    async def _latest(self) -> list[SyncEvent]:
        events: list[SyncEvent] = []
        info = await self._jetstream.stream_info(subjects.STREAM_INGEST_EVENTS)
        if not info.state.messages:
            return events
        async with contextlib.aclosing(
            self._messages(subjects.INGEST_PROGRESS_ANY, DeliverPolicy.LAST_PER_SUBJECT)
        ) as messages:
            async for _, event, pending in messages:
                events.append(event)
                if not pending:
                    break
        return sorted(events, key=lambda e: e.occurred_at, reverse=True)[:MAX_LISTED]

    async def _queued(self, sync_id: str) -> bool:
        sequence = 1
        with contextlib.suppress(NotFoundError):
            while True:
                message = await self._jetstream.get_msg(
                    subjects.STREAM_INGEST, seq=sequence, subject=subjects.INGEST_REQUESTED, next=True
                )
                if SyncRequested.model_validate_json(message.data or b"{}").sync_id == sync_id:
                    return True
                sequence = (message.seq or sequence) + 1
        return False

    async def _last(self, sync_id: str) -> tuple[int, SyncEvent] | None:
        try:
            raw = await self._jetstream.get_last_msg(subjects.STREAM_INGEST_EVENTS, subjects.ingest_progress(sync_id))
        except NotFoundError:
            return None
        return raw.seq or 0, sync_event_adapter.validate_json(raw.data or b"")

    @property
    def _jetstream(self) -> JetStreamContext:
        return self._events.jetstream
