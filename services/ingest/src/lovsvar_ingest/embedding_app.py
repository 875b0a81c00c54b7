"""Wiring of the embedding workers: processes of low priority, as many as wanted."""

import os
import sys
from dataclasses import replace

from lovsvar_chassis import service
from lovsvar_chassis.broker import make_broker
from lovsvar_chassis.database import Database
from lovsvar_chassis.migrations import Migrations
from lovsvar_chassis.publisher import EventPublisher
from lovsvar_chassis.service import Service
from lovsvar_embedder.choice import make_embedder
from lovsvar_ingest.adapters.postgres_embeddings import PostgresEmbeddings
from lovsvar_ingest.handlers import EMBEDDING_SENDS, embedding_work
from lovsvar_ingest.manifest import EMBEDDING, SCHEMA
from lovsvar_ingest.settings import EmbeddingSettings

NICE = 10

QUEUE_STILL = 300.0
"""Seconds that it may be silent: it runs on idle cores only."""


def build(settings: EmbeddingSettings) -> Service:
    """Return the worker process, not yet started. With embedding off it does nothing."""
    broker = make_broker(settings, EMBEDDING.name)
    idle = Service(name=EMBEDDING.name, settings=settings, broker=broker, distribution=EMBEDDING.distribution)
    if (embedder := make_embedder(settings)) is None:
        return idle
    publisher = EventPublisher(broker)
    database = Database(settings.database_url, size=settings.embed_workers + 1)
    note = idle.progress.component("embedding queue", QUEUE_STILL)
    requests = embedding_work(PostgresEmbeddings(database), embedder, publisher, settings.embed_workers, note)
    return replace(
        idle,
        parts=(Migrations(settings.database_url, SCHEMA), database, embedder),
        work=requests,
        sends=EMBEDDING_SENDS,
    )


def give_way() -> None:
    """Run on idle cores only (Linux), elsewhere at low priority."""
    os.nice(NICE)
    if sys.platform == "linux":
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))


def main() -> None:
    """Embed until SIGTERM or SIGINT."""
    give_way()
    service.main(EMBEDDING, EmbeddingSettings, build)
