"""When planning gives way to syncs, and to vectors that are shipped."""

import asyncio

import pytest

from lovsvar_contracts.ingest import SyncCompleted, SyncProgressed, SyncReport, SyncStage, SyncStarted
from lovsvar_ingest import planner
from lovsvar_ingest.adapters.in_memory_embeddings import MemoryEmbeddings, MemoryQueue
from lovsvar_ingest.core.passage_embedding import Planned
from lovsvar_ingest.planner import SILENCE, Planner, SyncsUnderWay

LAWS = "gjeldende-lover"


def started(sync_id: str) -> SyncStarted:
    return SyncStarted(sync_id=sync_id, dataset=LAWS, source="x")


def completed(sync_id: str) -> SyncCompleted:
    return SyncCompleted(sync_id=sync_id, dataset=LAWS, report=SyncReport(), corpus_version=1)


def test_a_sync_is_under_way_from_its_start_to_its_end() -> None:
    syncs = SyncsUnderWay()
    assert not syncs.any()
    syncs.hear(started("a"))
    syncs.hear(started("b"))
    syncs.hear(completed("a"))
    assert syncs.any()
    syncs.hear(completed("b"))
    assert not syncs.any()


def test_a_sync_that_fell_silent_is_taken_for_dead_until_it_speaks_again() -> None:
    now = 0.0
    syncs = SyncsUnderWay(lambda: now)
    syncs.hear(started("a"))
    now = SILENCE
    assert not syncs.any()
    syncs.hear(SyncProgressed(sync_id="a", dataset=LAWS, stage=SyncStage.STORING))
    assert syncs.any()


async def test_nobody_is_asked_for_vectors_before_the_shipped_ones_are_stored(monkeypatch: pytest.MonkeyPatch) -> None:
    planned, shipped = asyncio.Event(), asyncio.Event()

    async def plan(*_: object) -> Planned:
        planned.set()
        return Planned.COMPLETE

    monkeypatch.setattr(planner, "request_embedding", plan)
    part = Planner("m", MemoryEmbeddings(), MemoryQueue(), shipped.wait)
    await part.start()
    try:
        for _ in range(20):
            await asyncio.sleep(0)
        assert not planned.is_set()
        shipped.set()
        async with asyncio.timeout(30):
            await planned.wait()
    finally:
        await part.stop()
