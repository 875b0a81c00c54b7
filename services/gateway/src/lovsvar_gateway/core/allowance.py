"""How much of its limits a key has used: requests and questions a minute, and requests that are open.

They are counted by the generic cell rate algorithm (ITU-T I.371), which keeps one time each: the moment at which the
key will have its whole allowance again.
"""

import math
from dataclasses import dataclass

from lovsvar_gateway.core.access import Limits

WINDOW = 60.0
"""Seconds over which limits a minute count."""


@dataclass(frozen=True)
class Standing:
    """How a key stands after a request: what is left, in how many seconds all is back, and whether it may go on.

    `wait` is the seconds until a refused request may be made again, 0 for one that was allowed.
    """

    limit: int
    remaining: int
    reset: int
    wait: int = 0


class Meter:
    """What was used of one limit. Times are in seconds of a clock that only goes forward."""

    def __init__(self) -> None:
        self._whole_at = 0.0

    def look(self, limit: int, now: float) -> Standing:
        """Return how it stands at `now`, and count nothing."""
        used = max(self._whole_at - now, 0.0)
        return Standing(limit, int((WINDOW - used) / WINDOW * limit + 1e-9), math.ceil(used))

    def take(self, limit: int, now: float) -> Standing:
        """Count one more at `now`, unless it is one too many."""
        cost = WINDOW / limit
        used = max(self._whole_at - now, 0.0)
        if used + cost > WINDOW + 1e-9:
            return Standing(limit, 0, math.ceil(used), wait=max(1, math.ceil(used + cost - WINDOW)))
        self._whole_at = now + used + cost
        return self.look(limit, now)


class Allowance:
    """What one key has used, by the same clock."""

    def __init__(self) -> None:
        self._requests = Meter()
        self._questions = Meter()
        self.open = 0

    def take(self, limits: Limits, now: float) -> Standing:
        """Count a request made at `now`, unless it is one too many."""
        return self._requests.take(limits.per_minute, now)

    def take_question(self, limits: Limits, now: float) -> Standing | None:
        """Count a question asked at `now`, unless it is one too many; None where they have no limit of their own."""
        return self._questions.take(limits.questions_per_minute, now) if limits.questions_per_minute else None

    def look_at_questions(self, limits: Limits, now: float) -> Standing | None:
        """Return how the key stands for questions; None where they have no limit of their own."""
        return self._questions.look(limits.questions_per_minute, now) if limits.questions_per_minute else None
