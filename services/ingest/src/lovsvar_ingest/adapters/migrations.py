"""Bringing the database's schema up to date, at start, under a lock."""

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files
from re import fullmatch

import asyncpg
import structlog

from lovsvar_chassis.database import connect

log = structlog.get_logger()

LOCK = 0x10575A4
"""Advisory lock that one migrating process holds; the others wait for it."""

TABLE = """
CREATE TABLE IF NOT EXISTS schema_migrations (
    number integer PRIMARY KEY,
    name text NOT NULL,
    applied_at timestamptz NOT NULL DEFAULT now()
)
"""


class MigrationsDisagree(Exception):
    """The migrations in the package are not numbered 1, 2, 3 …. Remedy: name them so."""


@dataclass(frozen=True, slots=True)
class Migration:
    """One numbered step."""

    number: int
    name: str
    sql: str


def load_migrations() -> Sequence[Migration]:
    """Return the migrations of the package in order. Raises `MigrationsDisagree`."""
    found = [
        Migration(int(match[1]), match[2], file.read_text(encoding="utf-8"))
        for file in files("lovsvar_ingest").joinpath("migrations").iterdir()
        if (match := fullmatch(r"(\d{4})_(\w+)\.sql", file.name))
    ]
    found.sort(key=lambda migration: migration.number)
    if [migration.number for migration in found] != list(range(1, len(found) + 1)):
        raise MigrationsDisagree(f"migrations are numbered {[m.number for m in found]}")
    return found


async def migrate(connection: "asyncpg.Connection[asyncpg.Record]") -> None:
    """Apply the migrations that the database lacks, each in a transaction of its own."""
    await connection.execute("SELECT pg_advisory_lock($1)", LOCK)
    try:
        await connection.execute(TABLE)
        applied = {row["number"] for row in await connection.fetch("SELECT number FROM schema_migrations")}
        for migration in load_migrations():
            if migration.number in applied:
                continue
            async with connection.transaction():
                await connection.execute(migration.sql)
                insert = "INSERT INTO schema_migrations (number, name) VALUES ($1, $2)"
                await connection.execute(insert, migration.number, migration.name)
            log.info("migrated", number=migration.number, name=migration.name)
    finally:
        await connection.execute("SELECT pg_advisory_unlock($1)", LOCK)


class Migrations:
    """Migrates the database. A part: start, stop."""

    def __init__(self, database_url: str) -> None:
        self._url = database_url
        self.done = False

    async def start(self) -> None:
        """Connect, waiting up to a minute for a database that is still starting, and migrate. Raises `Unreachable`."""
        connection = await connect(self._url)
        try:
            await migrate(connection)
        finally:
            await connection.close()
        self.done = True

    async def stop(self) -> None:
        """Nothing is held."""
