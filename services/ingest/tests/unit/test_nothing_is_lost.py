"""Every visible word of a document is stored once and in order, told by a reading that shares no code with the parser."""

import re
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest
from lxml import etree

from lovsvar_contracts.law import ProvisionKind
from lovsvar_ingest.adapters.tar_reading import TarLimits, read_tar
from lovsvar_ingest.core.corpus import ParsedDocument
from lovsvar_ingest.core.markup import parse_document

SAMPLE = Path(__file__).parents[2] / "src/lovsvar_ingest/sample"
TODAY = date(2026, 11, 21)

INLINE = {"i", "strong", "b", "em", "a", "sub", "sup", "span", "s", "u"}
APART = {"legalArticleValue", "legalArticleTitle", "footnotereference", "footnoteLabel", "data-marginOriginalId"}
APART |= {"futuretitle", "miscHeadline", "futureLegalArticleHeader"}
UNSEEN = str.maketrans("", "", "\u00ad\u200b\u200c\u2060\ufeff")


def words(text: str) -> list[str]:
    return re.findall(r"\w+", text.translate(UNSEEN))


def printed(xml: bytes) -> tuple[str, str, str]:
    """Return what a reader of the page sees: body, amendment notes, footnotes; a bar where two texts may not touch."""
    main = etree.fromstring(xml, etree.XMLParser(resolve_entities=False, load_dtd=False)).find(".//main")
    assert main is not None
    streams: dict[str, list[str]] = {"body": [], "notes": [], "footnotes": [], "title": []}
    streams_of = {"changesToParent": "notes", "footnotes": "footnotes"}
    stack = ["body"]
    for event, element in etree.iterwalk(main, events=("start", "end")):
        css = element.get("class")
        boundary = element.tag not in INLINE or css in APART
        if event == "start":
            stack.append("title" if element.tag == "h1" else streams_of.get(css or "", stack[-1]))
            out = streams[stack[-1]]
            out.append("|" if boundary else "")
            if element.tag == "li":
                out.append(f"{element.get('data-li-identifier') or element.get('data-name') or ''}|")
            out.append(element.text or "")
        else:
            out = streams[stack.pop()]
            out.append("|" if boundary else "")
            streams[stack[-1]].append(element.tail or "")
    return "".join(streams["body"]), "".join(streams["notes"]), "".join(streams["footnotes"])


def stored(document: ParsedDocument) -> Iterator[str]:
    """Yield the stored texts in reading order."""
    structures = list(document.structures)
    for section in document.sections:
        while structures and structures[0].before <= section.position:
            yield structures.pop(0).title
        if section.kind is ProvisionKind.PROVISION:
            yield section.value
            yield section.title
        yield section.text
    for structure in structures:
        yield structure.title


def difference(xml: bytes, file: str = "nl/test.xml") -> str:
    """Return where the stored document and the printed page part, or ""."""
    document = parse_document(xml, file, "test", TODAY)
    body, notes, footnotes = printed(xml)
    holders = [*document.structures, *document.sections]
    for name, page, store in (
        ("text", words(body), words("|".join(stored(document)))),
        ("notes", sorted(words(notes)), sorted(words("|".join(n for h in holders for n in h.notes)))),
        ("footnotes", sorted(words(footnotes)), sorted(words("|".join(n for h in holders for n in h.footnotes)))),
    ):
        if page != store:
            at = next((i for i, (a, b) in enumerate(zip(page, store, strict=False)) if a != b), min(len(page), len(store)))
            return f"{file} {name} at {at}: page {page[max(at - 4, 0) : at + 6]} store {store[max(at - 4, 0) : at + 6]}"
    return ""


@pytest.mark.parametrize("path", sorted(SAMPLE.rglob("*.xml")), ids=lambda path: path.stem)
def test_every_word_of_a_sample_document_is_stored_once_and_in_order(path: Path) -> None:
    assert difference(path.read_bytes(), path.name) == ""


@pytest.mark.parametrize("dataset", ["gjeldende-lover", "gjeldende-sentrale-forskrifter", "lovtidend-avd1-2025"])
def test_every_word_of_the_real_archives_is_stored_once_and_in_order(archives: Path, dataset: str) -> None:
    files = read_tar(archives / f"{dataset}.tar.bz2", TarLimits())
    assert [d for file, _ in files if (d := difference(file.content, file.name))] == []
