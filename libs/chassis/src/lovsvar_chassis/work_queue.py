"""Taking work from a stream.

A durable pull consumer hands each message to one worker. While it is worked on, heartbeats hold it; a
worker that dies lets it go after `ack_wait` seconds and another takes it. A handler that raises gives it
back with growing delay. What has been tried `max_tries` times, or cannot be read, goes to
`lovsvar.dead.<stream>` with the reason.

FastStream's pull subscriber is not used here: it fetches ahead of its workers, so that messages time out
in its buffer, and it has no heartbeat and no delay that grows (docs/decisions).
"""

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Awaitable, Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

import stamina
import structlog
from nats.aio.msg import Msg
from nats.errors import Error as NatsError
from nats.errors import TimeoutError as NatsTimeoutError
from nats.js import JetStreamContext
from nats.js.api import AckPolicy, ConsumerConfig
from nats.js.errors import NotFoundError
from opentelemetry import trace
from pydantic import ValidationError

from lovsvar_chassis.events import EventPublisher
from lovsvar_chassis.progress import Note, unnoted
from lovsvar_chassis.tasks import end
from lovsvar_chassis.telemetry import trace_context, trace_headers
from lovsvar_contracts import subjects
from lovsvar_contracts.message import Message

log = structlog.get_logger()
tracer = trace.get_tracer(__name__)

Work = TypeVar("Work", bound=Message)

FETCH_SECONDS = 3.0
"""How long one request for work stands. A server that restarts forgets it without a word, so work waits no longer."""


class RetryLater(Exception):
    """The work cannot be done now; try again after `delay` seconds.

    It may be put off any number of times: that is no failure, in the logs or in the count of tries. The
    count, and with it `attempt`, begins again each time it has reached `max_tries`, and the try after that
    may come sooner than asked for.
    """

    def __init__(self, delay: float, reason: str) -> None:
        super().__init__(reason)
        self.delay = delay


@dataclass(frozen=True)
class WorkPolicy:
    """How work of one kind is taken, from `subject` and those of `also`. Times are in seconds."""

    stream: str
    subject: str
    durable: str
    workers: int
    max_tries: int = 5
    ack_wait: float = 10.0
    backoff: tuple[float, ...] = (1.0, 5.0, 15.0, 60.0)
    also: tuple[str, ...] = ()

    def delay(self, tries: int) -> float:
        """Seconds to wait after the `tries`-th failure (from 1)."""
        return self.backoff[min(tries, len(self.backoff)) - 1]


@dataclass(frozen=True)
class Handlers(Generic[Work]):
    """`handle(work, attempt)` does the work; `give_up(work, reason)` tells those who wait that nobody will."""

    model: type[Work]
    handle: Callable[[Work, int], Awaitable[None]]
    give_up: Callable[[Work, str], Awaitable[None]]


