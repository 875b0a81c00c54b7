"""A sync that is cut off anywhere, and started again, ends in the same store as one that was left alone."""

import asyncio
import random
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from lovsvar_chassis.database import Database
from lovsvar_contracts.ingest import SyncCompleted, SyncRequested
from lovsvar_ingest.adapters.archives import Archives
from lovsvar_ingest.adapters.in_memory import MemoryEvents
from lovsvar_ingest.adapters.postgres_store import PostgresStore
from lovsvar_ingest.core.dataset_sync import sync_dataset
from lovsvar_ingest.core.lovdata_reader import LovdataReader
from lovsvar_testkit.processes import ServiceProcess

LAWS = "gjeldende-lover"


def laws(make_law: Callable[..., bytes], count: int) -> Mapping[str, bytes]:
    return {f"nl/{n}.xml": make_law(n, *(f"Regel {m} i lov {n}." for m in range(30))) for n in range(1, count + 1)}


@pytest.mark.parametrize("cuts", [3, pytest.param(10, marks=pytest.mark.slow)])
async def test_cancelled_at_any_moment(
    put_archive: Any, make_law: Any, database: Any, database_url: str, snapshot: Any, cuts: int
) -> None:
    folder = put_archive(laws(make_law, 150))
    pool = Database(database_url, size=2)
    await pool.start()

    async def sync() -> MemoryEvents:
        events = MemoryEvents()
        await sync_dataset(
            SyncRequested(dataset=LAWS), Archives(str(folder)), LovdataReader(), PostgresStore(pool), events
        )
        return events

    try:
        began = asyncio.get_running_loop().time()
        await sync()
        whole = asyncio.get_running_loop().time() - began
        undisturbed = await snapshot()
        dice = random.Random(17)
        for cut in range(cuts):
            await database.execute("TRUNCATE documents, structures, sections, archives CASCADE")
            task = asyncio.create_task(sync())
            await asyncio.wait({task}, timeout=whole * (cut + dice.random()) / cuts)
            task.cancel()
            await asyncio.wait({task})
            # The database lets go of what a connection held that was cut once it notices.
            await until(database, "SELECT NOT EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory')")
            events = await sync()
            assert isinstance(events.syncs[-1], SyncCompleted)
            assert await snapshot() == undisturbed
    finally:
        await pool.stop()


async def test_killed_in_the_middle(
    client: Any,
    ingest: Any,
    put_archive: Any,
    make_law: Any,
    database: Any,
    database_url: str,
    nats_url: str,
    snapshot: Any,
    tmp_path: Path,
) -> None:
    folder = put_archive(laws(make_law, 300))
    environment = {
        "LOVSVAR_NATS_URL": nats_url,
        "LOVSVAR_DATABASE_URL": database_url,
        "LOVSVAR_SOURCE": str(folder),
        "LOVSVAR_CATALOGUES": "none",
        "LOVSVAR_EMBEDDING": "off",  # it would build the index of the shipped vectors meanwhile
    }
    process = ServiceProcess("ingest", environment, tmp_path / "ingest.log")
    process.start()
    request = SyncRequested(dataset=LAWS)
    async with asyncio.timeout(60):
        await client.ready()
        await client.ask(request)
        await until(database, "SELECT count(*) >= 50 FROM documents")
    process.kill()
    assert await database.fetchval("SELECT count(*) FROM documents") < 300, "it had ended"
    async with ingest(embedding="off"):  # its planner would hold the tables that are emptied here
        end = await client.end(request.sync_id)
        assert isinstance(end, SyncCompleted)
        cut_off = await snapshot()
        await database.execute("TRUNCATE documents, structures, sections, archives CASCADE")
        await client.sync()
    assert await snapshot() == cut_off
    assert not any(pending for *_, pending in cut_off["documents"])


async def until(database: Any, query: str) -> None:
    """Wait until `query` says true."""
    while not await database.fetchval(query):  # noqa: ASYNC110 - the database cannot tell
        await asyncio.sleep(0.02)
