"""Everyday questions in PostgreSQL, and what becomes of those that were there."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from typing import Any

import asyncpg
import pytest

from lovsvar_chassis.database import Database
from lovsvar_ingest import app
from lovsvar_ingest.adapters.everyday_files import read_everyday
from lovsvar_ingest.adapters.postgres_everyday import StoredEveryday
from lovsvar_ingest.core.errors import EverydayDataBroken
from lovsvar_ingest.core.everyday import EverydayQuestion

RENT = EverydayQuestion("nb", "Hvor mye depositum kan de ta?", (("lov/1", "§3"), ("lov/2", "§1")))
NOISE = EverydayQuestion("nn", "Naboen bråkar heile natta", (("lov/3", "§2"),))


@pytest.fixture
async def pool(database_url: str, database: Any) -> AsyncIterator[Database]:
    await database.execute("UPDATE corpus SET version = 7")
    pool = Database(database_url, size=4)
    await pool.start()
    yield pool
    await pool.stop()


async def stored(database: Any) -> list[tuple[Any, ...]]:
    """What is stored, and which transaction wrote it."""
    rows = await database.fetch("SELECT *, xmin FROM everyday_questions ORDER BY refid, section_key")
    return [tuple(row) for row in rows]


async def version(database: Any) -> int:
    return int(await database.fetchval("SELECT version FROM corpus"))


async def load(pool: Database, *questions: EverydayQuestion) -> None:
    await StoredEveryday(pool, lambda: questions).start()


async def test_each_question_is_stored_with_each_provision_that_answers_it(pool: Database, database: Any) -> None:
    await load(pool, RENT, NOISE)
    assert [row[:-1] for row in await stored(database)] == [
        (RENT.content_hash, 0, RENT.question, "nb", "lov/1", "§3"),
        (RENT.content_hash, 1, RENT.question, "nb", "lov/2", "§1"),
        (NOISE.content_hash, 0, NOISE.question, "nn", "lov/3", "§2"),
    ]
    assert await version(database) == 8


async def test_loading_the_same_again_writes_nothing(pool: Database, database: Any) -> None:
    await load(pool, RENT, NOISE)
    before = await stored(database)
    await load(pool, RENT, NOISE)
    assert await stored(database) == before
    assert await version(database) == 8


async def test_what_changed_or_left_is_replaced_and_served_anew(pool: Database, database: Any) -> None:
    await load(pool, RENT, NOISE)
    await load(pool, RENT)
    assert {row[0] for row in await stored(database)} == {RENT.content_hash}
    assert await version(database) == 9
    await load(pool)
    assert await stored(database) == []
    assert await version(database) == 10


async def test_an_empty_corpus_is_no_version_of_one(pool: Database, database: Any) -> None:
    await database.execute("UPDATE corpus SET version = 0")
    await load(pool, RENT)
    assert (len(await stored(database)), await version(database)) == (2, 0)


async def test_processes_that_start_at_once_load_once(pool: Database, database: Any) -> None:
    await asyncio.gather(*(load(pool, RENT, NOISE) for _ in range(4)))
    assert (len(await stored(database)), await version(database)) == (3, 8)


async def test_who_reads_while_questions_are_replaced_sees_the_old_ones_or_the_new_ones(
    pool: Database, database: Any
) -> None:
    await load(pool, RENT)
    async with database.transaction(isolation="repeatable_read"):
        before = await stored(database)
        async with asyncio.timeout(30):
            await load(pool, NOISE)
        assert await stored(database) == before
    assert {row[0] for row in await stored(database)} == {NOISE.content_hash}


async def test_data_that_is_broken_stops_the_start_and_leaves_what_was_stored(
    ingest: Any, pool: Database, database: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    await load(pool, RENT)

    def broken() -> Sequence[EverydayQuestion]:
        raise EverydayDataBroken("home.tsv, linje 3: noe er galt")

    monkeypatch.setattr(app, "read_everyday", broken)
    with pytest.raises(EverydayDataBroken, match=r"home\.tsv, linje 3"):
        async with ingest():
            pass
    assert len(await stored(database)) == 2


async def test_the_packages_questions_are_there_once_ingest_runs(
    ingest: Any, database: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    questions = read_everyday()
    monkeypatch.setattr(app, "read_everyday", lambda: questions)
    async with ingest():
        count = await database.fetchval("SELECT count(DISTINCT content_hash) FROM everyday_questions")
    assert count == len(questions) > 0


async def test_the_reader_reads_the_questions(pool: Database, database_url: str) -> None:
    await load(pool, RENT)
    reader = await asyncpg.connect(database_url, server_settings={"role": "lovsvar_reader"})
    try:
        assert await reader.fetchval("SELECT count(*) FROM everyday_questions") == 2
    finally:
        await reader.close()
