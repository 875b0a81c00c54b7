"""Ingest killed at ten random moments of a sync, and started again, ends in the store of one left alone."""

import asyncio
import random
from pathlib import Path
from typing import Any

import pytest

from lovsvar_contracts.ingest import SyncCompleted, SyncRequested
from lovsvar_testkit.processes import ServiceProcess

LAWS = "gjeldende-lover"
KILLS = 10


@pytest.fixture
def process(nats_url: str, database_url: str, tmp_path: Path) -> Any:
    """Ingest in a process of its own, which is not started."""
    environment = {
        "LOVSVAR_NATS_URL": nats_url,
        "LOVSVAR_DATABASE_URL": database_url,
        "LOVSVAR_SOURCE": str(tmp_path / "source"),
        "LOVSVAR_CATALOGUES": "none",
        "LOVSVAR_EMBEDDING": "off",  # its planner would hold the tables that are emptied here
    }
    process = ServiceProcess("ingest", environment, tmp_path / "ingest.log")
    yield process
    process.stop()


async def test_killed_at_ten_random_moments(
    process: ServiceProcess, client: Any, put_archive: Any, make_law: Any, database: Any, snapshot: Any
) -> None:
    put_archive({f"nl/{n}.xml": make_law(n, *(f"Regel {m} i lov {n}." for m in range(20))) for n in range(1, 301)})
    process.start()
    await until(database, "SELECT to_regclass('archives') IS NOT NULL")
    whole = await client.sync()
    assert isinstance(whole, SyncCompleted)
    undisturbed = await snapshot()
    dice, stored = random.Random(17), []
    for _ in range(KILLS):
        await database.execute("TRUNCATE documents, structures, sections, archives CASCADE")
        await client.ask(SyncRequested(dataset=LAWS))
        await until(database, f"SELECT count(*) >= {dice.randrange(0, 300)} FROM documents")
        await asyncio.sleep(dice.uniform(0, 0.05))
        process.kill()
        stored.append(await database.fetchval("SELECT count(*) FROM documents WHERE corpus_version IS NULL"))
        await client.take_back()  # it would be delivered again after some seconds, which test_cut_off.py waits for
        process.start()
        assert isinstance(await client.sync(), SyncCompleted)
        assert await snapshot() == undisturbed
    assert process.process.poll() is None
    assert any(0 < count < 300 for count in stored)


async def until(database: Any, query: str) -> None:
    """Wait until `query` says true."""
    async with asyncio.timeout(60):
        while not await database.fetchval(query):  # noqa: ASYNC110 - the database cannot tell
            await asyncio.sleep(0.002)
