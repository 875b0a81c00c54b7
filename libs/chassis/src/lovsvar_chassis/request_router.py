"""Functions that answer requests. Each request begins, waits, or is refused by its headers alone.

FastStream's one hook before its processing is the callback that it gives to nats-py. The desk is that callback, so that
no request waits where it is not counted; what begins is processed in a task of its own (docs/decisions/0028).
"""

import asyncio
import contextlib
import math
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol, cast

import structlog
from faststream.exceptions import IncorrectState
from faststream.middlewares import AckPolicy
from faststream.nats import NatsBroker, NatsRouter
from faststream.nats.subscriber.usecases import CoreSubscriber
from nats.aio.msg import Msg
from nats.errors import Error as NatsError

from lovsvar_chassis import metrics
from lovsvar_chassis.admission import Admission
from lovsvar_chassis.broker import drain
from lovsvar_chassis.budget import Budget, read_budget, spending
from lovsvar_chassis.json_codec import JsonCodec, annotations, channel_key, message_kind
from lovsvar_chassis.problems import ProblemTable, busy, interrupted
from lovsvar_chassis.replies import Replies, encode_problem
from lovsvar_chassis.tasks import end
from lovsvar_chassis.telemetry import trace_headers
from lovsvar_contracts import subjects
from lovsvar_contracts.message import Message
from lovsvar_contracts.problems import Problem

log = structlog.get_logger()

GRACE_SECONDS = 2.0
"""How long a stop waits for the requests that were taken."""

REFUSE_SECONDS = 0.5
"""How long it then takes, at most, to refuse the rest."""

NO_INBOX = ("$", f"{subjects.PREFIX}.")
"""What the subject of a reply never begins with. A service may publish wherever it is asked to answer, so that its
callers could else have it write to streams, or send requests to JetStream."""


class Reply(Protocol):
    """The reply to a request: a `Message`, or one of which parts are encoded already."""

    def encode(self) -> bytes:
        """Return the message as it is sent: JSON in UTF-8."""


Handler = Callable[[Any], Awaitable[Reply]]


@dataclass(frozen=True)
class Answered:
    """A subject whose requests `handler` answers, `at_once` of them at the same time."""

    subject: str
    handler: Handler
    at_once: int
    reply: Any


class RequestRouter(NatsRouter):
    """Functions that answer requests, which processes that name the same `queue` share; without one each answers all.

    `problems` says what their errors mean. A part: start, stop.
    """

    def __init__(self, queue: str = "", problems: ProblemTable | None = None, *, documented: bool = True) -> None:
        super().__init__(middlewares=[partial(Replies, problems=problems or {})], include_in_schema=documented)
        self.answered: list[Answered] = []
        self._queue = queue
        self._problems = problems
        self._desks: list[RequestDesk] = []

    def answer(
        self, subject: str, handler: Handler, at_once: int = 16, *, reply: type[Message] | None = None
    ) -> "RequestRouter":
        """Answer the requests of `subject` by `handler`, whose annotation says what they are. Returns this router.

        `at_once` are handled at the same time; of the rest as many wait as will be answered soon, and shares
        (`budget.SHARE`) take turns. `handler` is cancelled when its caller's time is over. `reply` documents the reply
        where the annotation does not.
        """
        subscriber = self.subscriber(
            subject,
            self._queue,
            codec=JsonCodec(message_kind(handler)),
            ack_policy=AckPolicy.MANUAL,
            title=channel_key(subject),
        )
        subscriber(handler)
        self._desks.append(RequestDesk(subscriber, at_once, lambda: self.broker))
        self.answered.append(Answered(subject, handler, at_once, reply or annotations(handler).get("return")))
        return self

    def unready(self) -> "RequestRouter":
        """Return a router of the same handlers for those whom nobody answers on the subjects themselves."""
        router = RequestRouter(self._queue, self._problems, documented=False)
        for one in self.answered:
            router.answer(subjects.unready(one.subject), one.handler, one.at_once)
        return router

    @property
    def broker(self) -> NatsBroker:
        """The broker that this router is part of."""
        return cast(NatsBroker, self.parent)

    async def start(self) -> None:
        """Begin to take requests."""
        for desk in self._desks:
            await desk.start()

    async def stop(self) -> None:
        """Take no more requests, answer those taken, and after a while refuse the rest."""
        await asyncio.gather(*(desk.stop() for desk in self._desks))


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


