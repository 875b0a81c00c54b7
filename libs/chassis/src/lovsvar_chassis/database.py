"""Connections to PostgreSQL, each with an end to every wait, and the loader of `.sql` files."""

import asyncio
import contextlib
import re
import socket
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping
from dataclasses import dataclass
from importlib.resources import files
from types import MappingProxyType
from typing import Any, TypeAlias, TypeVar

import asyncpg
import stamina
import structlog
from asyncpg.pool import PoolConnectionProxy

from lovsvar_chassis import metrics
from lovsvar_chassis.addresses import Unreachable, shown
from lovsvar_chassis.repeats import Repeats

log = structlog.get_logger()

Connection: TypeAlias = "asyncpg.Connection[asyncpg.Record]"

_Made = TypeVar("_Made")

_NAME = re.compile(r"^-- name: (\w+)$", re.MULTILINE)
_PURPOSE = re.compile(r"\A(?:\s*--[^\n]*\n)+")
_names: dict[str, str] = {}
"""What the loaded queries are called, for the log."""

WAIT_SECONDS = 60.0
"""How long a start waits for a database that is still starting."""

CONNECT_SECONDS = 5.0
"""For one connection: a host that is gone answers nothing, and the default is a minute."""

RELEASE_SECONDS = 2.0

MARGIN_SECONDS = 1.0
"""How much longer we wait for a statement than the server runs it: by then the link is dead, not the query slow."""

_SESSION: Mapping[str, str] = {
    # The server's side of a link that died without a word: it releases locks and snapshots within 15 seconds.
    "tcp_keepalives_idle": "5",
    "tcp_keepalives_interval": "3",
    "tcp_keepalives_count": "3",
    "tcp_user_timeout": "15000",
    "client_connection_check_interval": "2000",
    # Where something between keeps the link alive. Nobody here computes for a minute inside a transaction; the pool
    # closes what nobody uses after five minutes, and a sync asks for something well within a quarter of an hour.
    "idle_in_transaction_session_timeout": "60000",
    "idle_session_timeout": "900000",
}

# Our side of the same: Linux's names, as far as the system has them.
_SOCKET = {"TCP_KEEPIDLE": 5, "TCP_KEEPINTVL": 3, "TCP_KEEPCNT": 3, "TCP_USER_TIMEOUT": 15_000}


@dataclass(frozen=True, slots=True)
class Limits:
    """How long something may take, in seconds: a statement, waiting for a lock, waiting for a free connection."""

    statement: float
    lock: float
    acquire: float

    @property
    def command(self) -> float:
        """How long we wait for the end of a statement."""
        return self.statement + MARGIN_SECONDS

    @property
    def server_settings(self) -> dict[str, str]:
        """As settings of a session, which PostgreSQL reads as milliseconds."""
        return {
            "statement_timeout": str(round(self.statement * 1000)),
            "lock_timeout": str(round(self.lock * 1000)),
        }


INTERACTIVE = Limits(statement=5.0, lock=2.0, acquire=4.0)
"""For queries that somebody waits for: they end well before the ten seconds that a request has."""

BATCH = Limits(statement=900.0, lock=900.0, acquire=60.0)
"""For what runs in the background and may build an index of all passages, or wait until another process has."""

SCHEMA = Limits(statement=7200.0, lock=7200.0, acquire=60.0)
"""For migrations, which rewrite tables; of processes that start at once one migrates and the others wait."""


