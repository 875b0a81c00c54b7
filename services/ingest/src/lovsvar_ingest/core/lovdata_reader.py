"""Lovdata's XML as documents: the reader of a sync."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import date

from lovsvar_contracts.ingest import SkippedDocument
from lovsvar_ingest.core.batches import ArchiveFile, Batch
from lovsvar_ingest.core.corpus import ParsedDocument, document_hash
from lovsvar_ingest.core.errors import MalformedDocument
from lovsvar_ingest.core.markup import PARSER_VERSION, parse_document
from lovsvar_ingest.core.ports import DocumentReader
from lovsvar_ingest.core.superseded_acts import Standing, find_superseded


class LovdataReader(DocumentReader):
    """Reads one XML document a file; a later act of the same name replaces an act."""

    version = PARSER_VERSION

    def batches(self, files: Iterable[ArchiveFile], dataset: str, today: date) -> Iterator[Batch]:
        """Yield the documents of `files` in batches. `today` decides what is in force.

        Of two files with one refid the first in the archive keeps it; the next gets `-2` after it, and so on.
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

    def superseded(self, in_force: Iterable[Standing], today: date) -> list[str]:
        """Return the refids of the acts that a later one replaces."""
        return find_superseded(in_force, today)


def _unique(document: ParsedDocument, refids: Counter[str]) -> ParsedDocument:
    """Return `document` with a refid that is not among `refids`, and count it there."""
    refid = own = document.refid
    while refids[refid]:
        refids[own] += 1
        refid = f"{own}-{refids[own]}"
    refids[refid] += 1
    if refid == own:
        return document
    header = replace(document.header, refid=refid)
    digest = document_hash(header, document.source_file, document.structures, document.sections)
    return replace(document, header=header, content_hash=digest)
