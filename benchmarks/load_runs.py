"""What became of the runs that a load was accepted for, as their logs have it."""

import asyncio
import random
import statistics
import time
from typing import Any

from lovsvar_chassis.publisher import EventPublisher
from lovsvar_chassis.run_log import RunLog
from lovsvar_contracts import subjects
from lovsvar_contracts.problems import ProblemType
from lovsvar_contracts.run_events import CLOSING, RunAccepted, RunCompleted, RunEvent, RunFailed, RunStarted

END_SECONDS = 120.0
"""How long is waited for runs to end."""

READ_WHOLE = 500
"""Runs of which is read how long they waited."""


class Runs:
    """The runs of a system. Each is looked at once."""

    def __init__(self, events: EventPublisher) -> None:
        self._events = events
        self._log = RunLog(events)
        self._seen: set[str] = set()

    async def settle(self) -> dict[str, Any]:
        """Wait until the runs have ended, and return what became of those that are new. Waits are in seconds."""
        deadline = time.monotonic() + END_SECONDS
        while await self._queued() and time.monotonic() < deadline:  # noqa: ASYNC110
            await asyncio.sleep(0.5)
        new = await self._all() - self._seen
        self._seen |= new
        last = {run_id: await self._last(run_id) for run_id in new}
        while (left := [r for r in new if last[r].type not in CLOSING]) and time.monotonic() < deadline:
            await asyncio.sleep(0.5)
            last |= {run_id: await self._last(run_id) for run_id in left}
        ends = list(last.values())
        return {
            "accepted": len(new),
            "answered": sum(isinstance(end, RunCompleted) for end in ends),
            "expired": sum(isinstance(end, RunFailed) and end.problem is ProblemType.TIMEOUT for end in ends),
            "left_open": len(left),
            **await self._waits(new),
        }

    async def _waits(self, run_ids: set[str]) -> dict[str, float | None]:
        """Return the expected waits of callers, their true waits, and the difference."""
        told, true, errors = [], [], []
        for run_id in random.Random(0).sample(sorted(run_ids), min(len(run_ids), READ_WHOLE)):
            events = await self._log.read(run_id)
            accepted, begun = events[0], next((e for e in events if isinstance(e, RunStarted)), None)
            if not (isinstance(accepted, RunAccepted) and begun):
                continue
            true.append((begun.occurred_at - accepted.occurred_at).total_seconds())
            if accepted.expected_wait is not None:
                told.append(accepted.expected_wait)
                errors.append(abs(told[-1] - true[-1]))
        return {
            "told_wait_p50_s": _median(told),
            "true_wait_p50_s": _median(true),
            "wait_error_p50_s": _median(errors),
        }

    async def _queued(self) -> int:
        return (await self._events.jetstream.stream_info(subjects.STREAM_QUESTIONS)).state.messages

    async def _all(self) -> set[str]:
        info = await self._events.jetstream.stream_info(subjects.STREAM_ANSWERS, subjects.ANSWER_ANY)
        return {subject.rpartition(".")[2] for subject in info.state.subjects or {}}

    async def _last(self, run_id: str) -> RunEvent:
        return (await self._log.end(run_id))[0]


def _median(seconds: list[float]) -> float | None:
    return round(statistics.median(seconds), 2) if seconds else None
