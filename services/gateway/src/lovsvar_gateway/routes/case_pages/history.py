"""How a case came to be as it is: its changes, the newest first, and the case at any version."""

from typing import Annotated

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

Version = Annotated[int, Path(ge=1, le=cases.MAX_VERSION)]


@router.get("/saker/{case_id}/historikk")
async def show_history(case_id: Token, request: Request, parts: GatewayParts) -> HTMLResponse:
    """Show changes, up to the version `til`, or the last ones."""
    case = await cases.read_case(case_id, Response(), parts)
    last = min(version_of({"version": request.query_params.get("til", "")}) or case.version, case.version)
    changes = await _changes(case_id, last, parts)
    return await show_case(request, parts, "case_history.html", case, changes=changes[::-1], last=last)


@router.get("/saker/{case_id}/historikk/{version}")
async def show_version(case_id: Token, version: Version, request: Request, parts: GatewayParts) -> HTMLResponse:
    """Show the case as it was."""
    case = await cases.read_case(case_id, Response(), parts)
    before = await cases.read_case(case_id, Response(), parts, version)
    values = {"was": before.state, "shown_version": version, "changed_at": before.changed_at}
    return await show_case(request, parts, "case_version.html", case, **values)


async def _changes(case_id: str, last: int, parts: Parts) -> list[CaseChange]:
    """Return the changes of a page, oldest first. A reply may hold fewer than are wanted."""
    found: list[CaseChange] = []
    after: int | None = max(0, last - MOST)
    while after is not None and after < last:
        page = await cases.read_history(case_id, Response(), parts, after)
        found += [change for change in page.changes if change.version <= last]
        after = page.next if page.next is not None and page.next > after else None
    return found
