"""Putting the vectors that the package brings of everyday questions into PostgreSQL."""

import asyncio
from collections.abc import Callable

import asyncpg
import structlog
from asyncpg.pool import PoolConnectionProxy

from lovsvar_chassis.database import Database, load_queries
from lovsvar_chassis.tasks import Background
from lovsvar_ingest.adapters.question_vectors import QuestionVectors
from lovsvar_ingest.core.embedding_ports import EmbeddingQueue
from lovsvar_ingest.core.errors import QuestionVectorsBroken

log = structlog.get_logger()

_SQL = load_queries("lovsvar_ingest.adapters")

_AT_ONCE = 1_000


class ShippedVectors(Background):
    """Stores, in the background, what `read` returns of stored questions without a vector. A part: start, stop.

    They are stored all together or not at all; nothing is done when another model is set up than the vectors are of.
    A failure is logged and harms nobody: workers then embed the questions.
    """

    def __init__(
        self, model: str, database: Database, queue: EmbeddingQueue, read: Callable[[], QuestionVectors]
    ) -> None:
        self._model = model
        self._database = database
        self._queue = queue
        self._read = read
        self.tried = asyncio.Event()
        """Set once they are stored, or will not be."""

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
        """Return how many were stored. Of processes that start at once one stores, the others wait."""
        async with self._database.transaction() as connection:
            await connection.execute(_SQL["hold_question_vectors"])
            rows = await connection.fetch(_SQL["unembedded_questions"], vectors.model, list(vectors.hashes))
            if not rows:
                return 0
            # The model's row is locked before the table, as workers do that store its first vectors.
            begun = await connection.fetchval(_SQL["begin_model"], vectors.model) is not None
            await connection.execute(_SQL["set_dimensions"], vectors.model, vectors.dimensions)
            await connection.execute(_SQL["hold_embeddings"])
            await _insert(connection, vectors, [row[0] for row in rows])
            await _index(connection, vectors)
        if begun:
            await self._queue.clear()
        return len(rows)


async def _insert(
    connection: "PoolConnectionProxy[asyncpg.Record]", vectors: QuestionVectors, wanted: list[str]
) -> None:
    places = {content_hash: row for row, content_hash in enumerate(vectors.hashes)}
    for start in range(0, len(wanted), _AT_ONCE):
        hashes = wanted[start : start + _AT_ONCE]
        written = await asyncio.to_thread(vectors.written, [places[content_hash] for content_hash in hashes])
        await connection.execute(_SQL["store_vectors"], vectors.model, "question", hashes, written)
    await connection.execute(_SQL["answer_requests"], vectors.model, wanted)


async def _index(connection: "PoolConnectionProxy[asyncpg.Record]", vectors: QuestionVectors) -> None:
    """Make the indexes that are not there: of many rows at once that is far quicker than row by row."""
    await connection.execute(_SQL["build_in_memory"])
    for row in await connection.fetch(_SQL["make_indexes"], vectors.model, vectors.dimensions):
        await connection.execute(row[0])
