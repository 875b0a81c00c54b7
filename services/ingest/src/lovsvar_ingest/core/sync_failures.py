"""How a sync ends that cannot succeed."""

from collections.abc import Mapping
from typing import Any

from lovsvar_contracts.ingest import SyncFailed, SyncRequested
from lovsvar_contracts.problems import ProblemType
from lovsvar_ingest.core import errors
from lovsvar_ingest.core.ports import CorpusStore, SyncEvents

FAILURES: Mapping[type[errors.IngestError], ProblemType] = {
    errors.SourceRefused: ProblemType.INVALID_REQUEST,
    errors.ArchiveImplausible: ProblemType.CONFLICT,
    errors.SourceUnreachable: ProblemType.SOURCE_UNREACHABLE,
    errors.SourceUnreadable: ProblemType.SOURCE_UNREADABLE,
    errors.NoRoom: ProblemType.UNAVAILABLE,
    errors.SampleNotWanted: ProblemType.CONFLICT,
}
"""The problem that each error ends a sync with; any other is `internal`."""

_RETRYABLE = {ProblemType.SOURCE_UNREACHABLE, ProblemType.UNAVAILABLE}


def sync_fields(request: SyncRequested) -> dict[str, Any]:
    """Return the fields that every event of a sync has."""
    return {"correlation_id": request.correlation_id, "sync_id": request.sync_id, "dataset": request.dataset}


async def publish_failure(request: SyncRequested, events: SyncEvents, problem: ProblemType, detail: str) -> None:
    """Publish that the sync failed."""
    retryable = problem in _RETRYABLE
    await events.publish(SyncFailed(**sync_fields(request), problem=problem, detail=detail, retryable=retryable))


async def abandon_sync(request: SyncRequested, detail: str, store: CorpusStore, events: SyncEvents) -> None:
    """End a sync that failed at every attempt."""
    await publish_failure(request, events, ProblemType.INTERNAL, detail)
    async with store.writer(request.dataset) as writer:
        await writer.fail(request.sync_id, detail)
