"""The FastStream broker of a service, and how an error becomes a `Problem`.

A FastStream handler that raises sends no reply and leaves its caller to wait out a timeout; the
exception middleware here answers every request, at once.
"""

from collections.abc import Mapping

import structlog
from faststream.middlewares import ExceptionMiddleware
from faststream.nats import NatsBroker
from faststream.nats.opentelemetry import NatsTelemetryMiddleware
from opentelemetry.metrics import NoOpMeterProvider
from opentelemetry.sdk.trace import TracerProvider
from pydantic import ValidationError

from lovsvar_chassis.settings import ServiceSettings
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


def problem(type_: ProblemType, detail: str, *, instance: str | None = None) -> Problem:
    """Return a `Problem` with the title and the retryability that its type has."""
    return Problem(type=type_, title=TITLES[type_], detail=detail, retryable=type_ in RETRYABLE, instance=instance)


def problem_from(error: Exception, table: ProblemTable) -> Problem:
    """Return what to tell a caller of `error`.

    A `ProblemError` keeps its problem, an error in `table` gives its own words, a validation error names
    the fields that are wrong, and anything else is an internal error whose words stay in the log.
    """
    if isinstance(error, ProblemError):
        return error.problem
    for cls in type(error).__mro__:
        if type_ := table.get(cls):
            return problem(type_, str(error))
    if isinstance(error, ValidationError):
        return problem(ProblemType.INVALID_REQUEST, describe_validation(error))
    return problem(ProblemType.INTERNAL, "Noe gikk galt hos oss. Feilen er loggført.")


def describe_validation(error: ValidationError) -> str:
    """Return which fields are wrong and why, one sentence, without repeating the input."""
    parts = []
    for item in error.errors(include_input=False, include_url=False, include_context=False)[:5]:
        field = ".".join(str(p) for p in item["loc"] if p not in {"body", "command", "message"})
        parts.append(f"{field or 'meldingen'}: {item['msg']}")
    return "; ".join(parts)


def make_broker(
    settings: ServiceSettings, name: str, problems: ProblemTable, tracer_provider: TracerProvider | None = None
) -> NatsBroker:
    """Return the broker of service `name`. Errors that handlers raise are answered as `problems` says."""
    errors = ExceptionMiddleware()

    async def answer_problem(error: Exception) -> Problem:
        reply = problem_from(error, problems)
        if reply.type is ProblemType.INTERNAL:
            log.error("handler failed", exc_info=error)
        return reply

    errors.add_handler(Exception, publish=True)(answer_problem)
    return NatsBroker(
        settings.nats_url,
        name=f"lovsvar-{name}",
        logger=None,
        graceful_timeout=3.0,
        max_reconnect_attempts=-1,
        reconnect_time_wait=1,
        allow_reconnect=True,
        middlewares=[
            errors,
            # Its metrics would make one series of every reply inbox.
            NatsTelemetryMiddleware(tracer_provider=tracer_provider, meter_provider=NoOpMeterProvider()),
        ],
    )
