"""The database, read by a connection that cannot write: its queries, and what its errors mean."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import asyncpg

from lovsvar_chassis.database import Database, load_queries
from lovsvar_search.core.errors import NothingStored, StoreUnavailable

DOWN = "Databasen svarer ikke akkurat nå. Prøv igjen om litt."
SLOW = "Databasen svarer ikke i tide. Prøv igjen om litt."
BROKEN = "Databasen svarer ikke som den skal. Feilen er loggført. Prøv igjen om litt."

SESSION: Mapping[str, str] = {
    "default_transaction_read_only": "on",
    # A connection plans a query once: to plan a provision's again takes longer than to read it. What is read in another
    # way with other arguments is planned for them (`fetch_planned`).
    "plan_cache_mode": "force_generic_plan",
    # Compiling a query takes longer than running it.
    "jit": "off",
}

SQL = load_queries("lovsvar_search.adapters")

LOST = (
    asyncpg.PostgresConnectionError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,
    asyncpg.CannotConnectNowError,
    asyncpg.AdminShutdownError,
    OSError,  # a timeout is one too: the link is dead, and another may not be
)
"""How a connection that is gone shows itself. asyncpg calls it an internal error when it is cut between two steps."""

_SLOW = (TimeoutError, asyncpg.QueryCanceledError, asyncpg.LockNotAvailableError)


@contextmanager
def database_errors() -> Iterator[None]:
    """Turn what asyncpg raises into `StoreUnavailable`, `NothingStored` where a table is missing."""
    try:
        yield
    except asyncpg.UndefinedTableError as exc:
        raise NothingStored(BROKEN) from exc
    except _SLOW as exc:
        raise StoreUnavailable(SLOW) from exc
    except LOST as exc:
        raise StoreUnavailable(DOWN) from exc
    except asyncpg.PostgresError as exc:
        raise StoreUnavailable(BROKEN) from exc


async def become_reader(connection: "asyncpg.Connection[asyncpg.Record]") -> None:
    """Take on the role that can only read, where ingest could make it and this user may."""
    await connection.execute(SQL["become_reader"])


async def fetch_planned(database: Database, sql: str, *arguments: object) -> list[asyncpg.Record]:
    """Fetch by a plan for these arguments: for a query that goes another way with each demand that is made or not."""
    async with database.transaction() as connection:
        await connection.execute(SQL["plan_for_arguments"])
        return await connection.fetch(sql, *arguments)
