"""Bringing a service's database schema up to date, at start, under a lock."""

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files
from re import fullmatch

import structlog

from lovsvar_chassis.database import Connection, connect
from lovsvar_chassis.manifest import Schema

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


def load_migrations(schema: Schema) -> Sequence[Migration]:
    """Return the migrations of `schema` in order: files `0001_name.sql`. Raises `MigrationsDisagree`."""
    found = [
        Migration(int(match[1]), match[2], file.read_text(encoding="utf-8"))
        for file in files(schema.package).joinpath("migrations").iterdir()
        if (match := fullmatch(r"(\d{4})_(\w+)\.sql", file.name))
    ]
    found.sort(key=lambda migration: migration.number)
    if [migration.number for migration in found] != list(range(1, len(found) + 1)):
        raise MigrationsDisagree(f"migrations of {schema.package} are numbered {[m.number for m in found]}")
    return found


async def missing_migrations(connection: Connection, schema: Schema) -> Sequence[Migration]:
    """Return the migrations that `schema` lacks, in order."""
    table = await connection.fetchval("SELECT format('%I.schema_migrations', $1::text)", schema.name)
    applied = set()
    if await connection.fetchval("SELECT to_regclass($1) IS NOT NULL", table):
        applied = {row["number"] for row in await connection.fetch(f"SELECT number FROM {table}")}  # noqa: S608
    return [migration for migration in load_migrations(schema) if migration.number not in applied]


async def migrate(connection: Connection, schema: Schema) -> None:
    """Apply the migrations that `schema` lacks, each in a transaction of its own.

    A schema other than `public` is created if it is missing; its migrations need not name it, and find `public` too.
    """
    await connection.execute("SELECT pg_advisory_lock($1)", LOCK)
    try:
        if schema.name != "public":
            name = await connection.fetchval("SELECT quote_ident($1)", schema.name)
            # Asked first, since a login that may create no schema may use one that was made for it.
            if await connection.fetchval("SELECT to_regnamespace($1) IS NULL", name):
                await connection.execute(f"CREATE SCHEMA {name}")
            await connection.execute(f"SET search_path TO {name}, public")
        await connection.execute(TABLE)
        for migration in await missing_migrations(connection, schema):
            async with connection.transaction():
                await connection.execute(migration.sql)
                insert = "INSERT INTO schema_migrations (number, name) VALUES ($1, $2)"
                await connection.execute(insert, migration.number, migration.name)
            log.info("migrated", schema=schema.name, number=migration.number, name=migration.name)
    finally:
        await connection.execute(f"SELECT pg_advisory_unlock({LOCK}); RESET search_path")


class Migrations:
    """Migrates a database schema. A part: start, stop."""

    def __init__(self, database_url: str, schema: Schema) -> None:
        self._url = database_url
        self._schema = schema
        self.done = False

    async def start(self) -> None:
        """Connect, waiting up to a minute for a database that is still starting, and migrate. Raises `Unreachable`."""
        connection = await connect(self._url)
        try:
            await migrate(connection, self._schema)
        finally:
            await connection.close()
        self.done = True

    async def stop(self) -> None:
        """Nothing is held."""
