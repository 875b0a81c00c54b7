"""Erasing what has been closed for as long as is kept."""

import asyncio

import structlog

from lovsvar_cases.adapters.postgres_cases import PostgresCases
from lovsvar_chassis.database import reason_of
from lovsvar_chassis.tasks import Background

log = structlog.get_logger()

EVERY_SECONDS = 3600.0


class Retention(Background):
    """Erases cases that have been closed for `days`, once an hour. A component: start, stop."""

    def __init__(self, store: PostgresCases, days: int, every: float = EVERY_SECONDS) -> None:
        self._store = store
        self._days = days
        self._every = every

    async def _run(self) -> None:
        while True:
            try:
                while erased := await self._store.erase_closed(self._days):
                    log.info("erased closed cases", cases=erased, after_days=self._days)
            except Exception as exc:  # what fails now is tried again in an hour
                log.warning("closed cases could not be erased", reason=reason_of(exc))
            await asyncio.sleep(self._every)
