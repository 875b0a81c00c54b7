"""From the files of an archive to batches of documents that are stored together."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import date

from lovsvar_contracts.ingest import SkippedDocument
from lovsvar_ingest.core.corpus import ParsedDocument, document_hash
from lovsvar_ingest.core.errors import MalformedDocument
from lovsvar_ingest.core.markup import parse_document

DOCUMENTS = 50
XML_BYTES = 4_000_000
"""A batch ends at so many documents, or after the document that brings it to so many bytes of XML."""


@dataclass(frozen=True, slots=True)
class ArchiveFile:
    """One XML file of an archive. `refused` says why it was not read; `offset` how much of the archive is behind it."""

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


def read_batches(files: Iterable[ArchiveFile], dataset: str, today: date) -> Iterator[Batch]:
    """Parse `files` and yield them in batches; no two documents get the same refid.

    Of two files with one refid the first in the archive keeps it; the next gets `-2` behind it, and so on.
    """
    batch, refids = Batch(), Counter[str]()
    for file in files:
        batch.xml_bytes += len(file.content)
        batch.offset = file.offset
        try:
            if file.refused:
                raise MalformedDocument(file.refused)
            document = _unique(parse_document(file.content, file.name, dataset, today), refids)
        except MalformedDocument as exc:
            batch.skipped.append(SkippedDocument(file=file.name, reason=str(exc)))
        else:
            batch.documents.append(document)
        if batch.full:
            yield batch
            batch = Batch(offset=batch.offset)
    yield batch


def _unique(document: ParsedDocument, refids: Counter[str]) -> ParsedDocument:
    """Return `document` with a refid that is not among `refids`, and count it there."""
    refid = own = document.header.refid
    while refids[refid]:
        refids[own] += 1
        refid = f"{own}-{refids[own]}"
    refids[refid] += 1
    if refid == own:
        return document
    header = replace(document.header, refid=refid)
    digest = document_hash(header, document.source_file, document.structures, document.sections)
    return replace(document, header=header, content_hash=digest)
