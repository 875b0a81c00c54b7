"""Bringing one catalogue up to date: the use case, whatever its format and source.

The items are read to their end and staged next to the stored ones, in batches. Then the guard compares the two, and one
transaction makes the catalogue equal to its file. Nothing changes before, so that an aborted sync leaves no trace.
The law's version stays as it is.
"""

import asyncio
from collections.abc import Iterator
from contextlib import aclosing
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from lovsvar_contracts.catalogues import DATASET_PREFIX
from lovsvar_contracts.ingest import SkippedDocument, SyncRequested, SyncStage
from lovsvar_ingest.core.catalogues.guard import SHARE, refuse_losses
from lovsvar_ingest.core.catalogues.items import ItemLimits
from lovsvar_ingest.core.catalogues.ports import (
    CatalogueEvents,
    CatalogueSource,
    CatalogueStore,
    CatalogueWriter,
    Differences,
    ItemsFile,
    ListedCatalogue,
)
from lovsvar_ingest.core.catalogues.reading import ItemBatch, batches
from lovsvar_ingest.core.dataset_sync import one_ahead
from lovsvar_ingest.core.errors import IngestError, SourceUnreadable, SyncUnderWay
from lovsvar_ingest.core.sync_reporter import SyncReporter

REPORTED = 500
"""Remarks on items that a report has; it says how many more there are."""


def catalogue_of(dataset: str) -> str | None:
    """Return the id of the catalogue that a data set is, or None for law."""
    return dataset.removeprefix(DATASET_PREFIX) if dataset.startswith(DATASET_PREFIX) else None


async def sync_catalogue(
    request: SyncRequested,
    source: CatalogueSource,
    store: CatalogueStore,
    events: CatalogueEvents,
    limits: ItemLimits = ItemLimits(),  # noqa: B008 # immutable
    guard_share: float = SHARE,
) -> None:
    """Make the stored catalogue equal to its file, and publish events; of two identical requests one does it.

    A file that would remove or empty more than `guard_share` of the items is not stored, unless the request accepts it
    by its checksum. Ends with `SyncCompleted` or `SyncFailed`; raises as a sync of law does.
    """
    catalogue, report = catalogue_of(request.dataset) or "", SyncReporter(request, events)
    try:
        listed = await source.listed(catalogue, request.source)
    except IngestError as exc:
        await report.failed(exc)
        return
    async with store.writer(catalogue) as writer:
        if completed := await writer.begin(request, listed.items):
            await events.publish(completed)
            return
        sync = _CatalogueSync(request, listed, writer, events, report, limits)
        try:
            async with asyncio.timeout(limits.seconds):
                await sync.run(source, guard_share)
        except SyncUnderWay:
            raise
        except TimeoutError:
            words = f"Katalogen ble ikke lest på {limits.seconds:g} sekunder. Ingenting er endret."
            await sync.fail(SourceUnreadable(words))
        except IngestError as exc:
            await sync.fail(exc)


@dataclass
class _CatalogueSync:
    """One sync under way."""

    request: SyncRequested
    listed: ListedCatalogue
    writer: CatalogueWriter
    events: CatalogueEvents
    report: SyncReporter
    limits: ItemLimits
    items: int = 0
    remarks: int = 0
    reported: list[SkippedDocument] = field(default_factory=list)
    kept: list[str] = field(default_factory=list)

    async def run(self, source: CatalogueSource, guard_share: float) -> None:
        request, listed = self.request, self.listed
        await self.report.started(listed.items)
        before = await self.writer.stored()
        current = before if before and before.holds(listed) and not request.force else None
        async with source.fetch(listed, self._fetched, current.validators if current else None) as items:
            if current and (items is None or items.checksum == current.checksum):
                await self.writer.checked(items.validators if items else current.validators)
                await self._complete(Differences(unchanged=current.items), items.size if items else 0)
                return
            if items is None:
                raise SourceUnreadable("Tjeneren svarte at ingenting er endret, men ble ikke spurt om det.")
            await self._stage(items)
            differences = await self.writer.compare(self.kept, force=request.force)
            self._guard(differences, guard_share, items)
            await self._progress(SyncStage.FINISHING, items.size, items.size, at_once=True)
            version, differences = await self.writer.finish(listed, items, self.kept, force=request.force)
        if before is None or version != before.version:
            await self.events.changed(listed.definition.id, version, request.correlation_id)
        await self._complete(differences, items.size)

    async def fail(self, error: IngestError) -> None:
        """Note and publish how the sync failed."""
        await self.writer.fail(self.request.sync_id, str(error))
        await self.report.failed(error)

    async def _stage(self, items: ItemsFile) -> None:
        async with aclosing(one_ahead(self._batches(items))) as read:
            async for batch in read:
                await self.writer.stage(batch.products)
                self.items += len(batch.products)
                self.remarks += len(batch.reported)
                self.reported += batch.reported[: REPORTED - len(self.reported)]
                self.kept += batch.kept
                await self._progress(SyncStage.STORING, batch.offset, items.size)

    def _batches(self, items: ItemsFile) -> Iterator[ItemBatch]:
        with items.open() as file:
            yield from batches(file, items.name, self.listed.definition, self.limits)

    def _guard(self, differences: Differences, share: float, items: ItemsFile) -> None:
        """Raise `ArchiveImplausible` if much would be lost, `SourceUnreadable` if nothing is there."""
        if self.request.accept == items.checksum:
            return
        if not self.items and not differences.stored:
            why = f" Den første: {self.reported[0].file}: {self.reported[0].reason}." if self.reported else ""
            raise SourceUnreadable(f"Ingen tilbud i {items.name} kan lagres.{why}")
        refuse_losses(differences, share, self.listed.definition.id, items.checksum)

    async def _complete(self, differences: Differences, size: int) -> None:
        if more := self.remarks - len(self.reported):
            name = PurePosixPath(self.listed.items).name
            self.reported.append(SkippedDocument(file=name, reason=f"{more} merknader til er ikke vist"))
        await self.report.completed(
            self.writer,
            await self.writer.corpus_version(),
            added=differences.added,
            changed=differences.changed,
            removed=differences.removed,
            unchanged=differences.unchanged,
            skipped=tuple(self.reported),
            archive_bytes=size,
        )

    async def _fetched(self, so_far: int, total: int | None) -> None:
        await self._progress(SyncStage.FETCHING, so_far, total)

    async def _progress(self, stage: SyncStage, so_far: int, total: int | None, *, at_once: bool = False) -> None:
        await self.report.progressed(stage, so_far, total, at_once=at_once, documents=self.items)
