"""Runs: accepted, cancelled, read and followed."""

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Iterator
from dataclasses import dataclass, replace
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
from lovsvar_contracts.saved_answers import Thread
from lovsvar_gateway.adapters.audit_log import AuditLog
from lovsvar_gateway.adapters.nats_link import NatsLink
from lovsvar_gateway.adapters.question_queue import QuestionQueue
from lovsvar_gateway.core.access import ANYBODY, Caller
from lovsvar_gateway.core.audit_records import record_of_answer
from lovsvar_gateway.core.errors import KeyReused, TooManyQuestions, UnknownRun
from lovsvar_gateway.core.idempotency import MOST_ATTEMPTS, is_same, keyed
from lovsvar_gateway.core.queue_admission import Place

READ_SECONDS = 5.0

MOST_TURNS = 8
"""How many answers of a thread are read at once."""

QUEUED_ONCE = timedelta(seconds=60)
"""How long a question may be queued again: its message id is the same, which JetStream remembers for two minutes. An
older one that was never queued is queued by the agents."""


@dataclass(frozen=True)
class CallerRuns:
    """Runs as `caller` may see them: their log, and the queue of questions.

    Another caller's run is unknown, and so is, to a caller with a key, one that was asked over NATS. An agent may take
    `question_seconds` to begin a question.
    """

    events: EventPublisher
    log: RunLog
    link: NatsLink
    audit: AuditLog
    queue: QuestionQueue
    question_seconds: float
    caller: Caller = ANYBODY

    def seen_by(self, caller: Caller) -> "CallerRuns":
        """Return the runs as `caller` knows them."""
        return replace(self, caller=caller)

    async def accept(self, asked: QuestionAsked, key: str | None = None) -> RunAccepted:
        """Store and queue the question; return the run's first event.

        A repeated question with the same `key` of the same caller is the same run, whose id is not that of `asked`;
        after a failure that may not happen again it is another run. Before anything is stored, it raises `QueueFull`,
        `TooManyWaiting`, `TooManyQuestions`, `KeyReused`, and `UnknownRun` when it follows a run that the caller cannot
        see. Raises `ProblemError`; the run is then closed as failed.
        """
        seen = self.caller.catalogues
        asked = asked.model_copy(
            update={
                "expires_at": utc_now() + timedelta(seconds=self.question_seconds),
                "catalogues": None if seen is None else tuple(sorted(seen)),
            }
        )
        if key is not None:
            asked, begun = await self._attempt(asked, key)
            if begun is not None:
                return begun
        if asked.follows is not None:
            await self.asked_in(asked.follows)
        async with self.queue.room_for(self.caller) as place:
            if wait := self.caller.wait_to_ask():
                raise TooManyQuestions(wait)
            try:
                return await self._store(asked, place)
            except RunTaken:
                if key is not None and (before := await self._asked_before(asked)) is not None:
                    return _began(before)
                raise

    async def _attempt(self, asked: QuestionAsked, key: str) -> tuple[QuestionAsked, RunAccepted | None]:
        """Return `asked` as the newest run of `key`, and its first event if it has begun. Raises `KeyReused`."""
        for attempt in range(MOST_ATTEMPTS):
            asked = keyed(asked, self.caller.asker, key, attempt)
            before = await self._asked_before(asked)
            if not isinstance(before, RunFailed):
                break
        return asked, None if before is None else _began(before)

    async def _asked_before(self, asked: QuestionAsked) -> RunAccepted | RunFailed | None:
        """Return the first event of the run of `asked`, which is queued if it was not, or its retryable failure.

        None if it has not begun. Raises `KeyReused`, `ProblemError`.
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
        same = (
            "run_id",
            "correlation_id",
            "question",
            "mode",
            "locale",
            "filters",
            "follows",
            "case_id",
            "expires_at",
            "catalogues",
        )
        accepted = RunAccepted(
            **{name: getattr(asked, name) for name in same},
            owner=self.caller.name or None,
            place=place.number,
            expected_wait=place.wait,
        )
        writing = self._write_down(AuditAction.ASKED, asked.run_id, asked.correlation_id, asked)
        # Concurrently, since the caller waits for both; only then is the question queued.
        stored, written = await asyncio.gather(
            self.link.hold(self.log.append(accepted, Cursor())), writing, return_exceptions=True
        )
        if isinstance(stored, BaseException):
            raise stored
        _, end = stored
        try:
            if isinstance(written, BaseException):
                raise written
            await self._hand_on(asked)
        except ProblemError as exc:
            why = exc.problem
            fields = {"problem": why.type, "detail": why.detail, "retryable": why.retryable}
            failed = RunFailed(run_id=asked.run_id, correlation_id=asked.correlation_id, **fields)
            # Where this cannot be stored either, an agent closes the run.
            with contextlib.suppress(ProblemError, RunTaken):
                await self.link.hold(self.log.append(failed, end))
            raise
        return accepted.model_copy(update={"id": end.id})

    async def _hand_on(self, asked: QuestionAsked) -> None:
        await self.link.hold(self.events.publish(subjects.question_asked(self.caller.asker), asked))

    async def asked_in(self, run_id: str) -> str:
        """Return the question of a run. Raises `UnknownRun`, `ProblemError`."""
        first = await self._first(run_id)
        if isinstance(first, RunAccepted) and (not self.caller.name or self.caller.may_see(first.owner)):
            return first.question
        raise UnknownRun(run_id)

    async def cancel(self, run_id: str) -> None:
        """Cancel the run; one that has ended stays as it ended. Raises `UnknownRun`, `ProblemError`."""
        await self._check_owner(run_id)
        while (last := await self._last(run_id))[0].type not in CLOSING:
            correlation_id = last[0].correlation_id
            cancelled = RunCancelled(run_id=run_id, correlation_id=correlation_id)
            try:
                await self.link.hold(self.log.append(cancelled, last[1]))
            except RunTaken:
                continue  # The agent was faster: look where the run ends now.
            notice = CancelQuestion(run_id=run_id, correlation_id=correlation_id)
            await self.link.hold(self.events.notify(subjects.question_cancel(run_id), notice))
            await self._write_down(AuditAction.CANCELLED, run_id, correlation_id)
            return

    async def last_event(self, run_id: str) -> RunEvent:
        """Return the run's last event. Raises `UnknownRun`, `ProblemError`."""
        await self._check_owner(run_id)
        return (await self._last(run_id))[0]

    async def snapshot(self, run_id: str) -> Answer:
        """Return the answer so far. Raises `UnknownRun`, `ProblemError`."""
        return (await self.read(run_id))[0]

    async def read(self, run_id: str) -> tuple[Answer, list[RunEvent]]:
        """Return the answer so far, and the run's events. Raises `UnknownRun`, `ProblemError`."""
        await self._check_owner(run_id)
        with _known(run_id):
            events = await self.link.hold(self.log.read(run_id), within=READ_SECONDS)
        answer = snapshot(events)
        if answer.status is not RunStatus.RUNNING:
            await self._write_down_answer(answer)
        return answer, events

    async def thread(self, answer: Answer) -> Thread:
        """Return the answers that the run of `answer` follows up, the first first, at most `MOST_TURNS`."""
        earlier: list[Answer] = []
        seen = {answer.run_id}
        following = answer.follows
        while following and following not in seen and len(earlier) < MOST_TURNS:
            seen.add(following)
            try:
                earlier.insert(0, await self.snapshot(following))
            except UnknownRun:
                return Thread(run_id=answer.run_id, answers=tuple(earlier), lost=True)
            following = earlier[0].follows
        more = following if following not in seen else None
        return Thread(run_id=answer.run_id, answers=tuple(earlier), more=more)

    async def follow(self, run_id: str, after: int) -> AsyncGenerator[RunEvent, None]:
        """Yield the run's events with ids above `after`, up to the closing one. Close it when leaving early.

        Its owner was checked by `last_event` or `accept`. Raises `UnknownRun` when the log is deleted meanwhile.
        """
        async with contextlib.aclosing(self.log.follow(run_id, after)) as events:
            with _known(run_id):
                async for event in events:
                    if isinstance(event, AnswerCompleted):
                        await self._write_down_answer(event.answer)
                    yield event

    async def _check_owner(self, run_id: str) -> None:
        if self.caller.name:
            first = await self._first(run_id)
            if not (isinstance(first, RunAccepted) and self.caller.may_see(first.owner)):
                raise UnknownRun(run_id)

    async def _first(self, run_id: str) -> RunEvent:
        with _known(run_id):
            return await self.link.hold(self.log.begin(run_id))

    async def _last(self, run_id: str) -> tuple[RunEvent, Cursor]:
        with _known(run_id):
            return await self.link.hold(self.log.end(run_id))

    async def _write_down(
        self, action: AuditAction, run_id: str, correlation_id: str, asked: QuestionAsked | None = None
    ) -> None:
        about = {name: getattr(asked, name) for name in ("question", "filters", "follows")} if asked else {}
        key = self.caller.name
        await self.audit.write(
            AuditRecord(correlation_id=correlation_id, action=action, key=key, run_id=run_id, **about)
        )

    async def _write_down_answer(self, answer: Answer) -> None:
        await self.audit.write(record_of_answer(answer).model_copy(update={"key": self.caller.name}))


@contextlib.contextmanager
def _known(run_id: str) -> Iterator[None]:
    """Raise `UnknownRun` where the log has no such run."""
    try:
        yield
    except (RunUnknown, LogLost) as exc:
        raise UnknownRun(run_id) from exc


def _began(before: RunAccepted | RunFailed) -> RunAccepted:
    """Return how a run began. Raises, as a `ProblemError`, what it failed with."""
    if isinstance(before, RunFailed):
        raise ProblemError(problem(before.problem, before.detail))
    return before
