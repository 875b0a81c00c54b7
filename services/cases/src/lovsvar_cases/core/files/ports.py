"""What the use cases of documents need."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from lovsvar_cases.core.files.kinds import FileKind
from lovsvar_cases.core.files.limits import Limits
from lovsvar_cases.core.files.pages import ReadText
from lovsvar_cases.core.ports import CaseStore
from lovsvar_contracts.case_documents import CaseDocument, DocumentPage


@dataclass(frozen=True)
class Claimed:
    """A document that this process is to read, for the `attempts`th time."""

    case_id: str
    document_id: str
    attempts: int


class DocumentStore(Protocol):
    """Documents, encrypted with their case's key. Who may see a case is asked before. Raises `UnknownCase`."""

    async def add_part(self, case_id: str, document_id: str, number: int, content: bytes) -> None:
        """Store a part. Uploads that were left unfinished an hour ago are forgotten. Raises `DocumentTooLarge`."""

    async def parts(self, case_id: str, document_id: str) -> Sequence[bytes]:
        """Return the parts in order, those with a number below a missing one. Raises `UnknownDocument`."""

    async def part(self, case_id: str, document_id: str, number: int) -> tuple[bytes, bool]:
        """Return a part, and whether it is the last. Raises `UnknownDocument`."""

    async def add(self, case_id: str, document: CaseDocument) -> None:
        """Store a document, unless it is there."""

    async def documents(self, case_id: str, document_id: str | None = None) -> Sequence[CaseDocument]:
        """Return the documents of a case, or one of them."""

    async def pages(
        self, case_id: str, document_id: str | None = None, first: int = 1, most: int = 100_000
    ) -> Sequence[tuple[str, DocumentPage]]:
        """Return pages in order, each with the id of its document."""

    async def claim(self, seconds: float) -> Claimed | None:
        """Return a document to read, which is nobody else's for so long; None when none waits."""

    async def store_read(self, case_id: str, document: CaseDocument, pages: Sequence[DocumentPage]) -> bool:
        """Store what came of reading, once; return whether the document was still there to be read."""

    async def remove(self, case_id: str, document_id: str) -> None:
        """Forget a document, if it is there."""


class DocumentReader(Protocol):
    """Reads documents."""

    async def read(self, kind: FileKind, content: bytes) -> ReadText:
        """Return what a document says. Raises `DocumentRefused`."""


@dataclass(frozen=True)
class DocumentDesk:
    """What the use cases of documents work with."""

    cases: CaseStore
    store: DocumentStore
    reader: DocumentReader
    limits: Limits
