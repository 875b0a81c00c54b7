"""The component of ingest that keeps what is served equal to the list of catalogues."""

import asyncio
import hashlib
from collections.abc import Awaitable, Callable, Sequence

import asyncpg
import structlog

from lovsvar_chassis.tasks import Background
from lovsvar_contracts.catalogues import dataset_of
from lovsvar_contracts.ingest import Dataset, SyncRequested
from lovsvar_contracts.message import new_id
from lovsvar_contracts.problems import ProblemError
from lovsvar_ingest.adapters.catalogue_source import ListedCatalogues, Shelf
from lovsvar_ingest.adapters.postgres_catalogues import PostgresCatalogues
from lovsvar_ingest.core.catalogues.ports import CatalogueEvents, ListedCatalogue

log = structlog.get_logger()

AGAIN = 60.0
"""Seconds until a list is read again of which something could not be reached."""

LAW_FIRST = 90.0
"""Seconds that catalogues wait for the first law, which somebody may be waiting for."""

LOOK = 1.0


class CatalogueKeeper(Background):
    """Follows the list at start. A component: start, stop.

    Catalogues that are not listed are marked as removed. A sync is requested of those that differ from what is stored:
    new ones, and those in a folder whose files changed. A catalogue whose file cannot be read is left as it is, and the
    reason is logged.
    """

    def __init__(
        self,
        source: ListedCatalogues,
        store: PostgresCatalogues,
        events: CatalogueEvents,
        ask: Callable[[SyncRequested], Awaitable[None]],
    ) -> None:
        self._source = source
        self._store = store
        self._events = events
        self._ask = ask

    async def datasets(self) -> Sequence[Dataset]:
        """Return the data sets of the catalogues that are listed and can be read now."""
        return [dataset_of(catalogue) for catalogue in (await self._source.read()).catalogues]

    async def _run(self) -> None:
        told: set[str] = set()
        while True:
            try:
                shelf = await self._source.read()
                for source, error in shelf.errors.items():
                    if source not in told:
                        log.warning("a catalogue cannot be read", source=source, error=str(error))
                told = set(shelf.errors)
                await self._delist(shelf)
                await self._wait_for_law()
                for listed in shelf.catalogues.values():
                    if request := await self._wanted(listed):
                        await self._ask(request)
                if not shelf.unreachable:
                    return
            except (ProblemError, asyncpg.PostgresError, asyncpg.InterfaceError, OSError, TimeoutError) as exc:
                log.warning("the list of catalogues could not be followed", error=repr(exc))
            await asyncio.sleep(AGAIN)

    async def _delist(self, shelf: Shelf) -> None:
        gone = await self._store.delist(list(shelf.catalogues), list(shelf.errors))
        for catalogue, version in gone.items():
            log.info("a catalogue is no longer listed", catalogue=catalogue)
            await self._events.changed(catalogue, version, new_id())

    async def _wait_for_law(self) -> None:
        for _ in range(round(LAW_FIRST / LOOK)):
            if await self._store.has_law():
                return
            await asyncio.sleep(LOOK)

    async def _wanted(self, listed: ListedCatalogue) -> SyncRequested | None:
        """Return the request for a sync of a catalogue that differs from what is stored."""
        stored = await self._store.stored(listed.definition.id)
        checksum = await self._source.checksum(listed)
        if stored and stored.holds(listed) and checksum in {None, stored.checksum}:
            return None
        # Of processes that start together one asks; whoever starts after another change asks again.
        state = (listed.source, listed.definition.reading, checksum, stored and stored.version)
        digest = hashlib.sha256(repr(state).encode()).hexdigest()
        dataset = dataset_of(listed.definition.id)
        return SyncRequested(event_id=f"start-{dataset}-{digest[:12]}", dataset=dataset)
