"""Runs: accepting a question, cancelling it, reading and following what came of it."""

import asyncio
import contextlib
from collections.abc import AsyncGenerator
from datetime import timedelta

from lovsvar_chassis.problems import problem
from lovsvar_chassis.publisher import EventPublisher
from lovsvar_chassis.run_log import Cursor, LogLost, RunLog, RunTaken, RunUnknown, snapshot
from lovsvar_contracts import subjects
from lovsvar_contracts.audit import AuditAction, AuditRecord
from lovsvar_contracts.message import utc_now
from lovsvar_contracts.problems import ProblemError
from lovsvar_contracts.questions import Answer, CancelQuestion, QuestionAsked, RunStatus
from lovsvar_contracts.run_events import CLOSING, AnswerCompleted, RunAccepted, RunCancelled, RunEvent, RunFailed
from lovsvar_gateway.adapters.audit_log import AuditLog
from lovsvar_gateway.adapters.nats_link import Link
from lovsvar_gateway.adapters.question_queue import QuestionQueue
from lovsvar_gateway.core.access import ANYBODY, Caller
from lovsvar_gateway.core.audit_records import record_of_answer
from lovsvar_gateway.core.errors import KeyReused, TooManyQuestions, UnknownRun
from lovsvar_gateway.core.idempotency import MOST_ATTEMPTS, is_same, keyed
from lovsvar_gateway.core.queue_admission import Place

READ_SECONDS = 5.0

QUEUED_ONCE = timedelta(seconds=60)
"""How long a question may be handed on again: its message has the same id each time, which JetStream remembers for two
minutes. One that is older and was never queued is queued by the agents."""


