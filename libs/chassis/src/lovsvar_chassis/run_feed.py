"""The run events that are stored now, received once for a process and handed to those who follow their runs.

`ANSWERS` republishes each stored event, so that one plain subscription serves all followers, without a consumer. An
event that is missed is read from the stream.
"""

import asyncio
import contextlib
from collections import deque
from collections.abc import Iterator
from datetime import datetime

import structlog
from nats.aio.msg import Msg
from nats.errors import Error as NatsError
from nats.js.errors import NotFoundError

from lovsvar_chassis.direct_get import read_page
from lovsvar_chassis.publisher import EventPublisher
from lovsvar_chassis.repeats import Repeats
from lovsvar_contracts import subjects
from lovsvar_contracts.run_events import RunEvent, run_event_adapter

log = structlog.get_logger()

KEPT = 16
"""Events that wait for a follower. One that is further behind reads on from the stream, and holds no more memory."""

PENDING_BYTES = 32 * 1024 * 1024
"""What may wait to be handed out; what comes beyond that is missed, and read from the stream."""

LOOK_SECONDS = 1.0
"""Between two looks at the stream's end, which show what was missed, and that a log is gone."""

LOOKS_WITHOUT_STREAM = 2
"""Looks that do not find the stream until it counts as gone: a server that has just started may not have it yet."""

LOOKS_UNTIL_GONE = 10
"""Looks after which what cannot be read counts as deleted: a replica may be behind the leader, who knows."""

AGAIN_SECONDS = 1.0
"""Until a feed that failed begins again."""

CATCH_UP = 256


class Follower:
    """What one reader of one run waits for, and how far it is.

    `sequence` is that of the last event it has. `behind` is whether more may be stored than it has, `check` whether
    the end of its log is to be looked up, and `complete` whether it had everything when that was done last.
    """

    __slots__ = ("_arrived", "_woken", "behind", "check", "complete", "sequence")

    def __init__(self) -> None:
        self._arrived: deque[tuple[RunEvent, int]] = deque(maxlen=KEPT)
        self._woken = asyncio.Event()
        self.sequence = 0
        self.behind = True
        self.check = False
        self.complete = False

    async def wait(self) -> None:
        """Return when something arrived or is to be checked."""
        while not (self._arrived or self.check):
            self._woken.clear()
            await self._woken.wait()

    def take(self, seen: int) -> list[tuple[RunEvent, int]]:
        """Take what arrived behind event `seen`; where one in between is missing, nothing, and the reader is behind."""
        fresh = [(event, sequence) for event, sequence in self._arrived if event.id > seen]
        self.behind = bool(fresh) and any(event.id != seen + n for n, (event, _) in enumerate(fresh, 1))
        if self.behind:
            return []
        self._arrived.clear()
        return fresh

    def put(self, event: RunEvent, sequence: int) -> None:
        """Hand over an event. The oldest goes when there are too many; its reader sees the gap."""
        self._arrived.append((event, sequence))
        self._woken.set()

    def ask_to_check(self) -> None:
        """Have the reader look whether its log is still there."""
        self.check = True
        self._woken.set()


