"""A document as a page to read, where citations lead."""

from fastapi import APIRouter
from starlette.responses import HTMLResponse

from lovsvar_contracts import subjects
from lovsvar_contracts.identifiers import ANNOUNCEMENTS
from lovsvar_contracts.search import Document, ReadDocument
from lovsvar_gateway.core.reading import lay_out
from lovsvar_gateway.pages import render
from lovsvar_gateway.parts import GatewayParts, Parts
from lovsvar_gateway.routes.documents import RefidPath
from lovsvar_gateway.tracing import correlation_id

router = APIRouter(include_in_schema=False)


@router.get("/lov/{rest:path}")
async def show_law(rest: RefidPath, parts: GatewayParts) -> HTMLResponse:
    """Show an act."""
    return await _show(f"lov/{rest}", parts)


@router.get("/forskrift/{rest:path}")
async def show_regulation(rest: RefidPath, parts: GatewayParts) -> HTMLResponse:
    """Show a regulation."""
    return await _show(f"forskrift/{rest}", parts)


@router.get("/lti/{rest:path}")
async def show_announcement(rest: RefidPath, parts: GatewayParts) -> HTMLResponse:
    """Show an announcement in Norsk Lovtidend."""
    return await _show(f"{ANNOUNCEMENTS}{rest}", parts)


async def _show(refid: str, parts: Parts) -> HTMLResponse:
    pages = [await _read(refid, None, parts)]
    while (after := pages[-1].next_after) is not None:
        pages.append(await _read(refid, after, parts))
    provisions = [p for page in pages for p in page.provisions]
    return render("document.html", document=pages[0].document, divisions=lay_out(provisions))


async def _read(refid: str, after: int | None, parts: Parts) -> Document:
    request = ReadDocument(correlation_id=correlation_id(), refid=refid, after=after)
    return await parts.services.ask(subjects.SEARCH_DOCUMENT, request, Document)
