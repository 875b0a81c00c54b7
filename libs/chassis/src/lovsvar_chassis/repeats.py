"""Logging what fails again and again: once a minute for each reason, with how often it happened."""

import time
from collections.abc import Callable, Hashable

MINUTE = 60.0

KEPT = 500
"""Reasons that are remembered; with more, the oldest is forgotten and logged again."""


class Repeats:
    """Says which of many equal failures to log."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._logged: dict[Hashable, tuple[float, int]] = {}

    def count(self, reason: Hashable) -> int:
        """Return how often `reason` was met since it was last to be logged; 0 when it is not to be logged now."""
        now = self._clock()
        at, met = self._logged.pop(reason, (now - MINUTE, 0))
        due = now - at >= MINUTE
        self._logged[reason] = (now, 0) if due else (at, met + 1)
        while len(self._logged) > KEPT:
            del self._logged[next(iter(self._logged))]
        return met + 1 if due else 0
