"""The page: a question, how its run goes on, its answer. It works without scripts; with them it follows the run."""

import asyncio
from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qsl, urlencode

from fastapi import APIRouter, Request
from pydantic import TypeAdapter, ValidationError
from starlette.responses import HTMLResponse, RedirectResponse, Response

from lovsvar_contracts import subjects
from lovsvar_contracts.law import LawType
from lovsvar_contracts.message import Token
from lovsvar_contracts.problems import ProblemError
from lovsvar_contracts.questions import MAX_QUESTION, Answer, Mode, QuestionAsked, RunStatus
from lovsvar_contracts.search import CorpusStatus, ReadStatus
from lovsvar_gateway.access import origin_host
from lovsvar_gateway.core import quotes
from lovsvar_gateway.core.asking import MAX_WORDS, as_law_type, as_year, cleaned, compose, take_apart
from lovsvar_gateway.core.errors import UnknownRun
from lovsvar_gateway.core.steps import tell
from lovsvar_gateway.languages import Phrases, language_of
from lovsvar_gateway.pages import show
from lovsvar_gateway.parts import GatewayParts, Parts
from lovsvar_gateway.tracing import correlation_id

router = APIRouter(include_in_schema=False)

EXAMPLES = (
    "Hvor mye kan utleier kreve i depositum?",
    "Hvor lang kan prøvetiden være?",
    "Hva er klagefristen?",
)
_token = TypeAdapter[str](Token)

STATUS_SECONDS = 1.0
"""How long the page waits to be told what is stored; it does without after that."""


@router.get("/")
async def show_page(request: Request, parts: GatewayParts, run: Token | None = None, q: str = "") -> HTMLResponse:
    """Show the box for a question, or the run that the address names."""
    if run is None:
        return await _ask_page(request, parts, prefill=cleaned(q))
    try:
        answer, events = await parts.runs.read(run)
    except UnknownRun:
        return await _ask_page(request, parts, "run_gone", status=404, gone=run)
    asked, working = take_apart(answer.question), answer.status is RunStatus.RUNNING
    shown = {} if working else _answer_values(request, answer)
    return await _ask_page(request, parts, asked=asked, run_id=run, working=working, story=tell(events), **shown)


@router.post("/")
async def ask(request: Request, parts: GatewayParts) -> Response:
    """Take a question from the form, and lead to its run's page."""
    form = await _form(request)
    words = cleaned(form.get("whole") or form.get("question", ""), MAX_QUESTION)
    if not words:
        return await _ask_page(request, parts, "question_empty", status=422)
    if "whole" not in form and len(words) > MAX_WORDS:
        return await _ask_page(request, parts, "question_long", status=422, prefill=words)
    if from_elsewhere(request):
        return await _ask_page(request, parts, "confirm", prefill=words)
    if "whole" not in form:
        words = compose(
            words,
            law_type=as_law_type(form.get("law_type", "")),
            year=as_year(form.get("year", "").strip()),
            ministry=cleaned(form.get("ministry", ""), 200),
            follows=cleaned(form.get("follows", "")),
        )
    asked = QuestionAsked(correlation_id=correlation_id(), question=words)
    await parts.runs.accept(asked)
    return _to_run(asked.run_id)


@router.post("/stopp")
async def stop(request: Request, parts: GatewayParts) -> Response:
    """Cancel the run that the form names, and lead back to its page."""
    run_id = _run_named((await _form(request)).get("run", ""))
    if not from_elsewhere(request):
        await parts.runs.cancel(run_id)
    return _to_run(run_id)


@router.get("/svar/{run_id}")
async def show_answer(run_id: Token, request: Request, parts: GatewayParts) -> HTMLResponse:
    """Show the answer alone, for the page that has followed its run to the end."""
    answer = await parts.runs.snapshot(run_id)
    return show(request, "answer.html", **_answer_values(request, answer))


def from_elsewhere(request: Request) -> bool:
    """Return whether a page of another site sent the form. Without TLS a browser tells it by the origin alone."""
    site, origin = request.headers.get("sec-fetch-site"), request.headers.get("origin")
    if site is not None:
        return site not in ("same-origin", "none")
    return origin is not None and origin_host(origin) != request.headers.get("host")


def _run_named(given: str) -> str:
    """Return the run's id that a form gives. Raises `UnknownRun` for what is none, as a pattern of NATS' subjects."""
    try:
        return _token.validate_python(given)
    except ValidationError as exc:
        raise UnknownRun(cleaned(given, 100)) from exc


def _to_run(run_id: str) -> Response:
    return RedirectResponse(f"/?{urlencode({'run': run_id})}", status_code=303)


async def _form(request: Request) -> Mapping[str, str]:
    body = (await request.body()).decode(errors="replace")
    try:
        return dict(parse_qsl(body, keep_blank_values=True, max_num_fields=20, errors="replace"))
    except ValueError:  # more fields than any form has
        return {}


async def _ask_page(request: Request, parts: Parts, notice: str = "", status: int = 200, **values: Any) -> HTMLResponse:
    t = Phrases(language_of(request))
    query = request.query_params
    defaults: dict[str, Any] = {
        "asked": None,
        "run_id": "",
        "working": False,
        "prefill": "",
        "gone": "",
        "law_type": as_law_type(query.get("law_type", "")),
        "year": as_year(query.get("year", "")),
        "ministry": cleaned(query.get("ministry", ""), 200),
        "notice": t(notice, limit=MAX_WORDS) if notice else "",
        "corpus": await _corpus(parts),
        "examples": EXAMPLES,
        "law_types": tuple(LawType),
        "max_words": MAX_WORDS,
    }
    return show(request, "ask.html", status=status, **{**defaults, **values})


def _answer_values(request: Request, answer: Answer) -> dict[str, Any]:
    """Return what the template of an answer shows."""
    t = Phrases(language_of(request))
    remarks = []
    if answer.mode is not Mode.EXTRACTIVE:
        remarks.append(t("answer_by_model"))
    elif answer.citations:
        remarks.append(t("answer_by_quotes"))
    if answer.corpus_date:
        remarks.append(t("corpus_of", date=t.day(answer.corpus_date)))
    remarks.append(t("no_advice"))
    return {
        "answer": answer,
        "marked": quotes.with_marks(answer),
        "cited": quotes.cited_sources(answer),
        "unused": quotes.unused_sources(answer),
        "opened": {c.number: quotes.at_the_words(c) for c in answer.citations},
        "citable": quotes.citable(answer, f"{request.base_url}?run={answer.run_id}", remarks),
    }


async def _corpus(parts: Parts) -> CorpusStatus | None:
    """Return what is stored; None when search does not say so at once."""
    asking = parts.services.ask(subjects.SEARCH_STATUS, ReadStatus(correlation_id=correlation_id()), CorpusStatus)
    try:
        return await asyncio.wait_for(asking, STATUS_SECONDS)
    except (ProblemError, TimeoutError):
        return None
