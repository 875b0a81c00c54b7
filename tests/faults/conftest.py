"""The system with a fault in it: links that swallow, processes that stand still, servers that are gone."""

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any

import asyncpg
import pytest
import pytest_asyncio

from lovsvar_chassis.broker import make_broker
from lovsvar_chassis.database import Database
from lovsvar_chassis.requester import Requester
from lovsvar_chassis.service import Service
from lovsvar_chassis.settings import ServiceSettings
from lovsvar_contracts import subjects
from lovsvar_contracts.health import ReadHealth, ServiceHealth
from lovsvar_contracts.ingest import SyncRequested
from lovsvar_contracts.search import FindProvisions, ProvisionHits, ProvisionRef, Provisions, ReadProvisions
from lovsvar_ingest.adapters.archives import Archives
from lovsvar_ingest.adapters.in_memory import MemoryEvents
from lovsvar_ingest.adapters.postgres_store import PostgresStore
from lovsvar_ingest.core.dataset_sync import sync_dataset
from lovsvar_ingest.core.lovdata_reader import LovdataReader
from lovsvar_search import app as search
from lovsvar_search.settings import Settings as SearchSettings
from lovsvar_testkit.running import running


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what lies in this folder, so that `-m "not faults"` leaves it out."""
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.faults)


@pytest_asyncio.fixture
async def sample(database_url: str) -> str:
    """URL of a database that holds the sample corpus, at version 1."""
    database = Database(database_url, size=2)
    await database.start()
    await sync_dataset(
        SyncRequested(dataset="eksempel"), Archives(""), LovdataReader(), PostgresStore(database), MemoryEvents()
    )
    await database.stop()
    return database_url


@pytest_asyncio.fixture
async def admin(database_url: str) -> "AsyncIterator[asyncpg.Connection[asyncpg.Record]]":
    """A connection to the database by the straight way."""
    connection = await asyncpg.connect(database_url)
    yield connection
    await connection.close()


class Asking:
    """Asks as the gateway does, over a connection of its own."""

    def __init__(self, requester: Requester) -> None:
        self.requester = requester

    async def health(self, service: str = "search", timeout: float = 2.0) -> ServiceHealth:
        """Return what a service says of itself. Raises `ProblemError` when it does not answer."""
        return await self.requester.ask(subjects.health(service), ReadHealth(), ServiceHealth, timeout=timeout)

    async def find(self, query: str = "depositum") -> ProvisionHits:
        """Find provisions in the sample."""
        return await self.requester.ask(subjects.SEARCH_PROVISIONS, FindProvisions(query=query), ProvisionHits)

    async def read(self, refid: str, section: str) -> Provisions:
        """Read a provision, which needs the database."""
        refs = (ProvisionRef(refid=refid, section=section),)
        return await self.requester.ask(subjects.SEARCH_READ, ReadProvisions(refs=refs), Provisions)


@pytest_asyncio.fixture
async def asking(nats_url: str) -> AsyncIterator[Asking]:
    """Somebody who asks over NATS by the straight way."""
    async with make_broker(ServiceSettings(nats_url=nats_url), "asking") as broker:
        yield Asking(Requester(broker))


RunSearch = Callable[..., AbstractAsyncContextManager[Service]]


@pytest.fixture
def run_search(nats_url: str, database_url: str, monkeypatch: pytest.MonkeyPatch) -> RunSearch:
    """Runs a search service inside the test; `nats_url` and `database_url` may be other ways to the servers."""
    # It would visit the objects of all tests, for most of a second.
    monkeypatch.setattr(search, "freeze_objects", lambda: None)

    @asynccontextmanager
    async def run(**settings: Any) -> AsyncIterator[Service]:
        given = {"nats_url": nats_url, "database_url": database_url, "embedding": "off", "corpus_poll_seconds": 0.2}
        async with running(search.build(SearchSettings(**{**given, **settings}))) as service:
            yield service

    return run
