"""Measuring what every service does: requests, both ways, and how promptly its event loop turns."""

import asyncio
import functools
import time
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar, cast

import structlog
from faststream.nats import NatsBroker
from nats.errors import Error as NatsError

from lovsvar_chassis import metrics
from lovsvar_chassis.repeats import Repeats
from lovsvar_contracts.message import Message
from lovsvar_contracts.problems import ProblemError

log = structlog.get_logger()

Ask = TypeVar("Ask", bound=Callable[..., Awaitable[Any]])

OK = "ok"
CANCELLED = "cancelled"
ERROR = "error"

LAG_SECONDS = 0.25
"""How often the event loop is asked to wake up in time."""


@functools.lru_cache(maxsize=256)
def subject_label(subject: str) -> str:
    """Return what a subject is called in metrics: without what names a host or a replica."""
    return ".".join(subject.split(".")[:3])


def measured_requests(ask: Ask) -> Ask:
    """Measure the method `ask(self, subject, request, …)`, and log what became of a request that got no reply."""
    repeats = Repeats()

    @functools.wraps(ask)
    async def measured(self: Any, subject: str, request: Message, *more: Any, **options: Any) -> Any:
        began, outcome = time.perf_counter(), OK
        try:
            return await ask(self, subject, request, *more, **options)
        except ProblemError as exc:
            outcome = exc.problem.type.value
            _note_failure(repeats, subject, request.correlation_id, exc)
            raise
        except asyncio.CancelledError:
            outcome = CANCELLED
            raise
        except BaseException:
            outcome = ERROR
            raise
        finally:
            metrics.ASKED.record(time.perf_counter() - began, subject=subject_label(subject), outcome=outcome)

    return cast(Ask, measured)


def _note_failure(repeats: Repeats, subject: str, correlation_id: str | None, error: ProblemError) -> None:
    """Log a request that got no reply. A problem that was the reply is none."""
    cause, label = error.__cause__, subject_label(subject)
    if not isinstance(cause, NatsError | OSError | TimeoutError):
        return
    if times := repeats.count((label, type(cause))):
        log.warning(
            "a request got no reply",
            subject=subject,
            correlation_id=correlation_id,
            problem=error.problem.type.value,
            error=repr(cause),
            times=times,
        )


def measure_service(broker: NatsBroker, not_ready: Callable[[], str]) -> Callable[[], None]:
    """Begin to measure readiness, connection and event loop of a service that is connected; return what ends that.

    Metrics may be set up later.
    """
    metrics.READY.watch(lambda: [(float(not not_ready()), {})])
    metrics.NATS_CONNECTED.watch(lambda: [(float(broker.connection.is_connected), {})])
    return _measure_event_loop(asyncio.get_running_loop())


def _measure_event_loop(loop: asyncio.AbstractEventLoop) -> Callable[[], None]:
    timer: asyncio.TimerHandle

    def woken(due: float) -> None:
        nonlocal timer
        now = loop.time()
        metrics.EVENT_LOOP_LAG.record(max(0.0, now - due))
        timer = loop.call_at(now + LAG_SECONDS, woken, now + LAG_SECONDS)

    def end() -> None:
        timer.cancel()

    due = loop.time() + LAG_SECONDS
    timer = loop.call_at(due, woken, due)
    return end
