"""Documents made to do harm: each ends in a sentence, within its limits, or is read as what it is."""

import io
import struct
import time
import zipfile
import zlib
from collections.abc import Callable
from email.message import EmailMessage

import pytest

from lovsvar_cases.adapters.readers.child_reader import ChildReader
from lovsvar_cases.core.files.errors import DocumentRefused
from lovsvar_cases.core.files.kinds import kind_of
from lovsvar_cases.core.files.limits import Limits
from lovsvar_cases.core.files.pages import ReadText
from lovsvar_testkit import made_documents as made

LIMITS = Limits(seconds=60.0)
NAMESPACE = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"


async def read(content: bytes, limits: Limits = LIMITS) -> ReadText:
    return await ChildReader(limits).read(kind_of(content), content)


def word_of(xml: bytes, **files: bytes) -> bytes:
    """A Word document whose text is this XML, with more files in it."""
    source, buffer = zipfile.ZipFile(io.BytesIO(made.word("x"))), io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in source.namelist():
            archive.writestr(name, xml if name == "word/document.xml" else source.read(name))
        for name, content in files.items():
            archive.writestr(f"word/{name}", content)
    return buffer.getvalue()


def text_of(text: str) -> str:
    """The XML of a document of one paragraph."""
    return f'<w:document xmlns:w="{NAMESPACE}"><w:body><w:p><w:r><w:t>{text}</w:t></w:r></w:p></w:body></w:document>'


def laughs() -> bytes:
    """Entities of entities, ten gigabytes if they were expanded; and one that names a file."""
    entities = "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 10))
    body = text_of("&a9;&file;Slutt")
    head = f'<!DOCTYPE x [<!ENTITY a0 "hahahahaha">{entities}<!ENTITY file SYSTEM "file:///etc/passwd">]>'
    return word_of((head + body).encode())


def huge_picture() -> bytes:
    """A PNG of less than a MB that says it is of 40,000 × 40,000 points."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = chunk(b"IHDR", struct.pack(">IIBBBBB", 40_000, 40_000, 1, 0, 0, 0, 0))
    rows = chunk(b"IDAT", zlib.compress(bytes(5_001) * 40_000, 9))
    return b"\x89PNG\r\n\x1a\n" + head + rows + chunk(b"IEND", b"")


def mail(depth: int = 0, attached: bytes = b"%PDF-") -> bytes:
    """An e-mail with an attachment, itself attached to another, and so on."""
    message = EmailMessage()
    message["From"], message["Subject"] = "kari@example.no", "Innerst"
    message.set_content("Teksten i meldingen.")
    message.add_attachment(attached, maintype="application", subtype="zip", filename="bombe.zip")
    for number in range(depth):
        outer = EmailMessage()
        outer["From"], outer["Subject"] = "ola@example.no", f"Videresendt {number}"
        outer.set_content(f"Se vedlegget, nummer {number}.")
        outer.add_attachment(message)
        message = outer
    return message.as_bytes()


def deep_mail(depth: int = 5_000) -> bytes:
    """Parts within parts, deeper than a parser that calls itself can go."""
    lines = ["From: x@example.no", "MIME-Version: 1.0"]
    for number in range(depth):
        lines += [f'Content-Type: multipart/mixed; boundary="b{number}"', "", f"--b{number}"]
    return "\r\n".join([*lines, "Content-Type: text/plain", "", "Innerst"]).encode()


def looping_pdf() -> bytes:
    """A PDF whose tree of pages is its own child."""
    return made.pdf(made.CONTRACT).replace(b"/Kids [4 0 R]", b"/Kids [2 0 R]")


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: word_of(b"<w:document", extra=b""), "ufullstendig eller skadet"),
        (lambda: word_of(b"x" * 10_000_000, **{"a.bin": bytes(205 * 2**20)}), "pakket ut større enn 200 MB"),
        (huge_picture, r"40000 × 40000 punkter. Det er for stort|ufullstendig eller skadet"),
        (lambda: made.image("Hei")[:-2_000], "ufullstendig eller skadet"),
        (lambda: b"\xff\xd8\xff" + b"\0" * 500, "ufullstendig eller skadet"),
        (lambda: b"ord " * 600_000, "tegn tekst. Del det i flere|sider, og kan ha 200"),
    ],
    ids=["broken", "unpacked", "picture", "cut picture", "no picture", "long"],
)
async def test_it_ends_in_a_sentence(make: Callable[[], bytes], words: str) -> None:
    content, began = make(), time.monotonic()
    with pytest.raises(DocumentRefused, match=words):
        await read(content)
    assert time.monotonic() - began < LIMITS.seconds + 10


@pytest.mark.parametrize("part", [0.2, 0.5, 0.9, 0.99])
@pytest.mark.parametrize("content", [made.pdf(made.CONTRACT), made.word("Hei"), mail(1)], ids=["pdf", "docx", "eml"])
async def test_what_was_cut_off_anywhere_is_refused_or_read_as_far_as_it_goes(content: bytes, part: float) -> None:
    try:
        found = await read(content[: int(len(content) * part)])
    except DocumentRefused as exc:
        assert "skadet" in str(exc) or "Send det på nytt" in str(exc)
    else:
        assert found.pages


@pytest.mark.parametrize("name", ["[trash]/0000.dat", "xl/workbook.xml", "content.xml", "x.exe"])
def test_another_archive_is_none_of_what_is_taken_whatever_it_is_called(name: str) -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr(name, made.zip_bomb(1))
    with pytest.raises(DocumentRefused, match="arkiv eller et annet Office-format"):
        kind_of(buffer.getvalue())


async def test_entities_are_not_expanded_and_no_file_is_read() -> None:
    with pytest.raises(DocumentRefused, match="ufullstendig eller skadet"):
        await read(laughs())


async def test_a_bomb_within_a_document_is_not_opened() -> None:
    found = await read(word_of(text_of("Teksten").encode(), **{"embeddings/bombe.docx": made.zip_bomb(100)}))
    assert "Teksten" in found.pages[0].text


async def test_an_email_is_read_and_what_is_attached_is_named_and_not_opened() -> None:
    found = await read(mail(attached=made.zip_bomb(50)))
    assert "Teksten i meldingen." in found.pages[0].text
    assert "bombe.zip" in found.notes[0]
    forwarded = await read(mail(depth=20))
    assert "Se vedlegget, nummer 19." in forwarded.pages[0].text
    assert "Innerst" not in forwarded.pages[0].text
    assert "Vedlegg er ikke lest" in forwarded.notes[0]


@pytest.mark.parametrize("content", [deep_mail(), looping_pdf()], ids=["e-mail", "pdf"])
async def test_what_is_within_itself_ends_in_a_sentence_or_in_pages(content: bytes) -> None:
    try:
        found = await read(content)
    except DocumentRefused as exc:
        assert "skadet" in str(exc)
    else:
        assert found.pages


async def test_five_hundred_pages_are_read_where_so_many_are_allowed() -> None:
    pages = [(f"Side {number} av mange",) for number in range(1, 501)]
    found = await read(made.pdf(*pages), LIMITS.model_copy(update={"pages": 500, "seconds": 300.0}))
    assert len(found.pages) == 500
    assert "Side 500 av mange" in found.pages[499].text
