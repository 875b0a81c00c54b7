"""The list of cases, and opening one."""

from collections.abc import Mapping
from typing import Any

from fastapi import Request, Response
from starlette.responses import HTMLResponse, RedirectResponse

from lovsvar_contracts.case_details import Phase
from lovsvar_contracts.message import new_id
from lovsvar_gateway.core.question_form import cleaned
from lovsvar_gateway.forms import read_fields
from lovsvar_gateway.pages import show
from lovsvar_gateway.parts import GatewayParts, Parts
from lovsvar_gateway.routes import cases
from lovsvar_gateway.routes.case_pages.frame import FAULTS, PRIVATE, Fault, fault_of, new_router, once_of

router = new_router()

MOST_TITLE, MOST_WORDS = 200, 8_000


@router.get("/saker")
async def list_cases(request: Request, parts: GatewayParts) -> HTMLResponse:
    """Show the cases that the reader may see, a page at a time, and the form that opens one."""
    return await _page(request, parts)


@router.post("/saker")
async def open_case(request: Request, parts: GatewayParts) -> Response:
    """Open the case that the form describes, and redirect to it."""
    given = await read_fields(request)
    try:
        opened = cases.OpenedCase(
            title=cleaned(given.get("title", ""), MOST_TITLE),
            description=cleaned(given.get("description", ""), MOST_WORDS),
            for_organisation="for_organisation" in given,
        )
        case = await cases.open_case(opened, Response(), parts, once_of(given))
    except FAULTS as exc:
        return await _page(request, parts, fault_of(exc), given)
    return RedirectResponse(f"/saker/{case.case_id}", status_code=303)


async def _page(
    request: Request, parts: Parts, fault: Fault | None = None, given: Mapping[str, str] | None = None
) -> HTMLResponse:
    query = request.query_params
    phase = next((one for one in Phase if one == query.get("fase")), None)
    after = query.get("etter", "")[:100] or None
    values: dict[str, Any] = {"phase": phase, "phases": tuple(Phase), "after": after}
    return show(
        request,
        "case_list.html",
        status=fault.status if fault else 200,
        headers=PRIVATE,
        found=await cases.list_cases(Response(), parts, phase, after),
        organisation=parts.caller.organisation,
        fault=fault,
        given=given or {},
        once=new_id(),
        done="erased" if query.get("gjort") == "erased" and not fault else "",
        most_title=MOST_TITLE,
        most_words=MOST_WORDS,
        **values,
    )
