"""Every error as an RFC 9457 document, and for people who follow a link, as a page."""

import math
from collections.abc import Mapping
from dataclasses import asdict
from enum import Enum
from typing import Any
from urllib.parse import quote

import structlog
from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, Field
from starlette.exceptions import HTTPException

from lovsvar_chassis.problems import TITLES, problem, problem_from
from lovsvar_contracts.problems import Problem, ProblemError, ProblemType
from lovsvar_gateway.core.errors import (
    PROBLEMS,
    GatewayError,
    MissingScope,
    QueueFull,
    TooManyQuestions,
    TooManyWaiting,
)
from lovsvar_gateway.core.phrases import describe
from lovsvar_gateway.pages import show
from lovsvar_gateway.trace_headers import trace_id

log = structlog.get_logger()

MEDIA_TYPE = "application/problem+json"
RETRY_AFTER = 2.0
"""Seconds after which the same request may succeed, where nobody can tell."""

STATUS: Mapping[ProblemType, int] = {
    ProblemType.INVALID_REQUEST: 422,
    ProblemType.NOT_FOUND: 404,
    ProblemType.CONFLICT: 409,
    ProblemType.TOO_LARGE: 413,
    ProblemType.NOT_CONFIGURED: 503,
    ProblemType.NOT_READY: 503,
    ProblemType.UNAVAILABLE: 503,
    ProblemType.TIMEOUT: 504,
    ProblemType.SOURCE_UNREACHABLE: 502,
    ProblemType.SOURCE_UNREADABLE: 502,
    ProblemType.INTERNAL: 500,
}

_HTTP: Mapping[int, tuple[str, str, str]] = {
    400: ("malformed-request", "Uleselig forespørsel", "Forespørselen kan ikke leses: innholdet må være gyldig JSON."),
    404: (ProblemType.NOT_FOUND, TITLES[ProblemType.NOT_FOUND], "Adressen finnes ikke."),
    405: ("method-not-allowed", "Metoden er ikke tillatt", "Adressen finnes, men tar ikke denne metoden."),
    413: (ProblemType.TOO_LARGE, TITLES[ProblemType.TOO_LARGE], "Forespørselen er for stor: høyst 64 kB."),
}


MISSING_SCOPE = "missing-scope"


class Refusal(Enum):
    """Why a request is not let in, or not waited for: its status, its slug, and what is said of it."""

    NO_KEY = (
        401,
        "key-required",
        "Nøkkel kreves",
        "Send nøkkelen som «Authorization: Bearer …», eller som passord når nettleseren spør. «lovsvar keys» lager en.",
    )
    FOREIGN_HOST = (
        403,
        "foreign-host",
        "Ukjent vertsnavn",
        "Lovsvar svarer bare under navn på sin egen maskin, som 127.0.0.1, og navn som LOVSVAR_ALLOWED_HOSTS nevner.",
    )
    FOREIGN_ORIGIN = (
        403,
        "foreign-origin",
        "Fremmed opphav",
        "En side fra et annet nettsted kan ikke gjøre dette. LOVSVAR_CORS_ORIGINS sier hvilke som kan.",
    )
    TOO_LATE = (408, "too-late", "Tok for lang tid", "Forespørselen ble ikke ferdig i tide.")
    TOO_MANY = (
        429,
        "too-many-requests",
        "For mange forespørsler",
        "Nøkkelen har brukt opp kvoten. Prøv igjen om litt.",
    )
    TOO_MANY_QUESTIONS = (
        429,
        "too-many-questions",
        "For mange spørsmål",
        "Nøkkelen har stilt så mange spørsmål som den kan i minuttet. Prøv igjen om litt.",
    )
    QUEUE_FULL = (503, "queue-full", "Køen er full", "Så mange spørsmål venter at flere ikke tas imot nå.")
    TOO_MANY_WAITING = (
        429,
        "too-many-waiting",
        "For mange spørsmål i køen",
        "Du har så mange spørsmål i køen som du kan ha der samtidig.",
    )
    TOO_MANY_OPEN = (
        429,
        "too-many-open",
        "For mange samtidige forespørsler",
        "Nøkkelen har så mange åpne forespørsler og hendelsesstrømmer som den kan ha. Lukk noen, og prøv igjen.",
    )


class WrongField(BaseModel):
    """One field of a request that is wrong."""

    field: str
    detail: str


