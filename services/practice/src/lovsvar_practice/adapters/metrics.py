"""Metrics: requests, cache hits, retries, the breaker, the budget, and the duration of searches."""

import contextlib
import time
from collections.abc import Callable, Iterator

from opentelemetry.metrics import MeterProvider, Observation, get_meter

from lovsvar_chassis.metrics import QUICK
from lovsvar_practice.core.errors import PracticeError

NAME = "lovsvar.practice"


class PracticeMetrics:
    """The service's instruments, under `lovsvar.practice.`. They do nothing until a meter provider is set."""

    def __init__(self, provider: MeterProvider | None = None) -> None:
        """Without a `provider`, the process's own is used, even if it is set later."""
        self._meter = get_meter(NAME, meter_provider=provider)
        self._duration = self._meter.create_histogram(
            f"{NAME}.search.duration",
            "s",
            "Searches, by outcome, and how long they took",
            explicit_bucket_boundaries_advisory=QUICK,
        )
        self._requests = self._meter.create_counter(
            f"{NAME}.requests", "{request}", "Requests sent to the provider, by outcome"
        )
        self._retries = self._meter.create_counter(f"{NAME}.retries", "{retry}", "Requests that were sent again")
        self._cache = self._meter.create_counter(f"{NAME}.cache", "{lookup}", "Lookups in the cache, by result")

    @contextlib.contextmanager
    def searching(self) -> Iterator[None]:
        """Measure a search. Its outcome is `found`, or the name of the error."""
        began, outcome = time.perf_counter(), "found"
        try:
            yield
        except BaseException as exc:
            outcome = type(exc).__name__ if isinstance(exc, PracticeError) else "error"
            raise
        finally:
            self._duration.record(time.perf_counter() - began, {"outcome": outcome})

    def requested(self, outcome: str) -> None:
        """Count a request: `outcome` is its HTTP status, or what kept it from getting one."""
        self._requests.add(1, {"outcome": outcome})

    def retried(self) -> None:
        """Count a request that is sent again."""
        self._retries.add(1)

    def looked_up(self, result: str) -> None:
        """Count a lookup in the cache: `hit`, `miss` or `unreachable`."""
        self._cache.add(1, {"result": result})

    def watch(self, *, breaker: Callable[[], int], budget: Callable[[], int]) -> None:
        """Show the breaker's state (0 closed, 1 half open, 2 open), and the requests that are left today."""
        state, left = f"{NAME}.breaker.state", f"{NAME}.budget.left"
        self._meter.create_observable_gauge(state, [lambda _: [Observation(breaker())]])
        self._meter.create_observable_gauge(left, [lambda _: [Observation(budget())]], "{request}")
