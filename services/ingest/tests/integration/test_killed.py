"""Ingest killed at random moments of a sync, and started again, ends in the store of one left alone."""

import asyncio
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from lovsvar_contracts.ingest import SyncCompleted, SyncRequested
from lovsvar_testkit.processes import ServiceProcess

LAWS = "gjeldende-lover"
DOCUMENTS = 300

MOST_KILLS = 10
"""Kills until one is in the middle of a sync: on a busy machine a sync may end before its process is killed."""


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


@pytest.mark.parametrize("kills", [3, pytest.param(MOST_KILLS, marks=pytest.mark.slow)])
async def test_killed_at_random_moments(
    process: ServiceProcess, client: Any, put_archive: Any, make_law: Any, database: Any, snapshot: Any, kills: int
) -> None:
    numbers = range(1, DOCUMENTS + 1)
    put_archive({f"nl/{n}.xml": make_law(n, *(f"Regel {m} i lov {n}." for m in range(20))) for n in numbers})
    process.start()
    await client.ready()
    whole = await client.sync()
    assert isinstance(whole, SyncCompleted)
    undisturbed = await snapshot()
    dice, stored = random.Random(17), []
    while len(stored) < kills or (not in_the_middle(stored) and len(stored) < MOST_KILLS):
        await database.execute("TRUNCATE documents, structures, sections, archives CASCADE")
        await client.ask(SyncRequested(dataset=LAWS))
        # Early, in the middle and late in turn.
        third = len(stored) % 3 * DOCUMENTS // 3
        await until(database, f"SELECT count(*) >= {third + dice.randrange(DOCUMENTS // 3)} FROM documents")
        await asyncio.sleep(dice.uniform(0, 0.05))
        process.kill()
        stored.append(await database.fetchval("SELECT count(*) FROM documents WHERE corpus_version IS NULL"))
        await client.take_back()  # it would be delivered again after some seconds, which test_cut_off.py waits for
        process.start()
        assert isinstance(await client.sync(), SyncCompleted)
        assert await snapshot() == undisturbed
    assert process.process.poll() is None
    assert in_the_middle(stored)


def in_the_middle(stored: Sequence[int]) -> bool:
    """Whether one of the kills left some documents stored, and others not."""
    return any(0 < count < DOCUMENTS for count in stored)


async def until(database: Any, query: str) -> None:
    """Wait until `query` says true."""
    async with asyncio.timeout(60):
        while not await database.fetchval(query):  # noqa: ASYNC110 - the database cannot tell
            await asyncio.sleep(0.002)