class Database:
    """A pool of connections. A part: start, stop."""

    def __init__(
        self,
        url: str,
        size: int = 8,
        server_settings: Mapping[str, str] | None = None,
        *,
        limits: Limits = BATCH,
        min_size: int = 1,
        init: Callable[[Connection], Coroutine[Any, Any, None]] | None = None,
        stateless: bool = False,
    ) -> None:
        """With `min_size` 0 a start never waits for the database. `init` is called with each new connection.

        `stateless` promises that no query leaves anything in its session, which saves the round trip of clearing it.
        """
        self._reset = _leave if stateless else None
        self._init = init
        self._url = url
        self._size = size
        self._min_size = min_size
        self._server_settings = dict(server_settings or {})
        self._limits = limits
        self._repeats = Repeats()
        self._pool: asyncpg.Pool[asyncpg.Record] | None = None

    async def start(self) -> None:
        """Connect, waiting up to a minute for a database that is still starting. Raises `Unreachable`."""

        async def make() -> "asyncpg.Pool[asyncpg.Record]":
            return await asyncpg.create_pool(
                self._url,
                min_size=self._min_size,
                max_size=self._size,
                init=self._prepare,
                reset=self._reset,
                # Queries are few, and their plans are made again by PostgreSQL itself when a table changes.
                max_cached_statement_lifetime=0,
                **_arguments(self._limits, self._server_settings),
            )

        self._pool = await _until_answered(self._url, make)

    async def stop(self) -> None:
        """Close the pool; connections still in use are cut after a second."""
        if self._pool is not None:
            pool, self._pool = self._pool, None
            try:
                async with asyncio.timeout(1):
                    await pool.close()
            except TimeoutError:
                pool.terminate()

    @property
    def pool(self) -> "asyncpg.Pool[asyncpg.Record]":
        """The pool; only between start and stop."""
        if self._pool is None:
            raise RuntimeError("the database is used before it is started")
        return self._pool

    @contextlib.asynccontextmanager
    async def acquire(self) -> "AsyncIterator[PoolConnectionProxy[asyncpg.Record]]":
        """Lend a connection; `TimeoutError` when none is to be had in time.

        One that gave no answer in time is cut, and the others of the pool are replaced: what cut one link cut all.
        """
        try:
            # asyncpg's own timeout would make a task of it.
            async with asyncio.timeout(self._limits.acquire):
                connection = await self.pool.acquire()
        except (OSError, asyncpg.PostgresError) as exc:
            metrics.DATABASE_FAILURES.add(error=type(exc).__name__)
            self._log("no connection to the database", reason_of(exc), address=shown([self._url]))
            raise
        try:
            yield connection
        except TimeoutError:
            connection.terminate()
            await self.pool.expire_connections()
            raise
        finally:
            # asyncpg cuts one that cannot be cleared in time, and makes another where it is needed.
            with contextlib.suppress(OSError, asyncpg.PostgresError, asyncpg.InterfaceError):
                await self.pool.release(connection, timeout=RELEASE_SECONDS)

    @contextlib.asynccontextmanager
    async def transaction(self, **options: Any) -> "AsyncIterator[PoolConnectionProxy[asyncpg.Record]]":
        """Lend a connection, as `acquire` does, with asyncpg's `options` in a transaction: see `in_transaction`."""
        async with self.acquire() as connection, in_transaction(connection, **options):
            yield connection

    async def fetch(self, sql: str, *arguments: object) -> list[asyncpg.Record]:
        """Return the rows of a query, as `acquire` lends a connection for it."""
        async with self.acquire() as connection:
            return await connection.fetch(sql, *arguments)

    async def _prepare(self, connection: Connection) -> None:
        _watch_socket(connection)
        connection.add_query_logger(self._note_failure)
        if self._init is not None:
            await self._init(connection)

    def _note_failure(self, query: Any) -> None:
        error = query.exception
        if error is not None and not isinstance(error, asyncio.CancelledError):
            metrics.DATABASE_FAILURES.add(error=type(error).__name__)
            self._log("a query failed", reason_of(error), query=name_of(query.query), seconds=round(query.elapsed, 3))

    def _log(self, event: str, reason: str, **about: object) -> None:
        if times := self._repeats.count((event, about.get("query"), reason)):
            log.warning(event, reason=reason, times=times, **about)


