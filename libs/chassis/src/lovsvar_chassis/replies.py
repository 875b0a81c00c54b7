"""Exactly one reply to each request: what its handler returns, or the `Problem` that its error means."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Any

import structlog
from faststream import BaseMiddleware
from faststream.exceptions import IgnoredException, IncorrectState
from faststream.response import Response
from nats.aio.msg import Msg
from nats.errors import Error as NatsError
from nats.errors import MaxPayloadError
from pydantic_core import from_json

from lovsvar_chassis import metrics
from lovsvar_chassis.budget import current
from lovsvar_chassis.problems import ProblemTable, interrupted, problem, problem_from
from lovsvar_chassis.telemetry import handling, trace_headers
from lovsvar_contracts.problems import Problem, ProblemType

log = structlog.get_logger()

TOO_LARGE = "Svaret er for stort til å sendes på én gang. Be om mindre."


class Replies(BaseMiddleware[Any, Any]):
    """Answers a request, and measures that; `problems` says what errors mean.

    FastStream alone sends nothing when a handler raises, or when its reply is larger than NATS takes.
    """

    def __init__(self, msg: Msg, /, *, context: Any, problems: ProblemTable) -> None:
        super().__init__(msg, context=context)
        self._problems = problems
        self._began = time.perf_counter()
        self._outcome = metrics.OK

    async def consume_scope(self, call_next: Callable[[Any], Awaitable[Any]], msg: Any) -> Response:
        """Return the reply. Raises `IgnoredException`, so that none is sent, when nobody waits for it any more."""
        with handling(self.msg.subject, self.msg.headers):
            try:
                body = (await call_next(msg)).encode()
            except asyncio.CancelledError:
                body = self._encoded(interrupted())
            except Exception as exc:
                body = self._encoded(self._problem(exc))
            if current().left <= 0:
                raise IgnoredException
            return Response(body, headers=trace_headers())

    async def publish_scope(self, call_next: Callable[[Any], Awaitable[Any]], cmd: Any) -> None:
        """Send the reply, or a problem in place of one that is too large."""
        try:
            try:
                await call_next(cmd)
            except MaxPayloadError:
                log.error("reply too large", subject=self.msg.subject)
                cmd.body = self._encoded(problem(ProblemType.TOO_LARGE, TOO_LARGE))
                await call_next(cmd)
        except (NatsError, OSError, IncorrectState) as exc:
            log.error("a reply could not be sent", exc_info=exc)

    async def after_processed(self, *_: object) -> None:
        """Measure the request."""
        subject = metrics.subject_label(self.msg.subject)
        metrics.ANSWERED.record(time.perf_counter() - self._began, subject=subject, outcome=self._outcome)

    def _problem(self, error: Exception) -> Problem:
        found = problem_from(error, self._problems)
        if found.type is ProblemType.INTERNAL:
            log.error("request failed", subject=self.msg.subject, correlation_id=self._correlation_id, exc_info=error)
        return found

    def _encoded(self, reply: Problem) -> bytes:
        self._outcome = reply.type.value
        return encode_problem(reply, self._correlation_id)

    @property
    def _correlation_id(self) -> str | None:
        """The correlation id of the request, also of one that is not what it should be."""
        try:
            found = from_json(self.msg.data)["correlation_id"]
        except (ValueError, TypeError, KeyError):
            return None
        return found if isinstance(found, str) else None


def encode_problem(reply: Problem, correlation_id: str | None) -> bytes:
    """Return `reply`, to the request of `correlation_id`, as it is sent."""
    if correlation_id is not None:
        reply = reply.model_copy(update={"correlation_id": correlation_id})
    return reply.encode()
