"""Lists of acts and regulations by letter, legal area and ministry, and of what refers to a provision."""

import asyncio
import re
from typing import Any
from urllib.parse import urlencode

from fastapi import APIRouter, Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from lovsvar_contracts.listings import MAX_CITING, ListDocuments
from lovsvar_contracts.search import Series
from lovsvar_gateway.core.question_form import cleaned
from lovsvar_gateway.pages import show
from lovsvar_gateway.parts import GatewayParts, Parts

router = APIRouter(include_in_schema=False)

PAGE_SIZE = 100
MAX_NAME = 200

_LETTER = re.compile(r"[A-ZÆØÅa-zæøå#]")
_FIELDS = ("bokstav", "omrade", "departement", "side")


@router.get("/lov")
async def list_acts(request: Request, parts: GatewayParts) -> HTMLResponse:
    """Show the acts by title, a page at a time."""
    return await _list(request, parts, "lov")


@router.get("/forskrift")
async def list_regulations(request: Request, parts: GatewayParts) -> HTMLResponse:
    """Show the regulations and other decisions by title, a page at a time."""
    return await _list(request, parts, "forskrift")


@router.get("/lov/")
@router.get("/forskrift/")
async def leave_out_slash(request: Request) -> Response:
    """Redirect to the list."""
    return RedirectResponse(request.url.path.rstrip("/"), status_code=303)


@router.get("/henvisninger")
async def list_citations(request: Request, parts: GatewayParts) -> HTMLResponse:
    """Show what refers to a document, or to the provision of the address."""
    given = {name: cleaned(request.query_params.get(name, ""), MAX_NAME) for name in ("dokument", "paragraf")}
    document, citations = await asyncio.gather(
        parts.law.outline(given["dokument"] or "-"),
        parts.law.citations(given["dokument"] or "-", given["paragraf"] or None, MAX_CITING),
    )
    return show(request, "citations.html", document=document.document, citations=citations)


async def _list(request: Request, parts: Parts, series: Series) -> HTMLResponse:
    given = {name: cleaned(request.query_params.get(name, ""), MAX_NAME) for name in _FIELDS}
    number = int(given["side"]) if given["side"].isascii() and given["side"].isdigit() else 1
    page = min(max(number, 1), 10_000)
    wanted = ListDocuments(
        series=series,
        letter=given["bokstav"] if _LETTER.fullmatch(given["bokstav"]) else None,
        legal_area=given["omrade"] or None,
        ministry=given["departement"] or None,
        by_title=True,
        page=page,
        page_size=PAGE_SIZE,
    )
    found, subjects = await asyncio.gather(parts.law.documents(wanted), parts.law.subjects(series))

    def address(**changed: Any) -> str:
        kept = {name: value for name, value in {**given, "side": "", **changed}.items() if value}
        return f"/{series}?{urlencode(kept)}" if kept else f"/{series}"

    return show(
        request,
        "browse.html",
        series=series,
        found=found,
        pages=max(1, -(-found.total // PAGE_SIZE)),
        given=given,
        subjects=subjects,
        address=address,
    )
