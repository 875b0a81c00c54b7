"""The queue of questions: its length, and the questions of each asker in it."""

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator
from dataclasses import replace
from weakref import WeakValueDictionary

import structlog
from nats.errors import Error as NatsError
from nats.js.errors import NotFoundError

from lovsvar_chassis.progress import Note, unnoted
from lovsvar_chassis.publisher import EventPublisher
from lovsvar_chassis.tasks import Background
from lovsvar_contracts import subjects
from lovsvar_gateway.adapters.metrics import oldest_age
from lovsvar_gateway.adapters.nats_link import NatsLink
from lovsvar_gateway.core.access import Caller
from lovsvar_gateway.core.queue_admission import Bounds, Place, QueueState, ServiceTime, check_room, place_in

log = structlog.get_logger()

LOOK_SECONDS = 1.0
TOO_LATE = 2.0  # times the longest accepted wait; a question that waits longer means that no agent works


class QuestionQueue(Background):
    """Reads the queue's state every second, so that a place is known at once. A component with `start` and `stop`."""

    def __init__(self, events: EventPublisher, link: NatsLink, bounds: Bounds, note: Note = unnoted) -> None:
        self._note = note
        self._events = events
        self._link = link
        self._bounds = bounds
        self._service_time = ServiceTime()
        self._seen = QueueState(time.monotonic())
        self._since = 0
        self._oldest = 0.0
        self._entering: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    def fault(self) -> str:
        """Return, in Norwegian, that a question has waited far too long; "" when none has."""
        if self._oldest <= TOO_LATE * self._bounds.seconds:
            return ""
        return f"et spørsmål har ventet i {self._oldest:.0f} sekunder på en agent"

    @contextlib.asynccontextmanager
    async def room_for(self, caller: Caller) -> AsyncIterator[Place]:
        """Hold a place for a question queued in the block. Raises `QueueFull`, `TooManyWaiting`, `ProblemError`."""
        asker = caller.asker
        # One at a time, so that what is counted is in the queue.
        async with self._entering.setdefault(asker, asyncio.Lock()):
            own = await self._link.hold(self._count(asker))
            place = place_in(self._seen, self._since, self._service_time.seconds)
            check_room(place, own, replace(self._bounds, per_caller=caller.queued or self._bounds.per_caller))
            self._since += 1
            yield place

    async def _count(self, asker: str) -> int:
        """Return how many questions of `asker` wait or are being answered, whichever gateway they came by."""
        subject = subjects.question_asked(asker)
        info = await self._events.jetstream.stream_info(subjects.STREAM_QUESTIONS, subject)
        return (info.state.subjects or {}).get(subject, 0)

    async def _run(self) -> None:
        while True:
            try:
                await self._look()
                self._note()
            except (NatsError, OSError, TimeoutError) as exc:
                log.debug("the queue could not be looked at", error=repr(exc))
            await asyncio.sleep(LOOK_SECONDS)

    async def _look(self) -> None:
        before, delivered = self._since, 0
        js = self._events.jetstream
        try:
            info = await js.consumer_info(subjects.STREAM_QUESTIONS, subjects.CONSUMER_QUESTIONS)
        except NotFoundError:  # No agent has ever started.
            waiting = (await js.stream_info(subjects.STREAM_QUESTIONS)).state.messages
            self._seen = QueueState(time.monotonic(), waiting=waiting)
        else:
            busy = info.num_ack_pending or 0
            delivered = info.delivered.stream_seq if info.delivered else 0
            self._seen = QueueState(
                time.monotonic(),
                waiting=info.num_pending or 0,
                busy=busy,
                idle=info.num_waiting or 0,
                served=delivered - busy,
            )
            self._service_time.hear(self._seen)
        self._since -= before
        waits = self._seen.waiting > 0
        self._oldest = await oldest_age(js, subjects.STREAM_QUESTIONS, delivered) if waits else 0.0
