"""The documents of a case: handed in, listed, searched, read by pages, removed."""

from collections.abc import Mapping
from typing import Any

from fastapi import Request, Response
from pydantic import TypeAdapter
from starlette.responses import HTMLResponse, RedirectResponse

from lovsvar_contracts.case_documents import DocumentState
from lovsvar_contracts.message import Token
from lovsvar_gateway.core.errors import FormIncomplete
from lovsvar_gateway.core.question_form import cleaned
from lovsvar_gateway.forms import read_fields
from lovsvar_gateway.parts import GatewayParts, Parts
from lovsvar_gateway.routes import case_documents
from lovsvar_gateway.routes.case_pages.frame import (
    FAULTS,
    Fault,
    done_at,
    fault_of,
    new_router,
    once_of,
    show_case,
    version_of,
)
from lovsvar_gateway.routes.cases import request_id
from lovsvar_gateway.uploads import Upload

router = new_router()

TOKEN: TypeAdapter[str] = TypeAdapter(Token)
MOST_WORDS = 500


@router.get("/saker/{case_id}/dokumenter")
async def show_documents(case_id: Token, request: Request, parts: GatewayParts) -> HTMLResponse:
    """Show the documents, with forms to hand one in and to search them."""
    return await _page(case_id, request, parts)


@router.post("/saker/{case_id}/dokumenter")
async def use_documents(case_id: Token, request: Request, parts: GatewayParts) -> Response:
    """Search the documents, or remove one. What is searched for is no part of the address, which is logged."""
    given = await read_fields(request)
    try:
        if given.get("do") == "remove":
            document_id = TOKEN.validate_python(given.get("document", ""))
            await case_documents.remove_case_document(case_id, document_id, parts)
            return done_at(f"/saker/{case_id}/dokumenter", "document_removed")
        words = cleaned(given.get("query", ""), MOST_WORDS)
        if not words:
            raise FormIncomplete("case_words_missing", "query")
        found = await case_documents.search_case_documents(case_id, case_documents.SearchWords(query=words), parts)
    except FAULTS as exc:
        return await _page(case_id, request, parts, fault_of(exc), given)
    return await _page(case_id, request, parts, given=given, found=found.hits, query=words)


@router.get("/saker/{case_id}/dokumenter/ny")
async def show_upload(case_id: Token) -> Response:
    """Redirect to the documents, where one is handed in."""
    return RedirectResponse(f"/saker/{case_id}/dokumenter", status_code=303)


@router.post("/saker/{case_id}/dokumenter/ny")
async def hand_in(case_id: Token, request: Request, parts: GatewayParts) -> Response:
    """Hand in the file of the form, which is sent on as it comes."""
    try:
        upload = Upload(request)
        await upload.begin()
        name = cleaned(upload.name.rpartition("\\")[2].rpartition("/")[2], 200) or "dokument"
        about = {"name": name, "length": request.headers.get("content-length", "")}
        document_id = request_id(once_of({**upload.fields, **about}))
        try:
            await case_documents.take_in(parts, case_id, document_id, name, upload.pieces())
        except FAULTS:
            await upload.skip()
            raise
    except FAULTS as exc:
        return await _page(case_id, request, parts, fault_of(exc))
    return done_at(f"/saker/{case_id}/dokumenter", "document_added")


@router.get("/saker/{case_id}/dokumenter/{document_id}")
async def show_pages(case_id: Token, document_id: Token, request: Request, parts: GatewayParts) -> HTMLResponse:
    """Show the text of a document, from the page `side` on."""
    first = version_of({"version": request.query_params.get("side", "")}) or 1
    read = await case_documents.read_case_document(case_id, document_id, Response(), parts)
    pages = await case_documents.read_case_document_pages(case_id, document_id, Response(), parts, first)
    values: dict[str, Any] = {"document": read.document, "pages": pages.pages, "next": pages.next, "first": first}
    return await show_case(request, parts, "case_document.html", case_id, **values)


async def _page(
    case_id: str,
    request: Request,
    parts: Parts,
    fault: Fault | None = None,
    given: Mapping[str, str] | None = None,
    **values: Any,
) -> HTMLResponse:
    documents = (await case_documents.list_case_documents(case_id, Response(), parts)).documents
    values = {"found": None, "query": "", **values, "documents": documents}
    values["reading"] = any(one.state is DocumentState.READING for one in documents)
    return await show_case(request, parts, "case_documents.html", case_id, fault=fault, given=given, **values)
