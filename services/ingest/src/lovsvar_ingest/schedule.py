"""The component of ingest that requests a sync of the law in force, and of the catalogues, every night."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime, time, timedelta

import structlog

from lovsvar_chassis.progress import Note, unnoted
from lovsvar_chassis.tasks import Background
from lovsvar_contracts.ingest import Dataset, SyncRequested
from lovsvar_contracts.message import utc_now
from lovsvar_contracts.problems import ProblemError
from lovsvar_ingest.core.nightly import next_run, nightly_requests

log = structlog.get_logger()

LOOK_UP = 60.0
"""Seconds between two readings of the clock: timers miss a machine that sleeps, and a clock that is set."""

LATE = timedelta(minutes=10)
"""A night whose request fails for so long is left out, so that no sync begins in the working day."""

Ask = Callable[[SyncRequested], Awaitable[None]]
"""Stores a request in the stream; the same `event_id` once. Raises `ProblemError`."""


async def no_catalogues() -> Sequence[Dataset]:
    """Return no data sets."""
    return ()


class Schedule(Background):
    """Requests syncs every night at a time of day (UTC), once for all processes. A component: start, stop."""

    def __init__(
        self,
        at: time,
        ask: Ask,
        clock: Callable[[], datetime] = utc_now,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        note: Note = unnoted,
        catalogues: Callable[[], Awaitable[Sequence[Dataset]]] = no_catalogues,
    ) -> None:
        """`catalogues` returns the data sets of those that are listed."""
        self._note = note
        self._catalogues = catalogues
        self._at = at
        self._ask = ask
        self._clock = clock
        self._sleep = sleep

    async def _run(self) -> None:
        while True:
            due = next_run(self._clock(), self._at)
            while (left := (due - self._clock()).total_seconds()) > 0:
                self._note()
                await self._sleep(min(left, LOOK_UP))
            if not await self._ask_until(due, due + LATE):
                log.warning("a night's syncs were not asked for", due=due.isoformat())

    async def _ask_until(self, due: datetime, late: datetime) -> bool:
        """Request the syncs of the night `due`; return whether that succeeded before `late`."""
        while self._clock() < late:
            self._note()
            try:
                for request in nightly_requests(due.date(), await self._catalogues()):
                    await self._ask(request)
            except ProblemError as exc:
                log.warning("syncs cannot be asked for", error=str(exc))
                await self._sleep(LOOK_UP)
            else:
                return True
        return False
