"""Work in the background, and ending it."""

import asyncio
from abc import ABC, abstractmethod
from typing import Any

import structlog

log = structlog.get_logger()

AGAIN_SECONDS = 1.0


async def end(*tasks: asyncio.Task[Any]) -> None:
    """Cancel `tasks` and return when all have ended, however they ended.

    Repeated every second: until Python 3.12 `asyncio.wait_for` may lose a cancellation
    (https://github.com/python/cpython/issues/86296).
    """
    pending = {task for task in tasks if not task.done()}
    while pending:
        for task in pending:
            task.cancel()
        _, pending = await asyncio.wait(pending, timeout=AGAIN_SECONDS)


def is_cancelled() -> bool:
    """Say whether the running task was asked to end, and not only something that it waited for."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


def tell_of_failure(task: asyncio.Task[Any]) -> None:
    """Log what `task` fails with, as it does. asyncio itself does so only when nobody holds the task any more."""

    def tell(ended: asyncio.Task[Any]) -> None:
        if not ended.cancelled() and (error := ended.exception()) is not None:
            log.error("work in the background has ended", task=ended.get_name(), exc_info=error)

    task.add_done_callback(tell)


class Background(ABC):
    """A part whose work goes on in the background from its start. A stop cancels what is left of it."""

    _task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Begin."""
        self._task = asyncio.create_task(self._run(), name=type(self).__name__)
        tell_of_failure(self._task)

    async def stop(self) -> None:
        """Stop at once, and return when the work has ended."""
        if self._task is not None:
            await end(self._task)

    @abstractmethod
    async def _run(self) -> None:
        """Do the work. What it raises is logged, and ends it."""
