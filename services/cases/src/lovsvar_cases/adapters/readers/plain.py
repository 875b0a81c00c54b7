"""Word documents, plain text, e-mail and pictures."""

import io
import re
import zipfile
import zlib
from email import message_from_bytes, policy
from email.message import EmailMessage
from html.parser import HTMLParser

from docx.opc.constants import RELATIONSHIP_TYPE
from docx.opc.exceptions import OpcError
from docx.opc.package import OpcPackage
from docx.oxml import parse_xml
from docx.oxml.ns import qn
from lxml import etree
from PIL import Image, ImageSequence, UnidentifiedImageError

from lovsvar_cases.adapters.readers.ocr import Ocr
from lovsvar_cases.adapters.readers.pdf import SCANNED, UNREAD
from lovsvar_cases.core.files.errors import DocumentRefused
from lovsvar_cases.core.files.kinds import check_archive
from lovsvar_cases.core.files.limits import Limits
from lovsvar_cases.core.files.pages import ReadText
from lovsvar_contracts.case_documents import DocumentPage, PageSource

MACROS = "Dokumentet har makroer. De er ikke kjørt; bare teksten er lest."
DAMAGED = "Dokumentet er ufullstendig eller skadet. Send det på nytt."
PAGE_LETTERS = 6_000
DAMAGES: tuple[type[Exception], ...] = (
    *(OpcError, KeyError, ValueError, OSError, EOFError, NotImplementedError),
    *(etree.XMLSyntaxError, zipfile.BadZipFile, zlib.error),
)
HEADERS = ("From", "To", "Cc", "Date", "Subject")


def read_docx(content: bytes, limits: Limits) -> ReadText:
    """Return the text of a Word document, on the pages that its writer last saw. Macros are only told."""
    try:
        macros = check_archive(content, limits.unpacked)
        package = OpcPackage.open(io.BytesIO(content))
        body = parse_xml(package.part_related_by(RELATIONSHIP_TYPE.OFFICE_DOCUMENT).blob)
    except DAMAGES as exc:
        raise DocumentRefused(DAMAGED) from exc
    pages = [""]
    for element in body.iter(qn("w:t"), qn("w:tab"), qn("w:br"), qn("w:p"), qn("w:lastRenderedPageBreak")):
        if element.tag == qn("w:t"):
            pages[-1] += element.text or ""
        elif element.tag == qn("w:tab"):
            pages[-1] += "\t"
        elif element.tag == qn("w:p"):
            pages[-1] += "\n" if pages[-1] else ""
        elif element.tag == qn("w:br") and element.get(qn("w:type")) != "page":
            pages[-1] += "\n"
        elif pages[-1].strip():
            pages.append("")
    return _paged(pages, limits, (MACROS,) if macros else ())


def read_text(content: bytes, limits: Limits) -> ReadText:
    """Return a text, UTF-8, UTF-16 with its mark or Windows' Western one, on pages that form feeds divide."""
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        text = content.decode("utf-16", errors="replace")
    else:
        try:
            text = content.decode("utf-8-sig")
        except UnicodeDecodeError:
            text = content.decode("cp1252", errors="replace")
    return _paged(text.replace("\0", "").replace("\r\n", "\n").split("\f"), limits)


def read_email(content: bytes, limits: Limits) -> ReadText:
    """Return the headers that people read and the body; what is attached is named and not opened."""
    message = message_from_bytes(content, policy=policy.default)
    assert isinstance(message, EmailMessage)  # noqa: S101  By the policy.
    lines = [f"{name}: {message[name]}" for name in HEADERS if message[name]]
    body = message.get_body(preferencelist=("plain", "html"))
    text = ""
    if body is not None:
        try:
            text = str(body.get_content())
        except (LookupError, ValueError):
            text = (body.get_payload(decode=True) or b"").decode("utf-8", errors="replace")  # type: ignore[union-attr]
        if body.get_content_type() == "text/html":
            text = _Visible.of(text)
    attached = [one.get_filename() or one.get_content_type() for one in message.iter_attachments()]
    notes = (f"Vedlegg er ikke lest, last dem opp for seg: {', '.join(attached)[:300]}.",) if attached else ()
    return _paged(["\n".join((*lines, "", text.replace("\r\n", "\n")))], limits, notes)


