"""Passages and their vectors in PostgreSQL with pgvector.

Vectors of all models share one table; each model has two partial indexes over a cast to its dimensions, one of
passages and one of questions, which are made with its first vectors. Planning holds an advisory lock, which ends
with the connection.
"""

import contextlib
from collections import defaultdict
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence

import asyncpg
from asyncpg.pool import PoolConnectionProxy

from lovsvar_chassis.database import Database, in_transaction, load_queries
from lovsvar_contracts.law import LAW_TYPE_ORDER
from lovsvar_embedder.embedder import Vector
from lovsvar_ingest.core.embedding_ports import Answer, CutDocument, UncutDocument
from lovsvar_ingest.core.errors import StoreUnavailable
from lovsvar_ingest.core.passages import SectionText

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
"""How a database shows itself that is gone, full or being stopped. asyncpg calls it an internal error when a connection
is cut between two steps."""

_PASSAGE = ("refid", "section_key", "number", "ledd", "content_hash", "characters")


@contextlib.contextmanager
def _lost() -> Iterator[None]:
    """Turn what asyncpg raises of a database that is gone into `StoreUnavailable`."""
    try:
        yield
    except _LOST as exc:
        if isinstance(exc, ValueError):
            # So asyncpg calls what it cannot write as PostgreSQL's type, which no waiting changes.
            raise
        raise StoreUnavailable(f"Databasen svarer ikke: {exc!r}") from exc


class PostgresEmbeddings:
    """Passages, questions, their vectors, and who plans."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @contextlib.asynccontextmanager
    async def planning(self) -> AsyncIterator["PostgresPlans | None"]:
        """Hold planning while the block runs; None when another process has it.

        The pool lets go of a connection's advisory locks when it takes the connection back.
        """
        async with self._database.acquire() as connection:
            held = await connection.fetchval(_SQL["try_hold_planning"])
            yield PostgresPlans(connection) if held else None

    async def unembedded(self, model: str, texts: Sequence[str]) -> Sequence[str]:
        """Return which of these texts have no vector, in the order given."""
        return [row[0] for row in await self._fetch("unembedded", model, list(texts))]

    async def questions_of(self, texts: Sequence[str]) -> Mapping[str, str]:
        """Return those of these texts that are everyday questions, by hash."""
        return {row[0]: row[1] for row in await self._fetch("questions_by_hash", list(texts))}

    async def sections_of(self, passages: Sequence[str]) -> Sequence[SectionText]:
        """Return sections from which these texts can be cut."""
        return [SectionText(**dict(row)) for row in await self._fetch("sections_of_passages", list(passages))]

    async def store(self, model: str, asked: Sequence[str], answer: Answer) -> None:
        """Answer a request in one transaction."""
        with _lost():
            async with self._database.transaction() as connection:
                await self._store(connection, model, asked, answer)

    async def _fetch(self, query: str, *arguments: object) -> list[asyncpg.Record]:
        with _lost():
            return await self._database.fetch(_SQL[query], *arguments)

    async def _store(
        self, connection: "PoolConnectionProxy[asyncpg.Record]", model: str, asked: Sequence[str], answer: Answer
    ) -> None:
        for kind, vectors in (("passage", answer.passages), ("question", answer.questions)):
            if vectors:
                await self._store_vectors(connection, model, kind, vectors)
        await connection.execute(_SQL["answer_requests"], model, list(asked))
        if refused := answer.refused:
            await connection.execute(_SQL["note_refusals"], model, list(refused), list(refused.values()))

    async def _store_vectors(
        self,
        connection: "PoolConnectionProxy[asyncpg.Record]",
        model: str,
        kind: str,
        vectors: Mapping[str, Vector],
    ) -> None:
        await self._index(connection, model, len(next(iter(vectors.values()))))
        written = ["[" + ",".join(map(str, vector)) + "]" for vector in vectors.values()]
        await connection.execute(_SQL["store_vectors"], model, kind, list(vectors), written)

    async def _index(self, connection: "PoolConnectionProxy[asyncpg.Record]", model: str, dimensions: int) -> None:
        """Make the indexes of a model of which this is the first vector."""
        if await connection.fetchval(_SQL["set_dimensions"], model, dimensions):
            for row in await connection.fetch(_SQL["make_indexes"], model, dimensions):
                await connection.execute(row[0])


class PostgresPlans:
    """The store while one process plans."""

    def __init__(self, connection: "PoolConnectionProxy[asyncpg.Record]") -> None:
        self._connection = connection

    async def begin(self, model: str) -> bool:
        """Make `model` the one that is built; return whether it was another before."""
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
        """Replace the passages of `documents`, in one transaction."""
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
        """Delete the passages of documents that are no longer served."""
        await self._connection.execute(_SQL["drop_removed_documents"])

    async def missing(self, model: str, limit: int) -> Sequence[str]:
        """Return texts without a vector that nobody was asked to embed, the most urgent first."""
        questions = [row[0] for row in await self._connection.fetch(_SQL["missing_questions"], model, limit)]
        if len(questions) == limit:
            return questions
        order = [law_type.value for law_type in LAW_TYPE_ORDER]
        left = limit - len(questions)
        passages = await self._connection.fetch(_SQL["missing_passages"], model, order, left)
        return [*questions, *(row[0] for row in passages)]

    async def note_requests(self, model: str, texts: Sequence[str]) -> None:
        """Note that these texts are asked for."""
        await self._connection.execute(_SQL["note_requests"], model, list(texts))

    async def forget_requests(self, model: str) -> None:
        """Forget all that was asked for; what was refused stays."""
        await self._connection.execute(_SQL["forget_requests"], model)

    async def complete(self, model: str) -> None:
        """Note that `model` has every vector; delete earlier models, and vectors of texts that are gone."""
        async with in_transaction(self._connection):
            if await self._connection.fetchval(_SQL["complete_model"], model) is None:
                return
            for row in await self._connection.fetch(_SQL["make_drop_earlier_indexes"], model):
                await self._connection.execute(row[0])
            await self._connection.execute(_SQL["drop_earlier_models"], model)
            await self._connection.execute(_SQL["drop_orphans"])
