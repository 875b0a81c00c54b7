"""Documents as DOCX, by python-docx."""

import io
import zipfile
from collections.abc import Sequence
from datetime import UTC, datetime, time
from typing import Any

import docx
from docx.enum.text import WD_ALIGN_PARAGRAPH
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from docx.shared import Cm, Pt

from lovsvar_cases.core.drafts.blocks import Block, Runs
from lovsvar_cases.core.drafts.pages import Page
from lovsvar_contracts.case_drafts import Layout

FONT = "Times New Roman"
STAMP = (1980, 1, 1, 0, 0, 0)
LIST_STYLES = {"bullets": "List Bullet", "numbers": "List Number"}


class DocxDocuments:
    """Makes DOCX files in any thread; the same page is always the same file."""

    def made(self, page: Page) -> bytes:
        """Return the page as a DOCX file."""
        return _stamped(_Writing(page).written())


class _Writing:
    """One document, as it is written."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._document = docx.Document()
        self._document.styles["Normal"].font.name = FONT
        self._document.styles["Normal"].font.size = Pt(11)
        section = self._document.sections[0]
        section.page_width, section.page_height = Cm(21), Cm(29.7)
        section.left_margin = section.right_margin = Cm(2.5)

    def written(self) -> bytes:
        page, document = self._page, self._document
        about = document.core_properties
        about.title, about.author, about.language = page.title, "", "nb-NO"
        about.created = about.modified = datetime.combine(page.dated, time(), UTC)
        self._footer()
        self._head()
        self._blocks(page.body, 0)
        self._signatures()
        self._listed("Kilder", page.sources)
        self._listed("Sitater som ikke er funnet ordrett i kildene", [f"«{one}»" for one in page.unverified])
        buffer = io.BytesIO()
        document.save(buffer)
        return buffer.getvalue()

    def _lines(self, lines: Sequence[str], *, right: bool = False) -> None:
        if lines:
            paragraph = self._document.add_paragraph("\n".join(map(_clean, lines)))
            if right:
                paragraph.alignment = WD_ALIGN_PARAGRAPH.RIGHT

    def _head(self) -> None:
        page = self._page
        known = [f"Deres ref./saksnr.: {page.reference}"] if page.reference else []
        about = [*known, f"Vår ref.: {page.case_number}"]
        if page.layout is Layout.AGREEMENT:
            self._document.add_heading(_clean(page.title), 1)
            return
        self._lines(page.sender)
        self._lines(page.recipient)
        self._lines([page.place_and_date], right=True)
        self._lines(about)
        self._document.add_heading(_clean(page.title), 1)

    def _blocks(self, blocks: Sequence[Block], depth: int, style: str | None = None) -> None:
        for block in blocks:
            if block.kind == "heading":
                self._runs(self._document.add_heading("", min(max(block.level, 2), 4)), block.runs)
            elif block.kind == "paragraph":
                self._runs(self._document.add_paragraph(style=style), block.runs)
            elif block.kind == "rule":
                self._document.add_paragraph("⁎⁎⁎").alignment = WD_ALIGN_PARAGRAPH.CENTER
            elif block.kind == "table":
                self._table(block)
            elif block.kind == "quote":
                for item in block.items:
                    self._blocks(item, depth + 1, "Intense Quote")
            else:
                suffix = f" {min(depth + 1, 3)}" if depth else ""
                for item in block.items:
                    self._blocks(item, depth + 1, LIST_STYLES[block.kind] + suffix)

    def _runs(self, paragraph: Any, runs: Runs) -> None:
        for run in runs:
            made = paragraph.add_run(_clean(run.text))
            made.bold, made.italic = run.bold or None, run.italic or None

    def _table(self, block: Block) -> None:
        width = max((len(row) for row in block.rows), default=1)
        table = self._document.add_table(0, width, "Table Grid")
        for row in block.rows:
            for cell, runs in zip(table.add_row().cells, row, strict=False):
                self._runs(cell.paragraphs[0], runs)

    def _signatures(self) -> None:
        page = self._page
        if page.layout is Layout.LETTER:
            self._document.add_paragraph("Med vennlig hilsen")
        else:
            self._lines([page.place_and_date])
        for name in page.signatures:
            self._document.add_paragraph(f"\n{'_' * 32}\n{_clean(name)}").paragraph_format.keep_together = True
        if page.layout is Layout.LETTER and page.contact:
            self._lines([" · ".join(page.contact)])

    def _listed(self, title: str, lines: Sequence[str]) -> None:
        if lines:
            self._document.add_heading(title, 2)
            for line in lines:
                self._document.add_paragraph(_clean(line), "List Bullet")

    def _footer(self) -> None:
        paragraph = self._document.sections[0].footer.paragraphs[0]
        paragraph.alignment = WD_ALIGN_PARAGRAPH.RIGHT
        paragraph.add_run("Side ")
        _field(paragraph, "PAGE")
        paragraph.add_run(" av ")
        _field(paragraph, "NUMPAGES")


def _field(paragraph: Any, name: str) -> None:
    """Add a field that the reader's program computes, such as the number of the page."""
    run = paragraph.add_run()
    for kind, words in (("begin", None), (None, name), ("end", None)):
        element = OxmlElement("w:instrText" if kind is None else "w:fldChar")
        if kind is None:
            element.text = words
        else:
            element.set(qn("w:fldCharType"), kind)
        run._r.append(element)


def _clean(text: str) -> str:
    """Return `text` without what XML cannot hold, and without places to break."""
    return "".join(sign for sign in text if sign in "\n\t" or sign.isprintable()).replace("\u200b", "")


def _stamped(content: bytes) -> bytes:
    """Return a zip file with one time on everything in it."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as given, zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as made:
        for name in given.namelist():
            info = zipfile.ZipInfo(name, STAMP)
            info.compress_type = zipfile.ZIP_DEFLATED
            made.writestr(info, given.read(name))
    return buffer.getvalue()
