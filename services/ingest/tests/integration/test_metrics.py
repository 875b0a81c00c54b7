"""What operators see of ingest: when each data set was synced well, and the passages that have no vector."""

import asyncio
from collections.abc import Callable
from typing import Any

import asyncpg

from lovsvar_chassis import metrics
from lovsvar_contracts.ingest import SyncCompleted
from lovsvar_ingest.adapters import metrics as watching
from lovsvar_ingest.core.nightly import DATASETS
from lovsvar_testkit.measured import Measured
from lovsvar_testkit.waiting import until

LAWS = "gjeldende-lover"


async def test_the_age_of_each_data_set_and_the_passages_without_a_vector_are_shown(
    ingest: Callable[..., Any],
    client: Any,
    put_archive: Callable[..., Any],
    make_law: Callable[..., bytes],
    database: "asyncpg.Connection[asyncpg.Record]",
    measured: Measured,
    monkeypatch: Any,
) -> None:
    monkeypatch.setattr(watching, "LOOK_SECONDS", 0.05)
    put_archive({"nl/one.xml": make_law(1, "En regel.", "En annen regel.")})
    async with ingest(embedding="openai"):
        assert isinstance(await client.sync(), SyncCompleted)
        await until(lambda: _now(measured.value(metrics.EMBEDDING_BACKLOG) == 2), 30)
        assert measured.labels(metrics.SYNC_AGE) == [{"dataset": LAWS}]
        assert 0 <= measured.value(metrics.SYNC_AGE, dataset=LAWS) < 60
        await database.execute("UPDATE syncs SET finished_at = now() - interval '49 hours'")
        await until(lambda: _now(measured.value(metrics.SYNC_AGE, dataset=LAWS) > 48 * 3600))
        # A data set that holds nothing any more does not grow old.
        await database.execute("UPDATE documents SET removed_at = now()")
        await until(lambda: _now(measured.labels(metrics.SYNC_AGE) == []))


async def test_a_data_set_that_is_synced_every_night_and_never_was_is_shown_as_decades_old(
    ingest: Callable[..., Any], measured: Measured
) -> None:
    async with ingest(sync_at="03:30"):
        await until(lambda: _now(len(measured.labels(metrics.SYNC_AGE)) == len(DATASETS)), 30)
        assert all(measured.value(metrics.SYNC_AGE, dataset=name) > 50 * 365 * 86_400 for name in DATASETS)


async def _now(value: bool) -> bool:
    await asyncio.sleep(0)
    return value
