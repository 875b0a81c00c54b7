"""The everyday questions in PostgreSQL."""

from collections.abc import Callable, Sequence

import structlog

from lovsvar_chassis.database import Database, load_queries
from lovsvar_ingest.core.everyday import EverydayQuestion, checksum

log = structlog.get_logger()

_SQL = load_queries("lovsvar_ingest.adapters")

_COLUMNS = ("content_hash", "rank", "question", "lang", "refid", "section_key")


class StoredEveryday:
    """Makes the stored questions equal to those that `read` returns, at start. A component: start, stop."""

    def __init__(self, database: Database, read: Callable[[], Sequence[EverydayQuestion]]) -> None:
        self._database = database
        self._read = read

    async def start(self) -> None:
        """Store the questions if they differ, in one transaction. Raises the errors of `read`."""
        if await self._store(self._read()):
            log.info("everyday questions stored")

    async def stop(self) -> None:
        """Nothing is held."""

    async def _store(self, questions: Sequence[EverydayQuestion]) -> bool:
        """Return whether they differed. Of processes that start together one stores, the others wait."""
        data = checksum(questions)
        rows = [
            (question.content_hash, rank, question.question, question.lang, refid, key)
            for question in questions
            for rank, (refid, key) in enumerate(question.targets)
        ]
        async with self._database.transaction() as connection:
            await connection.execute(_SQL["hold_everyday"])
            if await connection.fetchval(_SQL["stored_everyday"]) == data:
                return False
            await connection.execute(_SQL["drop_everyday"])
            await connection.copy_records_to_table("everyday_questions", records=rows, columns=_COLUMNS)
            await connection.execute(_SQL["note_everyday"], data)
            await connection.execute(_SQL["serve_anew"])
            return True
