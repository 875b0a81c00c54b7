"""Publishing how a sync gets on and how it ends, whatever is synced."""

import time
from collections.abc import Mapping
from datetime import date
from typing import Any, Protocol

from lovsvar_contracts.ingest import (
    ArchiveOrigin,
    SyncCompleted,
    SyncEvent,
    SyncFailed,
    SyncProgressed,
    SyncReport,
    SyncRequested,
    SyncStage,
    SyncStarted,
)
from lovsvar_contracts.problems import ProblemType
from lovsvar_ingest.core.errors import (
    ArchiveImplausible,
    CatalogueBroken,
    IngestError,
    NoRoom,
    SampleNotWanted,
    SourceRefused,
    SourceUnreachable,
    SourceUnreadable,
)

PROGRESS_SECONDS = 0.2

FAILURES: Mapping[type[IngestError], ProblemType] = {
    SourceRefused: ProblemType.INVALID_REQUEST,
    ArchiveImplausible: ProblemType.CONFLICT,
    SourceUnreachable: ProblemType.SOURCE_UNREACHABLE,
    SourceUnreadable: ProblemType.SOURCE_UNREADABLE,
    CatalogueBroken: ProblemType.SOURCE_UNREADABLE,
    NoRoom: ProblemType.UNAVAILABLE,
    SampleNotWanted: ProblemType.CONFLICT,
}
"""The problem that each error ends a sync with; any other is `internal`."""

_RETRYABLE = {ProblemType.SOURCE_UNREACHABLE, ProblemType.UNAVAILABLE}


class _Publishes(Protocol):
    async def publish(self, event: SyncEvent) -> None: ...


class _Notes(Protocol):
    async def complete(self, event: SyncCompleted) -> None: ...


class SyncReporter:
    """Publishes the events of one sync, which begins now."""

    def __init__(self, request: SyncRequested, events: _Publishes) -> None:
        self._events = events
        self._fields = {
            "correlation_id": request.correlation_id,
            "sync_id": request.sync_id,
            "dataset": request.dataset,
        }
        self._began = time.monotonic()
        self._last_progress = 0.0

    async def started(self, source: str) -> None:
        """Publish that the sync began, and where what it syncs comes from."""
        await self._events.publish(SyncStarted(**self._fields, source=source))

    async def progressed(
        self, stage: SyncStage, so_far: int, total: int | None, *, at_once: bool = False, **counts: int
    ) -> None:
        """Publish how far it is: `so_far` of `total` bytes. Soon after the last time, only `at_once`."""
        now = time.monotonic()
        if not at_once and now - self._last_progress < PROGRESS_SECONDS:
            return
        self._last_progress = now
        await self._events.publish(
            SyncProgressed(**self._fields, stage=stage, archive_bytes=so_far, total_bytes=total, **counts)
        )

    async def completed(
        self,
        writer: _Notes,
        version: int,
        corpus_date: date | None = None,
        archive: ArchiveOrigin | None = None,
        **report: Any,
    ) -> None:
        """Note and publish that the sync is complete, with the fields of its `SyncReport`."""
        event = SyncCompleted(
            **self._fields,
            report=SyncReport(**report, seconds=round(time.monotonic() - self._began, 3)),
            corpus_version=version,
            corpus_date=corpus_date,
            archive=archive,
        )
        await writer.complete(event)
        await self._events.publish(event)

    async def failed(self, error: IngestError) -> None:
        """Publish that the sync failed, and by which problem."""
        problem = FAILURES.get(type(error), ProblemType.INTERNAL)
        retryable = problem in _RETRYABLE
        await self._events.publish(SyncFailed(**self._fields, problem=problem, detail=str(error), retryable=retryable))
