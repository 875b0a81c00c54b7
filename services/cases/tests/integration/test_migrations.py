"""The database's schema."""

from importlib.resources import files
from typing import Any

import asyncpg
import pytest_asyncio

from lovsvar_cases.manifest import SCHEMA
from lovsvar_chassis.migrations import migrate
from lovsvar_testkit.schema_contents import schema_contents


@pytest_asyncio.fixture
async def database(empty_database_url: str) -> Any:
    connection = await asyncpg.connect(empty_database_url)
    yield connection
    await connection.close()


async def test_the_migrations_and_the_schema_file_make_the_same_database(database: Any) -> None:
    await migrate(database, SCHEMA)
    migrated = await schema_contents(database, "cases")
    await database.execute("DROP SCHEMA cases CASCADE; CREATE SCHEMA cases; SET search_path TO cases, public")
    await database.execute(files("lovsvar_cases").joinpath("schema.sql").read_text())
    await database.execute("RESET search_path")
    assert await schema_contents(database, "cases") == migrated
