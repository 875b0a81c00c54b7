"""The search page: words and filters in, hits out, a page at a time."""

import asyncio
from collections.abc import Mapping
from datetime import date
from typing import Any
from urllib.parse import urlencode

from fastapi import APIRouter, Request
from markupsafe import Markup, escape
from starlette.responses import HTMLResponse, RedirectResponse, Response

from lovsvar_contracts.law import LawType
from lovsvar_contracts.named_acts import MAX_NAME, FindActs, NamedAct
from lovsvar_contracts.problems import ProblemError
from lovsvar_contracts.search import Acts, ProvisionHit, ProvisionHits, ResolvedReference
from lovsvar_gateway.core.document_view import REFERENCE
from lovsvar_gateway.core.question_form import cleaned
from lovsvar_gateway.core.search_form import SearchForm, read_search
from lovsvar_gateway.pages import Phrases, language_of, show
from lovsvar_gateway.parts import GatewayParts, Parts

router = APIRouter(include_in_schema=False)

BLANK: Mapping[str, Any] = {"problem": "", "found": None, "named": (), "acts": (), "act_state": "", "meant_acts": ()}

MOST_MEANT = 3
"""Acts that are named where none has the name that was given."""


@router.get("/sok")
async def find(request: Request, parts: GatewayParts) -> HTMLResponse:
    """Show the hits of the search in the address, and what its words name as a reference."""
    form = read_search(request.query_params)
    values: dict[str, Any] = {"form": form, "query": form["q"], "law_types": tuple(LawType), **BLANK}
    if form["q"]:
        try:
            acts, named = await asyncio.gather(_matches(form["act"], parts), _named(form["q"], parts))
            refids = {match.refid for match in acts}
            asked = form.request(refids.pop() if len(refids) == 1 else None, date.today())
            found = await parts.law.find(asked)
            meant = await _meant(form["act"], parts) if form["act"] and not acts else ()
        except ProblemError as exc:
            values["problem"] = exc.problem.detail
        else:
            whole = {act.refid for act in found.acts}
            named = tuple(match for match in named if match.section or match.refid not in whole)
            values |= _found(request, form, found)
            state = _state(form["act"], acts)
            values["chosen"] = [name for name in form.filters if name != "act" or state == "one"]
            values |= {"named": named, "acts": acts, "act_state": state, "meant_acts": meant}
            values["alike"] = not (named or found.acts or any(hit.marks for hit in found.hits))
    return show(request, "search.html", **values)


@router.get(REFERENCE)
async def follow_reference(request: Request, parts: GatewayParts) -> Response:
    """Redirect to what the written reference of the address names, or to a search where that is not one thing."""
    reference = cleaned(request.query_params.get("ref", ""), MAX_NAME)
    matches = await _matches(reference, parts)
    address = matches[0].url if len(matches) == 1 else f"/sok?{urlencode({'q': reference})}"
    return RedirectResponse(address, status_code=303)


def _found(request: Request, form: SearchForm, found: ProvisionHits) -> dict[str, Any]:
    t = Phrases(language_of(request))
    types = ", ".join(t(f"type_{law_type}").lower() for law_type in found.searched_law_types)
    filled = found.prioritized and len(found.searched_law_types) < len(LawType)
    said = "searched_only" if form.law_type else "searched_filled" if filled and found.hits else "searched"
    return {
        "found": found,
        "hits": [(hit, with_marks(hit)) for hit in found.hits],
        "pages": max(1, -(-found.total // found.page_size)),
        "searched": t(said, types=types),
    }


def with_marks(hit: ProvisionHit) -> Markup:
    """Return the snippet with the matching words marked."""
    shown, at = Markup(), 0
    for begin, end in sorted(hit.marks):
        if at <= begin < end:
            marked = Markup("<mark>{}</mark>").format(hit.snippet[begin:end])
            shown, at = shown + escape(hit.snippet[at:begin]) + marked, end
    return shown + escape(hit.snippet[at:])


async def _matches(reference: str, parts: Parts) -> tuple[ResolvedReference, ...]:
    return (await parts.law.resolve(reference)).matches if reference else ()


async def _meant(name: str, parts: Parts) -> tuple[NamedAct, ...]:
    """Return acts with a name like one that none has."""
    found: Acts = await parts.law.acts(FindActs(text=name, limit=MOST_MEANT))
    return found.acts


async def _named(query: str, parts: Parts) -> tuple[ResolvedReference, ...]:
    """Return what the words themselves name, where they are a reference as in "husll. § 3-5"."""
    try:
        return await _matches(query, parts) if len(query) <= MAX_NAME else ()
    except ProblemError:
        return ()


def _state(act: str, acts: tuple[ResolvedReference, ...]) -> str:
    """Return how many acts the name names: "none", "one" or "several"; empty when none was given."""
    return {0: "none", 1: "one"}.get(len({match.refid for match in acts}), "several") if act else ""
