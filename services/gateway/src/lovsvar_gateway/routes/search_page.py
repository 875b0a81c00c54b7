"""The page that finds provisions: words and filters in, hits out, a page at a time."""

import asyncio
from collections.abc import Iterable
from typing import Any
from urllib.parse import urlencode

from fastapi import APIRouter, Request
from markupsafe import Markup, escape
from starlette.responses import HTMLResponse, RedirectResponse, Response

from lovsvar_contracts import subjects
from lovsvar_contracts.law import LawType
from lovsvar_contracts.problems import ProblemError
from lovsvar_contracts.search import (
    FindProvisions,
    ProvisionHit,
    ProvisionHits,
    Resolution,
    ResolvedReference,
    ResolveReference,
)
from lovsvar_gateway.core.mentions import REFERENCE
from lovsvar_gateway.core.question_form import as_law_type, as_year, cleaned
from lovsvar_gateway.languages import Phrases, language_of
from lovsvar_gateway.pages import show
from lovsvar_gateway.parts import GatewayParts, Parts
from lovsvar_gateway.trace_headers import correlation_id

router = APIRouter(include_in_schema=False)

PAGE_SIZE = 10
MAX_PAGE = 1_000
MAX_NAMED = 200
"""Characters of what may be a written reference."""


@router.get("/sok")
async def find(request: Request, parts: GatewayParts) -> HTMLResponse:
    """Show what the words of the address find, and what they name."""
    given = {name: cleaned(value, 1_000) for name, value in request.query_params.items()}
    query, act = given.get("q", ""), given.get("act", "")[:MAX_NAMED]
    values = _blank(given)
    if query:
        try:
            acts, named = await asyncio.gather(_acts(act, parts), _named(query, parts))
            found = await _find(query, given, acts, parts)
        except ProblemError as exc:
            values["problem"] = exc.problem.detail
        else:
            values |= _found(request, given, found)
            values["alike"] = not (named or any(hit.marks for hit in found.hits))
            values |= {"named": named, "acts": acts, "act_state": _state(act, acts)}
            values["act_addresses"] = {m.refid: _address(given, act=m.refid, page="") for m in acts}
    return show(request, "search.html", **values)


@router.get(REFERENCE)
async def follow_reference(request: Request, parts: GatewayParts) -> Response:
    """Lead to what the written reference of the address names; where that is not one thing, to what is found."""
    reference = cleaned(request.query_params.get("ref", ""), MAX_NAMED)
    matches = (await _resolve(reference, parts)).matches if reference else ()
    address = matches[0].url if len(matches) == 1 else f"/sok?{urlencode({'q': reference})}"
    return RedirectResponse(address, status_code=303)


def _blank(given: dict[str, str]) -> dict[str, Any]:
    return {
        "query": given.get("q", ""),
        "act": given.get("act", "")[:MAX_NAMED],
        "law_type": as_law_type(given.get("law_type", "")),
        "year": as_year(given.get("year", "")),
        "ministry": given.get("ministry", "")[:200],
        "law_types": tuple(LawType),
        "problem": "",
        "found": None,
        "alike": False,
        "named": (),
        "acts": (),
        "act_state": "",
        "act_addresses": {},
    }


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
    """Return the snippet with the words marked that matched."""
    shown, at = Markup(), 0
    for begin, end in sorted(hit.marks):
        if at <= begin < end:
            marked = Markup("<mark>{}</mark>").format(hit.snippet[begin:end])
            shown, at = shown + escape(hit.snippet[at:begin]) + marked, end
    return shown + escape(hit.snippet[at:])


async def _find(query: str, given: dict[str, str], acts: Iterable[ResolvedReference], parts: Parts) -> ProvisionHits:
    refids = {match.refid for match in acts}
    page = given.get("page", "")
    request = FindProvisions(
        correlation_id=correlation_id(),
        query=query,
        law_type=as_law_type(given.get("law_type", "")),
        year=as_year(given.get("year", "")),
        ministry=given.get("ministry", "")[:200] or None,
        document=refids.pop() if len(refids) == 1 else None,
        page=min(max(int(page), 1), MAX_PAGE) if page.isascii() and page.isdigit() else 1,
        page_size=PAGE_SIZE,
    )
    return await parts.services.ask(subjects.SEARCH_PROVISIONS, request, ProvisionHits)


async def _acts(name: str, parts: Parts) -> tuple[ResolvedReference, ...]:
    """Return the documents that `name` may name."""
    return (await _resolve(name, parts)).matches if name else ()


async def _named(query: str, parts: Parts) -> tuple[ResolvedReference, ...]:
    """Return what the words themselves name, where they are a reference as in "husll. § 3-5"."""
    if len(query) > MAX_NAMED:
        return ()
    try:
        return (await _resolve(query, parts)).matches
    except ProblemError:
        return ()


async def _resolve(reference: str, parts: Parts) -> Resolution:
    request = ResolveReference(correlation_id=correlation_id(), reference=reference)
    return await parts.services.ask(subjects.SEARCH_RESOLVE, request, Resolution)


def _state(act: str, acts: tuple[ResolvedReference, ...]) -> str:
    """Return how many acts the name names: "none", "one" or "several"; empty when none was given."""
    if not act:
        return ""
    count = len({match.refid for match in acts})
    return "none" if count == 0 else "one" if count == 1 else "several"


def _address(given: dict[str, str], **changed: str) -> str:
    kept = {k: v for k, v in {**given, **changed}.items() if v and k in _FIELDS}
    return f"/sok?{urlencode(kept)}"


_FIELDS = ("q", "act", "law_type", "year", "ministry", "page")
