"""Documents are read in a process apart, and whatever is handed in ends in a text or in a sentence."""

import asyncio
import sys
from collections.abc import Callable
from email.message import EmailMessage

import pytest

from lovsvar_cases.adapters.readers.child_reader import ChildReader
from lovsvar_cases.core.files.errors import DocumentRefused
from lovsvar_cases.core.files.kinds import FileKind, kind_of
from lovsvar_cases.core.files.limits import Limits
from lovsvar_cases.core.files.pages import ReadText
from lovsvar_testkit import made_documents as made

LIMITS = Limits(seconds=90.0)


async def read(content: bytes, limits: Limits = LIMITS) -> ReadText:
    return await ChildReader(limits).read(kind_of(content), content)


def mail() -> bytes:
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = "kari@example.no", "ola@example.no", "Depositum på konto"
    message.set_content("<p>Hei Ola</p><script>stjel()</script><p>Når får jeg pengene?</p>", subtype="html")
    message.add_attachment(b"%PDF-", maintype="application", subtype="pdf", filename="kvittering.pdf")
    return message.as_bytes()


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (made.pdf(made.CONTRACT), FileKind.PDF),
        (made.word("Hei"), FileKind.DOCX),
        (made.image("Hei"), FileKind.IMAGE),
        (made.image("Hei", kind="JPEG"), FileKind.IMAGE),
        (mail(), FileKind.EMAIL),
        ("Notat: dette er skrevet på norsk.\n\nHei".encode(), FileKind.TEXT),
        ("Blåbær".encode("cp1252"), FileKind.TEXT),
    ],
)
def test_a_document_is_what_its_content_says(content: bytes, kind: FileKind) -> None:
    assert kind_of(content) is kind


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "tomt"),
        (b"MZ\x90\x00\x03\x00\x00\x00" * 9, "type som ikke kan leses"),
        (b"\x7fELF\x02\x01\x01\x00" * 9, "type som ikke kan leses"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 99, "kryptert eller i et gammelt Office-format"),
        (made.zip_bomb(1).replace(b"word/document.xml", b"data/nothing.data"), "arkiv"),
        (made.word("Hei")[:2_000], "ufullstendig eller skadet"),
    ],
)
def test_what_cannot_be_read_is_refused_by_its_content(content: bytes, words: str) -> None:
    with pytest.raises(DocumentRefused, match=words):
        kind_of(content)


async def test_pages_of_a_pdf_keep_their_numbers() -> None:
    found = await read(made.pdf(made.CONTRACT, ("Husordensregler for bygget",)))
    assert [(page.number, page.source) for page in found.pages] == [(1, "text"), (2, "text")]
    assert "Utleier er Ola Nordmann, Ålesund." in found.pages[0].text
    assert "Husordensregler" in found.pages[1].text
    assert found.notes == ()


async def test_a_scanned_page_is_read_by_ocr_with_its_norwegian_letters() -> None:
    lines = ("Utleier skal betale tilbake", "depositumet på kontoen", "før første måned er over.")
    found = await read(made.scanned(*lines))
    assert [page.source for page in found.pages] == ["ocr"]
    words = found.pages[0].text.split()
    assert {"Utleier", "tilbake", "depositumet", "på", "kontoen", "første", "måned"} <= set(words)
    assert "lest av maskin" in found.notes[0]


async def test_a_word_document_is_read_with_its_tables_and_pages() -> None:
    found = await read(made.word("Første side æøå", "Andre side"))
    assert [page.text.strip().split("\n")[0] for page in found.pages] == ["Første side æøå", "Andre side"]
    assert "I en celle" in found.pages[1].text


async def test_macros_are_told_of_and_not_run() -> None:
    found = await read(made.with_macros(made.word("Teksten er her")))
    assert "Teksten er her" in found.pages[0].text
    assert "makroer" in found.notes[0]


async def test_an_email_is_read_as_people_see_it_and_its_attachments_are_named() -> None:
    found = await read(mail())
    assert "Depositum på konto" in found.pages[0].text
    assert "Når får jeg pengene?" in found.pages[0].text
    assert "stjel" not in found.pages[0].text
    assert "kvittering.pdf" in found.notes[0]


async def test_a_text_is_read_in_its_encoding_and_in_pieces() -> None:
    found = await read("Blåbærsyltetøy\fNeste".encode("cp1252"))
    assert [page.text for page in found.pages] == ["Blåbærsyltetøy", "Neste"]
    lines = "".join(f"Linje {number} i et langt notat\n" for number in range(1_000))
    long = await read(lines.encode())
    assert "".join(page.text for page in long.pages) == lines
    assert max(len(page.text) for page in long.pages) <= 6_000


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (made.zip_bomb, "pakket ut større enn 200 MB"),
        (lambda: made.pdf(*[("Side",)] * 500), "500 sider, og kan ha 200"),
        (made.encrypted_pdf, "kryptert"),
        (lambda: made.pdf(made.CONTRACT)[:60], "ufullstendig eller skadet"),
        (lambda: made.image("Hei")[:400], "ufullstendig eller skadet"),
        (lambda: b"%PDF-1.7\n" + b"tull " * 500, "ufullstendig eller skadet"),
    ],
)
async def test_a_hostile_document_ends_in_a_clear_sentence(make: Callable[[], bytes], words: str) -> None:
    with pytest.raises(DocumentRefused, match=words):
        await read(make())


async def test_a_pdf_bomb_ends_at_its_limit_of_memory_or_time() -> None:
    bomb = made.pdf_bomb()
    assert len(bomb) < 5 * 2**20
    with pytest.raises(DocumentRefused, match=r"minne eller tid|sekunder å lese"):
        await read(bomb, LIMITS.model_copy(update={"memory": 512 * 2**20, "seconds": 20.0}))


async def test_a_document_that_takes_too_long_is_ended() -> None:
    with pytest.raises(DocumentRefused, match=r"0\.05 sekunder"):
        await read(made.pdf(made.CONTRACT), LIMITS.model_copy(update={"seconds": 0.05}))


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the system has no such filter")
async def test_the_process_that_reads_has_no_network_no_programs_and_writes_no_file() -> None:
    code = (
        "import os, socket\n"
        "from lovsvar_cases.adapters.readers import sandbox\n"
        "from lovsvar_cases.core.files.limits import Limits\n"
        "assert sandbox.enter(Limits())\n"
        "def refused(work):\n"
        "    try: work()\n"
        "    except OSError: return True\n"
        "    return False\n"
        "def write():\n"
        "    with open('/tmp/lovsvar-sandbox-test', 'wb') as file: file.write(b'x')\n"
        "import signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "works = (socket.socket, lambda: os.execv('/bin/true', ['true']), write)\n"
        "print([refused(work) for work in works])\n"
    )
    process = await asyncio.create_subprocess_exec(sys.executable, "-c", code, stdout=asyncio.subprocess.PIPE)
    said, _ = await process.communicate()
    assert said.decode().strip() == str([True] * 3)