class ProblemDocument(BaseModel):
    """An RFC 9457 problem in Norwegian. `correlation_id` finds the request in logs and traces."""

    type: str = Field(examples=["urn:lovsvar:problem:not-found"])
    title: str
    status: int
    detail: str
    instance: str = Field(description="The path that was asked for.")
    retryable: bool = Field(description="Whether the same request may succeed later.")
    correlation_id: str | None = None
    errors: list[WrongField] | None = Field(default=None, description="The fields that are wrong.")
    services: dict[str, str] | None = Field(default=None, description="How each service is, when that is the problem.")


def add_handlers(app: FastAPI) -> None:
    """Make `app` answer every error with a problem."""

    @app.exception_handler(ProblemError)
    @app.exception_handler(GatewayError)
    async def known(request: Request, error: Exception) -> Response:
        return respond(request, problem_from(error, PROBLEMS))

    @app.exception_handler(MissingScope)
    async def forbidden(request: Request, error: MissingScope) -> Response:
        words = (MISSING_SCOPE, "Mangler rettighet", str(error))
        return _response(request, _document(request, 403, words), None)

    @app.exception_handler(TooManyQuestions)
    async def asked_too_often(request: Request, error: TooManyQuestions) -> Response:
        return refuse(request, Refusal.TOO_MANY_QUESTIONS, error.wait)

    @app.exception_handler(QueueFull)
    async def queue_full(request: Request, error: QueueFull) -> Response:
        return refuse(request, Refusal.QUEUE_FULL, error.wait, str(error))

    @app.exception_handler(TooManyWaiting)
    async def too_many_waiting(request: Request, error: TooManyWaiting) -> Response:
        return refuse(request, Refusal.TOO_MANY_WAITING, error.wait, str(error))

    @app.exception_handler(RequestValidationError)
    async def invalid(request: Request, error: RequestValidationError) -> Response:
        errors = error.errors()
        if any(e["type"] == "json_invalid" for e in errors):
            return _from_status(request, 400)
        detail, fields = describe(errors)
        return respond(request, problem(ProblemType.INVALID_REQUEST, detail), errors=[asdict(f) for f in fields])

    @app.exception_handler(HTTPException)
    async def by_framework(request: Request, error: HTTPException) -> Response:
        return _from_status(request, error.status_code, error.headers)


def unexpected(request: Request) -> Response:
    """Return what a client is told of an error that nobody foresaw; its words stay in the log."""
    return respond(request, problem_from(Exception(), {}))


def malformed(request: Request) -> Response:
    """Return what a client is told whose request cannot be told from the next; nothing more is read from it."""
    return _from_status(request, 400, {"Connection": "close"})


def too_large(request: Request) -> Response:
    """Return what a client is told whose request is too large."""
    return _from_status(request, 413)


def refuse(request: Request, refusal: Refusal, wait: int | None = None, said: str = "") -> Response:
    """Return what a client is told that is refused, and when to come again: in `wait` seconds.

    `said` is said of this request, in place of what is said of all.
    """
    status, slug, title, detail = refusal.value
    detail = said or detail
    headers = {"Retry-After": str(wait)} if wait else {}
    if status == 401:
        # One challenge, not both: Chromium reads the first alone, and asks its reader for a password by Basic only.
        basic = 'Basic realm="Lovsvar", charset="UTF-8"'
        headers["WWW-Authenticate"] = basic if wants_page(request) else 'Bearer realm="Lovsvar"'
    return _response(request, _document(request, status, (slug, title, detail), retryable=bool(wait)), headers)


def respond(request: Request, told: Problem, **more: Any) -> Response:
    """Return `told` as a response; `more` are further members of the document, such as `errors`."""
    document = _document_of(told, request.url.path, correlation_id=trace_id() or told.correlation_id, **more)
    return _response(request, document, _retry_after(told, document.status))


def plain(told: Problem, path: str) -> tuple[int, Mapping[str, str], bytes]:
    """Return status, headers and body of `told`, for a program that asked for `path`."""
    document = _document_of(told, path)
    headers = {"content-type": MEDIA_TYPE, "x-content-type-options": "nosniff"} | _retry_after(told, document.status)
    return document.status, headers, document.model_dump_json(exclude_none=True).encode()


