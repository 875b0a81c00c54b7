"""Asking again while what is asked says that it may answer later."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import TypeVar

from lovsvar_agent.core.run import Limits
from lovsvar_contracts.problems import Problem, ProblemError

_LONGEST_PAUSE = 2.0

Reply = TypeVar("Reply")


def may_pass(problem: Problem) -> bool:
    """Return whether the same request may succeed later."""
    return problem.retryable


async def patiently(
    limits: Limits, ask: Callable[[], Awaitable[Reply]], passes: Callable[[Problem], bool] = may_pass
) -> Reply:
    """Ask, and ask again while the problem is one that passes, within the limits' patience. Raises `ProblemError`."""
    until = time.monotonic() + limits.patience
    pause = limits.pause
    while True:
        try:
            return await ask()
        except ProblemError as exc:
            if not passes(exc.problem) or time.monotonic() + pause > until:
                raise
        await asyncio.sleep(pause)
        pause = min(2 * pause, _LONGEST_PAUSE)
