"""Files of an archive, and the batches of documents that are stored together."""

from dataclasses import dataclass, field

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
