"""Vectors in PostgreSQL: how its indexes of them are used and read."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Mapping
from dataclasses import replace
from typing import Any

from lovsvar_chassis.database import Database
from lovsvar_contracts.search import SearchMode
from lovsvar_search.adapters.law.postgres_vectors import HNSW, PostgresVectors, WarmedVectors
from lovsvar_search.core.law.filters import Filters
from lovsvar_search.core.retrieval.items import place_number
from lovsvar_search.core.retrieval.vector_search import Near
from lovsvar_testkit.waiting import until

HUSLEIE, FISKE = "lov/1999-03-26-17", "forskrift/2012-12-05-1140"
DEPOSITUM, PROTOKOLL = (HUSLEIE, "§3-5"), (HUSLEIE, "§2A-1")
ASKED = (1.0, 0.0, 0.0, 0.0)
EVERYDAY = "Får jeg pengene tilbake når sommeren er slutt?"


async def test_a_demand_that_few_passages_meet_makes_the_index_look_further(
    serve: Any, stored: Any, embedder: Any, fiske: Any, database_url: str
) -> None:
    """More passages that the demand does not let through are nearer than the index looks at in one go."""
    many = 300
    crowd = tuple(replace(fiske.paragraphs[0], section=f"§{n}") for n in range(1, many + 1))
    await stored.store(replace(fiske, paragraphs=crowd))
    nearer = {(FISKE, f"§{n}", None): 0.999 - n / 100_000 for n in range(1, many + 1)}
    await stored.embed({**nearer, (*DEPOSITUM, 2): 0.85})
    # So that a table as small as this one is searched as the whole corpus is.
    name = await stored.connection.fetchval("SELECT current_database()")
    await stored.connection.execute(f"ALTER DATABASE {name} SET enable_sort = off")
    one_go = await _near(database_url, {**HNSW, "hnsw.iterative_scan": "off"}, Filters(groups=(HUSLEIE,)))
    async with serve(version=await stored.stamp(), embedder=embedder) as search:
        found = await search.find("noe annet", document=HUSLEIE, mode=SearchMode.VECTOR)
    assert one_go.passages == {}
    assert [(hit.refid, hit.section) for hit in found.hits] == [DEPOSITUM]


async def test_the_indexes_of_vectors_are_read_before_anybody_asks(serve: Any, stored: Any, embedder: Any) -> None:
    await stored.ask(EVERYDAY, PROTOKOLL)
    await stored.embed({(*DEPOSITUM, 2): 0.9}, {EVERYDAY: 0.9})
    # So that a table as small as this one is searched as the whole corpus is.
    name = await stored.connection.fetchval("SELECT current_database()")
    await stored.connection.execute(f"ALTER DATABASE {name} SET enable_sort = off")
    scans = (
        "SELECT min(idx_scan) FROM pg_stat_user_indexes AS used JOIN pg_indexes AS made"
        " ON made.indexname = used.indexrelname WHERE made.indexdef LIKE '%hnsw%'"
    )
    assert await stored.connection.fetchval(scans) == 0
    async with serve(embedder=embedder):
        await asyncio.gather(*_warming())
    # PostgreSQL counts what a connection did at the latest when that ends.
    await until(lambda: stored.connection.fetchval(scans), 240)
    assert embedder.questions == []


async def test_indexes_stay_unread_while_the_database_does_not_answer() -> None:
    database = Database("postgresql://nobody@127.0.0.1:1/nothing", 1, HNSW, min_size=0)
    await database.start()
    warmed = WarmedVectors(PostgresVectors(database), "stub")
    await warmed.start()
    [warming] = _warming()
    await warming
    await warmed.stop()
    await database.stop()


async def test_a_model_may_have_any_name(stored: Any, database_url: str) -> None:
    name = "o'er \\:dimensions :demands"
    await stored.embed({(*DEPOSITUM, 2): 0.9}, model=name)
    async with _vectors(database_url, HNSW) as vectors:
        assert await vectors.serving_model() == name
        for filters in (Filters(), Filters(years=(1999, 1999))):
            assert set((await vectors.near(name, ASKED, filters)).passages) == {place_number(*DEPOSITUM)}


def _warming() -> list[asyncio.Task[Any]]:
    return [task for task in asyncio.all_tasks() if task.get_name() == WarmedVectors.__name__]


async def _near(database_url: str, settings: Mapping[str, str], filters: Filters) -> Near:
    async with _vectors(database_url, settings) as vectors:
        return await vectors.near("stub", ASKED, filters)


@contextlib.asynccontextmanager
async def _vectors(database_url: str, settings: Mapping[str, str]) -> AsyncIterator[PostgresVectors]:
    """Connect once, with these settings of the session."""
    database = Database(database_url, 1, settings, stateless=True)
    await database.start()
    try:
        yield PostgresVectors(database)
    finally:
        await database.stop()
