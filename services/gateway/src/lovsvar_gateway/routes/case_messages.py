"""Messages in a case: each is kept, and answered by a run whose events the person sees with the names put back."""

import contextlib
import hashlib
import json
from typing import Annotated

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, Field, StringConstraints

from lovsvar_chassis.run_log import RunTaken
from lovsvar_contracts import cases, subjects
from lovsvar_contracts.message import Token, new_id
from lovsvar_contracts.problems import ProblemError
from lovsvar_contracts.questions import Answer, QuestionAsked, RunStatus
from lovsvar_contracts.run_events import CLOSING
from lovsvar_gateway.core.errors import UnknownRun
from lovsvar_gateway.core.phrases import Plain
from lovsvar_gateway.parts import GatewayParts, Parts
from lovsvar_gateway.routes.cases import IdempotencyKey, request_id
from lovsvar_gateway.routes.questions import EVENTS, FOLLOWED, After, LastEventId
from lovsvar_gateway.sse import MEDIA_TYPE, Frames, frame, nothing_more
from lovsvar_gateway.trace_headers import correlation_id

router = APIRouter(tags=["cases"])

Said = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=3_000), Plain]


class SentMessage(BaseModel):
    """What the person says."""

    message: Said


class MessageLinks(BaseModel):
    """Where the answer is read and followed."""

    self: str
    events: str


class MessageAccepted(BaseModel):
    """The message is kept and will be answered."""

    run_id: Token
    status: RunStatus = Field(default=RunStatus.RUNNING)
    links: MessageLinks


@router.post("/v1/cases/{case_id}/messages", status_code=202, response_model=MessageAccepted, responses=EVENTS)
async def send_message(
    case_id: Token,
    body: SentMessage,
    request: Request,
    response: Response,
    parts: GatewayParts,
    key: IdempotencyKey = None,
) -> object:
    """Say something in a case. Answers with the run's address, or its events when `Accept` names `text/event-stream`.

    The run is asked without names and numbers. 409 when work may not begin, as before a payment: the message is kept.
    """
    run_id = new_id() if key is None else _run_id(parts.caller.name, case_id, key)
    fields = {"case_id": case_id, "run_id": run_id, "message": body.message, "request_id": request_id(key)}
    prepared = await parts.cases.ask(subjects.CASES_MESSAGE, cases.SendMessage, cases.PreparedRun, **fields)
    await _begin(prepared, parts)
    address = f"/v1/cases/{case_id}/messages/{run_id}"
    headers = {"Location": address, "X-Run-Id": run_id}
    if MEDIA_TYPE in request.headers.get("accept", ""):
        return parts.stream(_frames(parts, case_id, run_id, 0), headers)
    response.headers.update(headers)
    return MessageAccepted(run_id=run_id, links=MessageLinks(self=address, events=f"{address}/events"))


@router.get("/v1/cases/{case_id}/messages/{run_id}")
async def read_reply(case_id: Token, run_id: Token, response: Response, parts: GatewayParts) -> Answer:
    """Read the answer to a message, with the names put back; while the run goes on, a snapshot of it."""
    response.headers["Cache-Control"] = "no-store"
    await _check(parts, case_id)
    answer = await parts.runs.snapshot(run_id)
    if answer.status is not RunStatus.RUNNING:
        await parts.cases.note_answer(case_id, answer)
    return Answer.model_validate(await parts.cases.shown(case_id, answer.model_dump(mode="json")))


@router.delete("/v1/cases/{case_id}/messages/{run_id}", status_code=204)
async def cancel_reply(case_id: Token, run_id: Token, parts: GatewayParts) -> None:
    """Stop the run that answers a message. Stopping it again, or when it has ended, changes nothing."""
    await _check(parts, case_id)
    await parts.runs.cancel(run_id)


@router.get("/v1/cases/{case_id}/messages/{run_id}/events", response_class=Response, responses=FOLLOWED)
async def follow_reply(
    case_id: Token, run_id: Token, parts: GatewayParts, last_event_id: LastEventId = None, after: After = 0
) -> Response:
    """Follow the run that answers a message, from after the last event that was seen."""
    await _check(parts, case_id)
    seen = after if last_event_id is None else last_event_id
    last = await parts.runs.last_event(run_id)
    if last.type in CLOSING and seen >= last.id:
        return nothing_more()
    return parts.stream(_frames(parts, case_id, run_id, seen))


async def _begin(prepared: cases.PreparedRun, parts: Parts) -> None:
    """Ask the agent. A repeated message is the same run; what it would follow up may have expired."""
    asked = QuestionAsked(
        correlation_id=correlation_id(),
        run_id=prepared.run_id,
        event_id=prepared.run_id,
        question=prepared.question,
        case_id=prepared.case_id,
        grant=prepared.grant,
        follows=await _kept(prepared, parts),
    )
    with contextlib.suppress(RunTaken):
        await parts.runs.accept(asked)


async def _kept(prepared: cases.PreparedRun, parts: Parts) -> str | None:
    """Return the run before this one while it is kept, with its answer noted in the case."""
    if prepared.follows is None:
        return None
    try:
        answer = await parts.runs.snapshot(prepared.follows)
    except UnknownRun:
        return None
    if answer.status is RunStatus.RUNNING:
        return None
    await parts.cases.note_answer(prepared.case_id, answer)
    return prepared.follows


async def _check(parts: Parts, case_id: str) -> None:
    """Raise the problem that the caller may not see the case."""
    await parts.cases.ask(subjects.CASES_HISTORY, cases.ReadHistory, cases.History, case_id=case_id, after=2**31 - 1)


async def _frames(parts: Parts, case_id: str, run_id: str, after: int) -> Frames:
    """Yield the run's events as frames, with what placeholders stand for, and keep the answer in the case."""
    async with contextlib.aclosing(parts.runs.follow(run_id, after)) as events:
        async for event in events:
            data = await parts.cases.shown(case_id, event.model_dump(mode="json"))
            if event.type in CLOSING:
                with contextlib.suppress(ProblemError):
                    await parts.cases.note_answer(case_id, await parts.runs.snapshot(run_id))
            yield frame(event.type, json.dumps(data, ensure_ascii=False), event.id)


def _run_id(caller: str, case_id: str, key: str) -> str:
    return hashlib.sha256(f"case\0{caller}\0{case_id}\0{key}".encode()).hexdigest()[:32]
