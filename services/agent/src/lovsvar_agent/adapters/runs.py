"""The runs of this process: taken from the queue, taken over, cancelled, given up, or waited for.

A run's log is the only truth about it. An append names the log's end that it expects, so that of two agents
one is stopped; what is done here can therefore be done twice.
"""

import asyncio
from collections import deque
from contextlib import suppress
from dataclasses import replace

import structlog

from lovsvar_agent.core.earlier_turns import MAX_TURNS, Turn, turn_of
from lovsvar_agent.core.errors import AskTimeout, RunStopped
from lovsvar_agent.core.modes import Answerer
from lovsvar_agent.core.ports import EventSink
from lovsvar_agent.core.takeover import Attempt, Nothing, abandoned, accepted, decide
from lovsvar_chassis.publisher import EventPublisher
from lovsvar_chassis.redelivery import RetryLater
from lovsvar_chassis.run_log import Cursor, RunLog, RunTaken, RunUnknown, snapshot
from lovsvar_chassis.tasks import end
from lovsvar_contracts import subjects
from lovsvar_contracts.message import utc_now
from lovsvar_contracts.questions import Answer, QuestionAsked
from lovsvar_contracts.run_events import CLOSING, RunCancelled, RunEvent

log = structlog.get_logger()

REMEMBERED_CANCELS = 1_000
MOST_WAITING = 64
"""Events of one run that may wait to be stored; what emits more waits too."""

RECALL_SECONDS = 5.0
"""How long is waited for what a question follows up; it is answered alone after that."""


class RunWriter(EventSink):
    """Appends a run's events to its log after `cursor`, one after the other, while the run goes on."""

    def __init__(self, log: RunLog, cursor: Cursor) -> None:
        self._log = log
        self._cursor = cursor
        self._waiting: deque[RunEvent] = deque()
        self._storing: asyncio.Task[None] | None = None
        self._stored = asyncio.Event()

    async def emit(self, event: RunEvent) -> None:
        """Have `event` stored after those before it. Raises what storing one of them has failed with."""
        if len(self._waiting) >= MOST_WAITING:
            await self.settle()
        if self._storing is None or self._storing.done():
            if self._storing is not None:
                self._storing.result()
            self._storing = asyncio.create_task(self._store(), name="run-writer")
        self._waiting.append(event)

    async def settle(self) -> None:
        """Return when all is stored. Raises what storing has failed with."""
        if self._storing is not None:
            await asyncio.shield(self._storing)

    async def confirm(self) -> None:
        """Return when one event more is stored, at once if none waits. Raises what storing has failed with."""
        if self._storing is None:
            return
        if self._waiting and not self._storing.done():
            self._stored.clear()
            await self._stored.wait()
        if self._storing.done():
            self._storing.result()

    async def end(self) -> None:
        """Return when nothing is being stored any more, whether or not all was.

        Without it, an event could be stored after another writer has looked at the end of the log.
        """
        if self._storing is not None:
            with suppress(Exception):
                await self.settle()

    async def _store(self) -> None:
        try:
            while self._waiting:
                _, self._cursor = await self._log.append(self._waiting[0], self._cursor)
                self._waiting.popleft()
                self._stored.set()
        except RunTaken as exc:
            raise RunStopped(str(exc)) from exc
        finally:
            self._stored.set()


