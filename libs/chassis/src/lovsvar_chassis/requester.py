"""Asking another service: a typed reply, or a `ProblemError`."""

import asyncio
import time
from typing import Any, TypeVar

import structlog
from faststream.exceptions import IncorrectState
from faststream.nats import NatsBroker
from nats.errors import Error as NatsError
from nats.errors import MaxPayloadError, NoRespondersError
from nats.errors import TimeoutError as NatsTimeoutError
from opentelemetry import trace
from opentelemetry.trace import SpanKind
from pydantic import ValidationError
from pydantic_core import from_json

from lovsvar_chassis.budget import budget_headers, current
from lovsvar_chassis.metrics import ASKED, OK, subject_label
from lovsvar_chassis.problems import problem
from lovsvar_chassis.repeats import Repeats
from lovsvar_chassis.telemetry import trace_headers
from lovsvar_contracts import subjects
from lovsvar_contracts.message import Message
from lovsvar_contracts.problems import Problem, ProblemError, ProblemType

log = structlog.get_logger()

_tracer = trace.get_tracer(__name__)
_repeats = Repeats()

Reply = TypeVar("Reply", bound=Message)


class Requester:
    """Asks services by NATS request/reply."""

    def __init__(self, broker: NatsBroker, timeout: float = 10.0) -> None:
        """`timeout` is in seconds, for one request."""
        self._broker = broker
        self._timeout = timeout

    async def ask(self, subject: str, request: Message, reply: type[Reply], *, timeout: float | None = None) -> Reply:
        """Send `request` and return the reply, waiting no longer than our own caller waits.

        Raises `ProblemError`: the service's own (`not-ready` when no replica is ready), `unavailable` when nobody
        listens or NATS is down, `timeout` when no answer came in time.
        """
        began, outcome = time.perf_counter(), "error"
        try:
            found = await self._ask(subject, request, reply, timeout)
            outcome = OK
            return found
        except ProblemError as exc:
            outcome = exc.problem.type.value
            _log_failure(subject, request, exc)
            raise
        except asyncio.CancelledError:
            outcome = "cancelled"
            raise
        finally:
            ASKED.record(time.perf_counter() - began, subject=subject_label(subject), outcome=outcome)

    async def _ask(self, subject: str, request: Message, reply: type[Reply], timeout: float | None) -> Reply:
        budget = current()
        seconds = min(timeout or self._timeout, budget.left)
        if seconds <= 0:
            raise ProblemError(_late(subject))
        try:
            with _tracer.start_as_current_span(f"{subject} request", kind=SpanKind.CLIENT):
                body = await self._request(
                    subject,
                    request,
                    headers={**budget_headers(budget, seconds), **trace_headers()},
                    correlation_id=request.correlation_id,
                    timeout=seconds,
                )
        except NoRespondersError as exc:
            detail = f"Ingen tjeneste svarer på {subject} akkurat nå. Prøv igjen om litt."
            raise ProblemError(problem(ProblemType.UNAVAILABLE, detail)) from exc
        except MaxPayloadError as exc:
            raise ProblemError(problem(ProblemType.TOO_LARGE, "Forespørselen er for stor.")) from exc
        except (NatsTimeoutError, TimeoutError) as exc:
            raise ProblemError(_late(subject)) from exc
        except (NatsError, OSError, IncorrectState) as exc:
            raise ProblemError(problem(ProblemType.UNAVAILABLE, "Meldingstjenesten (NATS) er nede.")) from exc
        return decode_reply(body, reply)

    async def _request(self, subject: str, request: Message, **how: Any) -> bytes:
        try:
            reply = await self._broker.request(request, subject, **how)
        except NoRespondersError:
            # Replicas that are not ready say so themselves, and why.
            reply = await self._broker.request(request, subjects.unready(subject), **how)
        return reply.body


def decode_reply(body: bytes, reply: type[Reply]) -> Reply:
    """Return `body` as a `reply`. Raises `ProblemError` when it is a `Problem`, or neither."""
    try:
        # No problem passes for a reply: their `kind` differs.
        return reply.model_validate_json(body)
    except ValidationError as exc:
        raise ProblemError(_problem_in(body)) from exc


def _log_failure(subject: str, request: Message, error: ProblemError) -> None:
    """Log a request that got no reply. A problem that was the reply is none."""
    cause = error.__cause__
    if not isinstance(cause, NatsError | OSError | TimeoutError):
        return
    if times := _repeats.count((subject_label(subject), type(cause))):
        about = {"subject": subject, "correlation_id": request.correlation_id, "problem": error.problem.type.value}
        log.warning("a request got no reply", error=repr(cause), times=times, **about)


def _late(subject: str) -> Problem:
    return problem(ProblemType.TIMEOUT, f"{subject} svarte ikke i tide.")


def _problem_in(body: bytes) -> Problem:
    try:
        found = from_json(body)
        if found["kind"] == "problem":
            return Problem.model_validate(found)
    except (ValidationError, ValueError, KeyError, TypeError):
        pass
    return problem(ProblemType.INTERNAL, "Et svar hadde ukjent form.")
