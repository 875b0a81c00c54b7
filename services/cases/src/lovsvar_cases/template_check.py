"""Verifying the templates: at the start, and again as the law changes."""

import asyncio

import structlog

from lovsvar_cases.core.drafts.citations import LawSource
from lovsvar_cases.core.drafts.errors import SourcesUnavailable
from lovsvar_cases.core.drafts.shelf import Shelf
from lovsvar_chassis.tasks import Background

log = structlog.get_logger()

EVERY_SECONDS = 600.0
RETRY_SECONDS = 5.0


class TemplateCheck(Background):
    """Compares the templates with the law until it can be read, and every ten minutes. A component: start, stop."""

    def __init__(
        self, shelf: Shelf, law: LawSource, every: float = EVERY_SECONDS, retry: float = RETRY_SECONDS
    ) -> None:
        self._shelf = shelf
        self._law = law
        self._every = every
        self._retry = retry

    async def _run(self) -> None:
        said: int | None = None
        while True:
            try:
                withdrawn = await self._shelf.verify(self._law)
            except SourcesUnavailable:
                await asyncio.sleep(self._retry)
                continue
            if withdrawn != said:
                log.info("verified the templates of drafts", withdrawn=withdrawn)
                said = withdrawn
            await asyncio.sleep(self._every)
