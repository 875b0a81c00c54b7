"""How long a question waits for an agent, and who may ask one more: pure functions of what the queue looks like."""

import math
from dataclasses import dataclass

from lovsvar_gateway.core.errors import QueueFull, TooManyWaiting

HORIZON = 300.0
"""Seconds of work after which what was seen counts a third of what is seen now."""

GUESS_SECONDS, GUESS_WEIGHT = 5.0, 4.0
"""How long a question is believed to take before any was seen, and how many questions that is worth."""

GAP_SECONDS = 10.0
"""What happened in a longer time without a look is not known well enough to learn from."""

SHARE = 0.5
"""How much of the queue is there for whoever has a question in it already; the rest is for the others."""


@dataclass(frozen=True)
class Seen:
    """The queue at one moment, `at` in seconds: how many questions wait for an agent, and are with one.

    `idle` is how many more the agents would take at once, `served` a count of questions that have left the queue.
    """

    at: float
    waiting: int = 0
    busy: int = 0
    idle: int = 0
    served: int = 0


@dataclass(frozen=True)
class Place:
    """Where a question would be in the queue: 1 is taken next, 0 at once. `wait` is in seconds."""

    number: int
    wait: float


@dataclass(frozen=True)
class Bounds:
    """How long the queue may be, in seconds of waiting and in questions, and how many of them may be one caller's."""

    seconds: float
    length: int
    per_caller: int


class ServiceTime:
    """How long agents take for a question: the time they were busy by the questions that they were done with.

    By Little's law that holds whether they are always busy or seldom. A question that is being answered counts half.
    """

    def __init__(self) -> None:
        self._busy = GUESS_SECONDS * GUESS_WEIGHT
        self._done = GUESS_WEIGHT
        self._last: Seen | None = None

    def hear(self, seen: Seen) -> None:
        """Count what happened since the queue was last seen. A gap, or a count that went back, is left out."""
        last, self._last = self._last, seen
        if last is None or seen.served < last.served or seen.at - last.at > GAP_SECONDS:
            return
        if not (last.busy or seen.busy or seen.served > last.served):
            return  # What was learnt is not forgotten while nobody asks.
        seconds = seen.at - last.at
        kept = math.exp(-seconds / HORIZON)
        self._busy = self._busy * kept + seconds * (last.busy + seen.busy) / 2
        self._done = self._done * kept + seen.served - last.served

    @property
    def seconds(self) -> float:
        """The mean, in seconds."""
        busy = self._last.busy if self._last else 0
        return self._busy / (self._done + busy / 2)


def place_in(seen: Seen, since: int, seconds: float) -> Place:
    """Return the place of one more question.

    `since` is how many were accepted since the queue was `seen`, and `seconds` how long one takes an agent.
    """
    ahead = seen.waiting + since - seen.idle
    if ahead < 0:
        return Place(0, 0.0)
    return Place(ahead + 1, round((ahead + 1) * seconds / max(1, seen.busy + seen.idle), 1))


def check_room(place: Place, own: int, bounds: Bounds) -> None:
    """Raise `QueueFull` or `TooManyWaiting` unless a caller with `own` questions in the queue may ask one more.

    Whoever has one in it may fill half of it, so that the others always find room.
    """
    a_place = place.wait / place.number if place.number else 0.0
    if own >= bounds.per_caller:
        raise TooManyWaiting(own, max(1, math.ceil(a_place)))
    share = SHARE if own else 1.0
    if place.number > share * bounds.length or place.wait > share * bounds.seconds:
        allowed = share * min(bounds.seconds, bounds.length * a_place)
        raise QueueFull(place.wait, max(1, math.ceil(place.wait - allowed)))
