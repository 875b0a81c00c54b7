"""Documents as PDF/A-2b, set by typst. Texts reach it as data, which it never reads as markup."""

import json
import re
import threading
from pathlib import Path
from typing import Final

import typst

from lovsvar_cases.core.drafts.errors import InvalidDraft
from lovsvar_cases.core.drafts.pages import Page

TEMPLATE = Path(__file__).with_name("document.typ")
UNSHOWN = re.compile(r"the text `\"(.{1,20})\"` could not be displayed")
STANDARD: Final = "a-2b"


class TypstDocuments:
    """Makes PDF files in any thread; the same page is always the same file.

    A compiler keeps its fonts and what it has laid out before, and is used by one thread. The fonts are those that
    typst brings, so that a file does not depend on the machine.
    """

    def __init__(self) -> None:
        self._own = threading.local()

    def made(self, page: Page) -> bytes:
        """Return the page as a PDF file. Raises `InvalidDraft`, and `RuntimeError` when it cannot be set."""
        compiler: typst.Compiler | None = getattr(self._own, "compiler", None)
        if compiler is None:
            compiler = self._own.compiler = typst.Compiler(str(TEMPLATE), ignore_system_fonts=True)
        data = json.dumps(page.as_data(), ensure_ascii=False)
        try:
            made = compiler.compile(format="pdf", sys_inputs={"page": data}, pdf_standards=[STANDARD])
        except typst.TypstError as exc:
            if found := UNSHOWN.search(str(exc)):
                raise InvalidDraft(
                    f"Tegnet «{found[1]}» kan ikke vises i dokumentet. Skriv det på en annen måte."
                ) from None
            raise
        if not isinstance(made, bytes):
            raise TypeError("typst made no file")
        return made
