"""Bringing one data set up to date: the use case, whatever its documents are.

Bytes come from an `ArchiveSource`, a `DocumentReader` makes documents of them, and those that differ from the stored
ones go to the `CorpusWriter`. Documents are stored pending, in batches, and count from the last transaction on. An
aborted sync leaves pending documents, which the next one finds unchanged and completes. Where documents are stored
already, the archive is read to its end before anything is written, so that the guard can stop one that would remove
much; meanwhile the documents that differ are held.
"""

import asyncio
from collections.abc import AsyncGenerator, Callable, Iterator, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import TypeVar

from lovsvar_contracts.ingest import ArchiveOrigin, SyncRequested, SyncStage
from lovsvar_ingest.core.archive import Batch, Provenance
from lovsvar_ingest.core.comparison import Comparison
from lovsvar_ingest.core.corpus import ParsedDocument
from lovsvar_ingest.core.errors import (
    ArchiveImplausible,
    IngestError,
    SourceRefused,
    SourceUnreadable,
    SyncUnderWay,
)
from lovsvar_ingest.core.ports import Archive, ArchiveSource, CorpusStore, CorpusWriter, DocumentReader, SyncEvents
from lovsvar_ingest.core.sync_guard import REMOVED_SHARE, Losses, how_to_accept
from lovsvar_ingest.core.sync_reporter import SyncReporter

T = TypeVar("T")

PUBLISHED_AT_ONCE = 500


def utc_today() -> date:
    """Return today's date (UTC)."""
    return datetime.now(UTC).date()


async def sync_dataset(
    request: SyncRequested,
    sources: ArchiveSource,
    reader: DocumentReader,
    store: CorpusStore,
    events: SyncEvents,
    today: Callable[[], date] = utc_today,
    guard_share: float = REMOVED_SHARE,
) -> None:
    """Make the stored data set equal to its archive, as `reader` reads it, and publish events.

    An archive that would remove or empty more than `guard_share` of the documents is not stored, unless the request
    accepts it by its checksum. Ends with `SyncCompleted` or `SyncFailed`. A sync that was completed before only
    publishes its end again. Raises `SyncUnderWay`, and what the store and the events raise: then no end was published,
    and the same request may be handled again.
    """
    report = SyncReporter(request, events)
    try:
        address = sources.describe(request.dataset, request.source)
    except SourceRefused as exc:
        await report.failed(exc)
        return
    async with store.writer(request.dataset) as writer:
        if completed := await writer.begin(request, address):
            await events.publish(completed)
            return
        compared = Comparison(request.dataset, await writer.known(), request.force)
        sync = _Sync(request, reader, writer, events, report, compared, today(), address)
        try:
            await sync.run(sources, guard_share)
        except SyncUnderWay:
            raise
        except IngestError as exc:
            await writer.fail(request.sync_id, str(exc))
            await report.failed(exc)


async def abandon_sync(request: SyncRequested, detail: str, store: CorpusStore, events: SyncEvents) -> None:
    """End a sync that failed at every attempt."""
    await SyncReporter(request, events).failed(IngestError(detail))
    async with store.writer(request.dataset) as writer:
        await writer.fail(request.sync_id, detail)


