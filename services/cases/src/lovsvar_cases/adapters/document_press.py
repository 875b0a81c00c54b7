"""The press: documents are made in threads of their own, so that no request waits for another's document."""

import asyncio
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from types import MappingProxyType

from lovsvar_cases.adapters.docx_documents import DocxDocuments
from lovsvar_cases.adapters.typst_documents import TypstDocuments
from lovsvar_cases.core.drafts.errors import DraftTooLarge, InvalidDraft
from lovsvar_cases.core.drafts.pages import Page
from lovsvar_contracts.case_drafts import DraftFormat

MOST_BYTES = 500_000
"""Of a file: a reply holds it, encrypted and twice in base64, and may be 1 MB."""

SECONDS = 20.0
AT_ONCE = 2


class DocumentPress:
    """Makes files of pages."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(AT_ONCE, "documents")
        self._makers: Mapping[DraftFormat, Callable[[Page], bytes]] = MappingProxyType(
            {DraftFormat.PDF: TypstDocuments().made, DraftFormat.DOCX: DocxDocuments().made}
        )

    async def made(self, page: Page, kind: DraftFormat) -> bytes:
        """Return a page as a file. Raises `DraftTooLarge` and `InvalidDraft`."""
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout(SECONDS):
                made = await loop.run_in_executor(self._threads, self._makers[kind], page)
        except TimeoutError:
            raise DraftTooLarge("Dokumentet tok for lang tid å sette. Del det i flere.") from None
        except (RuntimeError, ValueError) as exc:
            raise InvalidDraft("Dokumentet kunne ikke settes.") from exc
        if len(made) > MOST_BYTES:
            raise DraftTooLarge(f"Dokumentet blir for stort: høyst {MOST_BYTES // 1000} kB. Del det i flere.")
        return made
