"""The search page: words and filters in, hits out, a page at a time."""

import asyncio
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from fastapi import APIRouter, Request
from markupsafe import Markup, escape
from starlette.responses import HTMLResponse, RedirectResponse, Response

from lovsvar_contracts.law import LawType
from lovsvar_contracts.problems import ProblemError
from lovsvar_contracts.search import FindProvisions, ProvisionHit, ProvisionHits, ResolvedReference
from lovsvar_gateway.core.document_view import REFERENCE
from lovsvar_gateway.core.question_form import as_law_type, as_year, cleaned
from lovsvar_gateway.pages import Phrases, language_of, show
from lovsvar_gateway.parts import GatewayParts, Parts

router = APIRouter(include_in_schema=False)

BLANK: Mapping[str, Any] = {"problem": "", "found": None, "named": (), "acts": (), "act_state": ""}
_FIELDS = ("q", "act", "law_type", "year", "ministry", "page")

PAGE_SIZE = 10
MAX_PAGE = 1_000
MAX_NAMED = 200  # characters of what may be a written reference


@router.get("/sok")
async def find(request: Request, parts: GatewayParts) -> HTMLResponse:
    """Show the hits of the search in the address, and what its words name as a reference."""
    given = {name: cleaned(value, 1_000) for name, value in request.query_params.items()}
    query, act = given.get("q", ""), given.get("act", "")[:MAX_NAMED]
    filters: dict[str, Any] = {
        "law_type": as_law_type(given.get("law_type", "")),
        "year": as_year(given.get("year", "")),
        "ministry": given.get("ministry", "")[:MAX_NAMED],
    }
    values: dict[str, Any] = {"query": query, "act": act, "law_types": tuple(LawType), **BLANK, **filters}
    if query:
        try:
            acts, named = await asyncio.gather(_matches(act, parts), _named(query, parts))
            refids = {match.refid for match in acts}
            document = refids.pop() if len(refids) == 1 else None
            page = _page_number(given.get("page", ""))
            asked = FindProvisions(query=query, document=document, page=page, page_size=PAGE_SIZE, **filters)
            found = await parts.law.find(asked)
        except ProblemError as exc:
            values["problem"] = exc.problem.detail
        else:
            values |= _found(request, given, found) | {"named": named, "acts": acts, "act_state": _state(act, acts)}
            values["alike"] = not (named or any(hit.marks for hit in found.hits))
            values["act_addresses"] = {m.refid: _address(given, act=m.refid, page="") for m in acts}
    return show(request, "search.html", **values)


@router.get(REFERENCE)
async def follow_reference(request: Request, parts: GatewayParts) -> Response:
    """Redirect to what the written reference of the address names, or to a search where that is not one thing."""
    reference = cleaned(request.query_params.get("ref", ""), MAX_NAMED)
    matches = await _matches(reference, parts)
    address = matches[0].url if len(matches) == 1 else f"/sok?{urlencode({'q': reference})}"
    return RedirectResponse(address, status_code=303)


def _found(request: Request, given: dict[str, str], found: ProvisionHits) -> dict[str, Any]:
    t = Phrases(language_of(request))
    return {
        "found": found,
        "hits": [(hit, with_marks(hit)) for hit in found.hits],
        "pages": max(1, -(-found.total // found.page_size)),
        "searched": [t(f"type_{law_type}").lower() for law_type in found.searched_law_types],
        "previous": _address(given, page=str(found.page - 1)),
        "next": _address(given, page=str(found.page + 1)),
    }


def with_marks(hit: ProvisionHit) -> Markup:
    """Return the snippet with the matching words marked."""
    shown, at = Markup(), 0
    for begin, end in sorted(hit.marks):
        if at <= begin < end:
            marked = Markup("<mark>{}</mark>").format(hit.snippet[begin:end])
            shown, at = shown + escape(hit.snippet[at:begin]) + marked, end
    return shown + escape(hit.snippet[at:])


def _page_number(given: str) -> int:
    return min(max(int(given), 1), MAX_PAGE) if given.isascii() and given.isdigit() else 1


async def _matches(reference: str, parts: Parts) -> tuple[ResolvedReference, ...]:
    return (await parts.law.resolve(reference)).matches if reference else ()


async def _named(query: str, parts: Parts) -> tuple[ResolvedReference, ...]:
    """Return what the words themselves name, where they are a reference as in "husll. § 3-5"."""
    try:
        return await _matches(query, parts) if len(query) <= MAX_NAMED else ()
    except ProblemError:
        return ()


def _state(act: str, acts: tuple[ResolvedReference, ...]) -> str:
    """Return how many acts the name names: "none", "one" or "several"; empty when none was given."""
    return {0: "none", 1: "one"}.get(len({match.refid for match in acts}), "several") if act else ""


def _address(given: dict[str, str], **changed: str) -> str:
    kept = {name: value for name, value in {**given, **changed}.items() if value and name in _FIELDS}
    return f"/sok?{urlencode(kept)}"
