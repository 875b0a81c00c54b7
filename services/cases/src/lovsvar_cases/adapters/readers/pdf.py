"""PDF by pdfium, built without scripts: nothing in a document is carried out."""

import re

import pypdfium2 as pdfium
from pypdfium2 import raw

from lovsvar_cases.adapters.readers.ocr import MOST_SIDE, Ocr
from lovsvar_cases.core.files.errors import DocumentRefused
from lovsvar_cases.core.files.limits import Limits
from lovsvar_cases.core.files.pages import ReadText
from lovsvar_contracts.case_documents import DocumentPage, PageSource

LEAST_LETTERS = 16
"""A page with a picture and fewer letters of its own is taken for a scanned one."""

PAGE_LETTERS = 100_000
_HYPHEN = re.compile("[\x02\ufffe](?:\r?\n)?")
UNREAD = "Noen sider kunne ikke leses: de er bilder uten tekst, eller det ble ikke tid til dem."
SCANNED = "Noen sider er lest av maskin fra bilder. Tegn kan være lest feil; se på originalen."


def read_pdf(content: bytes, limits: Limits, ocr: Ocr) -> ReadText:
    """Return the text of each page, by OCR where it has none. Raises `DocumentRefused`."""
    try:
        document = pdfium.PdfDocument(content)
    except pdfium.PdfiumError as exc:
        if getattr(exc, "err_code", None) == raw.FPDF_ERR_PASSWORD:
            raise DocumentRefused("Dokumentet er kryptert. Lagre det uten passord, og send det på nytt.") from exc
        raise DocumentRefused("PDF-en er ufullstendig eller skadet. Send den på nytt.") from exc
    count = len(document)
    if count == 0:
        raise DocumentRefused("PDF-en er ufullstendig eller skadet: den har ingen sider.")
    if count > limits.pages:
        raise DocumentRefused(f"Dokumentet har {count} sider, og kan ha {limits.pages}. Del det i flere.")
    pages = []
    letters = 0
    for number in range(1, count + 1):
        page = _page(document, number, ocr)
        letters += len(page.text)
        if len(page.text) > PAGE_LETTERS:
            raise DocumentRefused(f"Side {number} har mer enn {PAGE_LETTERS} tegn, og leses ikke.")
        if letters > limits.letters:
            raise DocumentRefused(f"Dokumentet har mer enn {limits.letters} tegn tekst. Del det i flere.")
        pages.append(page)
    sources = {page.source for page in pages}
    notes = ((SCANNED,) if PageSource.OCR in sources else ()) + ((UNREAD,) if PageSource.NONE in sources else ())
    return ReadText(pages=tuple(pages), notes=notes)


def _page(document: pdfium.PdfDocument, number: int, ocr: Ocr) -> DocumentPage:
    try:
        page = document[number - 1]
    except pdfium.PdfiumError:
        return DocumentPage(number=number, text="", source=PageSource.NONE)
    try:
        text = _HYPHEN.sub("", page.get_textpage().get_text_range()).replace("\r\n", "\n").replace("\0", "")
        if sum(sign.isalnum() for sign in text) >= LEAST_LETTERS:
            return DocumentPage(number=number, text=text, source=PageSource.TEXT)
        drawn = _by_ocr(page, ocr) if not ocr.is_over and _may_show_more(page, text) else ""
    except pdfium.PdfiumError:
        return DocumentPage(number=number, text="", source=PageSource.NONE)
    finally:
        page.close()
    if drawn:
        return DocumentPage(number=number, text=drawn, source=PageSource.OCR)
    return DocumentPage(number=number, text=text, source=PageSource.TEXT if text.strip() else PageSource.NONE)


def _may_show_more(page: pdfium.PdfPage, text: str) -> bool:
    """Whether a page has more to read than its text: a picture, or, without any text, letters that are drawn."""
    kinds = [raw.FPDF_PAGEOBJ_IMAGE] if text.strip() else None
    return any(True for _ in page.get_objects(filter=kinds, max_depth=3))


def _by_ocr(page: pdfium.PdfPage, ocr: Ocr) -> str:
    # However large a page says it is, what is drawn of it is not.
    scale = min(3.0, MOST_SIDE / max(1.0, *page.get_size()))
    return ocr.text(page.render(scale=scale, may_draw_forms=False).to_pil())
