"""The events of a run, kept in the stream `ANSWERS`.

Appending expects the sequence of the run's last event, so that of two writers one gets an error: an
agent that was thought dead, or a cancellation that came first. Events count from 1 without gaps.
"""

import asyncio
from collections.abc import AsyncGenerator, Iterable
from dataclasses import dataclass
from typing import Any

from nats.errors import NoRespondersError
from nats.errors import TimeoutError as NatsTimeoutError
from nats.js.errors import APIError, NoStreamResponseError, NotFoundError, ServiceUnavailableError

from lovsvar_chassis.direct_get import read_page
from lovsvar_chassis.publisher import EventPublisher, StorageFull, is_full
from lovsvar_chassis.run_feed import Follower, RunFeed
from lovsvar_contracts import subjects
from lovsvar_contracts.questions import Answer, Evidence, Mode, RunStatus, Usage
from lovsvar_contracts.run_events import (
    CLOSING,
    AnswerCompleted,
    RunAccepted,
    RunEvent,
    RunFailed,
    SourcesFound,
    UsageUpdated,
    run_event_adapter,
)

WRONG_LAST_SEQUENCE = 10071
"""JetStream's error code for an append that expected another last sequence."""

APPEND_TRIES = 5

BEHIND_SECONDS = 0.05
"""Until what a replica does not have yet is read again."""

UNREACHABLE = (NatsTimeoutError, TimeoutError, NoRespondersError, NoStreamResponseError, ServiceUnavailableError)
UNREACHABLE_SECONDS = 0.5


class RunTaken(Exception):
    """Somebody else wrote to this run meanwhile. Remedy: read it again, and stop if it is closed."""


class RunUnknown(Exception):
    """There is no such run, or its events have expired."""


class LogLost(RunUnknown):
    """The log was deleted while it was followed, or the stream with it. Remedy: ask again."""


@dataclass(frozen=True)
class Cursor:
    """The end of a run's log: the last event's id and its stream sequence. (0, 0) is the empty log."""

    id: int = 0
    sequence: int = 0


