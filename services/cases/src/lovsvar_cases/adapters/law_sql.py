"""Queries by a role of PostgreSQL that reads the views of the law and nothing else, in a small pool of its own.

Here is the wall: it holds whatever the query is. Each is prepared, which takes one statement; planned, which tells what
it would cost and read; and carried out within a function that runs nothing but reading, makes one row at a time, and
stops at its caps. All of it in a read-only transaction that is always rolled back, under timeouts of the server's.
"""

import contextlib
from collections.abc import AsyncIterator
from urllib.parse import quote, urlsplit, urlunsplit

import asyncpg
import structlog
from asyncpg.pool import PoolConnectionProxy
from asyncpg.transaction import Transaction

from lovsvar_cases.core.law_queries import Rows, SqlFailed
from lovsvar_cases.core.sql_guard.size import too_large
from lovsvar_chassis.database import Database, Limits, load_queries

log = structlog.get_logger()

ROLE = "lovsvar_sql"

LIMITS = Limits(statement=4.0, lock=0.5, acquire=3.0)
SESSION = {
    "search_path": "law_sql, pg_temp",
    "default_transaction_read_only": "on",
    "idle_in_transaction_session_timeout": "10000",
    "standard_conforming_strings": "on",
    "work_mem": "16MB",
    "max_parallel_workers_per_gather": "0",
    "jit": "off",
}
POOL = 2
MOST_ROWS = 50
MOST_BYTES = 32_000
MOST_COST = 500_000.0
"""In the planner's units: reading all of the law costs a thirtieth of it, every pair of sections 300 times as much."""

UNAVAILABLE = "Lovdatabasen svarer ikke nå. Prøv igjen, eller søk i loven på vanlig måte."

_SQL = load_queries("lovsvar_cases.adapters")


def url_of_role(database_url: str, password: str | None) -> str:
    """Return the URL of the same database for the role that reads the views of the law."""
    parts = urlsplit(database_url)
    login = ROLE if password is None else f"{ROLE}:{quote(password, safe='')}"
    return urlunsplit(parts._replace(netloc=f"{login}@{parts.netloc.rpartition('@')[2]}"))


class PostgresLawSql:
    """Carries out queries about the law. A part: start, stop."""

    def __init__(self, database_url: str, password: str | None = None) -> None:
        url = url_of_role(database_url, password)
        self._database = Database(url, POOL, SESSION, limits=LIMITS, min_size=0)

    async def start(self) -> None:
        """Make the pool; a connection is made when one is needed."""
        await self._database.start()

    async def stop(self) -> None:
        """Close the pool."""
        await self._database.stop()

    async def ask(self, query: str) -> Rows:
        """Return what a query gives, up to the caps. Raises `SqlFailed`."""
        if too_large(query):
            raise SqlFailed("Spørringen er for sammensatt. Bruk færre underspørringer og kolonner.")
        try:
            async with self._database.acquire() as connection, _rolled_back(connection):
                return await _carried_out(connection, query)
        except (TimeoutError, asyncpg.QueryCanceledError, asyncpg.LockNotAvailableError) as exc:
            raise SqlFailed("Spørringen tok for lang tid. Avgrens den, for eksempel med document = '…'.") from exc
        except asyncpg.PostgresError as exc:
            raise _failed(exc) from exc
        except (OSError, asyncpg.InterfaceError, asyncpg.InternalClientError, ValueError) as exc:
            log.warning("the law could not be asked in SQL", reason=type(exc).__name__)
            raise SqlFailed(UNAVAILABLE) from exc


async def _carried_out(connection: "PoolConnectionProxy[asyncpg.Record]", query: str) -> Rows:
    await connection.prepare(query)
    plan = await connection.fetchrow(_SQL["plan_of_query"], query)
    if plan is None or plan["cost"] is None or plan["refused"]:
        raise SqlFailed("Spørringen leser noe annet enn lovtabellene, eller på en måte som ikke er tillatt.")
    if plan["cost"] > MOST_COST:
        raise SqlFailed("Spørringen er for tung. Avgrens den, og koble ikke tabellen mot seg selv uten en nøkkel.")
    rows = [row[0] for row in await connection.fetch(_SQL["rows_of_query"], query, MOST_ROWS, MOST_BYTES)]
    more = bool(rows) and rows[-1] is None
    if more and len(rows) == 1:
        raise SqlFailed("Én rad er for lang. Hent en del av teksten: left(full_text, 20000).")
    return Rows(tuple(row for row in rows if row is not None), more)


@contextlib.asynccontextmanager
async def _rolled_back(connection: "PoolConnectionProxy[asyncpg.Record]") -> AsyncIterator[None]:
    """Hold a read-only transaction, of which nothing stays: no setting either."""
    transaction = connection.transaction(readonly=True)
    await transaction.start()
    try:
        yield
    except TimeoutError:
        connection.terminate()  # which gave no answer, and would give none to this
        raise
    except BaseException:
        await _roll_back(connection, transaction)
        raise
    await _roll_back(connection, transaction)


async def _roll_back(connection: "PoolConnectionProxy[asyncpg.Record]", transaction: Transaction) -> None:
    try:
        await transaction.rollback()
    except (OSError, TimeoutError, asyncpg.PostgresError, asyncpg.InterfaceError):
        connection.terminate()


def _failed(error: asyncpg.PostgresError) -> SqlFailed:
    """Return what a model can do about an error: PostgreSQL's words where they are about the query."""
    state = getattr(error, "sqlstate", "") or ""
    if state.startswith("28"):
        # The role cannot log in: it is not made yet, or its password is another. No query can mend that.
        log.warning("the law could not be asked in SQL", reason=type(error).__name__, state=state)
        return SqlFailed(UNAVAILABLE)
    if state == "42501":
        return SqlFailed("Spørringen har ikke tilgang til dette. Bare lovtabellene kan leses.")
    if state.startswith(("42", "22")):
        return SqlFailed(f"PostgreSQL kan ikke utføre spørringen: {str(error)[:300]}")
    log.warning("a query of the law failed", reason=type(error).__name__, state=state)
    return SqlFailed("Spørringen kunne ikke utføres. Skriv den enklere.")
