"""The conversation of a case: what was said, and the run that answers, followed as it happens."""

import asyncio
import contextlib
from collections.abc import Mapping, Sequence
from typing import Any

from fastapi import Request, Response
from pydantic import TypeAdapter
from starlette.responses import HTMLResponse, RedirectResponse

from lovsvar_contracts.case_details import Interaction
from lovsvar_contracts.cases import Case
from lovsvar_contracts.message import Token
from lovsvar_contracts.problems import ProblemError
from lovsvar_contracts.questions import Answer, RunStatus
from lovsvar_contracts.run_events import RunEvent, run_event_adapter
from lovsvar_gateway.answer_page import turn_values
from lovsvar_gateway.core import quotes
from lovsvar_gateway.core.errors import FormIncomplete, UnknownRun
from lovsvar_gateway.core.question_form import cleaned
from lovsvar_gateway.core.steps import tell
from lovsvar_gateway.forms import read_fields
from lovsvar_gateway.parts import GatewayParts, Parts
from lovsvar_gateway.routes import case_messages, cases
from lovsvar_gateway.routes.case_pages.administration import TIERS, payment_page
from lovsvar_gateway.routes.case_pages.frame import FAULTS, Fault, fault_of, new_router, once_of, show_case
from lovsvar_rendering.names import source_name

router = new_router()

TOKEN: TypeAdapter[str] = TypeAdapter(Token)

MOST_MESSAGE = 3_000
MOST_SHOWN = 40
"""What was said last is shown; the rest with `?alt=1`."""

MOST_ANSWERS = 8
"""Answers that are shown with their quotes and sources, as long as their runs are kept. Older ones are text."""


@router.get("/saker/{case_id}")
async def show_conversation(case_id: Token, request: Request, parts: GatewayParts) -> HTMLResponse:
    """Show what was said in the case, the run that is going on, and the form for a message."""
    return await _page(case_id, request, parts)


@router.post("/saker/{case_id}")
async def say(case_id: Token, request: Request, parts: GatewayParts) -> Response:
    """Send the message of the form, or stop the run that answers one."""
    given = await read_fields(request)
    try:
        if given.get("do") == "stop":
            with contextlib.suppress(UnknownRun):
                await case_messages.cancel_reply(case_id, TOKEN.validate_python(given.get("run", "")), parts)
        else:
            await _send(case_id, given, request, parts)
    except FAULTS as exc:
        return await _page(case_id, request, parts, fault_of(exc), given)
    return RedirectResponse(f"/saker/{case_id}#siste", status_code=303)


async def _send(case_id: str, given: Mapping[str, str], request: Request, parts: Parts) -> None:
    words = cleaned(given.get("message", ""), MOST_MESSAGE + 1)
    if not words:
        raise FormIncomplete("case_words_missing", "message")
    sent = case_messages.SentMessage(message=words)
    await case_messages.send_message(case_id, sent, request, Response(), parts, once_of(given))


async def _page(
    case_id: str, request: Request, parts: Parts, fault: Fault | None = None, given: Mapping[str, str] | None = None
) -> HTMLResponse:
    case = await cases.read_case(case_id, Response(), parts)
    running = await _running(case, parts)
    if running is None and case.state.details.case_processing_state.run_id:
        # The answer of the run was noted in the case when it was read.
        case = await cases.read_case(case_id, Response(), parts)
    log = case.state.details.agent_interactions.log
    if given and log and log[-1].by == "person" and log[-1].text == cleaned(given.get("message", ""), MOST_MESSAGE):
        given = {}  # It was kept, and is shown above.
    shown = log if "alt" in request.query_params else log[-MOST_SHOWN:]
    values: dict[str, Any] = {
        "log": shown,
        "hidden": len(log) - len(shown),
        "answers": await _answers(case.case_id, shown, parts),
        "running": running[0] if running else None,
        "working": running is not None,
        "story": tell(running[1]) if running else None,
        "source_name": source_name,
        "payment_page": payment_page(case, parts),
        "tiers": TIERS,
        "most_message": MOST_MESSAGE,
    }
    return await show_case(request, parts, "case_conversation.html", case, fault=fault, given=given, **values)


async def _running(case: Case, parts: Parts) -> tuple[Answer, Sequence[RunEvent]] | None:
    """Return the run that is going on, with its events so far. The answer of one that has ended is noted."""
    run_id = case.state.details.case_processing_state.run_id
    if run_id is None:
        return None
    try:
        answer, events = await parts.runs.read(run_id)
    except UnknownRun:
        return None
    if answer.status is not RunStatus.RUNNING:
        # A case that is closed takes no more notes.
        with contextlib.suppress(ProblemError):
            await parts.cases.note_answer(case.case_id, answer)
        return None
    data = {"events": [event.model_dump(mode="json") for event in events]}
    shown = await parts.cases.shown(case.case_id, data)
    return answer, [run_event_adapter.validate_python(event) for event in shown["events"]]


async def _answers(case_id: str, log: Sequence[Interaction], parts: Parts) -> dict[str, dict[str, Any]]:
    """Return what is shown of the last answers, by their runs, with what placeholders stand for."""
    runs = [said.run_id for said in log if said.run_id and said.by == "assistant"][-MOST_ANSWERS:]
    read = await asyncio.gather(*(_ended(run_id, parts) for run_id in runs))
    data = {answer.run_id: answer.model_dump(mode="json") for answer in read if answer}
    shown = await parts.cases.shown(case_id, data) if data else {}
    answers = (Answer.model_validate(one) for one in shown.values())
    return {one.run_id: {**turn_values(one), "sources": quotes.cited_sources(one)} for one in answers}


async def _ended(run_id: str, parts: Parts) -> Answer | None:
    """Return the answer of a run; None when it is not kept any more, or was asked with another key."""
    try:
        answer = await parts.runs.snapshot(run_id)
    except UnknownRun:
        return None
    return answer if answer.status is not RunStatus.RUNNING else None
