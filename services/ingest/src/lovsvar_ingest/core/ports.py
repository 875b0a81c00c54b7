"""What syncing reaches the world through."""

from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, AbstractContextManager
from dataclasses import dataclass
from datetime import date
from typing import Protocol

from lovsvar_contracts.ingest import DocumentChange, DocumentChanged, SyncCompleted, SyncEvent, SyncRequested
from lovsvar_ingest.core.batches import ArchiveFile
from lovsvar_ingest.core.corpus import ParsedDocument
from lovsvar_ingest.core.document_changes import UnpublishedChange
from lovsvar_ingest.core.provenance import Provenance, Validators
from lovsvar_ingest.core.superseded_acts import Standing
from lovsvar_ingest.core.sync_guard import Extent

OnBytes = Callable[[int, int | None], Awaitable[None]]
"""Told how many bytes were fetched, and of how many when that is known."""


class Archive(Protocol):
    """An archive that was fetched."""

    checksum: str
    """SHA-256 of the archive's bytes."""
    size: int
    """Bytes of the archive."""
    validators: Validators
    """What its server names this state of it by."""

    def files(self) -> Iterator[ArchiveFile]:
        """Yield its XML files in order, blocking. Raises `SourceUnreadable`."""

    def published(self) -> date | None:
        """Return the day of the archive's contents; complete once all files were read. None when it has none."""


class ArchiveSource(Protocol):
    """Where archives come from."""

    def describe(self, dataset: str, source: str | None) -> str:
        """Return the address that `dataset` is fetched from, without a login; `source` None means the usual one.

        Raises `SourceRefused` for a source that the operator did not list.
        """

    def fetch(
        self, dataset: str, source: str | None, on_bytes: OnBytes, stored: Provenance | None = None
    ) -> AbstractAsyncContextManager[Archive | None]:
        """Fetch the archive of `dataset`, and let go of it when the block is left.

        None when its source says that it is `stored` still. Raises `SourceRefused`, `SourceUnreachable`,
        `SourceUnreadable`, `NoRoom`.
        """

    def hold(self) -> AbstractContextManager["HeldDocuments"]:
        """Give a place for documents that wait until all of an archive was read, and are few or many."""


class HeldDocuments(Protocol):
    """Batches of documents, given back in the order in which they came. Every method blocks."""

    def put(self, documents: Sequence[ParsedDocument]) -> None:
        """Keep a batch. Raises `NoRoom`."""

    def take(self) -> Iterator[Sequence[ParsedDocument]]:
        """Yield the batches. Raises `NoRoom`."""


@dataclass(frozen=True, slots=True)
class KnownDocument:
    """What the store knows of a document."""

    content_hash: str
    source_file: str
    dataset: str
    live: bool


@dataclass(frozen=True, slots=True)
class Finished:
    """The corpus after a sync."""

    version: int
    corpus_date: date | None


class CorpusWriter(Protocol):
    """The store while one sync holds its data set."""

    async def begin(self, request: SyncRequested, source: str) -> SyncCompleted | None:
        """Note that the sync began; return how it ended when it already did."""

    async def known(self) -> Mapping[str, KnownDocument]:
        """Return every document that was ever stored, of any data set, by refid."""

    async def extents(self, refids: Sequence[str]) -> Mapping[str, Extent]:
        """Return how much law documents hold, by refid; none for one without any."""

    async def stored(self) -> Provenance | None:
        """Return what the data set was last made equal to; None when something is pending since."""

    async def write(self, documents: Sequence[ParsedDocument], changes: Mapping[str, DocumentChange]) -> None:
        """Store `documents` whole, in one transaction, pending, and note by refid what that is to each.

        The sections that changed are noted too, at most `SECTIONS_NAMED` of a document.
        """

    async def corpus(self) -> Finished:
        """Return the corpus as it is."""

    async def in_force(self) -> Sequence[Standing]:
        """Return the documents of the data set that are stored as in force, what is pending too."""

    async def finish(
        self, gone: Sequence[str], superseded: Sequence[str], published: date | None, archive: Provenance
    ) -> Finished:
        """Make what is pending count, in one transaction, and raise the corpus version.

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
    """Who hears of syncs."""

    async def tell(self, event: SyncEvent) -> None:
        """Publish a sync's event."""

    async def tell_documents(self, events: Sequence[DocumentChanged]) -> None:
        """Publish what happened to documents."""
