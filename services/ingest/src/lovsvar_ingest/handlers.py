"""Subjects → use cases, for ingest and for the embedding workers."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from dataclasses import replace

import structlog
from nats.errors import Error as NatsError

from lovsvar_chassis.event_router import EventRouter
from lovsvar_chassis.progress import Note
from lovsvar_chassis.publisher import EventPublisher, Sent
from lovsvar_chassis.redelivery import RetryLater, WorkPolicy
from lovsvar_chassis.work_router import WorkRouter
from lovsvar_contracts import subjects
from lovsvar_contracts.catalogues import CatalogueChanged
from lovsvar_contracts.ingest import DocumentChanged, EmbeddingRequested, EmbeddingStored, SyncEvent, SyncRequested
from lovsvar_embedder.embedder import Embedder
from lovsvar_embedder.errors import EmbedderUnavailable
from lovsvar_ingest.core.catalogues.sync import catalogue_of
from lovsvar_ingest.core.dataset_sync import abandon_sync, sync_dataset
from lovsvar_ingest.core.embedding_ports import EmbeddingStore
from lovsvar_ingest.core.errors import OtherModelWanted, StoreUnavailable, SyncUnderWay
from lovsvar_ingest.core.passage_embedding import abandon_texts, embed_texts
from lovsvar_ingest.core.ports import ArchiveSource, CorpusStore, DocumentReader, SyncEvents
from lovsvar_ingest.manifest import EMBEDDING, MANIFEST
from lovsvar_ingest.planner import Planner

log = structlog.get_logger()

SYNC_POLICY = WorkPolicy(
    stream=subjects.STREAM_INGEST,
    subject=subjects.INGEST_REQUESTED,
    durable=MANIFEST.name,
    workers=1,
    max_tries=10,
)

SYNC_SENDS = (
    Sent(subjects.ingest_progress("{sync_id}"), SyncEvent, "The events of a sync."),
    Sent(subjects.DOCUMENT_ADDED, DocumentChanged, "A document is new."),
    Sent(subjects.DOCUMENT_CHANGED, DocumentChanged, "A document has changed."),
    Sent(subjects.DOCUMENT_REMOVED, DocumentChanged, "A document is gone."),
    Sent(subjects.CATALOGUE_CHANGED, CatalogueChanged, "A catalogue has a new version."),
)

WAIT_FOR_OTHER = 20.0
"""Seconds until a sync is tried again whose data set another process is syncing."""

EMBEDDING_POLICY = WorkPolicy(
    stream=subjects.STREAM_EMBEDDING,
    subject=subjects.EMBEDDING_REQUESTED,
    durable=EMBEDDING.name,
    workers=1,
    # Workers run on idle cores only, and their heartbeats may be late.
    ack_wait=60.0,
)

EMBEDDING_SENDS = (Sent(subjects.EMBEDDING_STORED, EmbeddingStored, "Vectors were stored."),)

WAIT_FOR_EMBEDDER = 30.0
"""Seconds until a request is tried again that this worker cannot embed now."""

TRY_AGAIN = 5.0
"""Seconds after which an embedder or a database that is gone is tried again, with the request in hand."""

TRIES_IN_HAND = 24
"""How often, before another worker may try."""


def sync_work(
    sources: ArchiveSource,
    reader: DocumentReader,
    store: CorpusStore,
    events: SyncEvents,
    guard_share: float,
    sync_catalogue: Callable[[SyncRequested], Awaitable[None]],
    note: Note,
) -> WorkRouter:
    """Return the router of sync requests. Replicas share them through the durable consumer `ingest`.

    `guard_share` is the share of a data set of law that a sync may remove or empty unasked; `sync_catalogue` syncs a
    data set that is a catalogue.
    """

    async def sync(request: SyncRequested) -> None:
        """Bring a data set up to date."""
        try:
            if catalogue_of(request.dataset) is None:
                await sync_dataset(request, sources, reader, store, events, guard_share=guard_share)
            else:
                await sync_catalogue(request)
        except SyncUnderWay as exc:
            raise RetryLater(WAIT_FOR_OTHER, str(exc)) from exc

    async def give_up(request: SyncRequested, reason: str) -> None:
        detail = f"Synkroniseringen av {request.dataset} ble gitt opp etter {SYNC_POLICY.max_tries} forsøk."
        await abandon_sync(request, detail, store, events)

    return WorkRouter(SYNC_POLICY, note).work(sync, give_up)


def planner_events(planner: Planner) -> EventRouter:
    """Return the router of the events that the embedding planner follows."""
    router = EventRouter()
    router.hear(subjects.INGEST_PROGRESS_ANY, planner.heard_sync)
    router.hear(subjects.EMBEDDING_STORED, planner.heard_stored)
    return router


def embedding_work(
    store: EmbeddingStore, embedder: Embedder, publisher: EventPublisher, workers: int, note: Note
) -> WorkRouter:
    """Return the router of requests, with so many `workers`. All processes share the durable consumer `embedding`.

    While the embedder or the database is gone a worker keeps its request: every delivery counts as a try, and a worker
    that took the next request would use up the tries of all.
    """

    async def embed(request: EmbeddingRequested) -> None:
        """Embed passages and everyday questions."""
        stored = await _outlast(lambda: embed_texts(request, store, embedder))
        event = EmbeddingStored(correlation_id=request.correlation_id, model=request.model, stored=stored)
        # A hint only: the database is the truth.
        with contextlib.suppress(NatsError, OSError):
            await publisher.notify(subjects.EMBEDDING_STORED, event)

    async def give_up(request: EmbeddingRequested, reason: str) -> None:
        await abandon_texts(request, reason, store)

    return WorkRouter(replace(EMBEDDING_POLICY, workers=workers), note).work(embed, give_up)


async def _outlast(embed: Callable[[], Awaitable[int]]) -> int:
    """Embed, with retries. Raises `RetryLater` after many, and when another model is wanted."""
    for _ in range(TRIES_IN_HAND):
        try:
            return await embed()
        except OtherModelWanted as exc:
            raise RetryLater(WAIT_FOR_EMBEDDER, str(exc)) from exc
        except (EmbedderUnavailable, StoreUnavailable) as exc:
            reason = str(exc)
            log.warning("embedding waits", reason=reason)
        await asyncio.sleep(TRY_AGAIN)
    raise RetryLater(WAIT_FOR_EMBEDDER, reason)
