"""Wiring of the ingest service."""

from collections.abc import Awaitable, Callable
from functools import partial

from lovsvar_chassis import service
from lovsvar_chassis.broker import make_broker
from lovsvar_chassis.database import Database
from lovsvar_chassis.migrations import Migrations
from lovsvar_chassis.progress import Progress
from lovsvar_chassis.publisher import EventPublisher
from lovsvar_chassis.service import Part, Service
from lovsvar_contracts import subjects
from lovsvar_contracts.ingest import SyncRequested
from lovsvar_ingest.adapters.archives import Archives
from lovsvar_ingest.adapters.catalogue_source import ListedCatalogues
from lovsvar_ingest.adapters.everyday_files import read_everyday, read_shipped_vectors
from lovsvar_ingest.adapters.metrics import CorpusWatch
from lovsvar_ingest.adapters.nats_events import NatsCatalogueEvents, NatsEmbeddingQueue, NatsSyncEvents
from lovsvar_ingest.adapters.postgres_catalogues import PostgresCatalogues
from lovsvar_ingest.adapters.postgres_embeddings import PostgresEmbeddings
from lovsvar_ingest.adapters.postgres_everyday import ShippedVectors, StoredEveryday
from lovsvar_ingest.adapters.postgres_store import PostgresStore
from lovsvar_ingest.catalogue_keeper import CatalogueKeeper
from lovsvar_ingest.core.catalogues.sync import sync_catalogue
from lovsvar_ingest.core.lovdata_reader import LovdataReader
from lovsvar_ingest.core.nightly import DATASETS
from lovsvar_ingest.handlers import SYNC_SENDS, planner_events, sync_work
from lovsvar_ingest.manifest import MANIFEST, SCHEMA
from lovsvar_ingest.planner import Planner
from lovsvar_ingest.schedule import Schedule
from lovsvar_ingest.settings import Settings

QUEUE_STILL = 60.0
SCHEDULE_STILL = 300.0
PLANNER_STILL = 1_200.0
"""Seconds that a component may be silent; planning for a new model cuts every provision and may build indexes."""


def build(settings: Settings) -> Service:
    """Return the service, not yet started."""
    broker = make_broker(settings, MANIFEST.name)
    publisher = EventPublisher(broker)
    database = Database(settings.database_url, size=settings.database_pool)
    migrations = Migrations(settings.database_url, SCHEMA)
    archives = Archives(settings.source, others=settings.sources)
    progress = Progress()
    note = progress.component("sync queue", QUEUE_STILL)
    events = NatsSyncEvents(publisher)
    keeper, sync_one = _catalogues(settings, database, publisher)
    syncs = sync_work(archives, LovdataReader(), PostgresStore(database), events, settings.guard_share, sync_one, note)
    workers: list[Part] = [CorpusWatch(database, settings.model, DATASETS if settings.nightly else ()), keeper]
    planner: Planner | None = None
    if settings.model:
        queue = NatsEmbeddingQueue(publisher)
        shipped = ShippedVectors(settings.model, database, queue, read_shipped_vectors)
        workers.append(shipped)
        if settings.plan_embeddings:
            note = progress.component("embedding planner", PLANNER_STILL)
            planner = Planner(settings.model, PostgresEmbeddings(database), queue, shipped.tried.wait, note)
            workers.append(planner)
    if settings.nightly is not None:
        ask = partial(publisher.publish, subjects.INGEST_REQUESTED)
        note = progress.component("schedule", SCHEDULE_STILL)
        workers.append(Schedule(settings.nightly, ask, note=note, catalogues=keeper.datasets))

    def not_ready() -> str:
        return "" if migrations.done else "Databasen gjøres klar."

    return Service(
        name=MANIFEST.name,
        settings=settings,
        broker=broker,
        events=planner_events(planner) if planner else None,
        parts=(migrations, database, StoredEveryday(database, read_everyday)),
        work=syncs,
        sends=SYNC_SENDS,
        workers=workers,
        not_ready=not_ready,
        progress=progress,
    )


def _catalogues(
    settings: Settings, database: Database, publisher: EventPublisher
) -> tuple[CatalogueKeeper, Callable[[SyncRequested], Awaitable[None]]]:
    """Return the component that keeps the list of catalogues, and what syncs one."""
    source = ListedCatalogues(settings.catalogues, settings.item_limits)
    store, events = PostgresCatalogues(database), NatsCatalogueEvents(publisher)
    ask = partial(publisher.publish, subjects.INGEST_REQUESTED)
    sync_one = partial(
        sync_catalogue,
        source=source,
        store=store,
        events=events,
        limits=settings.item_limits,
        guard_share=settings.catalogue_guard_share,
    )
    return CatalogueKeeper(source, store, events, ask), sync_one


def main() -> None:
    """Run the service until SIGTERM or SIGINT."""
    service.main(MANIFEST, Settings, build)
