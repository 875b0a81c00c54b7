"""What operators can watch of ingest: how old each data set is, and how much of the law still has no vector."""

import asyncio
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime

import asyncpg
import structlog

from lovsvar_chassis import metrics
from lovsvar_chassis.database import Database, load_queries
from lovsvar_chassis.tasks import Background
from lovsvar_contracts.message import utc_now

log = structlog.get_logger()

LOOK_SECONDS = 60.0
"""How often the database is looked at: to count passages takes it some tenths of a second."""

NEVER = datetime.fromtimestamp(0, UTC)
"""When a data set was synced that never was: decades ago, as long as Unix has counted."""

_SQL = load_queries("lovsvar_ingest.adapters")


class CorpusWatch(Background):
    """Looks at the database every minute where metrics are set up. A part: start, stop."""

    def __init__(self, database: Database, model: str | None, expected: Iterable[str] = ()) -> None:
        """`model` is the one that the law is embedded by, None where it is not.

        Data sets that are `expected` are shown as synced `NEVER` where nothing of them is stored.
        """
        self._database = database
        self._model = model
        self._never = dict.fromkeys(expected, NEVER)
        self._synced: Mapping[str, datetime] = {}
        self._backlog: int | None = None

    async def _run(self) -> None:
        if not metrics.configured():
            return
        metrics.SYNC_AGE.watch(self._ages)
        metrics.EMBEDDING_BACKLOG.watch(lambda: [] if self._backlog is None else [(self._backlog, {})])
        while True:
            try:
                await self.look()
            except (asyncpg.PostgresError, asyncpg.InterfaceError, OSError, TimeoutError) as exc:
                log.warning("the corpus could not be looked at", error=repr(exc))
            await asyncio.sleep(LOOK_SECONDS)

    async def look(self) -> None:
        """Look once. Raises asyncpg's errors."""
        rows = await self._database.fetch(_SQL["last_good_syncs"])
        self._synced = self._never | {row[0]: row[1] for row in rows}
        if self._model is not None:
            self._backlog = (await self._database.fetch(_SQL["count_unembedded"], self._model))[0][0]

    def _ages(self) -> metrics.Readings:
        now = utc_now()
        return [((now - at).total_seconds(), {"dataset": dataset}) for dataset, at in self._synced.items()]
