"""A circuit breaker: a provider that keeps failing gets no requests for a while."""

import contextlib
import time
from collections.abc import Callable, Iterator
from enum import IntEnum

from lovsvar_practice.core.errors import KeyRefused, Paused, SearchRefused, Unavailable

_PAUSED = "Søketjenesten for rettspraksis har feilet flere ganger på rad og får hvile. Prøv igjen om litt."


class BreakerState(IntEnum):
    """The state of a breaker; its metric shows the numbers."""

    CLOSED = 0
    HALF_OPEN = 1
    OPEN = 2


class Breaker:
    """Opens after `threshold` failures in a row, and admits one search as a probe after `rest` seconds.

    The probe closes it or opens it again; other searches are refused meanwhile. Only `Unavailable` counts as a
    failure: a provider that refuses a key or a search works. A search that ends otherwise, cancelled or over the
    budget, does not count.
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
        """The present state."""
        if self._opened_at is None:
            return BreakerState.CLOSED
        rested = self._clock() - self._opened_at >= self._rest
        return BreakerState.HALF_OPEN if rested or self._probing else BreakerState.OPEN

    @contextlib.contextmanager
    def guarding(self) -> Iterator[None]:
        """Admit a search and count its outcome. Raises `Paused` when it may not be made."""
        probe = self._admit()
        try:
            yield
            self._answered(probe=probe)
        except Unavailable:
            self._failed(probe=probe)
            raise
        except (KeyRefused, SearchRefused):
            self._answered(probe=probe)
            raise
        finally:
            if probe:
                self._probing = False

    def _admit(self) -> bool:
        state = self.state
        if state is BreakerState.CLOSED:
            return False
        if state is BreakerState.OPEN or self._probing:
            raise Paused(_PAUSED)
        self._probing = True
        return True

    def _failed(self, *, probe: bool) -> None:
        self._failures += 1
        # A search that began before the breaker opened does not keep it open longer.
        if probe or (self._opened_at is None and self._failures >= self._threshold):
            self._opened_at = self._clock()

    def _answered(self, *, probe: bool) -> None:
        # The answer to a search that began before the breaker opened does not close it.
        if probe or self._opened_at is None:
            self._failures = 0
            self._opened_at = None
