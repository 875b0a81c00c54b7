"""Bringing one data set up to date: the use case.

Documents are stored pending, batch by batch, and count from the last transaction on. A sync that is
aborted leaves pending documents behind, which the next one finds unchanged and completes. Where law is stored
already, all of the archive is read before anything is written, so that one which would take away much of it can be
stopped; what differs waits meanwhile.
"""

import asyncio
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, date, datetime

from lovsvar_contracts.ingest import (
    DATASET_SAMPLE,
    ArchiveOrigin,
    DocumentChange,
    SkippedDocument,
    SyncCompleted,
    SyncProgressed,
    SyncReport,
    SyncRequested,
    SyncStage,
    SyncStarted,
)
from lovsvar_contracts.problems import ProblemType
from lovsvar_ingest.core.batches import Batch, read_batches
from lovsvar_ingest.core.corpus import ParsedDocument
from lovsvar_ingest.core.errors import (
    ArchiveImplausible,
    IngestError,
    SampleNotWanted,
    SourceRefused,
    SourceUnreadable,
    SyncUnderWay,
)
from lovsvar_ingest.core.markup import READING
from lovsvar_ingest.core.ports import (
    Archive,
    ArchiveSource,
    CorpusStore,
    CorpusWriter,
    Finished,
    KnownDocument,
    SyncEvents,
)
from lovsvar_ingest.core.provenance import Provenance
from lovsvar_ingest.core.read_ahead import ahead
from lovsvar_ingest.core.superseded_acts import find_superseded
from lovsvar_ingest.core.sync_failures import FAILURES, tell_failure
from lovsvar_ingest.core.sync_guard import REMOVED_SHARE, Losses, how_to_accept
from lovsvar_ingest.core.sync_tally import Tally, standing_of

BATCHES_AHEAD = 1
PROGRESS_SECONDS = 0.2
PUBLISHED_AT_ONCE = 500


def utc_today() -> date:
    """Return today's date (UTC)."""
    return datetime.now(UTC).date()


async def sync_dataset(
    request: SyncRequested,
    sources: ArchiveSource,
    store: CorpusStore,
    events: SyncEvents,
    today: Callable[[], date] = utc_today,
    guard_share: float = REMOVED_SHARE,
) -> None:
    """Make the stored data set equal to its archive, and tell of it.

    An archive that would remove or empty more than `guard_share` of the documents is not stored, unless the request
    accepts it by its checksum. Ends with `SyncCompleted` or `SyncFailed`. A sync that was completed before only tells
    so again. Raises `SyncUnderWay`, and whatever the store and the events raise: then nobody was told an end, and
    the same request may be handled again.
    """
    try:
        address = sources.describe(request.dataset, request.source)
    except SourceRefused as exc:
        await tell_failure(request, events, FAILURES[SourceRefused], str(exc))
        return
    async with store.writer(request.dataset) as writer:
        completed = await writer.begin(request, address)
        if completed is not None:
            await events.tell(completed)
            return
        try:
            await _Sync(request, writer, events, today(), address, guard_share).run(sources)
        except SyncUnderWay:
            raise
        except IngestError as exc:
            await writer.fail(request.sync_id, str(exc))
            await tell_failure(request, events, FAILURES.get(type(exc), ProblemType.INTERNAL), str(exc))


