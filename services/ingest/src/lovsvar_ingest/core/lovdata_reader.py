"""Lovdata's XML as documents: the reader of a sync, and the parser of one file."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import date

from lxml import etree

from lovsvar_contracts.ingest import SkippedDocument
from lovsvar_ingest.core.archive import ArchiveFile, Batch
from lovsvar_ingest.core.body import read_body
from lovsvar_ingest.core.corpus import Header, ParsedDocument, document_hash
from lovsvar_ingest.core.errors import MalformedDocument
from lovsvar_ingest.core.header import read_header
from lovsvar_ingest.core.in_force import next_turn
from lovsvar_ingest.core.ports import DocumentReader
from lovsvar_ingest.core.superseded_acts import Standing, find_superseded

PARSER_VERSION = 4
"""Raise it when the parser reads the same file differently: the next sync then reads all files again."""

LARGEST_DOCUMENT = 32 * 1024 * 1024
"""Bytes of XML; Lovdata's largest document is a sixteenth of it."""


class LovdataReader(DocumentReader):
    """Reads one XML document a file; a later act of the same name replaces an act."""

    version = PARSER_VERSION

    def batches(self, files: Iterable[ArchiveFile], dataset: str, today: date) -> Iterator[Batch]:
        """As the port says. Of two files with one refid the first keeps it; the next gets `-2` after it, and so on."""
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
        """As the port says."""
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


def parse_document(xml: bytes, file: str, dataset: str, today: date) -> ParsedDocument:
    """Return the document in `xml`, which is the file `file` of the data set `dataset`.

    Nothing is fetched and no entity is replaced. Nesting deeper than 256 elements, a text of more than 10 MB and
    entities of the document's own are refused. `today` decides what is in force. Raises `MalformedDocument`.
    """
    if len(xml) > LARGEST_DOCUMENT:
        raise MalformedDocument(f"filen er på {len(xml)} byte, mer enn de {LARGEST_DOCUMENT} som leses")
    try:
        root = etree.fromstring(xml, _parser())
    except (etree.XMLSyntaxError, ValueError) as exc:
        raise MalformedDocument(f"ikke gyldig XML: {exc}"[:300]) from exc
    dtd = root.getroottree().docinfo.internalDTD
    if dtd is not None and any(True for _ in dtd.iterentities()):  # type: ignore[union-attr]
        raise MalformedDocument("filen definerer egne XML-entiteter, og det leses ikke")
    main = root.find(".//main")
    if main is None:
        raise MalformedDocument("filen har ikke noe dokument (main)")
    header = read_header(root, file, dataset, today)
    try:
        structures, sections = read_body(main, header, today)
    except RecursionError as exc:
        raise MalformedDocument("elementene ligger for dypt inne i hverandre") from exc
    return ParsedDocument(
        header=header,
        dataset=dataset,
        source_file=file,
        structures=structures,
        sections=sections,
        xml_bytes=len(xml),
        content_hash=document_hash(header, file, structures, sections),
        reread=next_turn(_dates(root, header), today),
    )


def _dates(root: etree._Element, header: Header) -> str:
    """Return, in one text, the dates that decide what is in force."""
    repeals = (element.get("data-repealeddate", "") for element in root.iter("{*}article"))
    return " ".join([str(header.in_force_from), header.in_force_note, *repeals])


def _parser() -> etree.XMLParser:
    return etree.XMLParser(
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        dtd_validation=False,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
    )
