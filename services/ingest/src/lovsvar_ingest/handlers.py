"""Subjects → use cases."""

from lovsvar_chassis.event_router import EventRouter
from lovsvar_chassis.progress import Note, unnoted
from lovsvar_chassis.publisher import Sent
from lovsvar_chassis.redelivery import RetryLater, WorkPolicy
from lovsvar_chassis.work_router import WorkRouter
from lovsvar_contracts import subjects
from lovsvar_contracts.ingest import DocumentChanged, SyncEvent, SyncRequested
from lovsvar_ingest.core.dataset_sync import abandon_sync, sync_dataset
from lovsvar_ingest.core.errors import SyncUnderWay
from lovsvar_ingest.core.ports import ArchiveSource, CorpusStore, DocumentReader, SyncEvents
from lovsvar_ingest.core.sync_guard import REMOVED_SHARE
from lovsvar_ingest.manifest import MANIFEST
from lovsvar_ingest.planner import Planner

POLICY = WorkPolicy(
    stream=subjects.STREAM_INGEST,
    subject=subjects.INGEST_REQUESTED,
    durable=MANIFEST.name,
    workers=1,
    max_tries=10,
)

SENDS = (
    Sent(subjects.ingest_progress("{sync_id}"), SyncEvent, "The events of a sync."),
    Sent(subjects.DOCUMENT_ADDED, DocumentChanged, "A document is new."),
    Sent(subjects.DOCUMENT_CHANGED, DocumentChanged, "A document has changed."),
    Sent(subjects.DOCUMENT_REMOVED, DocumentChanged, "A document is gone."),
)

WAIT_FOR_OTHER = 20.0
"""Seconds until a sync is tried again whose data set another process is syncing."""


def work(
    sources: ArchiveSource,
    reader: DocumentReader,
    store: CorpusStore,
    events: SyncEvents,
    guard_share: float = REMOVED_SHARE,
    note: Note = unnoted,
) -> WorkRouter:
    """Return the router of sync requests. Replicas share them through the durable consumer `ingest`.

    `guard_share` is the share of a data set that a sync may remove or empty unasked.
    """

    async def sync(request: SyncRequested) -> None:
        """Bring a data set up to date."""
        try:
            await sync_dataset(request, sources, reader, store, events, guard_share=guard_share)
        except SyncUnderWay as exc:
            raise RetryLater(WAIT_FOR_OTHER, str(exc)) from exc

    async def give_up(request: SyncRequested, reason: str) -> None:
        detail = f"Synkroniseringen av {request.dataset} ble gitt opp etter {POLICY.max_tries} forsøk."
        await abandon_sync(request, detail, store, events)

    return WorkRouter(POLICY, note).work(sync, give_up)


def planner_events(planner: Planner) -> EventRouter:
    """Return the router of the events that the embedding planner follows."""
    router = EventRouter()
    router.hear(subjects.INGEST_PROGRESS_ANY, planner.heard_sync)
    router.hear(subjects.EMBEDDING_STORED, planner.heard_stored)
    return router
