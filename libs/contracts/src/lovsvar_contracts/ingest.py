"""Sync commands, sync progress, document events, embedding."""

from datetime import date, datetime
from enum import StrEnum
from typing import Annotated, Literal

from pydantic import AfterValidator, ConfigDict, Field, StringConstraints, TypeAdapter

from lovsvar_contracts.identifiers import Refid, Section
from lovsvar_contracts.message import Frozen, Message, Token, new_id
from lovsvar_contracts.problems import ProblemType

DATASET_LAWS = "gjeldende-lover"
DATASET_REGULATIONS = "gjeldende-sentrale-forskrifter"
DATASET_SAMPLE = "eksempel"

LOVDATA = "https://api.lovdata.no/"
"""The address of Lovdata's own archives."""

ContentHash = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
"""SHA-256 of a text that is embedded."""

Checksum = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
"""SHA-256 of an archive's bytes."""

ModelName = Annotated[str, StringConstraints(min_length=1, max_length=200)]

Dataset = Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9-]{1,60}$")]


class SyncRequested(Message):
    """Bring one data set up to date.

    `source` is an http(s) base address or a folder with `<dataset>.tar.bz2`, which ingest's settings must list; None is
    their default. `force` stores every document again, even unchanged ones. `accept` is the checksum of an archive
    that an operator knows to be right, although the guard stops its sync.
    """

    kind: Literal["sync_requested"] = "sync_requested"
    sync_id: Token = Field(default_factory=new_id)
    dataset: Dataset
    source: str | None = Field(default=None, max_length=1_000)
    force: bool = False
    accept: Checksum | None = None


class SyncStage(StrEnum):
    """The stage of a sync."""

    FETCHING = "fetching"
    STORING = "storing"
    FINISHING = "finishing"


class SkippedDocument(Frozen):
    """A file of the archive that was not stored, and why."""

    file: str
    reason: str


class SyncReport(Frozen):
    """The counts of a sync. `superseded` are acts that were marked as repealed since a later act replaces them."""

    added: int = 0
    changed: int = 0
    removed: int = 0
    superseded: int = 0
    unchanged: int = 0
    provisions: int = 0
    skipped: tuple[SkippedDocument, ...] = ()
    archive_bytes: int = 0
    xml_bytes: int = 0
    seconds: float = 0.0


class SyncStarted(Message):
    """A sync began."""

    type: Literal["sync.started"] = "sync.started"
    sync_id: Token
    dataset: Dataset
    source: str


class SyncProgressed(Message):
    """A sync made progress. `total_bytes` is the archive's size if it is known."""

    type: Literal["sync.progressed"] = "sync.progressed"
    sync_id: Token
    dataset: Dataset
    stage: SyncStage
    documents: int = 0
    provisions: int = 0
    archive_bytes: int = 0
    total_bytes: int | None = None


def _shown(source: str) -> str:
    if not source.startswith(("http://", "https://")):
        return source.replace("\\", "/").rpartition("/")[2]
    scheme, _, rest = source.partition("://")
    place, slash, path = rest.partition("/")
    return f"{scheme}://{place.rpartition('@')[2]}{slash}{path}"


class ArchiveOrigin(Frozen):
    """The archive that a data set was made equal to.

    `source` is its address without a login, or the name of its file, without the folder. `published` is the day of its
    contents.
    """

    dataset: Dataset
    source: Annotated[str, AfterValidator(_shown)]
    checksum: Checksum
    stored_at: datetime | None = None
    published: date | None = None

    @property
    def from_lovdata(self) -> bool:
        """Whether it came from Lovdata's own address, or is the invented sample."""
        return self.source.startswith(LOVDATA) or self.dataset == DATASET_SAMPLE


class SyncCompleted(Message):
    """A sync succeeded. `corpus_version` rises only if something changed."""

    type: Literal["sync.completed"] = "sync.completed"
    sync_id: Token
    dataset: Dataset
    report: SyncReport
    corpus_version: int
    corpus_date: date | None = None
    archive: ArchiveOrigin | None = None


class SyncFailed(Message):
    """A sync failed. The stored documents are kept."""

    type: Literal["sync.failed"] = "sync.failed"
    sync_id: Token
    dataset: Dataset
    problem: ProblemType
    detail: str
    retryable: bool = False


SyncEvent = Annotated[SyncStarted | SyncProgressed | SyncCompleted | SyncFailed, Field(discriminator="type")]

sync_event_adapter: TypeAdapter[SyncEvent] = TypeAdapter(SyncEvent, config=ConfigDict(hide_input_in_errors=True))
"""Decodes any sync event by its `type`."""


class DocumentChange(StrEnum):
    """The kind of a change of a document."""

    ADDED = "added"
    CHANGED = "changed"
    REMOVED = "removed"


class DocumentChanged(Message):
    """A document was added, changed or removed (the subject says which, and so does `change`)."""

    kind: Literal["document_changed"] = "document_changed"
    refid: Refid
    change: DocumentChange
    dataset: Dataset
    sections: tuple[Section, ...] = Field(default=(), description="The sections that changed, at most 500 named.")
    corpus_version: int = Field(default=0, description="The version in which it happened; it is stored by then.")


class EmbeddingRequested(Message):
    """Embed these passages and everyday questions with `model`. Texts are found by their hashes in the database."""

    kind: Literal["embedding_requested"] = "embedding_requested"
    model: ModelName
    passages: tuple[ContentHash, ...] = Field(min_length=1, max_length=1_000)


class EmbeddingStored(Message):
    """A batch of texts was embedded with `model` and stored. A hint: the database is the truth."""

    kind: Literal["embedding_stored"] = "embedding_stored"
    model: ModelName
    stored: int
