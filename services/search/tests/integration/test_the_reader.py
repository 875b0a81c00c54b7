"""Search reads, and cannot write: neither by mistake nor by design."""

from typing import Any

import asyncpg
import pytest

from lovsvar_chassis.database import Database
from lovsvar_search.adapters.database import become_reader


async def test_its_connections_have_a_role_that_reads_everything_and_writes_nothing(
    stored: Any, database_url: str
) -> None:
    database = Database(database_url, init=become_reader)
    await database.start()
    assert await database.pool.fetchval("SELECT current_user") == "lovsvar_reader"
    assert await database.pool.fetchval("SELECT count(*) FROM sections") > 0
    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        await database.pool.execute("DELETE FROM documents")
    await database.stop()


async def test_before_the_first_migration_it_connects_all_the_same(empty_database_url: str) -> None:
    database = Database(empty_database_url, init=become_reader)
    await database.start()
    assert await database.pool.fetchval("SELECT 1") == 1
    await database.stop()