def read_image(content: bytes, limits: Limits, ocr: Ocr) -> ReadText:
    """Return the text of a picture, or of each picture of a fax. Raises `DocumentRefused`."""
    pages = []
    try:
        with Image.open(io.BytesIO(content), formats=("PNG", "JPEG", "TIFF", "WEBP")) as image:
            for number, frame in enumerate(ImageSequence.Iterator(image), 1):
                if number > limits.pages:
                    raise DocumentRefused(f"Bildet har mer enn {limits.pages} sider. Del det i flere.")
                if frame.width * frame.height > limits.pixels:
                    raise DocumentRefused(f"Bildet er på {frame.width} × {frame.height} punkter. Det er for stort.")
                text = "" if ocr.is_over else ocr.text(frame)
                source = PageSource.OCR if text else PageSource.NONE
                pages.append(DocumentPage(number=number, text=text, source=source))
    except (UnidentifiedImageError, OSError, ValueError, SyntaxError, EOFError, Image.DecompressionBombError) as exc:
        raise DocumentRefused("Bildet er ufullstendig eller skadet. Send det på nytt.") from exc
    read = any(page.text for page in pages)
    unread = any(not page.text for page in pages)
    return ReadText(pages=tuple(pages), notes=((SCANNED,) if read else ()) + ((UNREAD,) if unread else ()))


def _paged(texts: list[str], limits: Limits, notes: tuple[str, ...] = ()) -> ReadText:
    texts = [piece for text in texts for piece in _divided(text)]
    if len(texts) > limits.pages:
        raise DocumentRefused(f"Dokumentet har {len(texts)} sider, og kan ha {limits.pages}. Del det i flere.")
    if sum(map(len, texts)) > limits.letters:
        raise DocumentRefused(f"Dokumentet har mer enn {limits.letters} tegn tekst. Del det i flere.")
    pages = (DocumentPage(number=at, text=text, source=PageSource.TEXT) for at, text in enumerate(texts, 1))
    return ReadText(pages=tuple(pages), notes=notes)


def _divided(text: str) -> list[str]:
    """Return a text that has no pages of its own in pieces of at most `PAGE_LETTERS`, between lines where it can be."""
    pieces = []
    while len(text) > PAGE_LETTERS:
        at = (
            text.rfind("\n", PAGE_LETTERS // 2, PAGE_LETTERS) + 1
            or text.rfind(" ", 0, PAGE_LETTERS) + 1
            or PAGE_LETTERS
        )
        pieces.append(text[:at])
        text = text[at:]
    return [*pieces, text]


class _Visible(HTMLParser):
    """The text of HTML that a reader sees."""

    _HIDDEN = frozenset({"script", "style", "head", "title", "template"})
    _BLOCKS = frozenset({"p", "div", "br", "tr", "li", "h1", "h2", "h3", "table", "blockquote"})

    def __init__(self) -> None:
        super().__init__()
        self._parts: list[str] = []
        self._hidden = 0

    @classmethod
    def of(cls, html: str) -> str:
        """Return the text of `html`."""
        parser = cls()
        parser.feed(html)
        parser.close()
        return re.sub(r"\n{3,}", "\n\n", "".join(parser._parts)).strip()

    def handle_starttag(self, tag: str, _: list[tuple[str, str | None]]) -> None:
        self._hidden += tag in self._HIDDEN
        if tag in self._BLOCKS:
            self._parts.append("\n")

    def handle_endtag(self, tag: str) -> None:
        self._hidden -= tag in self._HIDDEN and self._hidden > 0

    def handle_data(self, data: str) -> None:
        if not self._hidden:
            self._parts.append(data)
