"""Requests about the documents that are handed in to a case, and their replies. All are sent sealed (`sealing`).

A document is sent in parts, then finished; it is read by a process apart, and its state says how far that is.
"""

from datetime import datetime
from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from lovsvar_contracts.cases import CaseRequest
from lovsvar_contracts.message import Frozen, Message, Token

PART_BYTES = 384 * 1024
"""Bytes of a document in one message: encoded and sealed it is within the 1 MB that NATS takes."""

MOST_PARTS = 1_000
MOST_DOCUMENTS = 200
MOST_PAGES = 20
"""Pages in one reply, if they are not too long for it."""

DocumentName = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=200)]
Quote = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=2_000)]


class DocumentState(StrEnum):
    """How far the reading of a document is."""

    READING = "reading"
    READY = "ready"
    REFUSED = "refused"


class PageSource(StrEnum):
    """Where the text of a page is from: of a page of which nothing could be read, `none`."""

    TEXT = "text"
    OCR = "ocr"
    NONE = "none"


class AddDocumentPart(CaseRequest):
    """Hand in a part of a document; all but the last are `PART_BYTES` long. A repeat replaces it."""

    kind: Literal["add_document_part"] = "add_document_part"
    document_id: Token
    number: int = Field(ge=0, lt=MOST_PARTS)
    content: str = Field(max_length=PART_BYTES * 4 // 3 + 4, description="The bytes in base64.")


class PartAdded(Message):
    """A part was stored, encrypted."""

    kind: Literal["part_added"] = "part_added"
    document_id: Token
    number: int


class FinishDocument(CaseRequest):
    """Say that all parts are there, and have the document read. A repeat changes nothing more."""

    kind: Literal["finish_document"] = "finish_document"
    document_id: Token
    name: DocumentName
    parts: int = Field(ge=1, le=MOST_PARTS)


class CaseDocument(Frozen):
    """A document of a case. `problem` says why it was refused, `notes` what its reader must know of its text."""

    document_id: Token
    name: str
    state: DocumentState
    kind: str = Field(default="", description="By its content: pdf, docx, text, email or image.")
    size: int = Field(default=0, ge=0, description="Bytes.")
    pages: int = Field(default=0, ge=0)
    unread: tuple[int, ...] = Field(default=(), description="Pages of which nothing could be read.")
    notes: tuple[str, ...] = ()
    problem: str = ""
    added_at: datetime


class DocumentReply(Message):
    """A document as it is now."""

    kind: Literal["case_document"] = "case_document"
    case_id: Token
    document: CaseDocument


class ReadCaseDocument(CaseRequest):
    """Read what a document is, and how far its reading is."""

    kind: Literal["read_case_document"] = "read_case_document"
    document_id: Token


class ListCaseDocuments(CaseRequest):
    """List the documents of a case."""

    kind: Literal["list_case_documents"] = "list_case_documents"


class CaseDocuments(Message):
    """The documents of a case, oldest first."""

    kind: Literal["case_documents"] = "case_documents"
    case_id: Token
    documents: tuple[CaseDocument, ...] = ()


class ReadPages(CaseRequest):
    """Read pages of a document, `first` and those after it."""

    kind: Literal["read_pages"] = "read_pages"
    document_id: Token
    first: int = Field(default=1, ge=1, le=2**31 - 1)


class DocumentPage(Frozen):
    """A page and its text."""

    number: int = Field(ge=1)
    text: str
    source: PageSource


class DocumentPages(Message):
    """Pages of a document; `next` is the `first` of those that follow."""

    kind: Literal["document_pages"] = "document_pages"
    case_id: Token
    document_id: Token
    pages: tuple[DocumentPage, ...] = ()
    next: int | None = None


class ReadDocumentPart(CaseRequest):
    """Read a part of a document as it was handed in."""

    kind: Literal["read_document_part"] = "read_document_part"
    document_id: Token
    number: int = Field(ge=0, lt=MOST_PARTS)


class DocumentPart(Message):
    """A part of a document; `last` when none follows."""

    kind: Literal["document_part"] = "document_part"
    document_id: Token
    number: int
    content: str
    last: bool


class RemoveDocument(CaseRequest):
    """Remove a document: its bytes, its pages, and its place in the case."""

    kind: Literal["remove_document"] = "remove_document"
    document_id: Token


class SearchDocuments(CaseRequest):
    """Search the documents of one case."""

    kind: Literal["search_documents"] = "search_documents"
    query: str = Field(min_length=1, max_length=500)


class DocumentHit(Frozen):
    """A page that was found, and a piece of its text."""

    document_id: Token
    name: str
    page: int = Field(ge=1)
    snippet: str
    source: PageSource


class DocumentHits(Message):
    """What a search found, best first."""

    kind: Literal["document_hits"] = "document_hits"
    case_id: Token
    hits: tuple[DocumentHit, ...] = ()


class VerifyQuote(CaseRequest):
    """Look for a quote, word for word, in one document or in all of the case."""

    kind: Literal["verify_quote"] = "verify_quote"
    quote: Quote
    document_id: Token | None = None


class QuotePlace(Frozen):
    """Where a quote is: from `page` to `last_page`, at an offset in the text of the first."""

    document_id: Token
    name: str
    page: int = Field(ge=1)
    last_page: int = Field(ge=1)
    start: int = Field(ge=0)
    text: str = Field(description="As the document has it.")
    source: PageSource


class VerifiedQuote(Message):
    """The places of a quote; none when it is in no document word for word."""

    kind: Literal["verified_quote"] = "verified_quote"
    case_id: Token
    verified: bool
    places: tuple[QuotePlace, ...] = ()
