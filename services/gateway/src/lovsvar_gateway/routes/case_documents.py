"""Documents of a case: handed in, listed, read by pages, searched, quoted, downloaded and removed."""

import asyncio
import base64
from collections.abc import AsyncIterator
from typing import Annotated, Any
from urllib.parse import quote

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import StreamingResponse
from pydantic import BaseModel, Field

from lovsvar_chassis.problems import problem
from lovsvar_contracts import case_documents as wire
from lovsvar_contracts import subjects
from lovsvar_contracts.case_documents import MOST_PARTS, PART_BYTES, DocumentName, DocumentState, Quote
from lovsvar_contracts.message import Token
from lovsvar_contracts.problems import ProblemError, ProblemType
from lovsvar_gateway.core.phrases import Plain
from lovsvar_gateway.parts import GatewayParts, Parts
from lovsvar_gateway.routes.cases import MAX_VERSION, IdempotencyKey, request_id

router = APIRouter(tags=["cases"])

READ_SECONDS = 8.0
"""How long an upload waits for its document to be read. One that takes longer is read all the same."""

LOOK_SECONDS = 0.25

BYTES = "application/octet-stream"
Name = Annotated[DocumentName, Query(description="The document's name, as the person knows it.")]
UPLOADED = {"requestBody": {"required": True, "content": {BYTES: {"schema": {"type": "string", "format": "binary"}}}}}
DOWNLOADED: dict[int | str, dict[str, Any]] = {
    200: {"description": "The document as it was handed in", "content": {BYTES: {"schema": {"type": "string"}}}}
}


class SearchWords(BaseModel):
    """What to look for. It is no part of the address, since addresses are logged."""

    query: Annotated[str, Plain] = Field(min_length=1, max_length=500)


class QuoteToVerify(BaseModel):
    """A quote, and the document that it is said to be of, if any."""

    quote: Annotated[Quote, Plain]
    document_id: Token | None = None


@router.post("/v1/cases/{case_id}/documents", status_code=201, openapi_extra=UPLOADED)
async def add_case_document(
    case_id: Token, name: Name, request: Request, response: Response, parts: GatewayParts, key: IdempotencyKey = None
) -> wire.DocumentReply:
    """Hand in a document: its bytes are the body. What it is, is decided by its content.

    Answers when it has been read, or after some seconds with `state` `reading`. 422 says why it was refused.
    """
    reply = await take_in(parts, case_id, request_id(key), name, request.stream())
    response.headers["Location"] = f"/v1/cases/{case_id}/documents/{reply.document.document_id}"
    return reply


async def take_in(
    parts: Parts, case_id: str, document_id: str, name: str, pieces: AsyncIterator[bytes]
) -> wire.DocumentReply:
    """Hand in a document as its bytes come, and wait a while until it is read. Raises `ProblemError` when refused."""
    about = {"case_id": case_id, "document_id": document_id}
    count = await _send_parts(parts, pieces, about)
    desk = parts.cases
    fields = {**about, "name": name, "parts": count}
    reply = await desk.ask(subjects.CASES_FINISH_DOCUMENT, wire.FinishDocument, wire.DocumentReply, **fields)
    until = asyncio.get_running_loop().time() + READ_SECONDS
    while reply.document.state is DocumentState.READING and asyncio.get_running_loop().time() < until:
        await asyncio.sleep(LOOK_SECONDS)
        reply = await desk.ask(subjects.CASES_READ_DOCUMENT, wire.ReadCaseDocument, wire.DocumentReply, **about)
    if reply.document.state is DocumentState.REFUSED:
        raise ProblemError(problem(ProblemType.INVALID_REQUEST, reply.document.problem))
    return reply


async def _send_parts(parts: Parts, pieces: AsyncIterator[bytes], about: dict[str, str]) -> int:
    """Send the bytes on as it comes, a part at a time, and return how many there were."""
    held, number = bytearray(), 0

    async def send(content: bytes) -> None:
        if number == MOST_PARTS:
            raise ProblemError(problem(ProblemType.TOO_LARGE, "Dokumentet er for stort."))
        fields = {**about, "number": number, "content": base64.b64encode(content).decode()}
        await parts.cases.ask(subjects.CASES_ADD_DOCUMENT_PART, wire.AddDocumentPart, wire.PartAdded, **fields)

    async for piece in pieces:
        held += piece
        while len(held) > PART_BYTES:
            await send(bytes(held[:PART_BYTES]))
            del held[:PART_BYTES]
            number += 1
    await send(bytes(held))
    return number + 1