class RequestDesk:
    """Takes the requests of `subscriber`, `at_once` of which are handled at the same time. A part: start, stop."""

    def __init__(self, subscriber: CoreSubscriber, at_once: int, broker: Callable[[], NatsBroker]) -> None:
        self._subscriber = subscriber
        self._broker = broker
        self._process = subscriber.consume
        self._admission: Admission[Asked] = Admission(at_once, lambda asked: asked.awaited)
        self._answering: set[asyncio.Task[None]] = set()
        self._refusing = False
        subscriber.consume = self._take  # type: ignore[method-assign]
        # FastStream would parse the subject's template for each message, to log what nobody logs.
        subscriber.get_log_context = lambda message: {}  # type: ignore[method-assign]

    async def start(self) -> None:
        """Begin to take requests."""
        self._refusing = False
        await self._subscriber.start()

    async def stop(self) -> None:
        """Take no more requests, answer those taken, and after a while refuse the rest."""
        answered = asyncio.create_task(self._drain())
        await asyncio.wait({answered}, timeout=GRACE_SECONDS)
        self._refusing = True
        waiting = self._admission.clear()
        for task in self._answering:
            task.cancel()
        for asked in waiting:
            await self._refuse(asked, interrupted())
        await asyncio.wait({answered}, timeout=REFUSE_SECONDS)
        await end(answered, *self._answering)
        # Last: a subscriber that has stopped drops what still arrives.
        await self._subscriber.stop()

    async def _drain(self) -> None:
        with contextlib.suppress(NatsError, OSError):
            await drain(self._subscriber)
        while self._answering:
            await asyncio.wait(self._answering)

    async def _take(self, msg: Msg) -> None:
        if not msg.reply or msg.reply.startswith(NO_INBOX):
            log.warning("a request with nobody to answer", subject=msg.subject, reply=msg.reply)
            return
        asked = Asked(msg, read_budget(msg.headers))
        if self._refusing:
            await self._refuse(asked, interrupted())
        elif self._admission.enter():
            self._begin(asked)
        elif seconds := self._admission.refusal(asked.budget.share, asked.budget.left):
            self._count("busy", msg)
            await self._refuse(asked, busy(seconds))
        else:
            self._admission.line_up(asked, asked.budget.share)

    def _begin(self, asked: Asked) -> None:
        # A task for each: one that waits holds up no other, and one that is cancelled does not end the subscription.
        with spending(asked.budget):
            task: asyncio.Task[None] = asyncio.create_task(self._process(asked.message))
        if not math.isinf(asked.budget.until):
            asked.limit = asyncio.get_running_loop().call_later(asked.budget.left, task.cancel)
        self._answering.add(task)
        task.add_done_callback(partial(self._answered, asked))

    def _answered(self, asked: Asked, task: asyncio.Task[None]) -> None:
        self._answering.discard(task)
        if asked.limit is not None:
            asked.limit.cancel()
        if not asked.awaited:
            self._count("left", asked.message)
        if (following := self._admission.leave()) is not None:
            self._begin(following)

    async def _refuse(self, asked: Asked, why: Problem) -> None:
        message = asked.message
        correlation_id = (message.headers or {}).get("correlation_id")
        with contextlib.suppress(NatsError, OSError, IncorrectState):
            await self._broker().publish(encode_problem(why, correlation_id), message.reply, trace_headers())

    def _count(self, why: str, message: Msg) -> None:
        metrics.NOT_ANSWERED.add(subject=metrics.subject_label(message.subject), why=why)
