"""Passages and their vectors in PostgreSQL with pgvector.

Vectors of all models share one table; each model has two partial indexes over a cast to its dimensions, of passages
and of questions, which are made with its first vectors. Planning holds an advisory lock of its connection.
"""

import contextlib
from collections import defaultdict
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from typing import TypeAlias

import asyncpg
from asyncpg.pool import PoolConnectionProxy
from pgvector import HalfVector
from pgvector.asyncpg import register_vector

from lovsvar_chassis.database import Database, in_transaction, load_queries
from lovsvar_contracts.law import LAW_TYPE_ORDER
from lovsvar_embedder.embedder import Vector
from lovsvar_ingest.core.embedding_ports import (
    Answer,
    CutDocument,
    EmbeddingPlans,
    EmbeddingStore,
    Missing,
    UncutDocument,
)
from lovsvar_ingest.core.errors import StoreUnavailable
from lovsvar_ingest.core.passages import SectionText

Connection: TypeAlias = "PoolConnectionProxy[asyncpg.Record]"

_SQL = load_queries("lovsvar_ingest.adapters")

_LOST = (
    asyncpg.PostgresConnectionError,
    asyncpg.CannotConnectNowError,
    asyncpg.TooManyConnectionsError,
    asyncpg.AdminShutdownError,
    asyncpg.CrashShutdownError,
    asyncpg.DiskFullError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,
    OSError,
    TimeoutError,
)
"""Errors of a database that is gone, full or being stopped. A connection that is cut between two steps is an internal
error of asyncpg."""

_PASSAGE = ("refid", "section_key", "number", "ledd", "content_hash", "characters")


@contextlib.contextmanager
def _lost() -> Iterator[None]:
    """Turn the errors of a database that is gone into `StoreUnavailable`."""
    try:
        yield
    except _LOST as exc:
        if isinstance(exc, ValueError):
            # An argument that asyncpg cannot encode: no retry helps.
            raise
        raise StoreUnavailable(f"Databasen svarer ikke: {exc!r}") from exc


