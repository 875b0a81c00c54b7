"""An archive: its files, its documents in batches, and the one that a data set was last made equal to."""

from dataclasses import dataclass, field
from datetime import date

from lovsvar_contracts.ingest import SkippedDocument
from lovsvar_ingest.core.corpus import ParsedDocument

DOCUMENTS = 50
XML_BYTES = 4_000_000
"""A batch ends at so many documents, or with the document that brings it to so many bytes of XML."""


@dataclass(frozen=True, slots=True)
class ArchiveFile:
    """One file of an archive. `refused` says why it was not read; `offset` is the archive's bytes up to its end."""

    name: str
    content: bytes
    offset: int
    refused: str = ""


@dataclass(slots=True)
class Batch:
    """Documents in the order of the archive, and the files that are none."""

    documents: list[ParsedDocument] = field(default_factory=list)
    skipped: list[SkippedDocument] = field(default_factory=list)
    xml_bytes: int = 0
    offset: int = 0

    @property
    def full(self) -> bool:
        """Whether the batch is large enough."""
        return len(self.documents) >= DOCUMENTS or self.xml_bytes >= XML_BYTES


@dataclass(frozen=True, slots=True)
class Validators:
    """A server's validators of an archive (RFC 9110, section 8.8), word for word; empty if it sends none."""

    etag: str = ""
    last_modified: str = ""


@dataclass(frozen=True, slots=True)
class Provenance:
    """An archive that was stored to its end.

    `checksum` is the SHA-256 of its bytes, `source` the address it came from. From the day `reread` on it reads
    otherwise, since a date in it has come; None if it holds no future date.
    """

    checksum: str
    parser_version: int
    source: str
    validators: Validators = Validators()
    reread: date | None = None

    def holds(self, parser_version: int, today: date) -> bool:
        """Return whether the same bytes would be read into the same documents `today`."""
        return self.parser_version == parser_version and (self.reread is None or today < self.reread)
