"""Functions that answer requests."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol, cast

from faststream.middlewares import AckPolicy
from faststream.nats import NatsBroker, NatsRouter

from lovsvar_chassis.json_codec import JsonCodec, annotations, channel_key, message_kind
from lovsvar_chassis.problems import ProblemTable
from lovsvar_chassis.replies import Replies
from lovsvar_chassis.request_desk import RequestDesk
from lovsvar_contracts import subjects
from lovsvar_contracts.message import Message


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

        `at_once` are handled at the same time. As many of the rest wait as will be answered soon: those of a share
        (`budget.SHARE`) in order, and shares in turn; others are refused. `handler` is cancelled when its caller's
        time is over. `reply` documents what is answered, where the annotation does not.
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
