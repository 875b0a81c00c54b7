"""The stream of events of one case: its changes, and the events of the runs that its messages began, as they come.

A change is announced on NATS with no more than its version; what it is, is read from the cases service, which checks
each time that the caller may see the case. While that service is away, the stream waits for it.
"""

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Callable, Coroutine
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from operator import methodcaller
from typing import Any

from nats.aio.subscription import Subscription
from nats.errors import Error as NatsError
from nats.errors import TimeoutError as NatsTimeoutError

from lovsvar_chassis.run_log import RunUnknown, snapshot
from lovsvar_chassis.tasks import end, tell_of_failure
from lovsvar_contracts import cases, subjects
from lovsvar_contracts.case_events import CaseErased, event_of, run_of
from lovsvar_contracts.message import utc_now
from lovsvar_contracts.problems import ProblemError, ProblemType
from lovsvar_contracts.questions import RunStatus
from lovsvar_contracts.run_events import CLOSING, RunAccepted, RunEvent
from lovsvar_gateway.adapters.cases import CaseDesk
from lovsvar_gateway.adapters.runs import CallerRuns
from lovsvar_gateway.core.case_place import CasePlace
from lovsvar_gateway.core.errors import GatewayError, UnknownRun

LOOK_SECONDS = 10.0
"""Between two looks at a case of which no change is announced: an announcement may be lost."""

AWAY_SECONDS = 1.0
"""Between two tries of a service that does not answer."""

BEGINS_WITHIN = timedelta(seconds=60)
"""A message whose run has no log by then began none, or its log has expired."""

BEGIN_SECONDS = 0.2
RUNS_AT_ONCE = 16
"""Runs of a case that are followed at the same time; the next waits until one has ended."""

AHEAD = 16
"""Events that are read ahead of the reader."""