@router.get("/v1/cases/{case_id}/documents")
async def list_case_documents(case_id: Token, response: Response, parts: GatewayParts) -> wire.CaseDocuments:
    """List the documents of a case, also those that were refused, with the reason."""
    response.headers["Cache-Control"] = "no-store"
    return await parts.cases.ask(subjects.CASES_DOCUMENTS, wire.ListCaseDocuments, wire.CaseDocuments, case_id=case_id)


@router.get("/v1/cases/{case_id}/documents/{document_id}")
async def read_case_document(
    case_id: Token, document_id: Token, response: Response, parts: GatewayParts
) -> wire.DocumentReply:
    """Read what a document is, and how far its reading is."""
    response.headers["Cache-Control"] = "no-store"
    about = {"case_id": case_id, "document_id": document_id}
    return await parts.cases.ask(subjects.CASES_READ_DOCUMENT, wire.ReadCaseDocument, wire.DocumentReply, **about)


@router.get("/v1/cases/{case_id}/documents/{document_id}/pages")
async def read_case_document_pages(
    case_id: Token,
    document_id: Token,
    response: Response,
    parts: GatewayParts,
    first: Annotated[int, Query(ge=1, le=MAX_VERSION, description="The first page to read.")] = 1,
) -> wire.DocumentPages:
    """Read the text of a document by its pages; `next` is the first of those that follow."""
    response.headers["Cache-Control"] = "no-store"
    fields = {"case_id": case_id, "document_id": document_id, "first": first}
    return await parts.cases.ask(subjects.CASES_READ_PAGES, wire.ReadPages, wire.DocumentPages, **fields)


@router.get(
    "/v1/cases/{case_id}/documents/{document_id}/content", response_class=StreamingResponse, responses=DOWNLOADED
)
async def download_case_document(case_id: Token, document_id: Token, parts: GatewayParts) -> StreamingResponse:
    """Read a document as it was handed in. It comes as a file to save: no browser is to show it."""
    about = {"case_id": case_id, "document_id": document_id}
    desk = parts.cases
    found = await desk.ask(subjects.CASES_READ_DOCUMENT, wire.ReadCaseDocument, wire.DocumentReply, **about)

    async def read(number: int) -> wire.DocumentPart:
        fields = {**about, "number": number}
        return await desk.ask(subjects.CASES_READ_DOCUMENT_PART, wire.ReadDocumentPart, wire.DocumentPart, **fields)

    part = await read(0)

    async def content(part: wire.DocumentPart) -> AsyncIterator[bytes]:
        yield base64.b64decode(part.content)
        while not part.last:
            part = await read(part.number + 1)
            yield base64.b64decode(part.content)

    headers = {
        "Content-Disposition": f"attachment; filename*=UTF-8''{quote(found.document.name, safe='')}",
        "Cache-Control": "no-store",
    }
    return StreamingResponse(content(part), media_type=BYTES, headers=headers)


@router.delete("/v1/cases/{case_id}/documents/{document_id}")
async def remove_case_document(case_id: Token, document_id: Token, parts: GatewayParts) -> wire.CaseDocuments:
    """Remove a document for good, and list those that are left."""
    about = {"case_id": case_id, "document_id": document_id}
    return await parts.cases.ask(subjects.CASES_REMOVE_DOCUMENT, wire.RemoveDocument, wire.CaseDocuments, **about)


@router.post("/v1/cases/{case_id}/documents:search")
async def search_case_documents(case_id: Token, body: SearchWords, parts: GatewayParts) -> wire.DocumentHits:
    """Search the documents of this case, and of no other."""
    fields = {"case_id": case_id, **body.model_dump()}
    return await parts.cases.ask(subjects.CASES_SEARCH_DOCUMENTS, wire.SearchDocuments, wire.DocumentHits, **fields)


@router.post("/v1/cases/{case_id}/documents:verify")
async def verify_document_quote(case_id: Token, body: QuoteToVerify, parts: GatewayParts) -> wire.VerifiedQuote:
    """Look for a quote word for word, and read on which page of which document it is."""
    fields = {"case_id": case_id, **body.model_dump()}
    return await parts.cases.ask(subjects.CASES_VERIFY_QUOTE, wire.VerifyQuote, wire.VerifiedQuote, **fields)
