"""A circuit breaker: a provider that fails again and again is left alone for a while."""

import contextlib
import time
from collections.abc import Callable, Iterator
from enum import IntEnum

from lovsvar_practice.core.errors import KeyRefused, Paused, SearchRefused, Unavailable


class BreakerState(IntEnum):
    """How a breaker stands; the numbers are what its metric shows."""

    CLOSED = 0
    HALF_OPEN = 1
    OPEN = 2


class Breaker:
    """Opens after `threshold` failures in a row, and lets one search through when it has rested.

    That one closes it or opens it again; whoever comes meanwhile is refused. Only `Unavailable` counts as a
    failure: a provider that refuses a key or a search is there. A search that ends otherwise, cancelled or over the
    budget, says nothing about it.
    """

    def __init__(self, threshold: int, rest: float, clock: Callable[[], float] = time.monotonic) -> None:
        """`rest` is in seconds by `clock`."""
        self._threshold = threshold
        self._rest = rest
        self._clock = clock
        self._failures = 0
        self._opened_at: float | None = None
        self._probing = False

    @property
    def state(self) -> BreakerState:
        """How it stands now."""
        if self._opened_at is None:
            return BreakerState.CLOSED
        rested = self._clock() - self._opened_at >= self._rest
        return BreakerState.HALF_OPEN if rested or self._probing else BreakerState.OPEN

    @contextlib.contextmanager
    def guarding(self) -> Iterator[None]:
        """Let a search through and learn from its outcome. Raises `Paused` when it may not be made."""
        probe = self._admit()
        try:
            yield
        except Unavailable:
            self._failed(probe=probe)
            raise
        except (KeyRefused, SearchRefused):
            self._answered(probe=probe)
            raise
        else:
            self._answered(probe=probe)
        finally:
            if probe:
                self._probing = False

    def _admit(self) -> bool:
        state = self.state
        if state is BreakerState.CLOSED:
            return False
        if state is BreakerState.OPEN or self._probing:
            raise Paused(
                "Søketjenesten for rettspraksis har feilet flere ganger på rad og får hvile. Prøv igjen om litt."
            )
        self._probing = True
        return True

    def _failed(self, *, probe: bool) -> None:
        self._failures += 1
        # One that began before the breaker opened does not make it rest longer.
        if probe or (self._opened_at is None and self._failures >= self._threshold):
            self._opened_at = self._clock()

    def _answered(self, *, probe: bool) -> None:
        # An answer to what was asked before the breaker opened is no sign that the provider is back.
        if probe or self._opened_at is None:
            self._failures = 0
            self._opened_at = None
