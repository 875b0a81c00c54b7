"""The page: a question, how its run goes on, its answer. It works without scripts; with them it follows the run."""

import asyncio
import contextlib
from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from lovsvar_contracts.law import LawType
from lovsvar_contracts.message import Token, new_id, utc_now
from lovsvar_contracts.problems import ProblemError
from lovsvar_contracts.questions import MAX_QUESTION, QuestionAsked, RunStatus
from lovsvar_contracts.run_events import RunAccepted, RunEvent
from lovsvar_contracts.search import CorpusStatus
from lovsvar_gateway.answer_page import answer_values, named, run_path, turns
from lovsvar_gateway.core.errors import KeyReused, UnknownRun
from lovsvar_gateway.core.question_form import MAX_MINISTRY, as_law_type, as_year, cleaned, is_run_id, read_form
from lovsvar_gateway.core.quotes import is_old
from lovsvar_gateway.core.steps import tell
from lovsvar_gateway.forms import from_elsewhere, read_fields
from lovsvar_gateway.pages import Phrases, language_of, show
from lovsvar_gateway.parts import GatewayParts, Parts
from lovsvar_gateway.trace_headers import correlation_id
from lovsvar_rendering.names import source_name

router = APIRouter(include_in_schema=False)

EXAMPLES = 6
"""How many examples of questions the page has, as phrases (`example_1`)."""

LONG_WAIT = 120.0
"""Seconds from which a wait is shown in minutes; `static/steps.js` does the same."""

STATUS_SECONDS = 1.0
"""How long the page waits for the status of the corpus; after that it is shown without."""


@router.get("/")
async def show_page(request: Request, parts: GatewayParts, run: Token | None = None, q: str = "") -> HTMLResponse:
    """Show the box for a question, or the run that the address names."""
    if run is None:
        return await _ask_page(request, parts, prefill=cleaned(q))
    try:
        answer, events = await parts.runs.read(run)
    except UnknownRun:
        return await _ask_page(request, parts, "run_gone", status=404, gone=run)
    working = answer.status is RunStatus.RUNNING
    shown = {"source_name": source_name} if working else answer_values(request, answer)
    t = Phrases(language_of(request, answer.question))
    thread = await parts.runs.thread(answer)
    filters = answer.filters.model_dump() if answer.filters else {}
    values: dict[str, Any] = {
        "asked": answer,
        "run_id": run,
        "working": working,
        "queued": _place(events[-1], t),
        "story": tell(events),
        "follows": run,
        "thread": thread,
        "turns": turns(thread.answers),
        "narrowed": named(answer.filters, t) if answer.filters else [],
        **filters,
        **shown,
    }
    return await _ask_page(request, parts, **values)


@router.post("/")
async def ask(request: Request, parts: GatewayParts) -> Response:
    """Accept a question from the form, and redirect to its run's page."""
    form = read_form(await read_fields(request))
    kept = {"prefill": form.words, "law_type": form.law_type, "year": form.year, "ministry": form.ministry}
    if notice := form.fault or ("confirm" if from_elsewhere(request) else ""):
        status = 422 if form.fault else 200
        return await _ask_page(request, parts, notice, status, follows=form.follows, **kept)
    asked = QuestionAsked(
        correlation_id=correlation_id(), question=form.words, filters=form.filters, follows=form.follows or None
    )
    try:
        first = await _accepted(asked, form.once, parts)
    except UnknownRun:
        return await _ask_page(request, parts, "followed_gone", 404, **kept)
    return _to_run(first.run_id)


@router.post("/stopp")
async def stop(request: Request, parts: GatewayParts) -> Response:
    """Cancel the run that the form names, and redirect to its page."""
    run_id = (await read_fields(request)).get("run", "")
    if not is_run_id(run_id):  # such as a pattern of subjects
        raise UnknownRun(cleaned(run_id, 100))
    if not from_elsewhere(request):
        await parts.runs.cancel(run_id)
    return _to_run(run_id)


@router.get("/svar/{run_id}")
async def show_answer(run_id: Token, request: Request, parts: GatewayParts) -> HTMLResponse:
    """Show the answer alone, for the page that has followed its run to the end."""
    answer = await parts.runs.snapshot(run_id)
    return show(request, "answer.html", **answer_values(request, answer))


async def _accepted(asked: QuestionAsked, once: str, parts: Parts) -> RunAccepted:
    """Return how the run of a form begins. Sent twice it is one run; another question in the same form is another."""
    try:
        return await parts.runs.accept(asked, once or None)
    except KeyReused:
        return await parts.runs.accept(asked)


def _to_run(run_id: str) -> Response:
    return RedirectResponse(run_path(run_id), status_code=303)


async def _ask_page(request: Request, parts: Parts, notice: str = "", status: int = 200, **values: Any) -> HTMLResponse:
    asked = values.get("asked")
    t = Phrases(language_of(request, asked.question if asked else ""))
    query, corpus = request.query_params, await _corpus(parts)
    defaults: dict[str, Any] = {
        "asked": None,
        "run_id": "",
        "working": False,
        "prefill": "",
        "gone": "",
        "once": new_id(),
        "queued": "",
        "follows": "",
        "thread": None,
        "turns": [],
        "narrowed": [],
        "law_type": as_law_type(query.get("law_type", "")),
        "year": as_year(query.get("year", "")),
        "ministry": cleaned(query.get("ministry", ""), MAX_MINISTRY),
        "notice": t(notice, limit=MAX_QUESTION) if notice else "",
        "corpus": corpus,
        "corpus_old": corpus is not None and is_old(corpus.corpus_date, utc_now().date()),
        "examples": [t(f"example_{number}") for number in range(1, EXAMPLES + 1)],
        "law_types": tuple(LawType),
        "max_words": MAX_QUESTION,
    }
    return show(request, "ask.html", status=status, **{**defaults, **values})


def _place(last: RunEvent, t: Phrases) -> str:
    """Return what the page says of a question that waits in the queue; empty for all others."""
    if not (isinstance(last, RunAccepted) and last.place and last.expected_wait is not None):
        return ""
    wait = last.expected_wait
    if wait >= LONG_WAIT:
        return t("js_queued_minutes", n=last.place, wait=round(wait / 60))
    return t("js_queued_seconds", n=last.place, wait=max(2, round(wait)))


async def _corpus(parts: Parts) -> CorpusStatus | None:
    """Return what is stored; None when search does not say so at once."""
    with contextlib.suppress(ProblemError, TimeoutError):
        return await asyncio.wait_for(parts.law.status(), STATUS_SECONDS)
    return None
