"""Ending or queueing again the runs that no agent works on and no question in the queue belongs to.

A gateway that dies after `run.accepted` leaves a run that was never queued, and a question may be gone from the queue
with its run still open: it was too old, could not be read, or its last agent died while giving up. Each replica looks
for itself. What two do at once is done once: an append expects the end of the run's log, and a question that is
queued again has the same message id.
"""

import asyncio
from datetime import datetime, timedelta

import structlog
from nats.js.errors import NotFoundError

from lovsvar_agent.core.takeover import abandoned, expired
from lovsvar_chassis.publisher import EventPublisher
from lovsvar_chassis.run_log import Cursor, RunLog, RunTaken, RunUnknown
from lovsvar_chassis.tasks import Background
from lovsvar_contracts import subjects
from lovsvar_contracts.message import utc_now
from lovsvar_contracts.questions import QuestionAsked
from lovsvar_contracts.run_events import CLOSING, RunAccepted, RunEvent

log = structlog.get_logger()


class Oversight(Background):
    """Looks at all open runs every `quiet` seconds. A part: start, stop."""

    def __init__(self, events: EventPublisher, quiet: float) -> None:
        """`quiet` is how many seconds old the last event of a run must be before anything is done about it."""
        self._events = events
        self._log = RunLog(events)
        self._quiet = quiet
        self._ended: set[str] = set()

    async def _run(self) -> None:
        while True:
            await asyncio.sleep(self._quiet)
            try:
                await self.look()
            except Exception as exc:  # Whatever it was: the next look comes.
                log.warning("open runs could not be looked at", error=repr(exc))

    async def look(self) -> None:
        """Queue or close every run that would else stay open for ever."""
        now = utc_now()
        since = now - timedelta(seconds=self._quiet)
        quiet = [(last, end) for last, end in await self._open() if last.occurred_at <= since]
        queued = await self._queued() if quiet else set()
        for last, end in quiet:
            if is_late(last, now) or last.run_id not in queued:
                await self._see_to(last, end, now)

    async def _open(self) -> list[tuple[RunEvent, Cursor]]:
        """Return the ends of all runs that are not closed. Each run is read until it is; then its name is enough."""
        info = await self._events.jetstream.stream_info(subjects.STREAM_ANSWERS, subjects.ANSWER_ANY)
        runs = {subject.rpartition(".")[2] for subject in info.state.subjects or {}}
        self._ended &= runs
        found = []
        for run_id in runs - self._ended:
            try:
                last, end = await self._log.end(run_id)
            except (RunUnknown, ValueError):  # Expired meanwhile, or written by a newer version.
                continue
            if last.type in CLOSING:
                self._ended.add(run_id)
            else:
                found.append((last, end))
        return found

    async def _queued(self) -> set[str]:
        """Return the runs of the questions in the queue, also those that are being answered."""
        found: set[str] = set()
        after = 0
        while True:
            try:
                raw = await self._events.jetstream.get_msg(
                    subjects.STREAM_QUESTIONS, seq=after + 1, subject=">", next=True
                )
            except NotFoundError:
                return found
            after = raw.seq or after + 1
            try:
                found.add(QuestionAsked.model_validate_json(raw.data or b"").run_id)
            except ValueError:
                continue  # An agent will dead-letter it.

    async def _see_to(self, last: RunEvent, end: Cursor, now: datetime) -> None:
        if again := question_of(last, now):
            await self._events.publish(subjects.QUESTION_ASKED, again)
            log.warning("queued a run that was only accepted", run_id=last.run_id)
            return
        ending = expired if is_late(last, now) else abandoned
        closing = ending(last.run_id).model_copy(update={"correlation_id": last.correlation_id})
        try:
            await self._log.append(closing, end)
        except RunTaken:
            return  # An agent, or another replica, was faster.
        log.warning("closed a run that nobody would end", run_id=last.run_id, problem=closing.problem)


def is_late(last: RunEvent, now: datetime) -> bool:
    """Return whether the run that ends with `last` was not begun in time."""
    return isinstance(last, RunAccepted) and last.expires_at is not None and now >= last.expires_at


def question_of(last: RunEvent, now: datetime) -> QuestionAsked | None:
    """Return the question of a run that was accepted by the gateway and never begun; None when it is too late for it.

    Its message id is the same each time, so that it is queued once.
    """
    if not isinstance(last, RunAccepted) or last.expires_at is None or is_late(last, now):
        return None
    kept = last.model_dump(include=set(QuestionAsked.model_fields) - {"occurred_at"})
    return QuestionAsked.model_validate({**kept, "event_id": f"{last.run_id}-again"})
