"""How long a caller still waits, and for whom: it travels with requests, over every service.

A request carries the milliseconds that are left, since clocks differ; the receiver counts from its arrival.
"""

import math
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

TIMEOUT = "Lovsvar-Timeout-Ms"
"""Header of a request: for how many milliseconds its caller waits."""

SHARE = "Lovsvar-Share"
"""Header of a request: who shares the service with others, a key's name or a client's address."""

LONGEST_SHARE = 100


@dataclass
class Budget:
    """Until when (`time.monotonic`) somebody waits, and whose `share` of the services the work is on."""

    until: float = math.inf
    share: str = ""

    @property
    def left(self) -> float:
        """Seconds that are left, less than 0 when nobody waits any more."""
        return self.until - time.monotonic()

    def lift(self) -> None:
        """Let the work take as long as it takes: its answer has begun."""
        self.until = math.inf


_current: ContextVar[Budget | None] = ContextVar("budget", default=None)


def current() -> Budget:
    """Return the budget of what is being done; without one it has no end."""
    return _current.get() or Budget()


@contextmanager
def spending(budget: Budget) -> Iterator[Budget]:
    """Do the block, and the tasks that it starts, on `budget`."""
    token = _current.set(budget)
    try:
        yield budget
    finally:
        _current.reset(token)


def budget_headers(budget: Budget, seconds: float) -> dict[str, str]:
    """Return the headers of a request whose answer is waited for so many `seconds`."""
    headers = {TIMEOUT: str(math.ceil(seconds * 1000))}
    if budget.share:
        headers[SHARE] = budget.share
    return headers


def read_budget(headers: Mapping[str, str] | None) -> Budget:
    """Return the budget of a request that arrives now; one that names none, or nonsense, has no end."""
    headers = headers or {}
    share = headers.get(SHARE, "")[:LONGEST_SHARE]
    timeout = headers.get(TIMEOUT, "")
    if timeout.isascii() and timeout.isdigit() and len(timeout) < 12:
        return Budget(time.monotonic() + int(timeout) / 1000, share)
    return Budget(share=share)
