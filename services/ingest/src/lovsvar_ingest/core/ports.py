"""The ports of a sync: the source of bytes, the reader of documents, the store, and the events."""

from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, AbstractContextManager
from dataclasses import dataclass
from datetime import date
from typing import Protocol
from uuid import NAMESPACE_URL, uuid5

from lovsvar_contracts.ingest import DocumentChange, DocumentChanged, SyncCompleted, SyncEvent, SyncRequested
from lovsvar_ingest.core.archive import ArchiveFile, Batch, Provenance, Validators
from lovsvar_ingest.core.corpus import ParsedDocument
from lovsvar_ingest.core.superseded_acts import Standing
from lovsvar_ingest.core.sync_guard import Extent

OnBytes = Callable[[int, int | None], Awaitable[None]]
"""Called with the number of bytes fetched so far, and the total if it is known."""

SECTIONS_NAMED = 500
"""The most sections that the event of a document names."""


class Archive(Protocol):
    """An archive that was fetched."""

    checksum: str
    """SHA-256 of the archive's bytes."""
    size: int
    """Bytes of the archive."""
    validators: Validators
    """Its server's `ETag` and `Last-Modified`."""

    def files(self) -> Iterator[ArchiveFile]:
        """Yield its XML files in order, blocking. Raises `SourceUnreadable`."""

    def published(self) -> date | None:
        """Return the day of the archive's contents; complete once all files were read. None when it has none."""


class ArchiveSource(Protocol):
    """Where archives come from."""

    def describe(self, dataset: str, source: str | None) -> str:
        """Return the address that `dataset` is fetched from, without a login; `source` None means the default.

        Raises `SourceRefused` for a source that the operator did not list.
        """

    def fetch(
        self, dataset: str, source: str | None, on_bytes: OnBytes, stored: Provenance | None = None
    ) -> AbstractAsyncContextManager[Archive | None]:
        """Fetch the archive of `dataset`; it is deleted when the block is left.

        None when the source answers that the archive is the `stored` one. Raises `SourceRefused`, `SourceUnreachable`,
        `SourceUnreadable`, `NoRoom`.
        """

    def hold(self) -> AbstractContextManager["HeldDocuments"]:
        """Return a place for documents that are held until an archive was read to its end."""


class DocumentReader(Protocol):
    """Makes documents of a collection's files, and knows which of them are replaced by others."""

    version: int
    """Rises when it reads the same file differently: the next sync then reads all files again."""

    def batches(self, files: Iterable[ArchiveFile], dataset: str, today: date) -> Iterator[Batch]:
        """Yield the documents of `files` in batches, in their order. No two of them have one refid."""

    def superseded(self, in_force: Iterable[Standing], today: date) -> list[str]:
        """Return the refids of those documents, all stored as in force, that a later one replaces."""


class HeldDocuments(Protocol):
    """Batches of documents in the order in which they were put. Every method blocks."""

    def put(self, documents: Sequence[ParsedDocument]) -> None:
        """Keep a batch. Raises `NoRoom`."""

    def take(self) -> Iterator[Sequence[ParsedDocument]]:
        """Yield the batches. Raises `NoRoom`."""


@dataclass(frozen=True, slots=True)
class KnownDocument:
    """What the store knows of a document. A removed document is not `live`."""

    content_hash: str
    source_file: str
    dataset: str
    live: bool


@dataclass(frozen=True, slots=True)
class UnpublishedChange:
    """A change of a document in a corpus version whose event may not have been published."""

    id: int
    refid: str
    dataset: str
    change: DocumentChange
    sections: tuple[str, ...]
    corpus_version: int

    def event(self, correlation_id: str) -> DocumentChanged:
        """Return the event; its id is always the same, so that a consumer recognises a repeat."""
        return DocumentChanged(
            event_id=uuid5(NAMESPACE_URL, f"{self.refid}@{self.corpus_version}#{self.id}").hex,
            correlation_id=correlation_id,
            refid=self.refid,
            change=self.change,
            dataset=self.dataset,
            sections=self.sections,
            corpus_version=self.corpus_version,
        )


class CorpusWriter(Protocol):
    """The store while one sync holds its data set."""

    async def begin(self, request: SyncRequested, source: str) -> SyncCompleted | None:
        """Note that the sync began; return how it ended when it already did."""

    async def known(self) -> Mapping[str, KnownDocument]:
        """Return every document that was ever stored, of any data set, by refid."""

    async def extents(self, refids: Sequence[str]) -> Mapping[str, Extent]:
        """Return the extents of documents by refid; none for a document without sections."""

    async def stored(self) -> Provenance | None:
        """Return the archive that the data set was last made equal to; None when documents are pending since."""

    async def write(self, documents: Sequence[ParsedDocument], changes: Mapping[str, DocumentChange]) -> None:
        """Store `documents`, pending, in one transaction, and note their `changes` (by refid).

        The sections that changed are noted too, at most `SECTIONS_NAMED` of a document.
        """

    async def corpus(self) -> tuple[int, date | None]:
        """Return the version of the corpus, and the day of its newest archive."""

    async def in_force(self) -> Sequence[Standing]:
        """Return the documents of the data set that are stored as in force, pending ones among them."""

    async def finish(
        self, gone: Sequence[str], superseded: Sequence[str], published: date | None, archive: Provenance
    ) -> None:
        """Make what is pending count, in one transaction; the corpus version rises if anything is.

        `gone` is marked as removed, `superseded` as repealed with all its provisions.
        """

    async def unpublished(self, limit: int) -> Sequence[UnpublishedChange]:
        """Return the oldest changes that count and are not published, at most `limit`."""

    async def forget(self, changes: Sequence[UnpublishedChange]) -> None:
        """Forget changes that are published."""

    async def complete(self, event: SyncCompleted) -> None:
        """Note how the sync ended."""

    async def fail(self, sync_id: str, detail: str) -> None:
        """Note why the sync failed."""


class CorpusStore(Protocol):
    """Where the corpus is kept."""

    def writer(self, dataset: str) -> AbstractAsyncContextManager[CorpusWriter]:
        """Hold `dataset` against every other sync while the block runs. Raises `SyncUnderWay`."""


class SyncEvents(Protocol):
    """Where the events of syncs and documents are published."""

    async def publish(self, event: SyncEvent) -> None:
        """Publish a sync's event."""

    async def publish_documents(self, events: Sequence[DocumentChanged]) -> None:
        """Publish changes of documents."""
