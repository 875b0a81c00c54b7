"""Every error as an RFC 9457 document, and for people who follow a link, as a page."""

import math
from collections.abc import Mapping
from enum import Enum
from typing import Any
from urllib.parse import quote

import structlog
from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, Field
from starlette.exceptions import HTTPException

from lovsvar_chassis.problems import TITLES, problem, problem_from
from lovsvar_contracts.health import ServiceHealth
from lovsvar_contracts.problems import Problem, ProblemError, ProblemType
from lovsvar_gateway.core import errors
from lovsvar_gateway.core.phrases import WrongField, describe
from lovsvar_gateway.pages import show
from lovsvar_gateway.trace_headers import trace_id

log = structlog.get_logger()

MEDIA_TYPE = "application/problem+json"
RETRY_AFTER = 2.0  # seconds after which the same request may succeed, where that is not known

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


class Refusal(Enum):
    """Why a request is refused without being served: status, slug, title, and detail where no other is given."""

    MALFORMED = 400, "malformed-request", "Uleselig forespørsel", (
        "Forespørselen kan ikke leses: innholdet må være gyldig JSON."
    )  # fmt: skip
    NO_ADDRESS = 404, ProblemType.NOT_FOUND, TITLES[ProblemType.NOT_FOUND], "Adressen finnes ikke."
    NO_METHOD = 405, "method-not-allowed", "Metoden er ikke tillatt", "Adressen finnes, men tar ikke denne metoden."
    TOO_LARGE = 413, ProblemType.TOO_LARGE, TITLES[ProblemType.TOO_LARGE], "Forespørselen er for stor: høyst 64 kB."
    NO_KEY = 401, "key-required", "Nøkkel kreves", (
        "Send nøkkelen som «Authorization: Bearer …», eller som passord når nettleseren spør. «lovsvar keys» lager en."
    )  # fmt: skip
    FOREIGN_HOST = 403, "foreign-host", "Ukjent vertsnavn", (
        "Lovsvar svarer bare under navn på sin egen maskin, som 127.0.0.1, og navn som LOVSVAR_ALLOWED_HOSTS nevner."
    )  # fmt: skip
    FOREIGN_ORIGIN = 403, "foreign-origin", "Fremmed opphav", (
        "En side fra et annet nettsted kan ikke gjøre dette. LOVSVAR_CORS_ORIGINS sier hvilke som kan."
    )  # fmt: skip
    TOO_LATE = 408, "too-late", "Tok for lang tid", "Forespørselen ble ikke ferdig i tide."
    TOO_MANY = 429, "too-many-requests", "For mange forespørsler", (
        "Nøkkelen har brukt opp kvoten. Prøv igjen om litt."
    )  # fmt: skip
    TOO_MANY_QUESTIONS = 429, "too-many-questions", "For mange spørsmål", ""
    QUEUE_FULL = 503, "queue-full", "Køen er full", ""
    TOO_MANY_WAITING = 429, "too-many-waiting", "For mange spørsmål i køen", ""
    TOO_MANY_OPEN = 429, "too-many-open", "For mange samtidige forespørsler", (
        "Nøkkelen har så mange åpne forespørsler og hendelsesstrømmer som den kan ha. Lukk noen, og prøv igjen."
    )  # fmt: skip
    MISSING_SCOPE = 403, "missing-scope", "Mangler rettighet", ""

    def __init__(self, status: int, slug: str, title: str, detail: str) -> None:
        self.status = status
        self.slug = str(slug)
        self.title = title
        self.detail = detail


_BY_STATUS = {r.status: r for r in (Refusal.MALFORMED, Refusal.NO_ADDRESS, Refusal.NO_METHOD, Refusal.TOO_LARGE)}

_REFUSALS: Mapping[type[Exception], Refusal] = {
    errors.MissingScope: Refusal.MISSING_SCOPE,
    errors.ForeignForm: Refusal.FOREIGN_ORIGIN,
    errors.TooManyQuestions: Refusal.TOO_MANY_QUESTIONS,
    errors.QueueFull: Refusal.QUEUE_FULL,
    errors.TooManyWaiting: Refusal.TOO_MANY_WAITING,
}

SLUGS = tuple(dict.fromkeys([*map(str, ProblemType), *(refusal.slug for refusal in Refusal)]))
"""What `urn:lovsvar:problem:` may be followed by."""


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
    details: dict[str, ServiceHealth] | None = Field(default=None, description="What each says of itself, then too.")


