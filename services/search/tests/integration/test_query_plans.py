"""A connection plans a query once, and again only those whose best plan hangs on their arguments."""

import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import pytest

from lovsvar_chassis.database import Database
from lovsvar_contracts.listings import ListDocuments
from lovsvar_search.adapters.database import SESSION
from lovsvar_search.adapters.law.postgres import PostgresStore
from lovsvar_search.adapters.law.postgres_vectors import HNSW, PostgresVectors
from lovsvar_search.core.law.filters import Filters

DEPOSITUM = ("lov/1999-03-26-17", "§3-5")
NEAR = (1.0, 0.0, 0.0, 0.0)
TIMES = 8
"""PostgreSQL plans a query at least five times where it may choose for itself."""

Ask = Callable[[Database], Awaitable[object]]


def _reads(database: Database) -> Awaitable[object]:
    return PostgresStore(database).read([DEPOSITUM])


def _lists(database: Database) -> Awaitable[object]:
    return PostgresStore(database).list_documents(ListDocuments())


def _near(database: Database) -> Awaitable[object]:
    return PostgresVectors(database).near("stub", NEAR, Filters())


def _near_with_demands(database: Database) -> Awaitable[object]:
    return PostgresVectors(database).near("stub", NEAR, Filters(years=(1999, 1999)))


@pytest.mark.parametrize("ask", [_reads, _near])
async def test_what_is_read_in_one_way_is_planned_once(stored: Any, database_url: str, ask: Ask) -> None:
    await stored.embed({(*DEPOSITUM, 2): 0.9})
    async with _connected(database_url) as database:
        assert await _plans(database, ask) == (TIMES, 0)


@pytest.mark.parametrize("ask", [_lists, _near_with_demands])
async def test_what_makes_demands_is_planned_for_them(stored: Any, database_url: str, ask: Ask) -> None:
    await stored.embed({(*DEPOSITUM, 2): 0.9})
    async with _connected(database_url) as database:
        assert await _plans(database, ask) == (0, TIMES)


async def _plans(database: Database, ask: Ask) -> tuple[int, int]:
    """Ask some times, and return how often a stored plan was used for it, and how often a new one."""
    for _ in range(TIMES):
        assert await ask(database)
    [counted] = await database.pool.fetch(
        "SELECT generic_plans, custom_plans FROM pg_prepared_statements"
        " WHERE statement LIKE '%sections%' AND statement NOT LIKE '%pg_prepared_statements%'"
    )
    return tuple(counted)


@contextlib.asynccontextmanager
async def _connected(database_url: str) -> AsyncIterator[Database]:
    """Connect once, as the service does."""
    database = Database(database_url, 1, {**SESSION, **HNSW}, stateless=True)
    await database.start()
    try:
        yield database
    finally:
        await database.stop()
