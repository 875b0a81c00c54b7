"""Wiring of the ingest service."""

from functools import partial

from lovsvar_chassis import service
from lovsvar_chassis.broker import make_broker
from lovsvar_chassis.database import Database
from lovsvar_chassis.events import EventPublisher
from lovsvar_chassis.service import Part, Service
from lovsvar_chassis.work_queue import WorkQueue
from lovsvar_contracts import subjects
from lovsvar_ingest.adapters.archives import Archives
from lovsvar_ingest.adapters.everyday_files import read_everyday
from lovsvar_ingest.adapters.migrations import Migrations
from lovsvar_ingest.adapters.nats_embedding_queue import NatsEmbeddingQueue
from lovsvar_ingest.adapters.nats_events import NatsSyncEvents
from lovsvar_ingest.adapters.postgres_embeddings import PostgresEmbeddings
from lovsvar_ingest.adapters.postgres_everyday import StoredEveryday
from lovsvar_ingest.adapters.postgres_store import PostgresStore
from lovsvar_ingest.handlers import POLICY, work
from lovsvar_ingest.planner import Planner
from lovsvar_ingest.schedule import Schedule
from lovsvar_ingest.settings import Settings

NAME = "ingest"


def build(settings: Settings) -> Service:
    """Return the service, not yet started."""
    broker = make_broker(settings, NAME, {})
    publisher = EventPublisher(broker)
    database = Database(settings.database_url, size=settings.database_pool)
    migrations = Migrations(settings.database_url)
    handlers = work(Archives(settings.source), PostgresStore(database), NatsSyncEvents(publisher))
    workers: list[Part] = [WorkQueue(POLICY, handlers, publisher)]
    if settings.model:
        workers.append(Planner(settings.model, PostgresEmbeddings(database), NatsEmbeddingQueue(publisher), broker))
    if settings.nightly is not None:
        workers.append(Schedule(settings.nightly, partial(publisher.publish, subjects.INGEST_REQUESTED)))

    def not_ready() -> str:
        return "" if migrations.done else "Databasen gjøres klar."

    return Service(
        name=NAME,
        settings=settings,
        broker=broker,
        parts=(migrations, database, StoredEveryday(database, read_everyday)),
        workers=workers,
        not_ready=not_ready,
    )


def main() -> None:
    """Run the service until it is told to stop."""
    settings = Settings()
    service.main(NAME, settings, lambda: build(settings))
