"""A document as a page to read, where citations lead: `?paragraf=&sitat=` marks quoted words."""

import asyncio
import hashlib

from fastapi import APIRouter, Request
from starlette.responses import HTMLResponse, Response

from lovsvar_contracts.identifiers import section_key
from lovsvar_contracts.law import Provision
from lovsvar_contracts.search import Document
from lovsvar_gateway.core.document_view import Span, find_quote, lay_out, sections_of, show_provision
from lovsvar_gateway.core.question_form import cleaned
from lovsvar_gateway.pages import RELEASE, VARY, compress, language_of, show
from lovsvar_gateway.parts import GatewayParts
from lovsvar_gateway.routes.documents import RefidPath

router = APIRouter(include_in_schema=False)


@router.get("/lov/{rest:path}")
@router.get("/forskrift/{rest:path}")
@router.get("/lti/{rest:path}")
async def show_document(rest: RefidPath, request: Request, parts: GatewayParts) -> Response:
    """Show an act, a regulation, or an announcement in Norsk Lovtidend."""
    kind = request.scope["path"].split("/")[1]
    refid = f"{kind}/{rest}"
    first = await parts.law.document(refid)
    tag = _tag(request, first)
    if request.headers.get("if-none-match") == tag:
        return Response(status_code=304, headers={"ETag": tag, "Cache-Control": "no-cache", "Vary": VARY})
    pages = [first]
    while (after := pages[-1].next_after) is not None:
        pages.append(await parts.law.document(refid, after))
    # A long act takes a third of a second to lay out, and event streams must not wait for it.
    page = await asyncio.to_thread(_page, request, pages)
    page.headers["ETag"] = tag
    return page


def _page(request: Request, pages: list[Document]) -> HTMLResponse:
    provisions = [p for page in pages for p in page.provisions]
    quoted, section = cleaned(request.query_params.get("sitat", "")), request.query_params.get("paragraf", "")
    at = _find(provisions, section, quoted) if quoted else None
    own, marked = sections_of(provisions), dict([at] if at else [])
    page = show(
        request,
        "document.html",
        document=pages[0].document,
        divisions=lay_out(provisions),
        shown={p.position: show_provision(p, marked.get(p.position), own) for p in provisions},
        quoted="" if not quoted else "found" if at else "missing",
    )
    return compress(request, page)


def _tag(request: Request, document: Document) -> str:
    """Return what changes when the page would: the corpus, the program, the language, the words that are marked."""
    made_of = (document.corpus_version, RELEASE, language_of(request), request.url.query, document.document.refid)
    return f'W/"{hashlib.blake2s(repr(made_of).encode(), digest_size=12).hexdigest()}"'


def _find(provisions: list[Provision], section: str, quoted: str) -> tuple[int, Span] | None:
    """Return the position of the provision that holds the quoted words, and where they are in its text."""
    key = section_key(section)
    for provision in provisions:
        if not key or section_key(provision.section) == key:
            span = find_quote(provision, quoted)
            if span:
                return provision.position, span
    return None
