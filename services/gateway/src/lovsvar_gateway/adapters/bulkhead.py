"""A limit of concurrent requests to each other service, so that a slow one does not hold up the rest."""

import asyncio
import contextlib
import math
from collections.abc import AsyncIterator

from lovsvar_chassis.admission import Admission
from lovsvar_chassis.budget import Budget, current
from lovsvar_chassis.problems import busy
from lovsvar_contracts.problems import ProblemError


class Bulkhead:
    """Places for `at_once` requests to a service. Shares take turns, and a wait that is too long is refused at once."""

    def __init__(self, at_once: int) -> None:
        self._admission: Admission[asyncio.Future[None]] = Admission(at_once, lambda place: not place.done())

    @property
    def has_room(self) -> bool:
        """Whether no request is refused now."""
        return self._admission.has_room

    def check(self, share: str) -> None:
        """Raise what `place` would raise now for a request of that share."""
        self._check(Budget(math.inf, share))

    @contextlib.asynccontextmanager
    async def place(self) -> AsyncIterator[None]:
        """Hold a place for the block. Raises `ProblemError` with `retry_after` if the wait would be too long."""
        if not self._admission.enter():
            self._check(current())
            await self._wait(current().share)
        served = True
        try:
            yield
        except ProblemError as exc:
            served = exc.problem.retry_after is None
            raise
        finally:
            self._leave(served=served)

    def _check(self, budget: Budget) -> None:
        if seconds := self._admission.refusal(budget.share, budget.left):
            raise ProblemError(busy(seconds))

    async def _wait(self, share: str) -> None:
        place = asyncio.get_running_loop().create_future()
        self._admission.line_up(place, share)
        try:
            await place
        except asyncio.CancelledError:
            # The place may have been assigned in the same moment: pass it on.
            if not place.cancelled():
                self._leave(served=False)
            raise

    def _leave(self, *, served: bool) -> None:
        if (following := self._admission.leave(served=served)) is not None:
            following.set_result(None)
