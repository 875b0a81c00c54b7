"""Answering requests over NATS: every request gets one reply, what was asked for or a `Problem`.

FastStream is not used here: what it does for each message (scopes, an injected call, its own decoding) takes a third
more processor time, and a handler that raises, or whose reply is larger than NATS takes, sends nothing and leaves its
caller to wait out a timeout (docs/decisions/0019).
"""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Generic, Protocol, TypeVar

import structlog
from faststream.nats import NatsBroker
from nats.aio.msg import Msg
from nats.aio.subscription import Subscription
from nats.errors import Error as NatsError
from nats.errors import MaxPayloadError
from opentelemetry import trace
from opentelemetry.trace import SpanKind
from pydantic import ValidationError
from pydantic_core import from_json

from lovsvar_chassis.problems import ProblemTable, invalid_request, problem, problem_from
from lovsvar_chassis.tasks import end
from lovsvar_chassis.telemetry import trace_context, trace_headers
from lovsvar_contracts.message import Message
from lovsvar_contracts.problems import Problem, ProblemType

log = structlog.get_logger()
_tracer = trace.get_tracer(__name__)

Request = TypeVar("Request", bound=Message)

GRACE_SECONDS = 2.0
"""How long a stop waits for the requests that were taken."""

REFUSE_SECONDS = 0.5
"""How long it then takes, at most, to tell the rest to ask again."""


class Reply(Protocol):
    """What is sent to whoever asked: a `Message`, or one of which parts are written already."""

    def encode(self) -> bytes:
        """Return the message as it is sent: JSON in UTF-8."""


@dataclass(frozen=True)
class Route(Generic[Request]):
    """A subject whose requests `handle` answers, `at_once` of them at the same time; the rest wait in order.

    Processes that name the same `queue` share the requests; without one each process answers all.
    """

    subject: str
    model: type[Request]
    handle: Callable[[Request], Awaitable[Reply]]
    queue: str = ""
    at_once: int = 16


class Responder:
    """Answers the requests of `routes` while the broker is connected; `problems` says what errors mean.

    A part: start, stop.
    """

    def __init__(self, broker: NatsBroker, routes: Sequence[Route[Any]], problems: ProblemTable) -> None:
        self._broker = broker
        self._routes = routes
        self._problems = problems
        self._subscriptions: list[Subscription] = []
        self._answering: set[asyncio.Task[None]] = set()
        self._refusing = False

    async def start(self) -> None:
        """Begin to take requests."""
        self._refusing = False
        for route in self._routes:
            take = partial(self._take, route, asyncio.Semaphore(route.at_once))
            subscription = await self._broker.connection.subscribe(route.subject, queue=route.queue, cb=take)
            self._subscriptions.append(subscription)

    async def stop(self) -> None:
        """Take no more requests, answer those taken, and after a while tell the rest to ask again."""
        answered = asyncio.create_task(self._drain())
        await asyncio.wait({answered}, timeout=GRACE_SECONDS)
        self._refusing = True
        for task in self._answering:
            task.cancel()
        await asyncio.wait({answered}, timeout=REFUSE_SECONDS)
        await end(answered, *self._answering)
        self._subscriptions.clear()

    async def _drain(self) -> None:
        with contextlib.suppress(NatsError, OSError):
            drains = (subscription.drain() for subscription in self._subscriptions)  # type: ignore[no-untyped-call]
            await asyncio.gather(*drains)
        while self._answering:
            await asyncio.wait(self._answering)

    async def _take(self, route: Route[Any], free: asyncio.Semaphore, message: Msg) -> None:
        if not message.reply:
            log.warning("a request with nobody to answer", subject=message.subject)
            return
        # A task for each: one that waits holds up no other, and one that is cancelled does not end the subscription.
        await free.acquire()
        task = asyncio.create_task(self._answer(route, message))
        self._answering.add(task)
        task.add_done_callback(partial(self._answered, free))

    def _answered(self, free: asyncio.Semaphore, task: asyncio.Task[None]) -> None:
        self._answering.discard(task)
        free.release()
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("a reply could not be sent", exc_info=error)

    async def _answer(self, route: Route[Any], message: Msg) -> None:
        attributes = {"messaging.system": "nats", "messaging.destination.name": message.subject}
        with _tracer.start_as_current_span(
            f"{message.subject} process", trace_context(message.headers), SpanKind.CONSUMER, attributes
        ):
            reply = await self._reply(route, message.data)
            try:
                await self._send(message.reply, reply)
            except MaxPayloadError:
                log.error("reply too large", subject=message.subject)
                detail = "Svaret er for stort til å sendes på én gang. Be om mindre."
                await self._send(message.reply, _encoded_for(message.data, problem(ProblemType.TOO_LARGE, detail)))

    async def _reply(self, route: Route[Any], body: bytes) -> bytes:
        if self._refusing:
            return _encoded_for(body, _interrupted())
        try:
            request = route.model.model_validate_json(body)
        except ValidationError as exc:
            return _encoded_for(body, invalid_request(exc))
        try:
            return (await route.handle(request)).encode()
        except asyncio.CancelledError:
            told = _interrupted()
        except Exception as exc:
            told = problem_from(exc, self._problems)
            if told.type is ProblemType.INTERNAL:
                log.exception("request failed", subject=route.subject, correlation_id=request.correlation_id)
        return _encoded(told, request.correlation_id)

    async def _send(self, subject: str, body: bytes) -> None:
        headers = {"content-type": "application/json", **trace_headers()}
        await self._broker.connection.publish(subject, body, headers=headers)


def _interrupted() -> Problem:
    return problem(ProblemType.UNAVAILABLE, "Forespørselen ble avbrutt. Prøv igjen om litt.")


def _encoded(reply: Problem, correlation_id: str | None) -> bytes:
    if correlation_id is not None:
        reply = reply.model_copy(update={"correlation_id": correlation_id})
    return reply.encode()


def _encoded_for(body: bytes, reply: Problem) -> bytes:
    """Return `reply` with the correlation id of the request that `body` may be."""
    try:
        correlation_id = from_json(body)["correlation_id"]
    except (ValueError, TypeError, KeyError):
        correlation_id = None
    return _encoded(reply, correlation_id if isinstance(correlation_id, str) else None)
