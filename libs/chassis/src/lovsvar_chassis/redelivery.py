"""What becomes of work: held by heartbeats while it is done; then acknowledged, delayed, or dead-lettered."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import anyio
import structlog
from faststream import BaseMiddleware
from nats.aio.msg import Msg
from nats.errors import Error as NatsError

from lovsvar_chassis.json_codec import Unreadable
from lovsvar_chassis.tasks import is_cancelled
from lovsvar_chassis.telemetry import handling, trace_headers
from lovsvar_contracts import subjects

if TYPE_CHECKING:
    from lovsvar_chassis.work_router import WorkRouter

log = structlog.get_logger()

STORE_SECONDS = 5.0

_attempt: ContextVar[int] = ContextVar("attempt")


class RetryLater(Exception):
    """The work cannot be done now; try again after `delay` seconds, any number of times. It counts as no failure.

    `attempt` begins again each time it has reached `max_tries`, and the next try may come sooner than asked for.
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


def attempt() -> int:
    """Return how often the work that is being done has been handed out, from 1."""
    return _attempt.get()


@dataclass(frozen=True)
class Delayed:
    """To be done again after so many `seconds`; as a copy, at once, whose tries are counted from 1."""

    seconds: float
    as_copy: bool = False


@dataclass(frozen=True)
class Dead:
    """To be done no more, for `reason`."""

    reason: str


def decide(error: BaseException, tries: int, policy: WorkPolicy) -> Delayed | Dead:
    """Return what becomes of work that ended with `error` at its `tries`-th try."""
    if isinstance(error, Unreadable):
        return Dead(f"unreadable: {error.errors} errors")
    if isinstance(error, RetryLater):
        return Delayed(error.delay, as_copy=tries >= policy.max_tries)
    if tries < policy.max_tries:
        return Delayed(policy.delay(tries))
    return Dead(f"{type(error).__name__}: {error}")


class Redelivery(BaseMiddleware[Any, Any]):
    """Settles each message of `queue` by how its handler ends. Only a stop's cancellation leaves it."""

    def __init__(self, msg: Any, /, *, context: Any, queue: "WorkRouter") -> None:
        super().__init__(msg, context=context)
        self._raw: Msg = msg
        self._queue = queue
        self._policy = queue.policy
        self._tries: int = msg.metadata.num_delivered or 1

    async def consume_scope(self, call_next: Callable[[Any], Awaitable[Any]], msg: Any) -> None:
        """Do the work that `msg` asks for, and settle it."""
        _attempt.set(self._tries)
        with handling(self._policy.subject, msg.headers):
            heartbeat = asyncio.create_task(self._beat())
            try:
                await self._settle(await self._outcome(call_next, msg), msg)
            except (NatsError, OSError) as exc:
                # It comes back after `ack_wait`.
                log.warning("work could not be acknowledged", stream=self._policy.stream, error=repr(exc))
            finally:
                heartbeat.cancel()

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(self._policy.ack_wait / 3)
            self._queue.note()
            with contextlib.suppress(NatsError, OSError):
                await self._raw.in_progress()

    async def _outcome(self, call_next: Callable[[Any], Awaitable[Any]], msg: Any) -> Delayed | Dead | None:
        """Do the work, and return what becomes of it, None when it is done."""
        error: BaseException
        try:
            # FastStream handles each message in a task of its own, so that nothing bound here outlasts it.
            structlog.contextvars.bind_contextvars(correlation_id=(await msg.decode()).correlation_id)
            if self._tries > self._policy.max_tries:
                return Dead("its workers died or failed each time")
            await call_next(msg)
            return None
        except asyncio.CancelledError as exc:
            if is_cancelled():
                # anyio cancels again at each await, which `asyncio.shield` does not keep away.
                with anyio.CancelScope(shield=True), contextlib.suppress(NatsError, OSError):
                    await self._raw.nak()
                raise
            error = exc
        except Exception as exc:
            error = exc
        if isinstance(error, RetryLater):
            log.info("work delayed", stream=self._policy.stream, tries=self._tries, reason=str(error))
        elif not isinstance(error, Unreadable):
            log.error("work failed", stream=self._policy.stream, tries=self._tries, exc_info=error)
        return decide(error, self._tries, self._policy)

    async def _settle(self, outcome: Delayed | Dead | None, msg: Any) -> None:
        raw, stream = self._raw, self._policy.stream
        if isinstance(outcome, Dead):
            with contextlib.suppress(Unreadable):
                await self._give_up(await msg.decode(), outcome.reason)
            await self._bury(outcome.reason)
        elif outcome and not outcome.as_copy:
            await raw.nak(delay=outcome.seconds)
        else:
            if outcome:
                # The server counts every delivery as a try. A copy is stored before this one is acknowledged.
                headers = {**(raw.headers or {}), "Nats-Msg-Id": f"{stream}-{raw.metadata.sequence.stream}-again"}
                await self._queue.broker.publish(raw.data, raw.subject, headers, stream=stream, timeout=STORE_SECONDS)
            await raw.ack()

    async def _give_up(self, work: Any, reason: str) -> None:
        try:
            await self._queue.give_up(work, reason)
        except Exception:
            log.exception("giving up failed", stream=self._policy.stream)

    async def _bury(self, reason: str) -> None:
        raw, stream = self._raw, self._policy.stream
        log.error("dead letter", stream=stream, reason=reason, tries=self._tries)
        headers = {
            **trace_headers(),
            "Lovsvar-Reason": " ".join(reason.split())[:500],
            "Lovsvar-Tries": str(self._tries),
            "Lovsvar-Subject": raw.subject,
        }
        try:
            await self._queue.broker.publish(
                raw.data,
                subjects.dead(stream),
                headers,
                correlation_id=(raw.headers or {}).get("correlation_id"),
                stream=subjects.STREAM_DEAD,
                timeout=STORE_SECONDS,
            )
        except (NatsError, OSError):
            log.exception("dead letter could not be stored")
            await raw.nak(delay=self._policy.delay(self._tries))
            return
        await raw.term()