class RunFeed:
    """Hands run events to followers. It subscribes with the first of them, and unsubscribes soon after the last."""

    def __init__(self, events: EventPublisher) -> None:
        self._events = events
        self._followers: dict[str, set[Follower]] = {}
        self._listening = asyncio.Event()
        self._looking: asyncio.Task[None] | None = None
        self._created: datetime | None = None
        self._position: int | None = None
        """The highest stream sequence that was received or needs not be; None before it is known."""
        self._missed_from = 0
        """The first sequence of a gap; 0 when there is none."""
        self._repeats = Repeats()
        self._ends: deque[int] = deque(maxlen=LOOKS_UNTIL_GONE)
        """Where the stream ended at the last looks."""

    @contextlib.contextmanager
    def join(self, run_id: str) -> Iterator[Follower]:
        """Follow `run_id` for as long as the block: what is stored once `listen` has returned arrives, if late."""
        follower = Follower()
        self._followers.setdefault(run_id, set()).add(follower)
        try:
            yield follower
        finally:
            others = self._followers[run_id]
            others.discard(follower)
            if not others:
                del self._followers[run_id]

    async def listen(self) -> None:
        """Return when what is stored from now on arrives."""
        if self._looking is None:
            self._listening = asyncio.Event()
            # In a task of its own, which no follower that leaves meanwhile cancels.
            self._looking = asyncio.create_task(self._look_on(self._listening), name="run-feed")
        await self._listening.wait()

    async def _receive(self, message: Msg) -> None:
        headers = message.headers or {}
        sequence = int(headers.get("Nats-Sequence", 0))
        if self._position is not None and sequence > self._position + 1 and not self._missed_from:
            self._missed_from = self._position + 1
        self._position = max(self._position or 0, sequence)
        self._hand_out(message.subject, message.data, sequence)

    def _hand_out(self, subject: str, data: bytes, sequence: int) -> None:
        followers = self._followers.get(subject.rpartition(".")[2])
        if not followers:
            return
        try:
            event = run_event_adapter.validate_json(data)
        except ValueError:
            log.warning("a run event cannot be read", subject=subject, sequence=sequence)
            return
        for follower in followers:
            follower.put(event, sequence)

    async def _look_on(self, listening: asyncio.Event) -> None:
        """Subscribe, and look at the stream until nobody follows; after what nobody foresaw, begin again."""
        failed = False
        try:
            while True:
                try:
                    await self._look_until_nobody_follows(listening, after_failure=failed)
                    return
                except Exception as exc:
                    if times := self._repeats.count(repr(exc)):
                        log.exception("the feed of run events failed, and begins again", times=times)
                failed = True
                self._forget()
                listening.set()
                # Until it has, each follower reads by itself what is stored.
                self._check_all()
                await asyncio.sleep(AGAIN_SECONDS)
                if not self._followers:
                    return
        finally:
            self._looking = None
            self._forget()
            listening.set()

    def _forget(self) -> None:
        self._created, self._position, self._missed_from = None, None, 0
        self._ends.clear()

    async def _look_until_nobody_follows(self, listening: asyncio.Event, *, after_failure: bool) -> None:
        absent, subscription = 0, None
        try:
            subscription = await self._events.connection.subscribe(
                subjects.ANSWER_STORED_ANY, cb=self._receive, pending_bytes_limit=PENDING_BYTES
            )
            while True:
                try:
                    # The first time, where the stream ends now: what followers read next begins before that.
                    await self._look()
                    absent = 0
                    if after_failure:
                        # What was stored since nobody received reached no follower.
                        self._check_all()
                        after_failure = False
                except NotFoundError:
                    absent += 1
                    if absent >= LOOKS_WITHOUT_STREAM:
                        self._check_all()
                except (NatsError, OSError, TimeoutError) as exc:
                    log.debug("could not look at the stream of run events", error=repr(exc))
                listening.set()
                await asyncio.sleep(LOOK_SECONDS)
                if not self._followers:
                    return
        finally:
            if subscription is not None:
                with contextlib.suppress(NatsError, OSError):
                    await subscription.unsubscribe()

    async def _look(self) -> None:
        """Compare what was received with what is stored.

        What was stored since may be on its way; what was stored before that is read when it did not come.
        """
        info = await self._events.jetstream.stream_info(subjects.STREAM_ANSWERS)
        if self._created is not None and info.created != self._created:
            self._forget()
            self._check_all()
        self._created = info.created
        before = self._ends[-1] if self._ends else 0
        for followers in self._followers.values():
            for follower in followers:
                if 0 < follower.sequence < info.state.first_seq:
                    follower.ask_to_check()
        if self._position is None:
            self._position = info.state.last_seq
        elif self._missed_from or self._position < before:
            start, self._missed_from = self._missed_from or self._position + 1, 0
            try:
                await self._catch_up(start, info.state.last_seq)
            except Exception:
                # What was received meanwhile has moved the position past the gap; the next look reads it again.
                self._missed_from = start
                raise
        self._ends.append(info.state.last_seq)

    async def _catch_up(self, start: int, end: int) -> None:
        """Read from sequence `start` on; what is not there up to `end`, though the leader has it, at the next look."""
        log.info("reading run events that did not arrive", first=start, last=end)
        while start <= end:
            page = await read_page(
                self._events.connection, subjects.STREAM_ANSWERS, subjects.ANSWER_ANY, start, CATCH_UP
            )
            for stored in page.messages:
                self._hand_out(stored.subject, stored.data, stored.sequence)
                start = stored.sequence + 1
            if not page.more:
                break
        gone = self._ends[0] if len(self._ends) == LOOKS_UNTIL_GONE else 0
        read = max(start - 1, gone)
        if read < end and (self._position or 0) > read:
            self._missed_from = min(self._missed_from or end, read + 1)
        self._position = max(self._position or 0, read)

    def _check_all(self) -> None:
        for followers in self._followers.values():
            for follower in followers:
                follower.ask_to_check()
