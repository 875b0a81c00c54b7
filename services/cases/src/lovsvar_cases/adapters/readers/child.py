"""The process that reads one document: its bytes come in, JSON goes out, and it ends. `child_reader` starts it."""

import sys
import warnings

from lovsvar_cases.adapters.readers import sandbox
from lovsvar_cases.core.files.errors import DocumentRefused
from lovsvar_cases.core.files.kinds import FileKind
from lovsvar_cases.core.files.limits import Limits
from lovsvar_cases.core.files.pages import ReadText

REFUSED = 3
"""The exit code when the document is refused; what is printed is why."""

OUT_OF_MEMORY = 4


def read(kind: FileKind, content: bytes, limits: Limits) -> ReadText:
    """Return what a document says. Raises `DocumentRefused`."""
    from lovsvar_cases.adapters.readers import ocr, pdf, plain

    by_ocr = ocr.Ocr(limits.ocr_seconds)
    if kind is FileKind.PDF:
        return pdf.read_pdf(content, limits, by_ocr)
    if kind is FileKind.DOCX:
        return plain.read_docx(content, limits)
    if kind is FileKind.EMAIL:
        return plain.read_email(content, limits)
    if kind is FileKind.IMAGE:
        return plain.read_image(content, limits, by_ocr)
    return plain.read_text(content, limits)


def main() -> int:
    """Read the document on standard input, of the kind and within the limits that the arguments name."""
    warnings.simplefilter("ignore")
    kind, limits = FileKind(sys.argv[1]), Limits.model_validate_json(sys.argv[2])
    content = sys.stdin.buffer.read(limits.size + 1)
    sandbox.enter(limits)
    try:
        said, code = read(kind, content, limits).model_dump_json(), 0
    except DocumentRefused as exc:
        said, code = str(exc), REFUSED
    except MemoryError:
        said, code = "", OUT_OF_MEMORY
    sys.stdout.buffer.write(said.encode("utf-8", errors="replace"))
    return code


if __name__ == "__main__":
    sys.exit(main())