class PostgresEmbeddings(EmbeddingStore):
    """Passages, questions, their vectors, and the lock of planning."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @contextlib.asynccontextmanager
    async def planning(self) -> AsyncIterator["PostgresPlans | None"]:
        """Hold planning by an advisory lock, which the pool releases with the connection."""
        async with self._database.acquire() as connection:
            held = await connection.fetchval(_SQL["try_hold_planning"])
            yield PostgresPlans(connection) if held else None

    async def unembedded(self, model: str, texts: Sequence[str]) -> Sequence[str]:
        return [row[0] for row in await self._fetch("unembedded", model, list(texts))]

    async def questions_of(self, texts: Sequence[str]) -> Mapping[str, str]:
        return {row[0]: row[1] for row in await self._fetch("questions_by_hash", list(texts))}

    async def products_of(self, texts: Sequence[str], *, asked: bool) -> Mapping[str, str]:
        return {row[0]: row[1] for row in await self._fetch("products_by_hash", list(texts), asked)}

    async def sections_of(self, passages: Sequence[str]) -> Sequence[SectionText]:
        return [SectionText(**dict(row)) for row in await self._fetch("sections_of_passages", list(passages))]

    async def store(self, model: str, asked: Sequence[str], answer: Answer) -> None:
        with _lost():
            async with self._database.transaction() as connection:
                by_kind = {"passage": answer.passages, "question": answer.questions, "product": answer.products}
                for kind, vectors in by_kind.items():
                    if vectors:
                        await _store_vectors(connection, model, kind, vectors)
                await connection.execute(_SQL["answer_requests"], model, list(asked))
                if refused := answer.refused:
                    await connection.execute(_SQL["note_refusals"], model, list(refused), list(refused.values()))

    async def _fetch(self, query: str, *arguments: object) -> list[asyncpg.Record]:
        with _lost():
            return await self._database.fetch(_SQL[query], *arguments)


async def _store_vectors(connection: Connection, model: str, kind: str, vectors: Mapping[str, Vector]) -> None:
    dimensions = len(next(iter(vectors.values())))
    if await connection.fetchval(_SQL["set_dimensions"], model, dimensions):
        await make_indexes(connection, model, dimensions)
    # In a transaction of seconds: pools that embed nothing need no codec, and no `vector` extension when they connect.
    await register_vector(connection)  # type: ignore[arg-type]  # a pool's proxy has the same methods
    halves = [HalfVector(list(vector)) for vector in vectors.values()]
    await connection.execute(_SQL["store_vectors"], model, kind, list(vectors), halves)


async def make_indexes(connection: Connection, model: str, dimensions: int) -> None:
    """Make the indexes of a model that are missing."""
    for row in await connection.fetch(_SQL["make_indexes"], model, dimensions):
        await connection.execute(row[0])


class PostgresPlans(EmbeddingPlans):
    """The store while its connection holds planning."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    async def begin(self, model: str) -> bool:
        return await self._connection.fetchval(_SQL["begin_model"], model) is not None

    async def uncut(self, cutting: int, limit: int) -> Sequence[UncutDocument]:
        """Return documents that changed since they were cut. What changes while they are read is read again."""
        documents = await self._connection.fetch(_SQL["uncut_documents"], cutting, limit)
        acts = {row["refid"]: row["act"] for row in documents}
        sections: defaultdict[str, list[SectionText]] = defaultdict(list)
        for row in await self._connection.fetch(_SQL["sections_to_cut"], list(acts)):
            sections[row["refid"]].append(SectionText(act=acts[row["refid"]], **dict(row)))
        return [UncutDocument(row["refid"], row["content_hash"], sections[row["refid"]]) for row in documents]

    async def store_cuts(self, documents: Sequence[CutDocument], cutting: int) -> None:
        refids = [document.refid for document in documents]
        rows = [
            (document.refid, section_key, p.number, p.ledd, p.content_hash, len(p.text))
            for document in documents
            for section_key, passages in document.passages.items()
            for p in passages
        ]
        async with in_transaction(self._connection):
            await self._connection.execute(_SQL["drop_passages"], refids)
            await self._connection.copy_records_to_table("passages", records=rows, columns=_PASSAGE)
            hashes = [document.content_hash for document in documents]
            await self._connection.execute(_SQL["note_cuts"], refids, hashes, cutting)

    async def drop_removed(self) -> None:
        await self._connection.execute(_SQL["drop_removed_documents"])

    async def missing(self, model: str, limit: int) -> Missing:
        law = [row[0] for row in await self._connection.fetch(_SQL["missing_questions"], model, limit)]
        if left := limit - len(law):
            order = [law_type.value for law_type in LAW_TYPE_ORDER]
            law += [row[0] for row in await self._connection.fetch(_SQL["missing_passages"], model, order, left)]
        products = await self._connection.fetch(_SQL["missing_products"], model, limit)
        return Missing(law, [row[0] for row in products])

    async def law_is_done(self, model: str) -> bool:
        return bool(await self._connection.fetchval(_SQL["law_is_done"], model))

    async def note_requests(self, model: str, texts: Sequence[str]) -> None:
        await self._connection.execute(_SQL["note_requests"], model, list(texts))

    async def forget_requests(self, model: str) -> None:
        await self._connection.execute(_SQL["forget_requests"], model)

    async def complete(self, model: str) -> None:
        async with in_transaction(self._connection):
            if await self._connection.fetchval(_SQL["complete_model"], model) is None:
                return
            for row in await self._connection.fetch(_SQL["make_drop_earlier_indexes"], model):
                await self._connection.execute(row[0])
            await self._connection.execute(_SQL["drop_earlier_models"], model)
            await self._connection.execute(_SQL["drop_orphans"])
