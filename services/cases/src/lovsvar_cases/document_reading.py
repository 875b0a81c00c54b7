"""Has the documents read that wait for it: those of this process at once, those that another left after its time."""

import asyncio

import structlog

from lovsvar_cases.core.files.documents import read_claimed
from lovsvar_cases.core.files.ports import DocumentDesk
from lovsvar_chassis.database import reason_of
from lovsvar_chassis.tasks import Background

log = structlog.get_logger()

EVERY_SECONDS = 1.0
SPARE_SECONDS = 60.0
"""How much longer than reading may take a document is this process's."""


class DocumentReading(Background):
    """Reads documents, `at_once` at the same time. A component: start, stop."""

    def __init__(self, documents: DocumentDesk, at_once: int, every: float = EVERY_SECONDS) -> None:
        self._documents = documents
        self._at_once = at_once
        self._every = every

    async def _run(self) -> None:
        async with asyncio.TaskGroup() as group:
            for _ in range(self._at_once):
                group.create_task(self._read_on())

    async def _read_on(self) -> None:
        while True:
            try:
                while claimed := await self._documents.store.claim(self._documents.limits.seconds + SPARE_SECONDS):
                    await read_claimed(claimed, self._documents)
            except Exception as exc:  # what fails now is tried again, by whoever is first
                log.warning("documents could not be read", reason=reason_of(exc))
            await asyncio.sleep(self._every)
