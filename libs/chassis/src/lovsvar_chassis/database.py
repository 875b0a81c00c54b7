"""The asyncpg pool, and the loader of `.sql` files."""

import asyncio
import re
from collections.abc import Callable, Coroutine, Mapping
from importlib.resources import files
from types import MappingProxyType
from typing import Any

import asyncpg
import stamina

_NAME = re.compile(r"^-- name: (\w+)$", re.MULTILINE)
_PURPOSE = re.compile(r"\A(?:\s*--[^\n]*\n)+")


class Database:
    """A pool of connections. A part: start, stop."""

    def __init__(
        self,
        url: str,
        size: int = 8,
        server_settings: Mapping[str, str] | None = None,
        *,
        min_size: int = 1,
        init: Callable[["asyncpg.Connection[asyncpg.Record]"], Coroutine[Any, Any, None]] | None = None,
        stateless: bool = False,
    ) -> None:
        """With `min_size` 0 nothing is connected before it is used, so that a start never waits for the database.

        `init` is called once with each connection that is made. `stateless` promises that no query leaves
        anything behind in its session, which saves the round trip of clearing it.
        """
        self._reset = _leave if stateless else None
        self._init = init
        self._url = url
        self._size = size
        self._min_size = min_size
        self._server_settings = dict(server_settings or {})
        self._pool: asyncpg.Pool[asyncpg.Record] | None = None

    async def start(self) -> None:
        """Connect, waiting up to a minute for a database that is still starting."""
        async for attempt in stamina.retry_context(
            on=(OSError, asyncpg.CannotConnectNowError, asyncpg.InvalidCatalogNameError),
            attempts=None,
            timeout=60,
            wait_initial=0.1,
            wait_max=2,
        ):
            with attempt:
                self._pool = await asyncpg.create_pool(
                    self._url,
                    min_size=self._min_size,
                    max_size=self._size,
                    server_settings=self._server_settings,
                    init=self._init,
                    reset=self._reset,
                    # Queries are few, and their plans are made anew by PostgreSQL itself when a table changes.
                    max_cached_statement_lifetime=0,
                )

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


async def _leave(_: object) -> None:
    """Leave a connection as it is when it comes back to the pool."""


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
    return MappingProxyType(queries)
