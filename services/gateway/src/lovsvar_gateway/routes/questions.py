"""Questions: asked, followed, read and cancelled."""

import contextlib
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Header, Query, Request, Response
from pydantic import BaseModel, Field

from lovsvar_contracts.law import LawType
from lovsvar_contracts.message import Token
from lovsvar_contracts.questions import Answer, Mode, QuestionAsked, RunStatus
from lovsvar_contracts.run_events import CLOSING, RunEvent
from lovsvar_contracts.saved_answers import Thread
from lovsvar_gateway.adapters.runs import CallerRuns
from lovsvar_gateway.core.errors import NotYetHappened
from lovsvar_gateway.core.phrases import CheckedQuestion
from lovsvar_gateway.core.question_form import filters_of
from lovsvar_gateway.parts import GatewayParts
from lovsvar_gateway.routes.search import Ministry, Year
from lovsvar_gateway.sse import MEDIA_TYPE, Frames, frame, nothing_more
from lovsvar_gateway.trace_headers import correlation_id

router = APIRouter(prefix="/v1/questions", tags=["questions"])

MAX_EVENT = 2**53

LastEventId = Annotated[int | None, Header(alias="Last-Event-ID", ge=0, le=MAX_EVENT)]
IdempotencyKey = Annotated[
    str | None,
    Header(
        alias="Idempotency-Key",
        min_length=1,
        max_length=255,
        description="A fresh one for each question, sent again with each try: the same question is then one run.",
    ),
]
After = Annotated[
    int, Query(ge=0, le=MAX_EVENT, description="The last event that was seen; `Last-Event-ID` goes before it.")
]
EVENTS: dict[int | str, dict[str, Any]] = {
    200: {"description": "Server-sent events", "content": {MEDIA_TYPE: {"schema": {"type": "string"}}}}
}
FOLLOWED: dict[int | str, dict[str, Any]] = {**EVENTS, 204: {"description": "Nothing more comes"}}


class AskedFilters(BaseModel, extra="forbid"):
    """What every search for an answer is narrowed to: filters of `GET /v1/search`."""

    law_type: LawType | None = None
    year: Year | None = Field(default=None, description="Year of the document's own date.")
    ministry: Ministry | None = Field(default=None, description="Part of a ministry's name.")


class AskQuestion(BaseModel):
    """A question about Norwegian law, at most 4,000 characters."""

    question: CheckedQuestion = Field(examples=["Hvor mye kan utleier kreve i depositum?"])
    locale: Literal["nb", "nn", "en"] | None = None
    mode: Mode | None = Field(default=None, description="None lets the agent choose what it is set up for.")
    filters: AskedFilters | None = Field(default=None, description="What is searched and read; nothing else is.")
    follows: Token | None = Field(
        default=None, description="The run that the question follows up, which must be the caller's own."
    )


class RunLinks(BaseModel):
    """Where the run is read, followed and cancelled."""

    self: str
    events: str
    cancel: str


class QuestionAccepted(BaseModel):
    """The question is stored and will be answered."""

    run_id: Token
    status: RunStatus
    place: int | None = Field(default=None, description="Its place in the queue: 1 is taken next, 0 at once.")
    expected_wait: float | None = Field(default=None, description="Seconds until an agent is expected to begin.")
    links: RunLinks


@router.post("", status_code=202, response_model=QuestionAccepted, responses=EVENTS)
async def ask_question(
    body: AskQuestion, request: Request, response: Response, parts: GatewayParts, key: IdempotencyKey = None
) -> object:
    """Ask. Answers with the run's address, or with its events when `Accept` names `text/event-stream`.

    With `filters`, nothing outside them is searched or read. A question that `follows` a run is answered with that
    run's question and answer at hand; 404 when the run is gone or another's. 503 `queue-full` and 429
    `too-many-waiting` say in `Retry-After` when to ask again.
    """
    filters = body.filters and filters_of(**body.filters.model_dump())
    fields = body.model_dump(exclude={"filters"})
    asked = QuestionAsked(correlation_id=correlation_id(), filters=filters, **fields)
    first = await parts.runs.accept(asked, key)
    address = f"/v1/questions/{first.run_id}"
    headers = {"Location": address, "X-Run-Id": first.run_id}
    if MEDIA_TYPE in request.headers.get("accept", ""):
        return parts.stream(run_frames(parts.runs, first.run_id, 0, first), headers)
    response.headers.update(headers)
    place = {"place": first.place, "expected_wait": first.expected_wait}
    links = RunLinks(self=address, events=f"{address}/events", cancel=address)
    return QuestionAccepted(run_id=first.run_id, status=RunStatus.RUNNING, links=links, **place)


@router.get("/{run_id}")
async def read_answer(run_id: Token, response: Response, parts: GatewayParts) -> Answer:
    """Read the answer; while the run goes on, a snapshot of it."""
    response.headers["Cache-Control"] = "no-store"
    return await parts.runs.snapshot(run_id)


@router.get("/{run_id}/thread")
async def read_thread(run_id: Token, response: Response, parts: GatewayParts) -> Thread:
    """Read the answers that the run follows up, the first of the thread first, as long as they are kept."""
    response.headers["Cache-Control"] = "no-store"
    return await parts.runs.thread(await parts.runs.snapshot(run_id))


@router.get("/{run_id}/events", response_class=Response, responses=FOLLOWED)
async def follow_run(
    run_id: Token, parts: GatewayParts, last_event_id: LastEventId = None, after: After = 0
) -> Response:
    """Follow the run: its events after the last one seen, then as they happen, up to the closing one."""
    seen = after if last_event_id is None else last_event_id
    last = await parts.runs.last_event(run_id)
    if last.type in CLOSING and seen >= last.id:
        return nothing_more()
    if seen > last.id:
        raise NotYetHappened(run_id, seen, last.id)
    return parts.stream(run_frames(parts.runs, run_id, seen))


@router.delete("/{run_id}", status_code=204)
async def cancel_question(run_id: Token, parts: GatewayParts) -> None:
    """Cancel the run. Cancelling again, or a run that has ended, changes nothing."""
    await parts.runs.cancel(run_id)


class EventsMissing(Exception):
    """An event is missing in mid-stream. Remedy: the client resumes, and reads it from the log."""


async def run_frames(runs: CallerRuns, run_id: str, after: int, first: RunEvent | None = None) -> Frames:
    """Yield the run's events after `after` as frames, each once.

    `first` is the event after `after` where it is at hand, which saves a read. Where events have expired, an event
    `snapshot` with the answer so far comes before the rest.
    """
    if first is not None:
        yield frame(first.type, first.model_dump_json(), first.id)
        after = first.id
    seen = after
    async with contextlib.aclosing(runs.follow(run_id, after)) as events:
        async for event in events:
            if event.id != seen + 1:
                if seen != after:
                    raise EventsMissing(f"{run_id}: {event.id} came after {seen}")
                yield frame("snapshot", (await runs.snapshot(run_id)).model_dump_json())
            seen = event.id
            yield frame(event.type, event.model_dump_json(), event.id)
