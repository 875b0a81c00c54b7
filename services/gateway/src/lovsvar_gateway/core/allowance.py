"""Rate limits of a key: requests and questions a minute, and open requests.

Rates are measured by the generic cell rate algorithm (ITU-T I.371), which keeps one time: when all is available again.
"""

import math
from dataclasses import dataclass

from lovsvar_gateway.core.access import Limits

WINDOW = 60.0  # seconds over which limits a minute count


@dataclass(frozen=True)
class Standing:
    """What remains of a limit, and the seconds until all is available again (`reset`).

    `wait` is the seconds until a refused request may be repeated, 0 for an allowed one.
    """

    limit: int
    remaining: int
    reset: int
    wait: int = 0


class Meter:
    """What was used of one limit. Times are in seconds of a monotonic clock."""

    def __init__(self) -> None:
        self._whole_at = 0.0

    def look(self, limit: int, now: float) -> Standing:
        """Return what remains at `now`, and count nothing."""
        used = max(self._whole_at - now, 0.0)
        return Standing(limit, int((WINDOW - used) / WINDOW * limit + 1e-9), math.ceil(used))

    def take(self, limit: int, now: float) -> Standing:
        """Count one more at `now`, unless that exceeds the limit."""
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
        """Count a request at `now`, unless that exceeds the limit."""
        return self._requests.take(limits.per_minute, now)

    def take_question(self, limits: Limits, now: float) -> Standing | None:
        """Count a question at `now`, unless that exceeds the limit; None where questions have no limit of their own."""
        return self._questions.take(limits.questions_per_minute, now) if limits.questions_per_minute else None

    def look_at_questions(self, limits: Limits, now: float) -> Standing | None:
        """Return what remains for questions; None where they have no limit of their own."""
        return self._questions.look(limits.questions_per_minute, now) if limits.questions_per_minute else None
