"""How an error becomes a `Problem`, the one form in which a service says that something went wrong."""

import math
from collections.abc import Mapping

from pydantic import ValidationError

from lovsvar_contracts.problems import Problem, ProblemError, ProblemType

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


LONGEST_RETRY = 30.0
"""Seconds after which who was refused may ask again at the latest: by then, things will have changed."""


def problem(type_: ProblemType, detail: str) -> Problem:
    """Return a `Problem` with the title and the retryability that its type has."""
    return Problem(type=type_, title=TITLES[type_], detail=detail, retryable=type_ in RETRYABLE)


def busy(seconds: float) -> Problem:
    """Return the refusal of a request that would wait too long; its caller may ask again in `seconds`."""
    wait = max(1, math.ceil(min(seconds, LONGEST_RETRY)))
    detail = f"Det er for mange forespørsler akkurat nå. Prøv igjen om {wait} s."
    return problem(ProblemType.UNAVAILABLE, detail).model_copy(update={"retry_after": float(wait)})


def interrupted() -> Problem:
    """Return the reply to a request that is not answered because its service stops."""
    return problem(ProblemType.UNAVAILABLE, "Forespørselen ble avbrutt. Prøv igjen om litt.")


def problem_from(error: Exception, table: ProblemTable) -> Problem:
    """Return what a caller hears of `error`: its own problem, its words if it is in `table`, else an internal error.

    A validation error is internal too: it is not the caller's fault here.
    """
    if isinstance(error, ProblemError):
        return error.problem
    for cls in type(error).__mro__:
        if type_ := table.get(cls):
            return problem(type_, str(error))
    return problem(ProblemType.INTERNAL, "Noe gikk galt hos oss. Feilen er loggført.")


def invalid_request(error: ValidationError) -> Problem:
    """Return which fields of a request are wrong and why, in one sentence, without repeating the input."""
    parts = []
    for item in error.errors(include_input=False, include_url=False, include_context=False)[:5]:
        field = ".".join(str(part) for part in item["loc"])
        parts.append(f"{field or 'meldingen'}: {item['msg']}")
    return problem(ProblemType.INVALID_REQUEST, "; ".join(parts))