class WorkQueue(Generic[Work]):
    """Workers of this process on one durable consumer. A part: start, stop."""

    def __init__(
        self, policy: WorkPolicy, handlers: Handlers[Work], events: EventPublisher, note: Note = unnoted
    ) -> None:
        self._note = note
        self._policy = policy
        self._handlers = handlers
        self._events = events
        self._tasks: list[asyncio.Task[None]] = []
        self._stopping = asyncio.Event()

    async def start(self) -> None:
        """Declare the consumer and begin to fetch."""
        self._stopping.clear()
        # A stream that another service makes may not be there yet when everything starts at once.
        async for attempt in stamina.retry_context(on=NotFoundError, attempts=None, timeout=60, wait_max=1):
            with attempt:
                await self._declare(self._events.jetstream)
        self._tasks = [
            asyncio.create_task(self._work(), name=f"{self._policy.durable}-{n}") for n in range(self._policy.workers)
        ]

    async def stop(self, grace: float = 2.0) -> None:
        """Stop fetching, let running work end within `grace` seconds, then give the rest back."""
        self._stopping.set()
        if not self._tasks:
            return
        _, late = await asyncio.wait(self._tasks, timeout=grace)
        await end(*late)
        self._tasks = []

    async def _declare(self, js: JetStreamContext) -> None:
        # max_deliver stays unlimited: the limit is applied by the worker, so that a message whose
        # workers were killed each time is still seen and ends as a dead letter.
        await js.add_consumer(
            self._policy.stream,
            ConsumerConfig(
                durable_name=self._policy.durable,
                filter_subjects=[self._policy.subject, *self._policy.also],
                ack_policy=AckPolicy.EXPLICIT,
                ack_wait=self._policy.ack_wait,
                max_deliver=-1,
                max_ack_pending=1_000,
            ),
        )

    async def _work(self) -> None:
        while not self._stopping.is_set():
            try:
                async with self._subscribed() as subscription:
                    while not self._stopping.is_set():
                        self._note()
                        for message in await self._fetch(subscription):
                            await self._handle(message)
            except Exception as exc:
                # Whatever broke, what was not acknowledged comes back; the worker must be there to take it.
                log.warning("work was interrupted", stream=self._policy.stream, error=repr(exc))
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(self._stopping.wait(), timeout=1.0)
                with contextlib.suppress(NatsError, OSError):
                    await self._declare(self._events.jetstream)

    @contextlib.asynccontextmanager
    async def _subscribed(self) -> AsyncGenerator[JetStreamContext.PullSubscription, None]:
        subscription = await self._events.jetstream.pull_subscribe_bind(self._policy.durable, self._policy.stream)
        try:
            yield subscription
        finally:
            # Left open, with a message unread, it would hold up the connection's own stop for half a minute.
            with contextlib.suppress(NatsError, OSError):
                await subscription.unsubscribe()

    async def _fetch(self, subscription: JetStreamContext.PullSubscription) -> list[Msg]:
        """Wait for a message, but not past a stop. A message that arrives with the stop is redelivered."""
        fetch = asyncio.ensure_future(subscription.fetch(1, timeout=FETCH_SECONDS))
        stop = asyncio.ensure_future(self._stopping.wait())
        try:
            await asyncio.wait({fetch, stop}, return_when=asyncio.FIRST_COMPLETED)
            if fetch.done():
                return fetch.result()
            return []
        except NatsTimeoutError:
            return []
        finally:
            for task in (fetch, stop):
                task.cancel()

    async def _handle(self, message: Msg) -> None:
        tries = message.metadata.num_delivered or 1
        try:
            work = self._handlers.model.model_validate_json(message.data)
        except ValidationError as exc:
            await self._bury(message, f"unreadable: {exc.error_count()} errors", tries)
            return
        with tracer.start_as_current_span(
            f"{self._policy.subject} process",
            context=trace_context(message.headers),
            kind=trace.SpanKind.CONSUMER,
        ):
            structlog.contextvars.bind_contextvars(correlation_id=work.correlation_id)
            heartbeat = asyncio.create_task(self._hold(message))
            try:
                await self._try(message, work, tries)
            finally:
                heartbeat.cancel()
                structlog.contextvars.unbind_contextvars("correlation_id")

    async def _try(self, message: Msg, work: Work, tries: int) -> None:
        policy = self._policy
        if tries > policy.max_tries:
            await self._give_up(message, work, "its workers died or failed each time", tries)
            return
        try:
            await self._handlers.handle(work, tries)
        except RetryLater as later:
            log.info("work put off", stream=policy.stream, tries=tries, reason=str(later))
            await self._put_off(message, later.delay, tries)
        except asyncio.CancelledError as exc:
            if not _is_cancelled():
                await self._fail(message, work, exc, tries)
                return
            with contextlib.suppress(NatsError, OSError):
                await asyncio.shield(message.nak())
            raise
        except Exception as exc:
            await self._fail(message, work, exc, tries)
        else:
            await message.ack()

    async def _fail(self, message: Msg, work: Work, error: BaseException, tries: int) -> None:
        log.error("work failed", stream=self._policy.stream, tries=tries, exc_info=error)
        if tries >= self._policy.max_tries:
            await self._give_up(message, work, f"{type(error).__name__}: {error}", tries)
        else:
            await message.nak(delay=self._policy.delay(tries))

    async def _put_off(self, message: Msg, delay: float, tries: int) -> None:
        if tries < self._policy.max_tries:
            await message.nak(delay=delay)
            return
        # The server counts every delivery as a try. A fresh copy, stored before this one is let go, is counted anew.
        copy_id = f"{self._policy.stream}-{message.metadata.sequence.stream}-again"
        headers = {**(message.headers or {}), "Nats-Msg-Id": copy_id}
        await self._events.jetstream.publish(message.subject, message.data, headers=headers)
        await message.ack()

    async def _give_up(self, message: Msg, work: Work, reason: str, tries: int) -> None:
        try:
            await self._handlers.give_up(work, reason)
        except Exception:
            log.exception("giving up failed", stream=self._policy.stream)
        await self._bury(message, reason, tries)

    async def _bury(self, message: Msg, reason: str, tries: int) -> None:
        log.error("dead letter", stream=self._policy.stream, reason=reason, tries=tries)
        headers = {
            **trace_headers(),
            "Lovsvar-Reason": " ".join(reason.split())[:500],
            "Lovsvar-Tries": str(tries),
            "Lovsvar-Subject": message.subject,
        }
        try:
            await self._events.jetstream.publish(subjects.dead(self._policy.stream), message.data, headers=headers)
        except (NatsError, OSError):
            log.exception("dead letter could not be stored")
            await message.nak(delay=self._policy.delay(tries))
            return
        await message.term()

    async def _hold(self, message: Msg) -> None:
        while True:
            await asyncio.sleep(self._policy.ack_wait / 3)
            self._note()
            with contextlib.suppress(NatsError, OSError):
                await message.in_progress()


def _is_cancelled() -> bool:
    """Say whether the running task was told to end, and not only something that it waited for."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0
