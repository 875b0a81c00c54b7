"""Runs: accepting a question, cancelling it, reading and following what came of it."""

import contextlib
from collections.abc import AsyncGenerator

from lovsvar_chassis.events import EventPublisher
from lovsvar_chassis.run_log import Cursor, RunLog, RunTaken, RunUnknown, snapshot
from lovsvar_contracts import subjects
from lovsvar_contracts.problems import ProblemError
from lovsvar_contracts.questions import Answer, CancelQuestion, QuestionAsked
from lovsvar_contracts.run_events import CLOSING, RunAccepted, RunCancelled, RunEvent, RunFailed
from lovsvar_gateway.adapters.link import Link
from lovsvar_gateway.core.errors import UnknownRun

READ_SECONDS = 5.0


class Runs:
    """Runs as the gateway knows them: their log, and the stream that questions are put in."""

    def __init__(self, events: EventPublisher, link: Link) -> None:
        self._events = events
        self._log = RunLog(events)
        self._link = link

    async def accept(self, asked: QuestionAsked) -> None:
        """Store the question and hand it to the agents. Raises `ProblemError`; the run is then closed as failed."""
        accepted = RunAccepted(
            run_id=asked.run_id,
            correlation_id=asked.correlation_id,
            question=asked.question,
            mode=asked.mode,
            locale=asked.locale,
        )
        _, end = await self._link.hold(self._log.append(accepted, Cursor()))
        try:
            await self._link.hold(self._events.publish(subjects.QUESTION_ASKED, asked))
        except ProblemError as exc:
            failed = RunFailed(
                run_id=asked.run_id,
                correlation_id=asked.correlation_id,
                problem=exc.problem.type,
                detail=exc.problem.detail,
                retryable=exc.problem.retryable,
            )
            # Where this cannot be stored either, the log expires by itself.
            with contextlib.suppress(ProblemError, RunTaken):
                await self._link.hold(self._log.append(failed, end))
            raise

    async def cancel(self, run_id: str) -> None:
        """Cancel the run; one that has ended stays as it ended. Raises `UnknownRun`, `ProblemError`."""
        while (last := await self._last(run_id))[0].type not in CLOSING:
            correlation_id = last[0].correlation_id
            cancelled = RunCancelled(run_id=run_id, correlation_id=correlation_id)
            try:
                await self._link.hold(self._log.append(cancelled, last[1]))
            except RunTaken:
                continue  # The agent was faster: look where the run ends now.
            notice = CancelQuestion(run_id=run_id, correlation_id=correlation_id)
            await self._link.hold(self._events.notify(subjects.question_cancel(run_id), notice))
            return

    async def last_event(self, run_id: str) -> RunEvent:
        """Return the run's last event. Raises `UnknownRun`, `ProblemError`."""
        return (await self._last(run_id))[0]

    async def snapshot(self, run_id: str) -> Answer:
        """Return the run as it stands. Raises `UnknownRun`, `ProblemError`."""
        try:
            return snapshot(await self._link.hold(self._log.read(run_id), within=READ_SECONDS))
        except RunUnknown as exc:
            raise UnknownRun(run_id) from exc

    def follow(self, run_id: str, after: int) -> AsyncGenerator[RunEvent, None]:
        """Yield the run's events with ids above `after`; end behind the closing one. Close it when leaving early."""
        return self._log.follow(run_id, after)

    async def _last(self, run_id: str) -> tuple[RunEvent, Cursor]:
        try:
            return await self._link.hold(self._log.end(run_id))
        except RunUnknown as exc:
            raise UnknownRun(run_id) from exc
