"""Fakes of the store, the archives and the events, for tests only."""

import contextlib
import hashlib
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date

from lovsvar_contracts.ingest import (
    DATASET_SAMPLE,
    DocumentChange,
    DocumentChanged,
    SyncCompleted,
    SyncEvent,
    SyncRequested,
)
from lovsvar_contracts.law import InForce
from lovsvar_ingest.adapters.held_documents import hold_documents
from lovsvar_ingest.core.archive import ArchiveFile, Provenance, Validators
from lovsvar_ingest.core.corpus import ParsedDocument
from lovsvar_ingest.core.errors import IngestError, SourceRefused, SyncUnderWay
from lovsvar_ingest.core.ports import (
    SECTIONS_NAMED,
    Archive,
    ArchiveSource,
    CorpusStore,
    CorpusWriter,
    HeldDocuments,
    KnownDocument,
    OnBytes,
    SyncEvents,
    UnpublishedChange,
)
from lovsvar_ingest.core.superseded_acts import Standing
from lovsvar_ingest.core.sync_guard import Extent

PENDING = 0


class MemoryStore(CorpusStore):
    """The corpus in dictionaries."""

    def __init__(self) -> None:
        self.documents: dict[str, ParsedDocument] = {}
        self.removed: set[str] = set()
        self.pending: set[str] = set()
        self.changes: list[UnpublishedChange] = []
        self.version = 0
        self.corpus_date: date | None = None
        self.writes = 0
        self.archives: dict[str, Provenance] = {}
        self.syncs: dict[str, SyncCompleted | str | None] = {}
        self._held: set[str] = set()

    @contextlib.asynccontextmanager
    async def writer(self, dataset: str) -> AsyncIterator["MemoryWriter"]:
        if dataset in self._held:
            raise SyncUnderWay(f"Datasettet {dataset} synkroniseres allerede av en annen prosess.")
        self._held.add(dataset)
        try:
            yield MemoryWriter(self, dataset)
        finally:
            self._held.discard(dataset)


class MemoryWriter(CorpusWriter):
    """Writes to the corpus of a `MemoryStore`."""

    def __init__(self, store: MemoryStore, dataset: str) -> None:
        self._store = store
        self._dataset = dataset

    async def begin(self, request: SyncRequested, source: str) -> SyncCompleted | None:
        ended = self._store.syncs.setdefault(request.sync_id, None)
        return ended if isinstance(ended, SyncCompleted) else None

    async def known(self) -> Mapping[str, KnownDocument]:
        documents, removed = self._store.documents, self._store.removed
        return {
            r: KnownDocument(d.content_hash, d.source_file, d.dataset, r not in removed) for r, d in documents.items()
        }

    async def extents(self, refids: Sequence[str]) -> Mapping[str, Extent]:
        documents = self._store.documents
        return {refid: documents[refid].extent for refid in refids if documents[refid].sections}

    async def stored(self) -> Provenance | None:
        pending = any(self._store.documents[refid].dataset == self._dataset for refid in self._store.pending)
        return None if pending else self._store.archives.get(self._dataset)

    async def write(self, documents: Sequence[ParsedDocument], changes: Mapping[str, DocumentChange]) -> None:
        store = self._store
        for document in documents:
            refid = document.header.refid
            before = store.documents.get(refid)
            hashes = {s.section: s.content_hash for s in before.sections} if before else {}
            gone = hashes.keys() - {s.section for s in document.sections}
            news = [s.section for s in document.sections if hashes.get(s.section) != s.content_hash]
            store.documents[refid] = document
            self._note(refid, changes[refid], (*sorted(gone), *news))
            store.removed.discard(refid)
            store.pending.add(refid)
            store.writes += 1

    def _note(self, refid: str, change: DocumentChange, sections: tuple[str, ...] = ()) -> None:
        store = self._store
        pending = next((one for one in store.changes if (one.refid, one.corpus_version) == (refid, PENDING)), None)
        if pending:
            store.changes.remove(pending)
            sections = tuple(dict.fromkeys((*pending.sections, *sections)))
            if (pending.change, change) == (DocumentChange.ADDED, DocumentChange.CHANGED):
                change = DocumentChange.ADDED
        dataset = store.documents[refid].dataset
        number = max((one.id for one in store.changes), default=0) + 1
        store.changes.append(UnpublishedChange(number, refid, dataset, change, sections[:SECTIONS_NAMED], PENDING))

    async def corpus(self) -> tuple[int, date | None]:
        return self._store.version, self._store.corpus_date

    async def in_force(self) -> Sequence[Standing]:
        live = (d for refid, d in self._store.documents.items() if refid not in self._store.removed)
        return [d.standing for d in live if d.dataset == self._dataset and d.standing]

    async def finish(
        self, gone: Sequence[str], superseded: Sequence[str], published: date | None, archive: Provenance
    ) -> None:
        store = self._store
        sample: list[str] = []
        if self._dataset != DATASET_SAMPLE:
            store.archives.pop(DATASET_SAMPLE, None)
            live = store.documents.keys() - store.removed
            sample = [refid for refid in sorted(live) if store.documents[refid].dataset == DATASET_SAMPLE]
        for refid in (*gone, *sample):
            self._note(refid, DocumentChange.REMOVED)
        for refid in superseded:
            self._note(refid, DocumentChange.CHANGED)
            document = store.documents[refid]
            header = replace(document.header, in_force=InForce.REPEALED)
            store.documents[refid] = replace(document, header=header)
        store.removed.update(gone, sample)
        store.pending.update(gone, sample, superseded)
        store.version += bool(store.pending)
        store.pending.clear()
        store.changes = [replace(one, corpus_version=one.corpus_version or store.version) for one in store.changes]
        if published and (store.corpus_date is None or store.corpus_date < published):
            store.corpus_date = published
        store.archives[self._dataset] = archive

    async def unpublished(self, limit: int) -> Sequence[UnpublishedChange]:
        return [one for one in self._store.changes if one.corpus_version != PENDING][:limit]

    async def forget(self, changes: Sequence[UnpublishedChange]) -> None:
        self._store.changes = [one for one in self._store.changes if one not in changes]

    async def complete(self, event: SyncCompleted) -> None:
        self._store.syncs[event.sync_id] = event

    async def fail(self, sync_id: str, detail: str) -> None:
        self._store.syncs[sync_id] = detail