def add_handlers(app: FastAPI) -> None:
    """Make `app` answer every error with a problem."""

    @app.exception_handler(ProblemError)
    @app.exception_handler(errors.GatewayError)
    async def known(request: Request, error: Exception) -> Response:
        if refusal := _REFUSALS.get(type(error)):
            return refuse(request, refusal, getattr(error, "wait", None), str(error))
        return respond(request, problem_from(error, errors.PROBLEMS))

    @app.exception_handler(RequestValidationError)
    async def invalid(request: Request, error: RequestValidationError) -> Response:
        if any(wrong["type"] == "json_invalid" for wrong in error.errors()):
            return refuse(request, Refusal.MALFORMED)
        detail, fields = describe(error.errors())
        return respond(request, problem(ProblemType.INVALID_REQUEST, detail), errors=fields)

    @app.exception_handler(HTTPException)
    async def by_framework(request: Request, error: HTTPException) -> Response:
        refusal = _BY_STATUS.get(error.status_code, Refusal.MALFORMED)
        document = document_of(request.url.path, error.status_code, refusal.slug, refusal.title, refusal.detail)
        return _response(request, document, error.headers or {})


def unexpected(request: Request) -> Response:
    """Return the response to a request that failed unexpectedly; the error's own words stay in the log."""
    return respond(request, problem_from(Exception(), {}))


def refuse(
    request: Request,
    refusal: Refusal,
    wait: int | None = None,
    detail: str = "",
    headers: Mapping[str, str] | None = None,
) -> Response:
    """Return the response to a refused request, which may succeed in `wait` seconds. `detail` replaces its own."""
    sent = dict(headers or {}) | ({"Retry-After": str(wait)} if wait else {})
    if refusal.status == 401:
        # One challenge, not both: Chromium reads the first alone, and asks its reader for a password by Basic only.
        basic = 'Basic realm="Lovsvar", charset="UTF-8"'
        sent["WWW-Authenticate"] = basic if wants_page(request) else 'Bearer realm="Lovsvar"'
    words = (refusal.slug, refusal.title, detail or refusal.detail)
    return _response(request, document_of(request.url.path, refusal.status, *words, retryable=bool(wait)), sent)


def respond(request: Request, found: Problem, **more: Any) -> Response:
    """Return `found` as a response; `more` are further members of the document, such as `errors`."""
    document = _of_problem(found, request.url.path, **{"correlation_id": trace_id() or found.correlation_id, **more})
    return _response(request, document, _retry_after(found, document.status))


def plain(found: Problem, path: str) -> tuple[int, Mapping[str, str], bytes]:
    """Return status, headers and body of `found`, for a program that asked for `path`."""
    document = _of_problem(found, path, correlation_id=None)
    headers = {"content-type": MEDIA_TYPE, "x-content-type-options": "nosniff"} | _retry_after(found, document.status)
    return document.status, headers, document.model_dump_json(exclude_none=True).encode()


def _of_problem(found: Problem, path: str, **more: Any) -> ProblemDocument:
    words = (str(found.type), found.title, found.detail)
    return document_of(path, STATUS[found.type], *words, retryable=found.retryable, **more)


def document_of(path: str, status: int, slug: str, title: str, detail: str, **more: Any) -> ProblemDocument:
    """Return the document of a problem with a request for `path`; `more` are its other members."""
    return ProblemDocument(
        type=f"urn:lovsvar:problem:{slug}",
        title=title,
        status=status,
        detail=detail,
        instance=quote(path, safe="/:"),
        **{"retryable": False, "correlation_id": trace_id(), **more},
    )


def _retry_after(found: Problem, status: int) -> dict[str, str]:
    if not found.retryable or status != 503:
        return {}
    return {"Retry-After": str(max(1, math.ceil(RETRY_AFTER if found.retry_after is None else found.retry_after)))}


def _response(request: Request, document: ProblemDocument, headers: Mapping[str, str]) -> Response:
    if wants_page(request):
        return show(request, "problem.html", status=document.status, headers=headers, problem=document)
    body = document.model_dump_json(exclude_none=True)
    return Response(body, status_code=document.status, headers=headers, media_type=MEDIA_TYPE)


def wants_page(request: Request) -> bool:
    """Return whether somebody reads this in a browser: an address outside the API, asked for as HTML."""
    return "text/html" in request.headers.get("accept", "") and not request.url.path.startswith("/v1/")
