"""The ports of a catalogue's sync: where catalogues are listed, the store, and the events."""

from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager, AbstractContextManager
from dataclasses import dataclass
from typing import IO, Protocol

from lovsvar_contracts.ingest import SyncCompleted, SyncEvent, SyncRequested
from lovsvar_ingest.core.archive import Validators
from lovsvar_ingest.core.catalogues.definition import CatalogueDefinition
from lovsvar_ingest.core.catalogues.products import StoredProduct
from lovsvar_ingest.core.ports import OnBytes


@dataclass(frozen=True, slots=True)
class ListedCatalogue:
    """A catalogue that the operator listed. `source` is the folder or address of its file, `items` that of its items.

    Neither has a login in it; an address with one is known to the source alone.
    """

    source: str
    items: str
    definition: CatalogueDefinition


@dataclass(frozen=True, slots=True)
class StoredCatalogue:
    """A catalogue as it was stored last. `items` is their number; one that is delisted is not `live`."""

    version: int
    items: int
    source: str
    reading: str
    checksum: str
    validators: Validators
    live: bool

    def holds(self, listed: ListedCatalogue) -> bool:
        """Return whether the same items would be stored in the same way."""
        return self.live and (self.source, self.reading) == (listed.source, listed.definition.reading)


@dataclass(frozen=True, slots=True)
class Differences:
    """What storing the staged items would do to the `stored` ones. `emptied` ones are changed, and lose their text."""

    stored: int = 0
    added: int = 0
    changed: int = 0
    emptied: int = 0
    removed: int = 0
    unchanged: int = 0


class ItemsFile(Protocol):
    """A catalogue's items as they were fetched."""

    name: str
    checksum: str
    """SHA-256 of the bytes."""
    size: int
    """Number of bytes."""
    validators: Validators

    def open(self) -> AbstractContextManager[IO[bytes]]:
        """Open the bytes for reading, from their beginning."""


class CatalogueSource(Protocol):
    """Where catalogues are listed and fetched."""

    async def listed(self, catalogue: str, source: str | None = None) -> ListedCatalogue:
        """Return a catalogue as its file is now; a `source` that is given must be the one that lists it.

        Raises `SourceRefused` for one that is not listed, `CatalogueBroken`, `SourceUnreachable`, `NoRoom`.
        """

    def fetch(
        self, listed: ListedCatalogue, on_bytes: OnBytes, stored: Validators | None = None
    ) -> AbstractAsyncContextManager[ItemsFile | None]:
        """Fetch the items; they are deleted when the block is left.

        None when their server answers that they are the `stored` ones. Raises as a fetch of an archive does.
        """


class CatalogueWriter(Protocol):
    """The store while one sync holds the catalogue."""

    async def begin(self, request: SyncRequested, source: str) -> SyncCompleted | None:
        """Note that the sync began; return how it ended when it already did."""

    async def stored(self) -> StoredCatalogue | None:
        """Return the catalogue as it is stored; None when it never was."""

    async def stage(self, products: Sequence[StoredProduct]) -> None:
        """Keep a batch next to what is stored. No two products of a sync have one id."""

    async def compare(self, kept: Sequence[str], *, force: bool) -> Differences:
        """Return what storing the staged products would do. Ids in `kept` stay; `force` changes every item."""

    async def finish(
        self, listed: ListedCatalogue, items: ItemsFile, kept: Sequence[str], *, force: bool
    ) -> tuple[int, Differences]:
        """Make the stored catalogue equal to the staged products, in one transaction; return its version."""

    async def checked(self, validators: Validators) -> None:
        """Note that the source was asked and had nothing new."""

    async def corpus_version(self) -> int:
        """Return the version of the law."""

    async def complete(self, event: SyncCompleted) -> None:
        """Note how the sync ended."""

    async def fail(self, sync_id: str, detail: str) -> None:
        """Note why the sync failed."""


class CatalogueStore(Protocol):
    """Where catalogues are kept."""

    def writer(self, catalogue: str) -> AbstractAsyncContextManager[CatalogueWriter]:
        """Hold a catalogue against every other sync while the block runs. Raises `SyncUnderWay`."""


class CatalogueEvents(Protocol):
    """Where the events of catalogues are published."""

    async def publish(self, event: SyncEvent) -> None:
        """Publish a sync's event."""

    async def changed(self, catalogue: str, version: int, correlation_id: str) -> None:
        """Say that a catalogue has another version. A hint: it never fails."""
