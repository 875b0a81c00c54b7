"""A document as a page to read, where citations lead.

`?paragraf=&sitat=` marks quoted words, `?finn=` lists where the document has some words. The address of a provision
redirects to its place on the page.
"""

import asyncio
import hashlib
import re
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qs, quote, urlencode, urlsplit

from fastapi import APIRouter, Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from lovsvar_contracts.identifiers import section_key
from lovsvar_contracts.law import Provision
from lovsvar_contracts.listings import Citations
from lovsvar_contracts.problems import ProblemError
from lovsvar_contracts.search import Document, FindProvisions, ProvisionHits, ProvisionRef
from lovsvar_gateway.core.defined_terms import read_terms
from lovsvar_gateway.core.document_layout import FOLD_FROM, contents_of, cut_leaves, lay_out
from lovsvar_gateway.core.document_view import Span, find_quote, sections_of, show_provision
from lovsvar_gateway.core.errors import UnknownProvision
from lovsvar_gateway.core.question_form import cleaned, is_run_id
from lovsvar_gateway.pages import RELEASE, VARY, compress, language_of, show
from lovsvar_gateway.parts import GatewayParts, Parts
from lovsvar_gateway.routes.documents import RefidPath
from lovsvar_gateway.routes.search_page import with_marks
from lovsvar_legaltext.citation_forms import dated

router = APIRouter(include_in_schema=False)

MOST_HITS = 20
MAX_WORDS = 1_000

_PLACE = re.compile(r"((?:lti/)?(?:lov|forskrift)/\d{4}-\d\d-\d\d(?:-\d+)?(?:-[a-z]{2,3})?)/(.+?)/?")
"""A refid, and a place in the document."""
_LEDD = re.compile(r"(.+?)((?:/ledd/\d+)?)")


@router.get("/lov/{rest:path}")
@router.get("/forskrift/{rest:path}")
@router.get("/lti/{rest:path}")
async def show_document(rest: RefidPath, request: Request, parts: GatewayParts) -> Response:
    """Show an act, a regulation, or an announcement in Norsk Lovtidend; redirect to a provision of one."""
    kind = request.scope["path"].split("/")[1]
    refid = f"{kind}/{rest}"
    if place := _PLACE.fullmatch(refid):
        return await _to_provision(request, parts, place[1], place[2])
    first = await parts.law.document(refid)
    tag = _tag(request, first)
    if request.headers.get("if-none-match") == tag:
        return Response(status_code=304, headers={"ETag": tag, "Cache-Control": "no-cache", "Vary": VARY})
    pages, citations, hits = await asyncio.gather(
        _rest(first, parts), _citations(refid, parts), _hits(refid, request, parts)
    )
    # A long act takes a third of a second to lay out, and event streams must not wait for it.
    page = await asyncio.to_thread(_page, request, Read(pages, citations, hits))
    page.headers["ETag"] = tag
    return page


@dataclass(frozen=True)
class Read:
    """What a page is made of: the document, what refers to it, and where it has the words that are looked for."""

    pages: list[Document]
    citations: Citations | None
    hits: ProvisionHits | None


async def _to_provision(request: Request, parts: Parts, refid: str, place: str) -> Response:
    """Redirect to a provision, which may be written `§3-5`, `§ 3-5`, `3-5` or `§3-5/ledd/2`."""
    section, ledd = (match[1], match[2]) if (match := _LEDD.fullmatch(place)) else (place, "")
    name = f"§{section}" if section[:1].isdigit() else section
    found = await parts.law.read((ProvisionRef(refid=refid, section=name),))
    if not found.provisions:
        raise UnknownProvision(refid, section)
    query = urlencode(request.query_params.multi_items())
    anchor = quote(found.provisions[0].section + ledd)
    return RedirectResponse(f"/{refid}{f'?{query}' if query else ''}#{anchor}", status_code=303)


async def _rest(first: Document, parts: Parts) -> list[Document]:
    pages = [first]
    while (after := pages[-1].next_after) is not None:
        pages.append(await parts.law.document(first.document.refid, after))
    return pages


async def _citations(refid: str, parts: Parts) -> Citations | None:
    """Return what refers to the document; the law is shown without it where that cannot be found."""
    try:
        return await parts.law.citations(refid)
    except ProblemError:
        return None


async def _hits(refid: str, request: Request, parts: Parts) -> ProvisionHits | None:
    words = cleaned(request.query_params.get("finn", ""), MAX_WORDS)
    return await parts.law.find(FindProvisions(query=words, document=refid, page_size=MOST_HITS)) if words else None


def _page(request: Request, read: Read) -> HTMLResponse:
    document = read.pages[0].document
    provisions = [p for page in read.pages for p in page.provisions]
    quoted, section = cleaned(request.query_params.get("sitat", "")), request.query_params.get("paragraf", "")
    at = _find(provisions, section, quoted) if quoted else None
    own, marked = sections_of(provisions), dict([at] if at else [])
    terms = read_terms(provisions)
    divisions = lay_out(provisions)
    contents = contents_of(divisions)
    cited = {section_key(place.section or ""): place for place in read.citations.places} if read.citations else {}
    page = show(
        request,
        "document.html",
        document=document,
        leaves=cut_leaves(divisions),
        contents=contents,
        folded=contents.links >= FOLD_FROM,
        shown={p.position: show_provision(p, marked.get(p.position), own, terms) for p in provisions},
        quoted="" if not quoted else "found" if at else "missing",
        **_found(request, read.hits),
        cited={p.position: cited[key] for p in provisions if (key := section_key(p.section)) in cited},
        citations=read.citations,
        answered=_answered(request),
        citation=dated(document),
    )
    return compress(request, page)


def _found(request: Request, hits: ProvisionHits | None) -> dict[str, Any]:
    words = cleaned(request.query_params.get("finn", ""), MAX_WORDS)
    return {"words": words, "found": hits, "hits": [(hit, with_marks(hit)) for hit in hits.hits] if hits else []}


def _answered(request: Request) -> str:
    """Return the address of the answer from which the reader came; "" when it was another page."""
    came_from = urlsplit(request.headers.get("referer", ""))
    run = parse_qs(came_from.query).get("run", [""])[0]
    here = came_from.netloc == request.headers.get("host") and came_from.path == "/"
    return f"/?run={run}" if here and is_run_id(run) else ""


def _tag(request: Request, document: Document) -> str:
    """Return what changes when the page would: the corpus, the program, the language, the words that are marked."""
    made_of = (document.corpus_version, RELEASE, language_of(request), request.url.query, document.document.refid)
    return f'W/"{hashlib.blake2s(repr((made_of, _answered(request))).encode(), digest_size=12).hexdigest()}"'


def _find(provisions: list[Provision], section: str, quoted: str) -> tuple[int, Span] | None:
    """Return the position of the provision that holds the quoted words, and where they are in its text."""
    key = section_key(section)
    for provision in provisions:
        if not key or section_key(provision.section) == key:
            span = find_quote(provision, quoted)
            if span:
                return provision.position, span
    return None