@contextlib.asynccontextmanager
async def in_transaction(connection: "PoolConnectionProxy[asyncpg.Record]", **options: Any) -> AsyncIterator[None]:
    """Hold a transaction with asyncpg's `options` on a connection that was lent by `Database.acquire`.

    One that gave no answer in time is not asked to roll back, which would be one more wait; the server does so.
    """
    transaction = connection.transaction(**options)
    await transaction.start()
    try:
        yield
    except TimeoutError:
        raise
    except (Exception, asyncio.CancelledError):
        try:
            async with asyncio.timeout(RELEASE_SECONDS):
                await transaction.rollback()
        except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError):
            connection.terminate()
        raise
    await transaction.commit()


async def connect(url: str, limits: Limits = SCHEMA) -> Connection:
    """Return a connection of its own, waiting up to a minute for a database that starts. Raises `Unreachable`."""

    async def make() -> Connection:
        return await asyncpg.connect(url, **_arguments(limits, {}))

    connection = await _until_answered(url, make)
    _watch_socket(connection)
    return connection


def name_of(sql: str) -> str:
    """Return what a loaded query is called; the beginning of one that was made of others."""
    return _names.get(sql) or " ".join(sql.split())[:80]


def reason_of(error: BaseException) -> str:
    """Return an error in one line: its kind, and its own words if it has any."""
    words = " ".join(str(error).split())
    return f"{type(error).__name__}: {words}" if words else type(error).__name__


def load_queries(package: str, folder: str = "sql") -> Mapping[str, str]:
    """Return the named queries of the `.sql` files in `folder` of `package`.

    Each query begins with a line `-- name: the_name` and goes on to the next; the comment below its name is left out,
    since a trace calls a query by its first word. Parameters are asyncpg's `$1`, `$2`. Raises `ValueError` when two
    queries share a name.
    """
    queries: dict[str, str] = {}
    for file in sorted(files(package).joinpath(folder).iterdir(), key=lambda f: f.name):
        if not file.name.endswith(".sql"):
            continue
        parts = _NAME.split(file.read_text(encoding="utf-8"))
        for name, sql in zip(parts[1::2], parts[2::2], strict=True):
            if name in queries:
                raise ValueError(f"two queries are named {name!r} in {package}")
            queries[name] = _PURPOSE.sub("", sql).strip()
            _names[queries[name]] = name
    return MappingProxyType(queries)


def _arguments(limits: Limits, settings: Mapping[str, str]) -> dict[str, Any]:
    return {
        "server_settings": {**_SESSION, **limits.server_settings, **settings},
        "timeout": CONNECT_SECONDS,
        "command_timeout": limits.command,
    }


async def _until_answered(url: str, make: Callable[[], Coroutine[Any, Any, _Made]]) -> _Made:
    """Return what `make` makes of a database, tried again while one may still be starting."""
    waiting = stamina.retry_context(
        on=(OSError, asyncpg.CannotConnectNowError, asyncpg.InvalidCatalogNameError),
        attempts=None,
        timeout=WAIT_SECONDS,
        wait_initial=0.1,
        wait_max=2,
    )
    try:
        async for attempt in waiting:
            with attempt:
                return await make()
    except (OSError, asyncpg.PostgresError) as exc:
        raise Unreachable(
            f"Får ikke kontakt med PostgreSQL på {shown([url])} ({reason_of(exc)}). Er den startet, kan den nås "
            "herfra, og er LOVSVAR_DATABASE_URL riktig?"
        ) from exc
    raise AssertionError("unreachable")


def _watch_socket(connection: Connection) -> None:
    """Have the system notice that the other side is gone, also when we wait for it and send nothing."""
    # asyncpg has no other way to the socket.
    taken = connection._transport.get_extra_info("socket")  # type: ignore[attr-defined]
    if taken is None or taken.family not in {socket.AF_INET, socket.AF_INET6}:
        return
    taken.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for name, value in _SOCKET.items():
        if option := getattr(socket, name, None):
            taken.setsockopt(socket.IPPROTO_TCP, option, value)


async def _leave(_: object) -> None:
    """Leave a connection as it is when it comes back to the pool."""
