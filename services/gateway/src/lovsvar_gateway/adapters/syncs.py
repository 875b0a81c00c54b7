"""Syncs: requests for them, and their events."""

import asyncio
import contextlib
from collections.abc import AsyncGenerator
from dataclasses import dataclass, replace

import anyio
from nats.errors import Error as NatsError
from nats.errors import TimeoutError as NatsTimeoutError
from nats.js import JetStreamContext
from nats.js.api import DeliverPolicy
from nats.js.errors import NotFoundError

from lovsvar_chassis.direct_get import read_page
from lovsvar_chassis.publisher import EventPublisher
from lovsvar_contracts import subjects
from lovsvar_contracts.catalogues import DATASET_PREFIX
from lovsvar_contracts.ingest import Dataset, SyncCompleted, SyncEvent, SyncFailed, SyncRequested, sync_event_adapter
from lovsvar_contracts.problems import ProblemType
from lovsvar_gateway.adapters.nats_link import NatsLink
from lovsvar_gateway.core.access import ANYBODY, Caller
from lovsvar_gateway.core.errors import UnknownCatalogue, UnknownSync

MAX_LISTED = 100
READ_SECONDS = 5.0
LOOK_SECONDS = 2.0  # between two reads of a sync's events while none is published
SOON_SECONDS = 0.1  # the same, when one was published

NOT_LISTED = "Katalogen er ikke listet opp, eller hentes fra et annet sted."

ENDS = (SyncCompleted, SyncFailed)  # the events that end a sync


@dataclass(frozen=True)
class Syncs:
    """The stream of requests for syncs, and the stream of their events, as `caller` may see them.

    A sync of a catalogue that the caller may not see is unknown.
    """

    events: EventPublisher
    link: NatsLink
    caller: Caller = ANYBODY

    def seen_by(self, caller: Caller) -> "Syncs":
        """Return the syncs as `caller` knows them."""
        return replace(self, caller=caller)

    def check(self, dataset: Dataset) -> None:
        """Raise `UnknownCatalogue` for the data set of a catalogue that the caller may not see."""
        if not self.caller.may_sync(dataset):
            raise UnknownCatalogue(dataset.removeprefix(DATASET_PREFIX))

    async def request(self, requested: SyncRequested) -> None:
        """Put a sync in the queue. Raises `UnknownCatalogue`, `ProblemError`."""
        self.check(requested.dataset)
        await self.link.hold(self.events.publish(subjects.INGEST_REQUESTED, requested))

    async def end(self, sync_id: str) -> int | None:
        """Return the sequence of the sync's last event, None while it is open. Raises `UnknownSync`, `ProblemError`."""
        # In this order: a sync that leaves the queue in between has events by then.
        queued = await self.link.hold(self._queued(sync_id))
        last = await self.link.hold(self._last(sync_id))
        dataset = last[1].dataset if last else queued
        if dataset is None or not self.caller.may_sync(dataset):
            raise UnknownSync(sync_id)
        return last[0] if last and isinstance(last[1], ENDS) else None

    async def latest(self) -> list[SyncEvent]:
        """Return the last event of each recent sync, newest first, at most 100. Raises `ProblemError`."""
        return await self.link.hold(self._latest(), within=READ_SECONDS)

    async def follow(self, sync_id: str, after: int) -> AsyncGenerator[tuple[int, SyncEvent], None]:
        """Yield the sync's events with stream sequences above `after`, without a consumer. Close it when leaving early.

        Raises `UnknownSync` when its events are deleted meanwhile.
        """
        subject = subjects.ingest_progress(sync_id)
        connection = self.events.connection
        published = await connection.subscribe(subject)
        seen, pause = 0, SOON_SECONDS
        try:
            while True:
                page = await self.link.hold(read_page(connection, subjects.STREAM_INGEST_EVENTS, subject, seen + 1))
                for stored in page.messages:
                    seen = stored.sequence
                    event = sync_event_adapter.validate_json(stored.data)
                    if seen > after:
                        yield seen, self._told(event)
                    if isinstance(event, ENDS):
                        return
                if page.more:
                    continue
                if not page.messages and seen and await self.link.hold(self._last(sync_id)) is None:
                    raise UnknownSync(sync_id)
                try:
                    await published.next_msg(timeout=pause)
                    pause = SOON_SECONDS
                except NatsTimeoutError:
                    pause = LOOK_SECONDS
        finally:
            with contextlib.suppress(NatsError, OSError):
                await published.unsubscribe()

    async def _latest(self) -> list[SyncEvent]:
        if not (await self._jetstream.stream_info(subjects.STREAM_INGEST_EVENTS)).state.messages:
            return []
        subscription = await self._jetstream.subscribe(
            subjects.INGEST_PROGRESS_ANY,
            stream=subjects.STREAM_INGEST_EVENTS,
            ordered_consumer=True,
            deliver_policy=DeliverPolicy.LAST_PER_SUBJECT,
            idle_heartbeat=1.0,
        )
        events: list[SyncEvent] = []
        pending = 1
        try:
            while pending:
                message = await subscription.next_msg(timeout=READ_SECONDS)
                events.append(sync_event_adapter.validate_json(message.data))
                pending = message.metadata.num_pending
        finally:
            with anyio.CancelScope(shield=True), contextlib.suppress(NatsError, OSError, asyncio.TimeoutError):
                await subscription.unsubscribe()
        seen = (self._told(event) for event in events if self.caller.may_sync(event.dataset))
        return sorted(seen, key=lambda e: e.occurred_at, reverse=True)[:MAX_LISTED]

    def _told(self, event: SyncEvent) -> SyncEvent:
        """Return an event as the caller may read it: what a refusal says names the catalogues that are listed."""
        refused = isinstance(event, SyncFailed) and event.problem is ProblemType.INVALID_REQUEST
        if not refused or self.caller.catalogues is None or not event.dataset.startswith(DATASET_PREFIX):
            return event
        return event.model_copy(update={"detail": NOT_LISTED})

    async def _queued(self, sync_id: str) -> Dataset | None:
        """Return the data set of a sync in the queue."""
        sequence = 1
        with contextlib.suppress(NotFoundError):
            while True:
                message = await self._jetstream.get_msg(
                    subjects.STREAM_INGEST, seq=sequence, subject=subjects.INGEST_REQUESTED, next=True
                )
                requested = SyncRequested.model_validate_json(message.data or b"{}")
                if requested.sync_id == sync_id:
                    return requested.dataset
                sequence = (message.seq or sequence) + 1
        return None

    async def _last(self, sync_id: str) -> tuple[int, SyncEvent] | None:
        try:
            raw = await self._jetstream.get_last_msg(subjects.STREAM_INGEST_EVENTS, subjects.ingest_progress(sync_id))
        except NotFoundError:
            return None
        return raw.seq or 0, sync_event_adapter.validate_json(raw.data or b"")

    @property
    def _jetstream(self) -> JetStreamContext:
        return self.events.jetstream
