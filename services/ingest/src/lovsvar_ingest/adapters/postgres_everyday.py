"""The everyday questions and their shipped vectors in PostgreSQL."""

import asyncio
from collections.abc import Callable, Sequence

import structlog
from pgvector.asyncpg import register_vector

from lovsvar_chassis.database import Database, load_queries
from lovsvar_chassis.tasks import Background
from lovsvar_ingest.adapters.everyday_files import QuestionVectors
from lovsvar_ingest.adapters.postgres_embeddings import Connection, make_indexes
from lovsvar_ingest.core.embedding_ports import EmbeddingQueue
from lovsvar_ingest.core.errors import QuestionVectorsBroken
from lovsvar_ingest.core.everyday import EverydayQuestion, checksum

log = structlog.get_logger()

_SQL = load_queries("lovsvar_ingest.adapters")

_COLUMNS = ("content_hash", "rank", "question", "lang", "refid", "section_key")
_AT_ONCE = 1_000


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
            await connection.execute(_SQL["raise_version_for_questions"])
            return True


class ShippedVectors(Background):
    """Stores, in the background, the vectors of stored questions that have none. A component: start, stop.

    They are stored in one transaction, and only if they are of the `model` that is set up. A failure is logged; workers
    then embed the questions.
    """

    def __init__(
        self, model: str, database: Database, queue: EmbeddingQueue, read: Callable[[], QuestionVectors]
    ) -> None:
        self._model = model
        self._database = database
        self._queue = queue
        self._read = read
        self.tried = asyncio.Event()
        """Set once the vectors are stored, or cannot be."""

    async def _run(self) -> None:
        try:
            vectors = await asyncio.to_thread(self._read)
            if vectors.model == self._model and (stored := await self._store(vectors)):
                log.info("vectors of everyday questions stored", count=stored)
        except QuestionVectorsBroken as exc:
            log.error("vectors of everyday questions are broken", reason=str(exc))
        except Exception:
            log.exception("vectors of everyday questions were not stored")
        finally:
            self.tried.set()

    async def _store(self, vectors: QuestionVectors) -> int:
        """Return the number of vectors stored. Of processes that start together one stores, the others wait."""
        async with self._database.transaction() as connection:
            await connection.execute(_SQL["hold_question_vectors"])
            rows = await connection.fetch(_SQL["unembedded_questions"], vectors.model, list(vectors.hashes))
            if not rows:
                return 0
            # The model's row is locked before the table: the order of workers that store its first vectors.
            begun = await connection.fetchval(_SQL["begin_model"], vectors.model) is not None
            await connection.execute(_SQL["set_dimensions"], vectors.model, vectors.dimensions)
            await connection.execute(_SQL["hold_embeddings"])
            await _insert(connection, vectors, [row[0] for row in rows])
            # After the rows: for many at once that is much faster than row by row.
            await connection.execute(_SQL["build_in_memory"])
            await make_indexes(connection, vectors.model, vectors.dimensions)
        if begun:
            await self._queue.clear()
        return len(rows)


async def _insert(connection: Connection, vectors: QuestionVectors, wanted: list[str]) -> None:
    places = {content_hash: row for row, content_hash in enumerate(vectors.hashes)}
    await register_vector(connection)  # type: ignore[arg-type]  # a pool's proxy has the same methods
    for start in range(0, len(wanted), _AT_ONCE):
        hashes = wanted[start : start + _AT_ONCE]
        halves = await asyncio.to_thread(vectors.halves, [places[content_hash] for content_hash in hashes])
        await connection.execute(_SQL["store_vectors"], vectors.model, "question", hashes, halves)
    await connection.execute(_SQL["answer_requests"], vectors.model, wanted)
