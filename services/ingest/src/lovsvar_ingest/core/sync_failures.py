"""How a sync ends that cannot succeed."""

from collections.abc import Mapping

from lovsvar_contracts.ingest import SyncFailed, SyncRequested
from lovsvar_contracts.problems import ProblemType
from lovsvar_ingest.core.errors import (
    ArchiveImplausible,
    IngestError,
    NoRoom,
    SampleNotWanted,
    SourceRefused,
    SourceUnreachable,
    SourceUnreadable,
)
from lovsvar_ingest.core.ports import CorpusStore, SyncEvents

FAILURES: Mapping[type[IngestError], ProblemType] = {
    SourceRefused: ProblemType.INVALID_REQUEST,
    ArchiveImplausible: ProblemType.CONFLICT,
    SourceUnreachable: ProblemType.SOURCE_UNREACHABLE,
    SourceUnreadable: ProblemType.SOURCE_UNREADABLE,
    NoRoom: ProblemType.UNAVAILABLE,
    SampleNotWanted: ProblemType.CONFLICT,
}
"""How a sync ends that cannot succeed."""


async def tell_failure(request: SyncRequested, events: SyncEvents, problem: ProblemType, detail: str) -> None:
    """Tell those who wait that the sync failed."""
    await events.tell(
        SyncFailed(
            correlation_id=request.correlation_id,
            sync_id=request.sync_id,
            dataset=request.dataset,
            problem=problem,
            detail=detail,
            retryable=problem in {ProblemType.SOURCE_UNREACHABLE, ProblemType.UNAVAILABLE},
        )
    )


async def abandon_sync(request: SyncRequested, detail: str, store: CorpusStore, events: SyncEvents) -> None:
    """End a sync that failed each time it was tried."""
    await tell_failure(request, events, ProblemType.INTERNAL, detail)
    async with store.writer(request.dataset) as writer:
        await writer.fail(request.sync_id, detail)
