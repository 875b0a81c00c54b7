"""Subjects → use cases."""

from lovsvar_chassis.work_queue import Handlers, RetryLater, WorkPolicy
from lovsvar_contracts import subjects
from lovsvar_contracts.ingest import SyncRequested
from lovsvar_ingest.core.errors import SyncUnderWay
from lovsvar_ingest.core.guarding import REMOVED_SHARE
from lovsvar_ingest.core.ports import ArchiveSource, CorpusStore, SyncEvents
from lovsvar_ingest.core.syncing import abandon_sync, sync_dataset

POLICY = WorkPolicy(
    stream=subjects.STREAM_INGEST,
    subject=subjects.INGEST_REQUESTED,
    durable="ingest",
    workers=1,
    max_tries=10,
)

WAIT_FOR_OTHER = 20.0
"""Seconds until a sync is tried again whose data set another process is syncing."""


def work(
    sources: ArchiveSource, store: CorpusStore, events: SyncEvents, guard_share: float = REMOVED_SHARE
) -> Handlers[SyncRequested]:
    """Return what is done with sync requests. Replicas share them through the durable consumer `ingest`.

    `guard_share` is the share of a data set that a sync may remove or empty unasked.
    """

    async def handle(request: SyncRequested, attempt: int) -> None:
        try:
            await sync_dataset(request, sources, store, events, guard_share=guard_share)
        except SyncUnderWay as exc:
            raise RetryLater(WAIT_FOR_OTHER, str(exc)) from exc

    async def give_up(request: SyncRequested, reason: str) -> None:
        detail = f"Synkroniseringen av {request.dataset} ble gitt opp etter {POLICY.max_tries} forsøk."
        await abandon_sync(request, detail, store, events)

    return Handlers(model=SyncRequested, handle=handle, give_up=give_up)
