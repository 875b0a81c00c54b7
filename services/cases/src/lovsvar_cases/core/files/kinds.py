"""What a document is, by its content alone: its name and what its sender says of it count for nothing."""

import io
import re
import zipfile
from enum import StrEnum

from lovsvar_cases.core.files.errors import DocumentRefused

TAKEN = "PDF, DOCX, tekst, e-post (EML) og bilder (PNG, JPEG, TIFF, WEBP)"


class FileKind(StrEnum):
    """A kind of document that is taken."""

    PDF = "pdf"
    DOCX = "docx"
    TEXT = "text"
    EMAIL = "email"
    IMAGE = "image"


MEDIA_TYPES = {
    FileKind.PDF: "application/pdf",
    FileKind.DOCX: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    FileKind.TEXT: "text/plain",
    FileKind.EMAIL: "message/rfc822",
    FileKind.IMAGE: "image/*",
}

_IMAGES = (b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"II*\x00", b"MM\x00*")
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_HEADER = re.compile(rb"\A(?:[A-Za-z][A-Za-z0-9-]*:[^\r\n]*(?:\r?\n[ \t][^\r\n]*)*\r?\n)+\r?\n")
_OF_MAIL = re.compile(rb"^(?:from|received|return-path|message-id|mime-version):", re.IGNORECASE | re.MULTILINE)
_CONTROLS = frozenset(range(32)) - set(b"\t\n\r\f\x1b")

MOST_ENTRIES = 5_000
MACROS = "word/vbaProject.bin"


def kind_of(content: bytes) -> FileKind:
    """Return what a document is. Raises `DocumentRefused`."""
    if not content.strip():
        raise DocumentRefused("Dokumentet er tomt.")
    if b"%PDF-" in content[:1024]:
        return FileKind.PDF
    if content.startswith(_IMAGES) or (content[:4] == b"RIFF" and content[8:12] == b"WEBP"):
        return FileKind.IMAGE
    if content.startswith(_OLE):
        raise DocumentRefused(
            "Dokumentet er kryptert eller i et gammelt Office-format. Lagre det uten passord som PDF eller DOCX."
        )
    if content.startswith(b"PK\x03\x04"):
        return _kind_of_archive(content)
    head = content[:65_536]
    if (found := _HEADER.match(head)) and _OF_MAIL.search(found[0]):
        return FileKind.EMAIL
    if head.startswith((b"\xff\xfe", b"\xfe\xff")) or not _CONTROLS.intersection(head):
        return FileKind.TEXT
    raise DocumentRefused(f"Dokumentet er av en type som ikke kan leses. Disse kan leses: {TAKEN}.")


def _kind_of_archive(content: bytes) -> FileKind:
    if content.count(b"PK\x01\x02") > MOST_ENTRIES:
        raise DocumentRefused("Dokumentet har for mange deler, og leses ikke.")
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            names = set(archive.namelist())
    except (zipfile.BadZipFile, ValueError, NotImplementedError, OSError) as exc:
        raise DocumentRefused("Dokumentet er ufullstendig eller skadet. Send det på nytt.") from exc
    if "word/document.xml" in names:
        return FileKind.DOCX
    raise DocumentRefused(f"Dokumentet er et arkiv eller et annet Office-format. Disse kan leses: {TAKEN}.")


def check_archive(content: bytes, most_bytes: int) -> bool:
    """Return whether a DOCX has macros.

    Raises `DocumentRefused` for one that would be larger than `most_bytes` unpacked; the unpacker gives no more bytes
    of a file than its entry says, so that what entries say is a limit.
    """
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        entries = archive.infolist()
        if any(entry.flag_bits & 1 for entry in entries):
            raise DocumentRefused("Dokumentet er kryptert. Lagre det uten passord.")
        if len(entries) > MOST_ENTRIES or sum(entry.file_size for entry in entries) > most_bytes:
            raise DocumentRefused(f"Dokumentet er pakket ut større enn {most_bytes // 2**20} MB, og leses ikke.")
        return MACROS in archive.namelist()
