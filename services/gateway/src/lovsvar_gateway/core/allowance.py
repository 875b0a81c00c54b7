"""How much of its limits a key has used: requests a minute, and requests that are open.

Requests are counted by the generic cell rate algorithm (ITU-T I.371), which keeps one time a key: the moment
at which the key will have its whole allowance again.
"""

import math
from dataclasses import dataclass

from lovsvar_gateway.core.access import Limits

WINDOW = 60.0
"""Seconds over which `Limits.per_minute` counts."""


@dataclass(frozen=True)
class Standing:
    """How a key stands after a request: what is left, in how many seconds all is back, and whether it may go on.

    `wait` is the seconds until a refused request may be made again, 0 for one that was allowed.
    """

    limit: int
    remaining: int
    reset: int
    wait: int = 0


class Allowance:
    """What one key has used. Times are in seconds of a clock that only goes forward."""

    def __init__(self) -> None:
        self._whole_at = 0.0
        self.open = 0

    def take(self, limits: Limits, now: float) -> Standing:
        """Count a request made at `now`, unless it is one too many."""
        cost = WINDOW / limits.per_minute
        used = max(self._whole_at - now, 0.0)
        if used + cost > WINDOW + 1e-9:
            return Standing(limits.per_minute, 0, math.ceil(used), wait=max(1, math.ceil(used + cost - WINDOW)))
        self._whole_at = now + used + cost
        remaining = int((WINDOW - used - cost) / cost + 1e-9)
        return Standing(limits.per_minute, remaining, math.ceil(used + cost))
