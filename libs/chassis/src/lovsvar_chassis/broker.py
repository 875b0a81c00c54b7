"""The FastStream broker of a service, and how an error becomes a `Problem`.

A FastStream handler that raises, or whose reply is larger than NATS takes, sends no reply and leaves its
caller to wait out a timeout; the middlewares here answer every request, at once.
"""

from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import Any

import structlog
from fast_depends.exceptions import ValidationError as ArgumentError
from fast_depends.pydantic import PydanticSerializer
from faststream import BaseMiddleware, Context, ContextRepo, PublishCommand, PublishType
from faststream.middlewares import ExceptionMiddleware
from faststream.nats import NatsBroker, NatsMessage
from nats.errors import MaxPayloadError
from opentelemetry import trace
from opentelemetry.trace import SpanKind, Tracer, TracerProvider
from pydantic import ValidationError
from pydantic_core import from_json

from lovsvar_chassis.settings import ServiceSettings
from lovsvar_chassis.telemetry import trace_context, trace_headers
from lovsvar_contracts.problems import Problem, ProblemError, ProblemType

log = structlog.get_logger()

ProblemTable = Mapping[type[Exception], ProblemType]

TITLES: Mapping[ProblemType, str] = {
    ProblemType.INVALID_REQUEST: "Ugyldig forespørsel",
    ProblemType.NOT_FOUND: "Finnes ikke",
    ProblemType.CONFLICT: "Konflikt",
    ProblemType.TOO_LARGE: "For stort",
    ProblemType.NOT_CONFIGURED: "Ikke satt opp",
    ProblemType.NOT_READY: "Ikke klar ennå",
    ProblemType.UNAVAILABLE: "Utilgjengelig",
    ProblemType.TIMEOUT: "Tidsavbrudd",
    ProblemType.SOURCE_UNREACHABLE: "Kilden kan ikke nås",
    ProblemType.SOURCE_UNREADABLE: "Kilden kan ikke leses",
    ProblemType.INTERNAL: "Intern feil",
}

RETRYABLE = frozenset(
    {ProblemType.NOT_READY, ProblemType.UNAVAILABLE, ProblemType.TIMEOUT, ProblemType.SOURCE_UNREACHABLE}
)

MESSAGE: NatsMessage | None = Context("message", default=None)
"""The message that is being handled, put in by FastStream."""


def problem(type_: ProblemType, detail: str, *, instance: str | None = None) -> Problem:
    """Return a `Problem` with the title and the retryability that its type has."""
    return Problem(type=type_, title=TITLES[type_], detail=detail, retryable=type_ in RETRYABLE, instance=instance)


def problem_from(error: Exception, table: ProblemTable) -> Problem:
    """Return what to tell a caller of `error`.

    A `ProblemError` keeps its problem, an error in `table` gives its own words, a request that cannot be
    decoded names the fields that are wrong, and anything else is an internal error whose words stay in the
    log: a validation error too, when it is not of the request.
    """
    if isinstance(error, ProblemError):
        return error.problem
    for cls in type(error).__mro__:
        if type_ := table.get(cls):
            return problem(type_, str(error))
    if (wrong := _wrong_request(error)) is not None:
        return problem(ProblemType.INVALID_REQUEST, describe_validation(wrong))
    return problem(ProblemType.INTERNAL, "Noe gikk galt hos oss. Feilen er loggført.")


def _wrong_request(error: Exception) -> ValidationError | None:
    """Return what is wrong with the arguments of a handler, if that is what `error` is about."""
    if not isinstance(error, ArgumentError) or not isinstance(error.original_error, ValidationError):
        return None
    of_reply = any(field.field_name == "return" for field in error.error_fields)
    return None if of_reply else error.original_error


def describe_validation(error: ValidationError) -> str:
    """Return which fields of a request are wrong and why, one sentence, without repeating the input."""
    parts = []
    for item in error.errors(include_input=False, include_url=False, include_context=False)[:5]:
        # The first part of a location is the handler's own name for the request.
        field = ".".join(str(part) for part in item["loc"][1:])
        parts.append(f"{field or 'meldingen'}: {item['msg']}")
    return "; ".join(parts)


def make_broker(
    settings: ServiceSettings, name: str, problems: ProblemTable, tracer_provider: TracerProvider | None = None
) -> NatsBroker:
    """Return the broker of service `name`. Errors that handlers raise are answered as `problems` says."""
    errors = ExceptionMiddleware()

    async def answer_problem(error: Exception, message: NatsMessage | None = MESSAGE) -> Problem:
        reply = problem_from(error, problems)
        if reply.type is ProblemType.INTERNAL:
            log.error("handler failed", exc_info=error)
        return _belonging_to(message, reply)

    errors.add_handler(Exception, publish=True)(answer_problem)
    return NatsBroker(
        settings.nats_url,
        name=f"lovsvar-{name}",
        logger=None,
        graceful_timeout=0.5,
        max_reconnect_attempts=-1,
        reconnect_time_wait=1,
        allow_reconnect=True,
        serializer=PydanticSerializer(use_fastdepends_errors=True),
        middlewares=[
            errors,
            partial(Traced, tracer=trace.get_tracer(__name__, tracer_provider=tracer_provider)),
            ReplySize,
        ],
    )


class Traced(BaseMiddleware):
    """Handles each message in a span of the trace that its headers carry, and sends that trace on.

    FastStream's own telemetry starts four spans for a request and its reply, also where nobody hears of them.
    """

    def __init__(self, msg: Any | None, /, *, context: ContextRepo, tracer: Tracer) -> None:
        super().__init__(msg, context=context)
        self._tracer = tracer

    async def consume_scope(self, call_next: Callable[[Any], Awaitable[Any]], msg: Any) -> Any:
        """Handle `msg` in a span."""
        subject = msg.raw_message.subject
        attributes = {"messaging.system": "nats", "messaging.destination.name": subject}
        with self._tracer.start_as_current_span(
            f"{subject} process", trace_context(msg.headers), SpanKind.CONSUMER, attributes
        ):
            return await call_next(msg)

    async def publish_scope(self, call_next: Callable[[PublishCommand], Awaitable[Any]], cmd: PublishCommand) -> Any:
        """Publish `cmd` with the present trace in its headers."""
        cmd.add_headers(trace_headers(), override=True)
        return await call_next(cmd)


class ReplySize(BaseMiddleware):
    """Answers with a problem in place of a reply that is larger than NATS takes."""

    async def publish_scope(self, call_next: Callable[[PublishCommand], Awaitable[Any]], cmd: PublishCommand) -> Any:
        """Publish `cmd`, and when it is a reply that does not fit, say so instead."""
        try:
            return await call_next(cmd)
        except MaxPayloadError:
            if cmd.publish_type is not PublishType.REPLY:
                raise
            log.error("reply too large", subject=cmd.destination)
            detail = "Svaret er for stort til å sendes på én gang. Be om mindre."
            cmd.body = _belonging_to(self.context.get_local("message"), problem(ProblemType.TOO_LARGE, detail))
            return await call_next(cmd)


def _belonging_to(message: NatsMessage | None, reply: Problem) -> Problem:
    """Return `reply` with the correlation id of the request that it answers."""
    try:
        correlation_id = from_json(message.body)["correlation_id"] if message else None
    except (ValueError, TypeError, KeyError):
        correlation_id = None
    return reply.model_copy(update={"correlation_id": correlation_id}) if isinstance(correlation_id, str) else reply
