"""What is noted of every sync in PostgreSQL, and the lock that keeps two from one data set."""

import contextlib
from collections.abc import AsyncIterator
from datetime import date
from typing import TypeAlias

import asyncpg
from asyncpg.pool import PoolConnectionProxy

from lovsvar_chassis.database import Database, load_queries
from lovsvar_contracts.ingest import SyncCompleted, SyncRequested
from lovsvar_ingest.core.errors import SyncUnderWay

Connection: TypeAlias = "PoolConnectionProxy[asyncpg.Record]"

_SQL = load_queries("lovsvar_ingest.adapters")


@contextlib.asynccontextmanager
async def hold_dataset(database: Database, dataset: str) -> AsyncIterator[Connection]:
    """Hold `dataset` by an advisory lock, which the pool releases with the connection. Raises `SyncUnderWay`."""
    async with database.acquire() as connection:
        if not await connection.fetchval(_SQL["try_hold_dataset"], dataset):
            raise SyncUnderWay(f"Datasettet {dataset} synkroniseres allerede av en annen prosess.")
        yield connection


class SyncNotes:
    """Notes the beginning and the end of the syncs of one data set, whatever it holds."""

    def __init__(self, connection: Connection, dataset: str) -> None:
        self._connection = connection
        self._dataset = dataset

    async def begin(self, request: SyncRequested, source: str) -> SyncCompleted | None:
        """Note that the sync began; return how it ended when it already did."""
        completed = await self._connection.fetchval(_SQL["begin_sync"], request.sync_id, self._dataset, source)
        return SyncCompleted.model_validate_json(completed) if completed else None

    async def corpus(self) -> tuple[int, date | None]:
        """Return the version of the law, and the day of its newest archive."""
        [(version, corpus_date)] = await self._connection.fetch(_SQL["corpus"])
        return version, corpus_date

    async def complete(self, event: SyncCompleted) -> None:
        """Note how the sync ended."""
        await self._connection.execute(_SQL["complete_sync"], event.sync_id, event.model_dump_json())

    async def fail(self, sync_id: str, detail: str) -> None:
        """Note why the sync failed."""
        await self._connection.execute(_SQL["fail_sync"], sync_id, detail)