class Runs:
    """Answers questions, one task a run. Times are in seconds."""

    def __init__(self, events: EventPublisher, answerer: Answerer, *, ack_wait: float, ask_timeout: float) -> None:
        self._events = events
        self._log = RunLog(events)
        self._answerer = answerer
        self._ack_wait = ack_wait
        self._ask_timeout = ask_timeout
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._cancelled: deque[str] = deque(maxlen=REMEMBERED_CANCELS)

    async def answer(self, asked: QuestionAsked, delivery: int) -> None:
        """Do the run that `asked` names, unless it is done; return when its log is closed.

        `delivery` counts how often this message has been handed out. Raises `RetryLater` when another
        agent has the run.
        """
        if other := self._tasks.get(asked.run_id):
            await asyncio.wait({other})
            return
        task = asyncio.create_task(self._answer(asked, delivery), name=f"run-{asked.run_id}")
        self._tasks[asked.run_id] = task
        try:
            await asyncio.wait({task})
        except asyncio.CancelledError:
            await end(task)
            raise
        finally:
            del self._tasks[asked.run_id]
        if task.cancelled():
            await self._close(asked.run_id, RunCancelled(run_id=asked.run_id))
        else:
            task.result()

    async def cancel(self, run_id: str) -> None:
        """Stop the run at once if it is ours, and close its log unless it is closed.

        A run that is still queued and has no log yet is remembered, and closed when it is taken.
        """
        self._cancelled.append(run_id)
        if task := self._tasks.get(run_id):
            task.cancel()
        else:
            await self._close(run_id, RunCancelled(run_id=run_id))

    async def give_up(self, asked: QuestionAsked, reason: str) -> None:
        """Close the run as failed. `reason` is for the log of this service; readers get a sentence."""
        await self._take(asked)
        await self._close(asked.run_id, abandoned(asked.run_id))

    async def ask(self, asked: QuestionAsked) -> Answer:
        """Queue the question and return its answer when the run ends. Raises `AskTimeout`, `ProblemError`."""
        await self._take(asked)
        await self._events.publish(subjects.QUESTION_ASKED, asked)
        try:
            async with asyncio.timeout(self._ask_timeout):
                return snapshot([event async for event in self._log.follow(asked.run_id)])
        except TimeoutError as exc:
            raise AskTimeout(
                f"Kjøringen {asked.run_id} ble ikke ferdig på {self._ask_timeout:g} sekunder. Den fortsetter; "
                "hent svaret senere."
            ) from exc

    async def _answer(self, asked: QuestionAsked, delivery: int) -> None:
        last, cursor = await self._take(asked)
        # A run that was only accepted needs no second look at its log.
        events = [last] if cursor.id == 1 or last.type in CLOSING else await self._log.read(asked.run_id)
        cancelled = asked.run_id in self._cancelled
        match decide(asked, events, delivery=delivery, cancelled=cancelled, ack_wait=self._ack_wait, now=utc_now()):
            case Nothing.CLOSED:
                return
            case Nothing.TAKEN:
                raise self._later("a second copy of a question that is being answered")
            case Attempt() as attempt:
                await self._attempt(asked, attempt, cursor)
            case closing:
                await self._close(asked.run_id, closing)

    async def _attempt(self, asked: QuestionAsked, attempt: Attempt, cursor: Cursor) -> None:
        writer, turns = RunWriter(self._log, cursor), await self._recall(asked)
        try:
            attempt = replace(attempt, before=await self._before(asked))
            await self._answerer.answer(asked, attempt, writer, turns)
            log.info("run answered", run_id=asked.run_id, attempt=attempt.number)
        except RunStopped:
            last, _ = await self._log.end(asked.run_id)
            if last.type not in CLOSING:
                raise self._later("another agent has taken the run over") from None
        finally:
            await writer.end()

    async def _recall(self, asked: QuestionAsked) -> tuple[Turn, ...]:
        """Return what `asked` follows up, the latest last; nothing of what has expired."""
        turns: list[Turn] = []
        run_id = asked.follows
        while run_id and len(turns) < MAX_TURNS:
            try:
                async with asyncio.timeout(RECALL_SECONDS):
                    earlier = snapshot(await self._log.read(run_id))
            except (RunUnknown, TimeoutError):
                break
            if not earlier.question:  # The beginning of its log has expired.
                break
            turns.append(turn_of(earlier))
            run_id = earlier.follows
        return tuple(reversed(turns))

    async def _before(self, asked: QuestionAsked) -> tuple[RunEvent, ...]:
        """Return the events of the run before this one in a case, whose work may have been cut; none if expired."""
        if asked.case_id is None or asked.follows is None:
            return ()
        with suppress(RunUnknown, TimeoutError):
            async with asyncio.timeout(RECALL_SECONDS):
                return tuple(await self._log.read(asked.follows))
        return ()

    async def _take(self, asked: QuestionAsked) -> tuple[RunEvent, Cursor]:
        """Return the end of the run's log; a run without one is accepted here."""
        with suppress(RunUnknown):
            return await self._log.end(asked.run_id)
        try:
            return await self._log.append(accepted(asked), Cursor())
        except RunTaken:
            return await self._log.end(asked.run_id)

    async def _close(self, run_id: str, closing: RunEvent) -> None:
        """Append `closing` with the run's correlation id, unless the log is closed or there is none."""
        while True:
            try:
                last, cursor = await self._log.end(run_id)
            except RunUnknown:
                return
            if last.type in CLOSING:
                return
            try:
                await self._log.append(closing.model_copy(update={"correlation_id": last.correlation_id}), cursor)
            except RunTaken:
                continue
            return

    def _later(self, reason: str) -> RetryLater:
        # The agent that has the run ends it within its limit or gives its own message back.
        return RetryLater(self._answerer.limits.seconds, reason)
