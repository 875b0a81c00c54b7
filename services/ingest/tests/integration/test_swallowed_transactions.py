"""A transaction over a link that swallows everything is let go of at once: its rollback is no second long wait."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import pytest

from lovsvar_chassis import database as chassis
from lovsvar_chassis.database import BATCH, Database
from lovsvar_ingest.adapters.postgres_embeddings import PostgresEmbeddings
from lovsvar_ingest.adapters.postgres_everyday import StoredEveryday
from lovsvar_ingest.adapters.postgres_store import PostgresStore
from lovsvar_ingest.core.archive import Provenance, Validators
from lovsvar_ingest.core.embedding_ports import Answer
from lovsvar_testkit.proxy import Proxy
from lovsvar_testkit.waiting import until

PATIENCE = 20.0
"""Far below the quarter of an hour that a statement of the background may take."""

WRITTEN = "embedding_models, passages, documents, everyday_questions"
"""What transactions write to first; locked so that it can be read, each of them waits there."""


@pytest.fixture(autouse=True)
def short_release(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait for a broken connection for less than the seconds that are usual, which are few."""
    assert chassis.RELEASE_SECONDS < PATIENCE / 2
    monkeypatch.setattr(chassis, "RELEASE_SECONDS", 0.2)


Work = Callable[[Database], Awaitable[Any]]


async def store_vectors(database: Database) -> None:
    await PostgresEmbeddings(database).store("modell", ["a"], Answer(passages={"a": [1.0, 0.0]}))


async def store_cuts(database: Database) -> None:
    async with PostgresEmbeddings(database).planning() as plans:
        assert plans
        await plans.store_cuts([], 1)


async def complete(database: Database) -> None:
    async with PostgresEmbeddings(database).planning() as plans:
        assert plans
        await plans.complete("modell")


async def write(database: Database) -> None:
    async with PostgresStore(database).writer("gjeldende-lover") as writer:
        await writer.write([], {})


async def finish(database: Database) -> None:
    async with PostgresStore(database).writer("gjeldende-lover") as writer:
        await writer.finish([], [], None, Provenance("a", 1, "b", Validators(), None))


async def store_everyday(database: Database) -> None:
    await StoredEveryday(database, lambda: []).start()


@pytest.fixture
async def proxy(database_url: str) -> AsyncIterator[Proxy]:
    async with Proxy(database_url) as proxy:
        yield proxy


@pytest.mark.parametrize("work", [store_vectors, store_cuts, complete, write, finish, store_everyday])
async def test_work_that_is_cancelled_while_its_link_swallows_ends_soon(
    proxy: Proxy, database: Any, work: Work
) -> None:
    assert BATCH.command > 10 * PATIENCE
    pool = Database(proxy.url, size=1)
    await pool.start()
    try:
        async with database.transaction():
            await database.execute(f"LOCK TABLE {WRITTEN} IN EXCLUSIVE MODE")
            task = asyncio.create_task(work(pool))  # type: ignore[arg-type]
            await until(lambda: waits(database))
            proxy.swallow()
            async with asyncio.timeout(PATIENCE):
                task.cancel()
                await asyncio.wait({task})
        assert task.done()
    finally:
        await pool.stop()


async def waits(database: Any) -> bool:
    """Return whether somebody waits for a lock."""
    query = "SELECT EXISTS (SELECT FROM pg_locks WHERE NOT granted)"
    return bool(await database.fetchval(query))
