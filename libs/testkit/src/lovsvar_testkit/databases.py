"""Databases of a test's own in the PostgreSQL that all tests share."""

import contextlib
from collections.abc import AsyncIterator
from urllib.parse import urlsplit, urlunsplit
from uuid import uuid4

import asyncpg

from lovsvar_chassis.manifest import manifests
from lovsvar_chassis.migrations import migrate

EMPTY = "template1"
"""PostgreSQL's own database that new ones are copies of."""

MIGRATED = "migrated"
"""The database that `make_migrated` makes."""


def named(server: str, database: str) -> str:
    """Return the URL of a database in the PostgreSQL at `server`."""
    return urlunsplit(urlsplit(server)._replace(path=f"/{database}"))


async def create_database(server: str, name: str, copy_of: str = MIGRATED) -> str:
    """Create a database as a copy of one to which nobody is connected, and return its URL.

    What roles may do with the database itself, as to connect to it, is not copied.
    """
    await _execute(server, f"CREATE DATABASE {name} TEMPLATE {copy_of}")
    return named(server, name)


@contextlib.asynccontextmanager
async def new_database(server: str, copy_of: str = MIGRATED) -> AsyncIterator[str]:
    """Create a database as `create_database` does; yield its URL, and drop it when the block ends."""
    name = f"test_{uuid4().hex[:12]}"
    url = await create_database(server, name, copy_of)
    try:
        yield url
    finally:
        await _execute(server, f"DROP DATABASE {name} WITH (FORCE)")


async def make_migrated(server: str) -> None:
    """Create a database with the schemas of all services: to migrate takes as long as many a test that needs them."""
    database = await asyncpg.connect(await create_database(server, MIGRATED, EMPTY))
    for manifest in manifests():
        if manifest.migrations:
            await migrate(database, manifest.migrations)
    await database.close()


async def _execute(server: str, statement: str) -> None:
    admin = await asyncpg.connect(named(server, "postgres"))
    try:
        await admin.execute(statement)
    finally:
        await admin.close()