class Runs:
    """Runs as `caller` knows them: their log, and the stream that questions are put in.

    A run that is another's is unknown to `caller`, and so is one that was asked over NATS to whoever has a key.
    """

    def __init__(
        self,
        events: EventPublisher,
        link: Link,
        audit: AuditLog,
        queue: QuestionQueue,
        question_seconds: float,
        caller: Caller = ANYBODY,
        run_log: RunLog | None = None,
    ) -> None:
        """`question_seconds` is how long a question stands until an agent begins."""
        self._events = events
        self._log = run_log or RunLog(events)
        self._link = link
        self._audit = audit
        self._queue = queue
        self._question_seconds = question_seconds
        self._caller = caller

    def seen_by(self, caller: Caller) -> "Runs":
        """Return the runs as `caller` knows them."""
        return Runs(self._events, self._link, self._audit, self._queue, self._question_seconds, caller, self._log)

    async def accept(self, asked: QuestionAsked, key: str | None = None) -> RunAccepted:
        """Store the question and hand it to the agents; return the run's first event.

        What is asked again with the same `key` of the same caller is the same run, whose id is not that of `asked`;
        where that run failed and might not fail again, it is another attempt, and another run. Raises, before anything
        is stored, `QueueFull`, `TooManyWaiting`, `TooManyQuestions`, `KeyReused`, and `UnknownRun` when it follows a
        run that is gone or another's. Raises `ProblemError`; the run is then closed as failed.
        """
        asked = asked.model_copy(update={"expires_at": utc_now() + timedelta(seconds=self._question_seconds)})
        if key is not None:
            asked, begun = await self._attempt(asked, key)
            if begun is not None:
                return begun
        if asked.follows is not None:
            await self.asked_in(asked.follows)
        async with self._queue.room_for(self._caller) as place:
            if wait := self._caller.wait_to_ask():
                raise TooManyQuestions(wait)
            try:
                return await self._store(asked, place)
            except RunTaken:
                if key is not None and (before := await self._asked_before(asked)) is not None:
                    return _began(before)
                raise

    async def _attempt(self, asked: QuestionAsked, key: str) -> tuple[QuestionAsked, RunAccepted | None]:
        """Return `asked` as the newest run of `key`, and how that began; None if it has not begun.

        Raises `KeyReused`, `ProblemError`.
        """
        for attempt in range(MOST_ATTEMPTS):
            asked = keyed(asked, self._caller.asker, key, attempt)
            before = await self._asked_before(asked)
            if not isinstance(before, RunFailed):
                break
        return asked, None if before is None else _began(before)

    async def _asked_before(self, asked: QuestionAsked) -> RunAccepted | RunFailed | None:
        """Return how the run of `asked` began, handing it to the agents if nobody has; None if it has not begun.

        Where it failed and might not fail again, that is returned. Raises `KeyReused`, `ProblemError`.
        """
        try:
            first, (last, _) = await self._first(asked.run_id), await self._last(asked.run_id)
        except UnknownRun:
            return None
        if not (isinstance(first, RunAccepted) and is_same(first, asked)):
            raise KeyReused
        if isinstance(last, RunFailed) and last.retryable:
            return last
        if isinstance(last, RunAccepted) and utc_now() - last.occurred_at < QUEUED_ONCE:
            await self._hand_on(asked)
        return first

    async def _store(self, asked: QuestionAsked, place: Place) -> RunAccepted:
        accepted = RunAccepted(
            run_id=asked.run_id,
            correlation_id=asked.correlation_id,
            question=asked.question,
            mode=asked.mode,
            locale=asked.locale,
            filters=asked.filters,
            follows=asked.follows,
            owner=self._caller.name or None,
            place=place.number,
            expected_wait=place.wait,
            expires_at=asked.expires_at,
        )
        writing = self._write_down(AuditAction.ASKED, asked.run_id, asked.correlation_id, asked)
        # At once, since whoever asks waits for both; only then is the question handed on.
        stored, written = await asyncio.gather(
            self._link.hold(self._log.append(accepted, Cursor())), writing, return_exceptions=True
        )
        if isinstance(stored, BaseException):
            raise stored
        _, end = stored
        try:
            if isinstance(written, BaseException):
                raise written
            await self._hand_on(asked)
        except ProblemError as exc:
            failed = RunFailed(
                run_id=asked.run_id,
                correlation_id=asked.correlation_id,
                problem=exc.problem.type,
                detail=exc.problem.detail,
                retryable=exc.problem.retryable,
            )
            # Where this cannot be stored either, an agent closes the run.
            with contextlib.suppress(ProblemError, RunTaken):
                await self._link.hold(self._log.append(failed, end))
            raise
        return accepted.model_copy(update={"id": end.id})

    async def _hand_on(self, asked: QuestionAsked) -> None:
        await self._link.hold(self._events.publish(subjects.question_asked(self._caller.asker), asked))

    async def asked_in(self, run_id: str) -> str:
        """Return the question of a run. Raises `UnknownRun`, `ProblemError`."""
        first = await self._first(run_id)
        if isinstance(first, RunAccepted) and (not self._caller.name or self._caller.may_see(first.owner)):
            return first.question
        raise UnknownRun(run_id)

    async def cancel(self, run_id: str) -> None:
        """Cancel the run; one that has ended stays as it ended. Raises `UnknownRun`, `ProblemError`."""
        await self._check_owner(run_id)
        while (last := await self._last(run_id))[0].type not in CLOSING:
            correlation_id = last[0].correlation_id
            cancelled = RunCancelled(run_id=run_id, correlation_id=correlation_id)
            try:
                await self._link.hold(self._log.append(cancelled, last[1]))
            except RunTaken:
                continue  # The agent was faster: look where the run ends now.
            notice = CancelQuestion(run_id=run_id, correlation_id=correlation_id)
            await self._link.hold(self._events.notify(subjects.question_cancel(run_id), notice))
            await self._write_down(AuditAction.CANCELLED, run_id, correlation_id)
            return

    async def last_event(self, run_id: str) -> RunEvent:
        """Return the run's last event. Raises `UnknownRun`, `ProblemError`."""
        await self._check_owner(run_id)
        return (await self._last(run_id))[0]

    async def snapshot(self, run_id: str) -> Answer:
        """Return the run as it stands. Raises `UnknownRun`, `ProblemError`."""
        return (await self.read(run_id))[0]

    async def read(self, run_id: str) -> tuple[Answer, list[RunEvent]]:
        """Return the run as it stands, and the events that led there. Raises `UnknownRun`, `ProblemError`."""
        await self._check_owner(run_id)
        try:
            events = await self._link.hold(self._log.read(run_id), within=READ_SECONDS)
        except RunUnknown as exc:
            raise UnknownRun(run_id) from exc
        answer = snapshot(events)
        if answer.status is not RunStatus.RUNNING:
            await self._write_down_answer(answer)
        return answer, events

    async def follow(self, run_id: str, after: int) -> AsyncGenerator[RunEvent, None]:
        """Yield the run's events with ids above `after`; end behind the closing one. Close it when leaving early.

        Whose run it is was checked by `last_event`, or it is one that was just asked. Raises `UnknownRun` when the
        run's log is deleted meanwhile.
        """
        async with contextlib.aclosing(self._log.follow(run_id, after)) as events:
            try:
                async for event in events:
                    if isinstance(event, AnswerCompleted):
                        await self._write_down_answer(event.answer)
                    yield event
            except LogLost as exc:
                raise UnknownRun(run_id) from exc

    async def _check_owner(self, run_id: str) -> None:
        if not self._caller.name:
            return
        first = await self._first(run_id)
        if not (isinstance(first, RunAccepted) and self._caller.may_see(first.owner)):
            raise UnknownRun(run_id)

    async def _first(self, run_id: str) -> RunEvent:
        try:
            return await self._link.hold(self._log.begin(run_id))
        except RunUnknown as exc:
            raise UnknownRun(run_id) from exc

    async def _last(self, run_id: str) -> tuple[RunEvent, Cursor]:
        try:
            return await self._link.hold(self._log.end(run_id))
        except RunUnknown as exc:
            raise UnknownRun(run_id) from exc

    async def _write_down(
        self, action: AuditAction, run_id: str, correlation_id: str, asked: QuestionAsked | None = None
    ) -> None:
        record = AuditRecord(
            correlation_id=correlation_id,
            action=action,
            key=self._caller.name,
            run_id=run_id,
            question=asked and asked.question,
            filters=asked and asked.filters,
            follows=asked and asked.follows,
        )
        await self._audit.write(record)

    async def _write_down_answer(self, answer: Answer) -> None:
        await self._audit.write(record_of_answer(answer).model_copy(update={"key": self._caller.name}))


def _began(before: RunAccepted | RunFailed) -> RunAccepted:
    """Return how a run began. Raises, as a `ProblemError`, what it failed with."""
    if isinstance(before, RunFailed):
        raise ProblemError(problem(before.problem, before.detail))
    return before
