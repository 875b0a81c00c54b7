"""Ending tasks."""

import asyncio
from typing import Any

AGAIN_SECONDS = 1.0


async def end(*tasks: asyncio.Task[Any]) -> None:
    """Cancel `tasks` and return when all have ended, however they ended.

    Asked again every second: until Python 3.12 `asyncio.wait_for`, also inside libraries, loses a cancellation that
    comes as its wait is over (https://github.com/python/cpython/issues/86296), and a loop would go on for ever.
    """
    pending = {task for task in tasks if not task.done()}
    while pending:
        for task in pending:
            task.cancel()
        _, pending = await asyncio.wait(pending, timeout=AGAIN_SECONDS)
