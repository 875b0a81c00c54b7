"""Metrics of ingest: the age of each data set, and the passages without a vector."""

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
"""Seconds between two counts: counting passages takes some tenths of a second."""

NEVER = datetime.fromtimestamp(0, UTC)
"""The time of the last sync of a data set that was never synced."""

_SQL = load_queries("lovsvar_ingest.adapters")


class CorpusWatch(Background):
    """Counts in the database every minute where metrics are set up. A component: start, stop."""

    def __init__(self, database: Database, model: str | None, expected: Iterable[str] = ()) -> None:
        """`model` is the embedding model, or None. `expected` data sets without documents show as synced `NEVER`."""
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
        """Count once. Raises asyncpg's errors."""
        rows = await self._database.fetch(_SQL["last_good_syncs"])
        self._synced = self._never | {row[0]: row[1] for row in rows}
        if self._model is not None:
            self._backlog = (await self._database.fetch(_SQL["count_unembedded"], self._model))[0][0]

    def _ages(self) -> metrics.Readings:
        now = utc_now()
        return [((now - at).total_seconds(), {"dataset": dataset}) for dataset, at in self._synced.items()]
