"""Admission control: what begins, what waits, and what is refused at once (docs/decisions/0022).

A request that would wait too long is refused: a queue without a limit serves callers who have left. Each share (a key,
a client) has its own queue, and they take turns, so that one that asks too much waits for itself.
"""

import time
from collections import OrderedDict, deque
from collections.abc import Callable, Iterator
from typing import Generic, TypeVar

T = TypeVar("T")

BURST_WAIT = 2.0
"""Seconds that somebody may have to wait while a queue is young: many who come at once are served one after another."""

STANDING_WAIT = 0.5
"""The same where somebody of its share has waited for `BURST_SECONDS`: a longer queue would then help nobody."""

BURST_SECONDS = 1.0

MOST_WAITING = 1_024
"""Who waits at most."""

UNMEASURED = 128
"""How many wait before it is known how long one takes."""

SMOOTHING = 0.05
"""The weight of the latest interval in the mean of those between two ends."""


class Admission(Generic[T]):
    """Places for `at_once` pieces of work, and who waits for one; never blocks. Only what is still `wanted` begins."""

    def __init__(self, at_once: int, wanted: Callable[[T], bool], clock: Callable[[], float] = time.monotonic) -> None:
        self._at_once = at_once
        self._wanted = wanted
        self._clock = clock
        self._busy = 0
        self._waiting: OrderedDict[str, deque[T]] = OrderedDict()
        self._count = 0
        self._queued_since = 0.0
        self._interval = 0.0
        self._since = 0.0

    @property
    def has_room(self) -> bool:
        """Whether a place is free."""
        return self._busy < self._at_once

    def enter(self) -> bool:
        """Take a place if one is free, and return whether one was."""
        if not self.has_room:
            return False
        self._busy += 1
        if self._busy == self._at_once:
            self._since = self._clock()
        return True

    def refusal(self, share: str, budget: float) -> float:
        """Return in how many seconds to ask again, 0.0 to begin or wait now; `budget` is how long its caller waits."""
        if self.has_room:
            return 0.0
        now = self._clock()
        own = len(self._waiting.get(share, ()))
        shares = len(self._waiting) + (own == 0)
        # The shares take turns: the first of a share has one of each other share in front of it.
        ahead = min(self._count, own * shares + shares - 1) + 1
        # Where nothing has ended for a while, it will be about as long until something does.
        wait = ahead * self._interval + now - self._since
        standing = own > 0 and now - self._queued_since > BURST_SECONDS
        most = min(STANDING_WAIT if standing else BURST_WAIT, budget / 2)
        room = MOST_WAITING if self._interval else UNMEASURED
        return max(wait, 1.0) if wait > most or own >= room // shares else 0.0

    def line_up(self, item: T, share: str) -> None:
        """Let `item` wait for a place."""
        queue = self._waiting.setdefault(share, deque())
        while queue and not self._wanted(queue[0]):
            queue.popleft()
            self._count -= 1
        queue.append(item)
        if not self._count:
            self._queued_since = self._clock()
        self._count += 1

    def leave(self, *, served: bool = True) -> T | None:
        """Give a place back, and return who has it now. Only the time of what was `served` counts for estimates."""
        now = self._clock()
        if self._busy == self._at_once:
            if served:
                took = now - self._since
                # Of those who began together the first ends after as long as one takes, and the rest soon after.
                self._interval += (took - self._interval) * SMOOTHING if self._interval else took / self._at_once
            self._since = now
        self._busy -= 1
        for item in self._turns():
            if self._wanted(item):
                self._busy += 1
                return item
        return None

    def clear(self) -> list[T]:
        """Return all who wait, and let them wait no longer."""
        return list(self._turns())

    def _turns(self) -> Iterator[T]:
        while self._waiting:
            share, queue = self._waiting.popitem(last=False)
            item = queue.popleft()
            if queue:
                self._waiting[share] = queue
            self._count -= 1
            yield item
