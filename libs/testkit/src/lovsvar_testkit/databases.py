"""Databases of a test's own in the PostgreSQL that all tests share."""

import contextlib
from collections.abc import AsyncIterator
from urllib.parse import urlsplit, urlunsplit
from uuid import uuid4

import asyncpg


@contextlib.asynccontextmanager
async def new_database(server: str) -> AsyncIterator[str]:
    """Create an empty database in the PostgreSQL at `server`; yield its URL, and drop it when the block ends."""
    name = f"test_{uuid4().hex[:12]}"
    admin = await asyncpg.connect(server)
    try:
        await admin.execute(f"CREATE DATABASE {name}")
        try:
            yield urlunsplit(urlsplit(server)._replace(path=f"/{name}"))
        finally:
            await admin.execute(f"DROP DATABASE {name} WITH (FORCE)")
    finally:
        await admin.close()
