"""The page: a question, how its run goes on, its answer. It works without scripts; with them it follows the run."""

import asyncio
import contextlib
from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qsl, urlencode

from fastapi import APIRouter, Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from lovsvar_contracts.law import LawType
from lovsvar_contracts.message import Token, new_id
from lovsvar_contracts.problems import ProblemError
from lovsvar_contracts.questions import MAX_QUESTION, Answer, Mode, QuestionAsked, QuestionFilters, RunStatus
from lovsvar_contracts.run_events import RunAccepted, RunEvent
from lovsvar_contracts.search import CorpusStatus
from lovsvar_gateway.access import origin_host
from lovsvar_gateway.core import quotes
from lovsvar_gateway.core.errors import KeyReused, UnknownRun
from lovsvar_gateway.core.question_form import MAX_MINISTRY, as_law_type, as_year, cleaned, is_run_id, read_form
from lovsvar_gateway.core.steps import tell
from lovsvar_gateway.pages import Phrases, language_of, show
from lovsvar_gateway.parts import GatewayParts, Parts
from lovsvar_gateway.trace_headers import correlation_id
from lovsvar_rendering.names import source_name

router = APIRouter(include_in_schema=False)

EXAMPLES = ("Hvor mye kan utleier kreve i depositum?", "Hvor lang kan prøvetiden være?", "Hva er klagefristen?")

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
    shown = {} if working else _answer_values(request, answer)
    filters = answer.filters.model_dump() if answer.filters else {}
    values: dict[str, Any] = {
        "asked": answer,
        "run_id": run,
        "working": working,
        "queued": _place(events[-1], Phrases(language_of(request))),
        "story": tell(events),
        "follows": run,
        "followed": await _followed(answer.follows, parts),
        "narrowed": _named(answer.filters, Phrases(language_of(request))) if answer.filters else [],
        **filters,
        **shown,
    }
    return await _ask_page(request, parts, **values)


@router.post("/")
async def ask(request: Request, parts: GatewayParts) -> Response:
    """Accept a question from the form, and redirect to its run's page."""
    form = read_form(await _form(request))
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
    run_id = (await _form(request)).get("run", "")
    if not is_run_id(run_id):  # such as a pattern of subjects
        raise UnknownRun(cleaned(run_id, 100))
    if not from_elsewhere(request):
        await parts.runs.cancel(run_id)
    return _to_run(run_id)


@router.get("/svar/{run_id}")
async def show_answer(run_id: Token, request: Request, parts: GatewayParts) -> HTMLResponse:
    """Show the answer alone, for the page that has followed its run to the end."""
    answer = await parts.runs.snapshot(run_id)
    return show(request, "answer.html", **_answer_values(request, answer))


def from_elsewhere(request: Request) -> bool:
    """Return whether a page of another site sent the form. Without TLS a browser sends the origin alone."""
    site, origin = request.headers.get("sec-fetch-site"), request.headers.get("origin")
    if site is not None:
        return site not in ("same-origin", "none")
    return origin is not None and origin_host(origin) != request.headers.get("host")


async def _accepted(asked: QuestionAsked, once: str, parts: Parts) -> RunAccepted:
    """Return how the run of a form begins. Sent twice it is one run; another question in the same form is another."""
    try:
        return await parts.runs.accept(asked, once or None)
    except KeyReused:
        return await parts.runs.accept(asked)


async def _followed(run_id: str | None, parts: Parts) -> str:
    """Return the question of the run that one follows; empty when it is not kept any more, or none is followed."""
    with contextlib.suppress(UnknownRun):
        return await parts.runs.asked_in(run_id) if run_id else ""
    return ""


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
        "once": new_id(),
        "queued": "",
        "follows": "",
        "followed": "",
        "narrowed": [],
        "law_type": as_law_type(query.get("law_type", "")),
        "year": as_year(query.get("year", "")),
        "ministry": cleaned(query.get("ministry", ""), MAX_MINISTRY),
        "notice": t(notice, limit=MAX_QUESTION) if notice else "",
        "corpus": await _corpus(parts),
        "examples": EXAMPLES,
        "law_types": tuple(LawType),
        "max_words": MAX_QUESTION,
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
    if answer.filters:
        remarks.append(t("narrowed_to", filters=", ".join(_named(answer.filters, t))))
    remarks.append(t("no_advice"))
    return {
        "answer": answer,
        "blocks": quotes.shown_blocks(answer),
        "citations": {c.number: c for c in answer.citations},
        "linked": quotes.linked(answer),
        "source_name": source_name,
        "cited": quotes.cited_sources(answer),
        "unused": quotes.unused_sources(answer),
        "opened": {c.number: quotes.at_the_words(c) for c in answer.citations},
        "citable": quotes.citable(answer, f"{request.base_url}?run={answer.run_id}", remarks),
    }


def _place(last: RunEvent, t: Phrases) -> str:
    """Return what the page says of a question that waits in the queue; empty for all others."""
    if not (isinstance(last, RunAccepted) and last.place and last.expected_wait is not None):
        return ""
    wait = last.expected_wait
    if wait >= LONG_WAIT:
        return t("js_queued_minutes", n=last.place, wait=round(wait / 60))
    return t("js_queued_seconds", n=last.place, wait=max(2, round(wait)))


def _named(filters: QuestionFilters, t: Phrases) -> list[str]:
    """Return what a question is narrowed to, as the page says it."""
    said = [t(f"type_{filters.law_type}").lower()] if filters.law_type else []
    said += [f"{t('year').lower()} {filters.year}"] if filters.year else []
    return said + ([f"{t('ministry').lower()} «{filters.ministry}»"] if filters.ministry else [])


async def _corpus(parts: Parts) -> CorpusStatus | None:
    """Return what is stored; None when search does not say so at once."""
    with contextlib.suppress(ProblemError, TimeoutError):
        return await asyncio.wait_for(parts.law.status(), STATUS_SECONDS)
    return None
