"""How long a question waits for an agent, and who may ask one more, by the state of the queue."""

import math
from dataclasses import dataclass

from lovsvar_gateway.core.errors import QueueFull, TooManyWaiting

HORIZON = 300.0  # seconds of work after which an observation has a third of its weight
GUESS_SECONDS, GUESS_WEIGHT = 5.0, 4.0  # the time of a question before any was observed, and its weight in questions
GAP_SECONDS = 10.0  # a longer time between two observations is not learnt from
SHARE = 0.5  # of the queue for callers with a question in it; the rest is for the others


@dataclass(frozen=True)
class QueueState:
    """The queue at the time `at`, in seconds: how many questions wait, and how many are `busy` with an agent.

    `idle` is how many more the agents would take at once, `served` counts the questions that have left the queue.
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
    """How long agents take for a question: the time they were busy divided by the questions they finished.

    By Little's law that holds at any load. A question that is being answered counts half.
    """

    def __init__(self) -> None:
        self._busy = GUESS_SECONDS * GUESS_WEIGHT
        self._done = GUESS_WEIGHT
        self._last: QueueState | None = None

    def hear(self, seen: QueueState) -> None:
        """Learn from what happened since the last state. A gap, or a count that went back, is left out."""
        last, self._last = self._last, seen
        if last is None or seen.served < last.served or seen.at - last.at > GAP_SECONDS:
            return
        if not (last.busy or seen.busy or seen.served > last.served):
            return  # Nothing is forgotten while nobody asks.
        seconds = seen.at - last.at
        kept = math.exp(-seconds / HORIZON)
        self._busy = self._busy * kept + seconds * (last.busy + seen.busy) / 2
        self._done = self._done * kept + seen.served - last.served

    @property
    def seconds(self) -> float:
        """The mean, in seconds."""
        busy = self._last.busy if self._last else 0
        return self._busy / (self._done + busy / 2)


def place_in(seen: QueueState, since: int, seconds: float) -> Place:
    """Return the place of one more question, `since` others were accepted; an agent takes `seconds` for one."""
    ahead = seen.waiting + since - seen.idle
    if ahead < 0:
        return Place(0, 0.0)
    return Place(ahead + 1, round((ahead + 1) * seconds / max(1, seen.busy + seen.idle), 1))


def check_room(place: Place, own: int, bounds: Bounds) -> None:
    """Raise `QueueFull` or `TooManyWaiting` unless a caller with `own` questions in the queue may ask one more.

    A caller with one in it may fill half of it, so that others always find room.
    """
    a_place = place.wait / place.number if place.number else 0.0
    if own >= bounds.per_caller:
        raise TooManyWaiting(own, max(1, math.ceil(a_place)))
    share = SHARE if own else 1.0
    if place.number > share * bounds.length or place.wait > share * bounds.seconds:
        allowed = share * min(bounds.seconds, bounds.length * a_place)
        raise QueueFull(place.wait, max(1, math.ceil(place.wait - allowed)))
