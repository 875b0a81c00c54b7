"""A run's events, appended to its log."""

import asyncio

from lovsvar_agent.core.errors import RunStopped
from lovsvar_chassis.run_log import Cursor, RunLog, RunTaken
from lovsvar_contracts.run_events import RunEvent


class RunWriter:
    """`EventSink` that appends after `cursor`, and keeps it."""

    def __init__(self, log: RunLog, cursor: Cursor) -> None:
        self._log = log
        self._cursor = cursor

    async def emit(self, event: RunEvent) -> None:
        """Append `event`; what has been sent is waited for even when the caller is cancelled meanwhile.

        Without the wait, an event could be stored whose place the writer does not know of, and the next
        append would seem to come from somebody else.
        """
        append = asyncio.ensure_future(self._append(event))
        try:
            await asyncio.shield(append)
        except asyncio.CancelledError:
            await asyncio.gather(append, return_exceptions=True)
            raise

    async def _append(self, event: RunEvent) -> None:
        try:
            _, self._cursor = await self._log.append(event, self._cursor)
        except RunTaken as exc:
            raise RunStopped(event.run_id) from exc