class MemoryArchive(Archive):
    """An archive in a dictionary from file name to XML."""

    def __init__(self, contents: Mapping[str, bytes], day: date | None, broken: IngestError | None) -> None:
        self.checksum = hashlib.sha256(repr(sorted(contents.items())).encode()).hexdigest()
        self.size = sum(map(len, contents.values()))
        self.validators = Validators(etag=self.checksum)
        self._contents = contents
        self._day = day
        self._broken = broken

    def files(self) -> Iterator[ArchiveFile]:
        """Yield the files, then raise `broken`, if it is set."""
        for name, content in self._contents.items():
            yield ArchiveFile(name, content, len(content))
        if self._broken:
            raise self._broken

    def published(self) -> date | None:
        return self._day


class MemoryArchives(ArchiveSource):
    """Archives by data set. `unreachable` is raised by every fetch, `broken` at the end of every archive."""

    def __init__(self, archives: Mapping[str, Mapping[str, bytes]], day: date | None = None) -> None:
        self.archives = dict(archives)
        self.day = day
        self.fetched = 0
        self.refused: set[str | None] = set()
        self.unreachable: Exception | None = None
        self.broken: IngestError | None = None

    def describe(self, dataset: str, source: str | None) -> str:
        """Return a made-up address. Raises `SourceRefused` for a source in `refused`."""
        if source in self.refused:
            raise SourceRefused(f"Lov hentes ikke fra {source}.")
        return f"memory:{source or ''}{dataset}"

    @contextlib.asynccontextmanager
    async def fetch(
        self, dataset: str, source: str | None, on_bytes: OnBytes, stored: Provenance | None = None
    ) -> AsyncIterator[MemoryArchive | None]:
        """Give the archive of `dataset`, or None when it is `stored`."""
        if self.unreachable:
            raise self.unreachable
        archive = MemoryArchive(self.archives[dataset], self.day, self.broken)
        if stored and stored.validators == archive.validators:
            yield None
            return
        self.fetched += 1
        await on_bytes(archive.size, archive.size)
        yield archive

    def hold(self) -> contextlib.AbstractContextManager[HeldDocuments]:
        return hold_documents()


class MemoryEvents(SyncEvents):
    """Keeps the published events in lists."""

    def __init__(self) -> None:
        self.syncs: list[SyncEvent] = []
        self.documents: list[DocumentChanged] = []

    async def publish(self, event: SyncEvent) -> None:
        self.syncs.append(event)

    async def publish_documents(self, events: Sequence[DocumentChanged]) -> None:
        self.documents.extend(events)
