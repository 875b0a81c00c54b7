"""How a case came to be as it is: its changes, the newest first, and the case at any version."""

from collections.abc import Mapping
from typing import Annotated, Any

from fastapi import Path, Request, Response
from starlette.responses import HTMLResponse

from lovsvar_contracts.cases import CaseChange
from lovsvar_contracts.message import Token
from lovsvar_gateway.parts import GatewayParts, Parts
from lovsvar_gateway.routes import cases
from lovsvar_gateway.routes.case_pages.frame import new_router, show_case, version_of

router = new_router()

MOST = 50
"""Changes on a page."""

PARTS: Mapping[str, str] = {
    "summary": "case_summary",
    "facts": "case_facts",
    "objectives": "case_objectives",
    "internal_notes": "case_internal_notes",
    "parties_involved_context": "case_parties",
    "documents": "case_documents",
    "legal_research": "case_law",
    "draft_status": "case_drafts",
    "agent_interactions": "case_conversation",
}
"""What a change of details is a change of, as phrases. The state of processing is nobody's to read."""

Version = Annotated[int, Path(ge=1, le=cases.MAX_VERSION)]


@router.get("/saker/{case_id}/historikk")
async def show_history(case_id: Token, request: Request, parts: GatewayParts) -> HTMLResponse:
    """Show changes, up to the version `til`, or the last ones."""
    case = await cases.read_case(case_id, Response(), parts)
    last = min(version_of({"version": request.query_params.get("til", "")}) or case.version, case.version)
    changes = await _changes(case_id, last, parts)
    values: dict[str, Any] = {"changes": [(change, _parts_of(change)) for change in changes[::-1]], "last": last}
    return await show_case(request, parts, "case_history.html", case, **values)


@router.get("/saker/{case_id}/historikk/{version}")
async def show_version(case_id: Token, version: Version, request: Request, parts: GatewayParts) -> HTMLResponse:
    """Show the case as it was."""
    case = await cases.read_case(case_id, Response(), parts)
    before = await cases.read_case(case_id, Response(), parts, version)
    values: dict[str, Any] = {"was": before.state, "shown_version": version, "changed_at": before.changed_at}
    return await show_case(request, parts, "case_version.html", case, **values)


def _parts_of(change: CaseChange) -> list[str]:
    names = dict.fromkeys(path.partition(".")[0] for path in change.updates)
    return [PARTS[name] for name in names if name in PARTS]


async def _changes(case_id: str, last: int, parts: Parts) -> list[CaseChange]:
    """Return the changes of a page, oldest first. A reply may hold fewer than are wanted."""
    found: list[CaseChange] = []
    after: int | None = max(0, last - MOST)
    while after is not None and after < last:
        page = await cases.read_history(case_id, Response(), parts, after)
        found += [change for change in page.changes if change.version <= last]
        after = page.next if page.next is not None and page.next > after else None
    return found
