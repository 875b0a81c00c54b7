"""Answering requests over NATS: every request gets one reply, what was asked for or a `Problem`.

FastStream is not used here: what it does for each message (scopes, an injected call, its own decoding) takes a third
more processor time, and a handler that raises, or whose reply is larger than NATS takes, sends nothing and leaves its
caller to wait out a timeout (docs/decisions/0019).

Nobody works for a caller who has left, and who would wait too long is told so at once (docs/decisions/0022). A refusal
reads the headers alone.
"""

import asyncio
import contextlib
import math
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

from lovsvar_chassis import metrics
from lovsvar_chassis.admission import Admission
from lovsvar_chassis.budget import Budget, read_budget, spending
from lovsvar_chassis.measuring import answered_with, measured_answers, subject_label
from lovsvar_chassis.problems import ProblemTable, busy, invalid_request, problem, problem_from
from lovsvar_chassis.tasks import end
from lovsvar_chassis.telemetry import trace_context, trace_headers
from lovsvar_contracts import subjects
from lovsvar_contracts.message import Message
from lovsvar_contracts.problems import Problem, ProblemType

log = structlog.get_logger()
_tracer = trace.get_tracer(__name__)

Request = TypeVar("Request", bound=Message)

GRACE_SECONDS = 2.0
"""How long a stop waits for the requests that were taken."""

NO_INBOX = ("$", f"{subjects.PREFIX}.")
"""What the subject of a reply never begins with. A service may publish wherever it is asked to answer, so that whoever
may ask it could else have it write to streams, or speak to JetStream, in their place."""

REFUSE_SECONDS = 0.5
"""How long it then takes, at most, to tell the rest to ask again."""


class Reply(Protocol):
    """What is sent to whoever asked: a `Message`, or one of which parts are written already."""

    def encode(self) -> bytes:
        """Return the message as it is sent: JSON in UTF-8."""


@dataclass(frozen=True)
class Route(Generic[Request]):
    """A subject whose requests `handle` answers, `at_once` of them at the same time.

    As many of the rest wait as will be answered soon: those of a share (`budget.SHARE`) in order, and shares in turn;
    others are refused. `handle` is cancelled when its caller's time is over. Processes that name the same `queue` share
    the requests; without one each process answers all.
    """

    subject: str
    model: type[Request]
    handle: Callable[[Request], Awaitable[Reply]]
    queue: str = ""
    at_once: int = 16


@dataclass(eq=False)
class Asked:
    """A request that was taken, and what ends the work on it once it has begun."""

    message: Msg
    budget: Budget
    limit: asyncio.TimerHandle | None = None

    @property
    def awaited(self) -> bool:
        """Whether its caller still waits."""
        return self.budget.left > 0


@dataclass(frozen=True)
class Desk:
    """Where the requests of a route are taken."""

    route: Route[Any]
    admission: Admission[Asked]


class Responder:
    """Answers the requests of `routes` while the broker is connected; `problems` says what errors mean.

    A part: start, stop.
    """

    def __init__(self, broker: NatsBroker, routes: Sequence[Route[Any]], problems: ProblemTable) -> None:
        self._broker = broker
        self._problems = problems
        self._subscriptions: list[Subscription] = []
        self._desks = [Desk(route, Admission(route.at_once, lambda asked: asked.awaited)) for route in routes]
        self._answering: set[asyncio.Task[None]] = set()
        self._refusing = False

    async def start(self) -> None:
        """Begin to take requests."""
        self._refusing = False
        for desk in self._desks:
            route, take = desk.route, partial(self._take, desk)
            subscription = await self._broker.connection.subscribe(route.subject, queue=route.queue, cb=take)
            self._subscriptions.append(subscription)

    async def stop(self) -> None:
        """Take no more requests, answer those taken, and after a while tell the rest to ask again."""
        answered = asyncio.create_task(self._drain())
        await asyncio.wait({answered}, timeout=GRACE_SECONDS)
        self._refusing = True
        waiting = [asked for desk in self._desks for asked in desk.admission.clear()]
        for task in self._answering:
            task.cancel()
        for asked in waiting:
            await self._refuse(asked, _interrupted())
        await asyncio.wait({answered}, timeout=REFUSE_SECONDS)
        await end(answered, *self._answering)
        self._subscriptions.clear()

    async def _drain(self) -> None:
        with contextlib.suppress(NatsError, OSError):
            drains = (subscription.drain() for subscription in self._subscriptions)  # type: ignore[no-untyped-call]
            await asyncio.gather(*drains)
        while self._answering:
            await asyncio.wait(self._answering)

    async def _take(self, desk: Desk, message: Msg) -> None:
        """Begin to answer `message`, let it wait, or refuse it; at once, so that none waits where it is not counted."""
        if not message.reply:
            log.warning("a request with nobody to answer", subject=message.subject)
            return
        if message.reply.startswith(NO_INBOX):
            log.warning("a request whose answer nobody waits for", subject=message.subject, reply=message.reply)
            return
        asked = Asked(message, read_budget(message.headers))
        if self._refusing:
            await self._refuse(asked, _interrupted())
        elif desk.admission.enter():
            self._begin(desk, asked)
        elif seconds := desk.admission.refusal(asked.budget.share, asked.budget.left):
            metrics.NOT_ANSWERED.add(subject=subject_label(desk.route.subject), why="busy")
            await self._refuse(asked, busy(seconds))
        else:
            desk.admission.line_up(asked, asked.budget.share)

    def _begin(self, desk: Desk, asked: Asked) -> None:
        # A task for each: one that waits holds up no other, and one that is cancelled does not end the subscription.
        task = asyncio.create_task(self._answer(desk.route, asked))
        if not math.isinf(asked.budget.until):
            asked.limit = asyncio.get_running_loop().call_later(asked.budget.left, task.cancel)
        self._answering.add(task)
        task.add_done_callback(partial(self._answered, desk, asked))

    def _answered(self, desk: Desk, asked: Asked, task: asyncio.Task[None]) -> None:
        self._answering.discard(task)
        if asked.limit is not None:
            asked.limit.cancel()
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("a reply could not be sent", exc_info=error)
        if not asked.awaited:
            metrics.NOT_ANSWERED.add(subject=subject_label(desk.route.subject), why="left")
        if (following := desk.admission.leave()) is not None:
            self._begin(desk, following)

    async def _refuse(self, asked: Asked, told: Problem) -> None:
        correlation_id = (asked.message.headers or {}).get("correlation_id")
        with contextlib.suppress(NatsError, OSError):
            await self._send(asked.message.reply, _encoded(told, correlation_id))

    @measured_answers
    async def _answer(self, route: Route[Any], asked: Asked) -> None:
        message = asked.message
        attributes = {"messaging.system": "nats", "messaging.destination.name": message.subject}
        with _tracer.start_as_current_span(
            f"{message.subject} process", trace_context(message.headers), SpanKind.CONSUMER, attributes
        ):
            with spending(asked.budget):
                reply = await self._reply(route, message.data)
            if not asked.awaited:
                return
            try:
                await self._send(message.reply, reply)
            except MaxPayloadError:
                log.error("reply too large", subject=message.subject)
                detail = "Svaret er for stort til å sendes på én gang. Be om mindre."
                await self._send(message.reply, _encoded_for(message.data, problem(ProblemType.TOO_LARGE, detail)))

    async def _reply(self, route: Route[Any], body: bytes) -> bytes:
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
    answered_with(reply.type.value)
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
