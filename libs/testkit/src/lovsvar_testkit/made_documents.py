"""Documents that tests hand in, made as they are needed."""

import io
import zipfile
import zlib

import docx
import pypdfium2 as pdfium
from docx.enum.text import WD_BREAK
from PIL import Image

CONTRACT = ("Leiekontrakt for bolig", "Utleier er Ola Nordmann, Ålesund.", "Leien er 12 500 kroner måneden.")


def pdf(*pages: tuple[str, ...] | list[str], stream: bytes | None = None, size: int = 28) -> bytes:
    """A PDF in Helvetica, a line of text a line; or with `stream`, compressed, as its every page."""
    count = len(pages)
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Count %d /Kids [%s] >>"
        % (count, b" ".join(b"%d 0 R" % (4 + 2 * at) for at in range(count))),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    ]
    for lines in pages:
        shown = b" ".join(b"(%s) Tj T*" % line.encode("cp1252").translate(None, b"()\\") for line in lines)
        content = stream or zlib.compress(b"BT /F1 %d Tf %d TL 50 770 Td %s ET" % (size, size * 2, shown))
        objects += [
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 3 0 R >> >> "
            b"/Contents %d 0 R >>" % (len(objects) + 2),
            b"<< /Length %d /Filter /FlateDecode >>\nstream\n%s\nendstream" % (len(content), content),
        ]
    return _file(objects)


def _file(objects: list[bytes], trailer: bytes = b"") -> bytes:
    written, places = bytearray(b"%PDF-1.7\n"), []
    for number, one in enumerate(objects, 1):
        places.append(len(written))
        written += b"%d 0 obj\n%s\nendobj\n" % (number, one)
    start = len(written)
    written += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    written += b"".join(b"%010d 00000 n \n" % place for place in places)
    written += b"trailer << /Size %d /Root 1 0 R %s >>\nstartxref\n%d\n%%%%EOF" % (len(objects) + 1, trailer, start)
    return bytes(written)


def encrypted_pdf() -> bytes:
    """A PDF that needs a password that nobody has."""
    whole = pdf(CONTRACT)
    keys = b"/Encrypt << /Filter /Standard /V 2 /R 3 /Length 128 /P -44 /O <%s> /U <%s> >> /ID [<00><00>]"
    return whole.replace(b"/Root 1 0 R", b"/Root 1 0 R " + keys % (b"11" * 32, b"22" * 32))


def picture(*lines: str) -> Image.Image:
    """A page as a scanner sees it."""
    drawn: Image.Image = pdfium.PdfDocument(pdf(lines))[0].render(scale=2.0).to_pil()
    return drawn.convert("L")


def image(*lines: str, kind: str = "PNG") -> bytes:
    """The same as a picture's file."""
    return _saved(picture(*lines), kind)


def scanned(*lines: str) -> bytes:
    """The same as a PDF that holds no text."""
    return _saved(picture(*lines), "PDF")


def _saved(made: Image.Image, kind: str) -> bytes:
    buffer = io.BytesIO()
    made.save(buffer, kind)
    return buffer.getvalue()


def word(*pages: str) -> bytes:
    """A Word document with a table at its end."""
    made, buffer = docx.Document(), io.BytesIO()
    for at, page in enumerate(pages):
        if at:
            made.add_paragraph().add_run().add_break(WD_BREAK.PAGE)
        made.add_paragraph(page)
    made.add_table(1, 2).cell(0, 0).text = "I en celle"
    made.save(buffer)
    return buffer.getvalue()


def with_macros(document: bytes) -> bytes:
    """A Word document that says that it has macros, and has."""
    source, buffer = zipfile.ZipFile(io.BytesIO(document)), io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as made:
        for name in source.namelist():
            content = source.read(name).replace(
                b"application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml",
                b"application/vnd.ms-word.document.macroEnabled.main+xml",
            )
            made.writestr(name, content)
        made.writestr("word/vbaProject.bin", b"Sub AutoOpen()")
    return buffer.getvalue()


def zip_bomb(megabytes: int = 300) -> bytes:
    """A Word document of a few hundred kB that is so large unpacked."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as made, made.open("word/document.xml", "w") as part:
        for _ in range(megabytes):
            part.write(b" " * 2**20)
    return buffer.getvalue()


def pdf_bomb(megabytes: int = 600) -> bytes:
    """A PDF of less than a MB whose one page is so large unpacked, twice over."""
    packer = zlib.compressobj(9)
    inner = b"".join(packer.compress(b"0 0 m 1 1 l S\n" * 75_000) for _ in range(megabytes)) + packer.flush()
    return pdf((), stream=inner)