@dataclass
class _Sync:
    """One sync under way."""

    request: SyncRequested
    reader: DocumentReader
    writer: CorpusWriter
    events: SyncEvents
    report: SyncReporter
    compared: Comparison
    today: date
    address: str

    async def run(self, sources: ArchiveSource, guard_share: float) -> None:
        request, compared = self.request, self.compared
        compared.refuse_unwanted_sample()
        await self.report.started(self.address)
        await self._publish_changes()
        before = await self.writer.stored()
        current = before if before and before.holds(self.reader.version, self.today) and not request.force else None
        async with sources.fetch(request.dataset, request.source, self._fetched, current) as archive:
            if archive is None:
                compared.unchanged = compared.count_stored()
                await self._complete(self._origin(current.checksum) if current else None, removed=0, size=0)
                return
            gone: list[str] = []
            if current and current.checksum == archive.checksum:
                compared.unchanged, compared.reread = compared.count_stored(), current.reread
            elif compared.count_stored():
                gone = await self._replace(archive, sources, before, guard_share)
            else:
                await self._fill(archive)
            await self._progress(SyncStage.FINISHING, archive.size, archive.size, at_once=True)
            await self._finish(archive, gone)

    async def _fill(self, archive: Archive) -> None:
        """Store an archive where nothing is stored, while it is read."""
        async with aclosing(one_ahead(self._batches(archive))) as batches:
            async for batch in batches:
                await self._write(self.compared.add(batch))
                await self._progress(SyncStage.STORING, batch.offset, archive.size)
        self._refuse_empty()

    async def _replace(
        self, archive: Archive, sources: ArchiveSource, before: Provenance | None, guard_share: float
    ) -> list[str]:
        """Read an archive to its end, and store what differs if the guard lets it; return the documents that left."""
        with sources.hold() as held:
            async with aclosing(one_ahead(self._batches(archive))) as batches:
                async for batch in batches:
                    if news := self.compared.add(batch):
                        await asyncio.to_thread(held.put, news)
                    await self._progress(SyncStage.STORING, batch.offset, archive.size)
            self._refuse_empty()
            gone = self.compared.gone()
            await self._guard(archive, gone, before, guard_share)
            async with aclosing(one_ahead(held.take())) as taken:
                async for documents in taken:
                    await self._write(documents)
                    await self._progress(SyncStage.STORING, archive.size, archive.size)
        return gone

    def _batches(self, archive: Archive) -> Iterator[Batch]:
        return self.reader.batches(archive.files(), self.request.dataset, self.today)

    def _refuse_empty(self) -> None:
        if not self.compared.seen:
            raise SourceUnreadable("Arkivet inneholder ingen dokumenter som kan leses. Ingenting er endret.")

    async def _guard(self, archive: Archive, gone: Sequence[str], before: Provenance | None, share: float) -> None:
        """Raise `ArchiveImplausible` if the archive changes more than is likely. Nothing is written yet."""
        request, compared = self.request, self.compared
        extents = await self.writer.extents(list(compared.rewritten))
        emptied = {refid for refid, extent in extents.items() if extent.emptied_by(compared.rewritten[refid])}
        standing = await self.writer.in_force()
        after = compared.in_force_after(standing, gone)
        left = {document.refid for document in after} - set(self.reader.superseded(after, self.today))
        ceased = {document.refid for document in standing} - left - set(gone) - emptied
        losses = Losses(compared.count_stored(), len(gone), len(emptied), compared.changed, len(ceased))
        same_parser = before is not None and before.parser_version == self.reader.version and not request.force
        try:
            losses.check(share, same_parser=same_parser)
        except ArchiveImplausible as exc:
            if request.accept != archive.checksum:
                raise ArchiveImplausible(f"{exc} {how_to_accept(request.dataset, archive.checksum)}") from exc

    async def _write(self, news: Sequence[ParsedDocument]) -> None:
        """Store documents, pending."""
        if news:
            await self.writer.write(news, {d.refid: self.compared.change(d.refid) for d in news})

    async def _finish(self, archive: Archive, gone: list[str]) -> None:
        compared, left = self.compared, set(gone)
        standing = [document for document in await self.writer.in_force() if document.refid not in left]
        superseded = self.reader.superseded(standing, self.today)
        compared.superseded = len(superseded)
        published = archive.published()
        version = self.reader.version
        provenance = Provenance(archive.checksum, version, self.address, archive.validators, compared.reread)
        await self.writer.finish(gone, superseded, published, provenance)
        await self._publish_changes()
        await self._complete(self._origin(archive.checksum, published), len(gone), archive.size)

    def _origin(self, checksum: str, published: date | None = None) -> ArchiveOrigin:
        dataset = self.request.dataset
        return ArchiveOrigin(dataset=dataset, source=self.address, checksum=checksum, published=published)

    async def _complete(self, archive: ArchiveOrigin | None, removed: int, size: int) -> None:
        compared = self.compared
        version, corpus_date = await self.writer.corpus()
        await self.report.completed(
            self.writer,
            version,
            corpus_date,
            archive,
            added=compared.added,
            changed=compared.changed,
            removed=removed,
            superseded=compared.superseded,
            unchanged=compared.unchanged,
            provisions=compared.provisions,
            skipped=tuple(compared.skipped),
            archive_bytes=size,
            xml_bytes=compared.xml_bytes,
        )

    async def _fetched(self, so_far: int, total: int | None) -> None:
        await self._progress(SyncStage.FETCHING, so_far, total)

    async def _progress(self, stage: SyncStage, so_far: int, total: int | None, *, at_once: bool = False) -> None:
        counts = {"documents": len(self.compared.seen), "provisions": self.compared.provisions}
        await self.report.progressed(stage, so_far, total, at_once=at_once, **counts)

    async def _publish_changes(self) -> None:
        """Publish the changes of versions that count, those that an aborted sync left unpublished among them."""
        while changes := await self.writer.unpublished(PUBLISHED_AT_ONCE):
            await self.events.publish_documents([change.event(self.request.correlation_id) for change in changes])
            await self.writer.forget(changes)


async def one_ahead(items: Iterator[T]) -> AsyncGenerator[T, None]:
    """Yield the items of a blocking iterator, each made in a thread while the one before is used.

    Raises what the iterator raises. Once it is closed, the iterator does not run any more.
    """
    coming = asyncio.create_task(asyncio.to_thread(next, items, None))
    try:
        # A consumer that is cancelled waits below until the thread is done.
        while (item := await asyncio.shield(coming)) is not None:
            coming = asyncio.create_task(asyncio.to_thread(next, items, None))
            yield item
    finally:
        await asyncio.wait([coming])
        if not coming.cancelled():
            coming.exception()  # else asyncio logs that nothing retrieved it