def _document_of(told: Problem, path: str, **more: Any) -> ProblemDocument:
    return ProblemDocument(
        type=f"urn:lovsvar:problem:{told.type}",
        title=told.title,
        status=STATUS[told.type],
        detail=told.detail,
        instance=quote(path, safe="/:"),
        retryable=told.retryable,
        **more,
    )


def _retry_after(told: Problem, status: int) -> dict[str, str]:
    if not told.retryable or status != 503:
        return {}
    return {"Retry-After": str(max(1, math.ceil(RETRY_AFTER if told.retry_after is None else told.retry_after)))}


def _from_status(request: Request, status: int, headers: Mapping[str, str] | None = None) -> Response:
    return _response(request, _document(request, status, _HTTP.get(status, _HTTP[400])), headers)


def _document(
    request: Request, status: int, words: tuple[str, str, str], *, retryable: bool = False
) -> ProblemDocument:
    slug, title, detail = words
    return ProblemDocument(
        type=f"urn:lovsvar:problem:{slug}",
        title=title,
        status=status,
        detail=detail,
        instance=quote(request.url.path, safe="/:"),
        retryable=retryable,
        correlation_id=trace_id(),
    )


def _response(request: Request, document: ProblemDocument, headers: Mapping[str, str] | None) -> Response:
    if wants_page(request):
        return show(request, "problem.html", status=document.status, headers=headers, problem=document)
    return Response(
        document.model_dump_json(exclude_none=True),
        status_code=document.status,
        headers=headers,
        media_type=MEDIA_TYPE,
    )


def wants_page(request: Request) -> bool:
    """Return whether somebody reads this in a browser: an address outside the API, asked for as HTML."""
    return "text/html" in request.headers.get("accept", "") and not request.url.path.startswith("/v1/")


DESCRIPTIONS: Mapping[int, str] = {
    400: "Uleselig forespørsel",
    401: "Nøkkel kreves",
    403: "Nøkkelen har ikke rettigheten, eller et fremmed nettsted spør",
    404: "Finnes ikke",
    408: "Tok for lang tid",
    409: "Konflikt",
    413: "For stort",
    422: "Ugyldig forespørsel",
    429: "Kvoten er brukt opp",
    500: "Intern feil",
    502: "Kilden kan ikke nås eller leses",
    503: "Utilgjengelig, ikke klar eller ikke satt opp",
    504: "Tidsavbrudd",
}
"""The errors that any route may answer with, for the OpenAPI document."""

SLUGS = tuple(
    dict.fromkeys(
        [*(str(type_) for type_ in ProblemType), *(str(words[0]) for words in _HTTP.values())]
        + [refusal.value[1] for refusal in Refusal]
        + [MISSING_SCOPE]
    )
)
"""What may stand behind `urn:lovsvar:problem:`."""

EXAMPLES: Mapping[int, tuple[str, str, bool]] = {
    400: ("malformed-request", _HTTP[400][2], False),
    401: (Refusal.NO_KEY.value[1], Refusal.NO_KEY.value[3], False),
    403: (MISSING_SCOPE, "Nøkkelen «kari» har ikke rettigheten «operate».", False),
    404: ("not-found", "Fant ikke §99 i lov/2999-01-01-1.", False),
    408: (Refusal.TOO_LATE.value[1], Refusal.TOO_LATE.value[3], False),
    409: ("conflict", "Noen andre endret det samme.", False),
    413: ("too-large", _HTTP[413][2], False),
    422: ("invalid-request", "page_size kan være høyst 20.", False),
    429: (Refusal.TOO_MANY.value[1], Refusal.TOO_MANY.value[3], True),
    500: ("internal", "Noe gikk galt hos oss. Feilen er loggført.", False),
    502: ("source-unreachable", "Kilden svarer ikke.", True),
    503: ("unavailable", "Meldingstjenesten (NATS) svarer ikke. Prøv igjen om litt.", True),
    504: ("timeout", "Søket ble ikke ferdig i tide.", True),
}
"""Of each status the slug, the words and whether waiting helps, for the OpenAPI document."""

DOCUMENTED: dict[int | str, dict[str, Any]] = {
    status: {
        "description": words,
        "content": {MEDIA_TYPE: {"schema": {"$ref": f"#/components/schemas/{ProblemDocument.__name__}"}}},
    }
    for status, words in DESCRIPTIONS.items()
}
"""The same, as FastAPI takes it."""