@dataclass
class CaseFollower:
    """Follows one case for one reader, from `place` on. Close `events` when leaving early."""

    desk: CaseDesk
    runs: CallerRuns
    case_id: str
    place: CasePlace
    _arrived: "asyncio.Queue[tuple[CasePlace, dict[str, Any]] | None]" = field(
        default_factory=lambda: asyncio.Queue(AHEAD)
    )
    _room: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(RUNS_AT_ONCE))
    _putting: asyncio.Lock = field(default_factory=asyncio.Lock)
    _tasks: set[asyncio.Task[None]] = field(default_factory=set)
    _followed: set[str] = field(default_factory=set)

    async def begin(self) -> None:
        """Check that the caller may see the case, and note that it is looked at. Raises `ProblemError`."""
        case = await self.desk.ask(subjects.CASES_READ, cases.ReadCase, cases.Case, case_id=self.case_id)
        going_on = case.state.details.case_processing_state.run_id
        if going_on and self.place.version and not self.place.runs and await self._is_open(going_on):
            self.place = self.place.begun(going_on)

    async def events(self) -> AsyncGenerator[tuple[CasePlace, dict[str, Any]], None]:
        """Yield each event with the place behind it, until the case is erased."""
        announced = await self.runs.events.connection.subscribe(subjects.case_changed(self.case_id))
        try:
            for run_id, seen in self.place.runs.items():
                await self._room.acquire()
                self._start(self._follow_run(run_id, seen, utc_now()))
                self._followed.add(run_id)
            self._start(self._follow_changes(announced))
            while (event := await self._arrived.get()) is not None:
                yield event
        finally:
            await end(*self._tasks)
            with contextlib.suppress(NatsError, OSError):
                await announced.unsubscribe()

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work, name=f"case-{self.case_id}")
        self._tasks.add(task)
        tell_of_failure(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            # The reader comes back, and goes on where it was.
            self._tasks.add(asyncio.create_task(self._arrived.put(None)))

    async def _put(self, data: dict[str, Any], moved: Callable[[CasePlace], CasePlace]) -> None:
        # One at a time: a place says that everything before it was put, too.
        async with self._putting:
            self.place = moved(self.place)
            await self._arrived.put((self.place, data))

    async def _follow_changes(self, announced: Subscription) -> None:
        while True:
            fields = {"case_id": self.case_id, "after": self.place.version, "following": True}
            try:
                found = await self.desk.ask(subjects.CASES_HISTORY, cases.ReadHistory, cases.History, **fields)
            except ProblemError as exc:
                if exc.problem.type is ProblemType.NOT_FOUND:
                    await self._put(CaseErased(case_id=self.case_id).model_dump(mode="json"), lambda place: place)
                    await self._arrived.put(None)
                    return
                await asyncio.sleep(AWAY_SECONDS)
                continue
            for change in found.changes:
                await self._put_change(change)
            if not found.next:
                with contextlib.suppress(NatsTimeoutError):
                    await announced.next_msg(timeout=LOOK_SECONDS)

    async def _put_change(self, change: cases.CaseChange) -> None:
        """Put a change, and follow the run that it began, if it did."""
        data = event_of(self.case_id, change).model_dump(mode="json")
        run_id = run_of(change)
        if run_id is None or run_id in self._followed:
            await self._put(data, methodcaller("changed", change.version))
            return
        await self._room.acquire()
        self._followed.add(run_id)
        await self._put(data, lambda place: place.changed(change.version).begun(run_id))
        self._start(self._follow_run(run_id, 0, change.at))

    async def _follow_run(self, run_id: str, seen: int, began: datetime) -> None:
        """Put the events of a run behind `seen`; of one without a log, or of another case, nothing."""
        with contextlib.suppress(UnknownRun):
            if await self._is_of_case(run_id, began):
                async with contextlib.aclosing(self.runs.follow(run_id, seen)) as events:
                    async for event in events:
                        await self._put_run_event(run_id, event)
        self.place = self.place.ended(run_id)
        self._room.release()

    async def _put_run_event(self, run_id: str, event: RunEvent) -> None:
        data = await self._shown(event.model_dump(mode="json"))
        if event.type in CLOSING:
            await self._note_answer(run_id)
            await self._put(data, methodcaller("ended", run_id))
        else:
            await self._put(data, methodcaller("heard", run_id, event.id))

    async def _shown(self, data: dict[str, Any]) -> dict[str, Any]:
        """Return an event with what placeholders stand for, as soon as the cases service says it."""
        while True:
            try:
                return await self.desk.shown(self.case_id, data)
            except ProblemError as exc:
                if exc.problem.type is ProblemType.NOT_FOUND:
                    return data
            await asyncio.sleep(AWAY_SECONDS)

    async def _note_answer(self, run_id: str) -> None:
        """Keep the answer in the case; where that fails now, it is done when it is read, or with the next message."""
        with contextlib.suppress(ProblemError, GatewayError, RunUnknown):
            answer = snapshot(await self.runs.link.hold(self.runs.log.read(run_id)))
            if answer.status is not RunStatus.RUNNING:
                await self.desk.note_answer(self.case_id, answer)

    async def _is_of_case(self, run_id: str, began: datetime) -> bool:
        """Whether a run has a log, which comes soon after its message, and was asked in this case.

        Its id may be the reader's own word, by `Last-Event-ID` or as a detail of the case.
        """
        while True:
            with contextlib.suppress(ProblemError):
                try:
                    first = await self.runs.link.hold(self.runs.log.begin(run_id))
                    return isinstance(first, RunAccepted) and first.case_id == self.case_id
                except RunUnknown:
                    if utc_now() - began > BEGINS_WITHIN:
                        return False
            await asyncio.sleep(BEGIN_SECONDS)

    async def _is_open(self, run_id: str) -> bool:
        try:
            last, _ = await self.runs.link.hold(self.runs.log.end(run_id))
        except (RunUnknown, ProblemError):
            return False
        return last.type not in CLOSING