class _Sync:
    """One sync under way."""

    def __init__(
        self,
        request: SyncRequested,
        writer: CorpusWriter,
        events: SyncEvents,
        today: date,
        address: str,
        guard_share: float,
    ) -> None:
        self._request = request
        self._writer = writer
        self._events = events
        self._today = today
        self._address = address
        self._guard_share = guard_share
        self._tally = Tally()
        self._known: Mapping[str, KnownDocument] = {}
        self._began = time.monotonic()
        self._last_told = 0.0

    async def run(self, sources: ArchiveSource) -> None:
        request = self._request
        self._known = await self._writer.known()
        self._refuse_unwanted_sample()
        await self._events.tell(
            SyncStarted(
                correlation_id=request.correlation_id,
                sync_id=request.sync_id,
                dataset=request.dataset,
                source=self._address,
            )
        )
        await self._publish_changes()
        before = await self._writer.stored()
        stored = self._still_holds(before)
        async with sources.fetch(request.dataset, request.source, self._fetched, stored) as archive:
            if archive is None:
                self._tally.unchanged = sum(1 for _ in self._stored())
                origin = self._origin(stored.checksum) if stored else None
                await self._complete(await self._writer.corpus(), origin, removed=0, size=0)
                return
            gone: list[str] = []
            if stored is not None and stored.checksum == archive.checksum:
                self._tally.unchanged = sum(1 for _ in self._stored())
                self._tally.reread = stored.reread
            elif any(self._stored()):
                gone = await self._replace(archive, sources, before)
            else:
                await self._fill(archive)
            await self._progress(SyncStage.FINISHING, archive.size, archive.size, at_once=True)
            await self._finish(archive, gone)

    def _still_holds(self, stored: Provenance | None) -> Provenance | None:
        """Return the archive that need not be read again if it is the same."""
        if self._request.force or stored is None or not stored.holds(READING, self._today):
            return None
        return stored

    def _stored(self) -> Iterable[tuple[str, KnownDocument]]:
        """Yield what the data set held before this sync."""
        return ((refid, k) for refid, k in self._known.items() if k.live and k.dataset == self._request.dataset)

    def _refuse_unwanted_sample(self) -> None:
        if self._request.dataset != DATASET_SAMPLE:
            return
        if any(k.live and k.dataset != DATASET_SAMPLE for k in self._known.values()):
            raise SampleNotWanted("Eksempelsamlingen brukes bare når ingen ordentlige lover er lagret.")

    async def _fill(self, archive: Archive) -> None:
        """Store an archive where nothing is stored, while it is read."""
        async with ahead(self._batches(archive), BATCHES_AHEAD) as items:
            async for batch in items:
                await self._write(self._sort(batch))
                await self._progress(SyncStage.STORING, batch.offset, archive.size)
        self._refuse_nothing()

    async def _replace(self, archive: Archive, sources: ArchiveSource, before: Provenance | None) -> list[str]:
        """Read an archive to its end, and store what differs if it is likely; return the documents that left it."""
        with sources.hold() as held:
            async with ahead(self._batches(archive), BATCHES_AHEAD) as items:
                async for batch in items:
                    if news := self._sort(batch):
                        await asyncio.to_thread(held.put, news)
                    await self._progress(SyncStage.STORING, batch.offset, archive.size)
            self._refuse_nothing()
            gone = self._gone()
            await self._guard(archive, gone, before)
            async with ahead(held.take(), BATCHES_AHEAD) as batches:
                async for documents in batches:
                    await self._write(documents)
                    await self._progress(SyncStage.STORING, archive.size, archive.size)
        return gone

    def _batches(self, archive: Archive) -> Iterator[Batch]:
        return read_batches(archive.files(), self._request.dataset, self._today)

    def _refuse_nothing(self) -> None:
        if not self._tally.seen:
            raise SourceUnreadable("Arkivet inneholder ingen dokumenter som kan leses. Ingenting er endret.")

    async def _guard(self, archive: Archive, gone: Sequence[str], before: Provenance | None) -> None:
        """Stop at an archive that would take away or rewrite more of the law than is likely. Nothing is written yet."""
        request, rewritten = self._request, self._tally.rewritten
        extents = await self._writer.extents(list(rewritten))
        emptied = {refid for refid, extent in extents.items() if extent.emptied_by(rewritten[refid])}
        ceased = await self._ceased(gone) - emptied
        losses = Losses(sum(1 for _ in self._stored()), len(gone), len(emptied), self._tally.changed, len(ceased))
        same_reading = before is not None and before.reading == READING and not request.force
        try:
            losses.check(self._guard_share, same_reading=same_reading)
        except ArchiveImplausible as exc:
            if request.accept == archive.checksum:
                return
            raise ArchiveImplausible(f"{exc} {how_to_accept(request.dataset, archive.checksum)}") from exc

    async def _ceased(self, gone: Sequence[str]) -> set[str]:
        """Return the documents that stay and are in force, and would no longer be."""
        before = {document.refid: document for document in await self._writer.in_force()}
        for refid in gone:
            before.pop(refid, None)
        after = [document for document in (before | self._tally.standing).values() if document is not None]
        left = {document.refid for document in after} - set(find_superseded(after, self._today))
        return before.keys() - left

    def _sort(self, batch: Batch) -> list[ParsedDocument]:
        """Count a batch, and return those of its documents that differ from what is stored."""
        tally = self._tally
        tally.xml_bytes += batch.xml_bytes
        tally.skipped.extend(batch.skipped)
        documents = []
        for document in batch.documents:
            if reason := self._clash(document):
                tally.skipped.append(SkippedDocument(file=document.source_file, reason=reason))
            else:
                documents.append(document)
        tally.seen.update(d.header.refid for d in documents)
        turns = [day for d in batch.documents if (day := d.reread)]
        tally.reread = min([tally.reread, *turns] if tally.reread else turns, default=None)
        tally.provisions += sum(d.provisions for d in documents)
        news = [d for d in documents if self._is_news(d)]
        tally.unchanged += len(documents) - len(news)
        changed = [d for d in news if self._change(d.header.refid) is DocumentChange.CHANGED]
        tally.changed += len(changed)
        tally.added += len(news) - len(changed)
        tally.rewritten |= {d.header.refid: d.extent for d in changed}
        tally.standing |= {d.header.refid: standing_of(d.header) for d in news}
        return news

    async def _write(self, news: Sequence[ParsedDocument]) -> None:
        """Store documents, pending."""
        if news:
            await self._writer.write(news, {d.header.refid: self._change(d.header.refid) for d in news})

    def _clash(self, document: ParsedDocument) -> str:
        """Return why the document cannot be stored beside what other data sets hold, or ""; the sample gives way."""
        known = self._known.get(document.header.refid)
        if known and known.live and known.dataset not in {document.dataset, DATASET_SAMPLE}:
            return f"{document.header.refid} er allerede lagret fra datasettet {known.dataset}"
        return ""

    def _is_news(self, document: ParsedDocument) -> bool:
        known = self._known.get(document.header.refid)
        if self._request.force or known is None or not known.live:
            return True
        return (known.content_hash, known.dataset) != (document.content_hash, document.dataset)

    def _change(self, refid: str) -> DocumentChange:
        known = self._known.get(refid)
        return DocumentChange.CHANGED if known and known.live else DocumentChange.ADDED

    def _gone(self) -> list[str]:
        """Return the documents that left the archive; one whose file could not be read has not left."""
        unread = {skipped.file for skipped in self._tally.skipped}
        return [r for r, k in self._stored() if r not in self._tally.seen and k.source_file not in unread]

    async def _finish(self, archive: Archive, gone: list[str]) -> None:
        provenance = Provenance(archive.checksum, READING, self._address, archive.validators, self._tally.reread)
        standing = [document for document in await self._writer.in_force() if document.refid not in set(gone)]
        superseded = find_superseded(standing, self._today)
        self._tally.superseded = len(superseded)
        published = archive.published()
        finished = await self._writer.finish(gone, superseded, published, provenance)
        await self._publish_changes()
        await self._complete(finished, self._origin(archive.checksum, published), len(gone), archive.size)

    def _origin(self, checksum: str, published: date | None = None) -> ArchiveOrigin:
        return ArchiveOrigin(
            dataset=self._request.dataset, source=self._address, checksum=checksum, published=published
        )

    async def _complete(self, finished: Finished, archive: ArchiveOrigin | None, removed: int, size: int) -> None:
        request, tally = self._request, self._tally
        event = SyncCompleted(
            correlation_id=request.correlation_id,
            sync_id=request.sync_id,
            dataset=request.dataset,
            report=SyncReport(
                added=tally.added,
                changed=tally.changed,
                removed=removed,
                superseded=tally.superseded,
                unchanged=tally.unchanged,
                provisions=tally.provisions,
                skipped=tuple(tally.skipped),
                archive_bytes=size,
                xml_bytes=tally.xml_bytes,
                seconds=round(time.monotonic() - self._began, 3),
            ),
            corpus_version=finished.version,
            corpus_date=finished.corpus_date,
            archive=archive,
        )
        await self._writer.complete(event)
        await self._events.tell(event)

    async def _fetched(self, so_far: int, total: int | None) -> None:
        await self._progress(SyncStage.FETCHING, so_far, total)

    async def _progress(self, stage: SyncStage, so_far: int, total: int | None, *, at_once: bool = False) -> None:
        now = time.monotonic()
        if not at_once and now - self._last_told < PROGRESS_SECONDS:
            return
        self._last_told = now
        await self._events.tell(
            SyncProgressed(
                correlation_id=self._request.correlation_id,
                sync_id=self._request.sync_id,
                dataset=self._request.dataset,
                stage=stage,
                documents=len(self._tally.seen),
                provisions=self._tally.provisions,
                archive_bytes=so_far,
                total_bytes=total,
            )
        )

    async def _publish_changes(self) -> None:
        """Publish what happened to documents in versions that count, also what an aborted sync has left."""
        while changes := await self._writer.unpublished(PUBLISHED_AT_ONCE):
            await self._events.tell_documents([change.event(self._request.correlation_id) for change in changes])
            await self._writer.forget(changes)