class RunLog:
    """Reads and appends run events. All who follow by the same one share what it receives: a process needs one."""

    def __init__(self, events: EventPublisher) -> None:
        self._events = events
        self._feed = RunFeed(events)

    async def append(self, event: RunEvent, after: Cursor) -> tuple[RunEvent, Cursor]:
        """Append `event` after `after`; return it with its id, and the new end. It is stored once, however often tried.

        Raises `RunTaken` when the log does not end at `after`, `StorageFull`, and nats-py's error without a connection.
        """
        stored = event.model_copy(update={"id": after.id + 1})
        headers = {"Nats-Expected-Last-Subject-Sequence": str(after.sequence)}
        for attempt in range(APPEND_TRIES):
            try:
                ack = await self._events.store(subjects.answer(event.run_id), stored, headers, timeout=2.0)
                return stored, Cursor(stored.id, ack.seq)
            except (NoStreamResponseError, ServiceUnavailableError, NatsTimeoutError, TimeoutError) as exc:
                if is_full(exc):
                    raise StorageFull from exc
                if attempt == APPEND_TRIES - 1:
                    raise
                # A server that has just come back says so at once, before its streams are there.
                await asyncio.sleep(0.2)
            except APIError as exc:
                if exc.err_code != WRONG_LAST_SEQUENCE:
                    raise
                # Our own earlier try may have been stored though its acknowledgement was lost.
                last = await self._last(event.run_id)
                if attempt and last is not None and last[0].event_id == stored.event_id:
                    return stored, last[1]
                raise RunTaken(event.run_id) from exc
        raise AssertionError("unreachable")

    async def end(self, run_id: str) -> tuple[RunEvent, Cursor]:
        """Return the run's last event and the cursor behind it. Raises `RunUnknown`."""
        last = await self._last(run_id)
        if last is None:
            raise RunUnknown(run_id)
        return last

    async def begin(self, run_id: str) -> RunEvent:
        """Return the first event of the run that is still kept. Raises `RunUnknown`."""
        try:
            raw = await self._events.jetstream.get_msg(
                subjects.STREAM_ANSWERS, seq=1, subject=subjects.answer(run_id), next=True
            )
        except NotFoundError as exc:
            raise RunUnknown(run_id) from exc
        return run_event_adapter.validate_json(raw.data or b"")

    async def read(self, run_id: str) -> list[RunEvent]:
        """Return the run's events so far, in order. Raises `RunUnknown`."""
        _, cursor = await self.end(run_id)
        events: list[RunEvent] = []
        sequence = 0
        while sequence < cursor.sequence:
            found, _ = await self._page(run_id, sequence)
            events += [event for event, _ in found]
            if found:
                sequence = found[-1][1]
            else:
                # A replica that is behind, or a log that was deleted since.
                await asyncio.sleep(BEHIND_SECONDS)
                _, cursor = await self.end(run_id)
        return events

    async def follow(self, run_id: str, after: int = 0) -> AsyncGenerator[RunEvent, None]:
        """Yield the run's events with an id above `after`, stored ones first, then as they come, up to the closing one.

        Close it (`aclosing`) when leaving early. All followers share a subscription. Raises `LogLost` without a log.
        """
        seen = after
        with self._feed.join(run_id) as follower:
            await self._feed.listen()
            while True:
                for event, sequence in await self._next(run_id, follower, seen):
                    follower.sequence = sequence
                    if event.id > seen:
                        seen = event.id
                        yield event
                    if event.type in CLOSING:
                        return

    async def _next(self, run_id: str, follower: Follower, seen: int) -> list[tuple[RunEvent, int]]:
        """Return the events that come next, with their sequences: what is stored first, then what arrives."""
        more_stored = False
        while True:
            if not follower.behind:
                await follower.wait()
                if found := follower.take(seen):
                    return found
            try:
                if follower.check:
                    await self._check(run_id, follower, seen)
                    follower.check, more_stored = False, follower.behind
                if follower.behind:
                    found, follower.behind = await self._page(run_id, follower.sequence)
                    # A replica may not have the last event yet, which nobody publishes again.
                    follower.check = follower.check or not (follower.behind or follower.complete)
                    if found:
                        return found
                    # Nothing is stored behind what this reader has: it waits, unless there must be something.
                    follower.check = follower.check or (seen > 0 and not follower.sequence)
                    # What is stored while a page is read arrives without being in it.
                    if found := follower.take(seen):
                        return found
                    if follower.behind or more_stored:
                        await asyncio.sleep(BEHIND_SECONDS)
            except UNREACHABLE:
                follower.behind = True
                await asyncio.sleep(UNREACHABLE_SECONDS)

    async def _check(self, run_id: str, follower: Follower, seen: int) -> None:
        """Find out whether the log is still the one that is followed. Raises `LogLost`."""
        last = await self._last(run_id)
        follower.complete = last is None or last[0].id <= seen
        if last is None:
            if seen:
                raise LogLost(run_id)
            return
        if last[1].sequence < follower.sequence:  # The stream was made again, and the run with it.
            follower.sequence = 0
        follower.behind = last[0].id > seen

    async def _page(self, run_id: str, sequence: int) -> tuple[list[tuple[RunEvent, int]], bool]:
        """Return events behind `sequence` with their sequences, and whether more are stored behind them."""
        subject = subjects.answer(run_id)
        try:
            page = await read_page(self._events.connection, subjects.STREAM_ANSWERS, subject, sequence + 1)
        except NoRespondersError:
            # There is no such stream, or it was declared without direct gets.
            return await self._one(subject, sequence)
        return [(run_event_adapter.validate_json(m.data), m.sequence) for m in page.messages], page.more

    async def _one(self, subject: str, sequence: int) -> tuple[list[tuple[RunEvent, int]], bool]:
        try:
            raw = await self._events.jetstream.get_msg(
                subjects.STREAM_ANSWERS, seq=sequence + 1, subject=subject, next=True
            )
        except NotFoundError:
            return [], False
        return [(run_event_adapter.validate_json(raw.data or b""), raw.seq or 0)], True

    async def _last(self, run_id: str) -> tuple[RunEvent, Cursor] | None:
        try:
            raw = await self._events.jetstream.get_last_msg(subjects.STREAM_ANSWERS, subjects.answer(run_id))
        except NotFoundError:
            return None
        event = run_event_adapter.validate_json(raw.data or b"")
        return event, Cursor(event.id, raw.seq or 0)


_FINAL = {
    "run.completed": RunStatus.COMPLETED,
    "run.failed": RunStatus.FAILED,
    "run.cancelled": RunStatus.CANCELLED,
    "run.limit_reached": RunStatus.LIMIT_REACHED,
}


def snapshot(events: Iterable[RunEvent]) -> Answer:
    """Fold a run's events into the answer so far: pure. Raises `ValueError` when there are none."""
    answer: Answer | None = None
    evidence: dict[str, Evidence] = {}
    found: dict[str, Any] = {"status": RunStatus.RUNNING, "mode": Mode.EXTRACTIVE, "question": "", "usage": Usage()}
    for event in events:
        found |= {"run_id": event.run_id, "correlation_id": event.correlation_id}
        match event:
            case RunAccepted():
                found |= {"question": event.question, "mode": event.mode or found["mode"]}
                found |= {"filters": event.filters, "follows": event.follows}
            case SourcesFound():
                evidence |= {e.evidence_id: e for e in event.evidence}
            case UsageUpdated():
                found["usage"] = event.usage
            case AnswerCompleted():
                answer = event.answer
            case RunFailed():
                found["problem"] = event.detail
            case _:
                pass
        found["status"] = _FINAL.get(event.type, found["status"])
    if "run_id" not in found:
        raise ValueError("a run without events has no snapshot")
    if answer is not None:
        return answer.model_copy(update={"status": found["status"], "problem": found.get("problem")})
    return Answer(evidence=tuple(evidence.values()), **found)
