"""What a case says: its summary, facts, aims and notes, each changed with the version that its writer has read."""

from collections.abc import Mapping

from fastapi import Request, Response

from lovsvar_contracts.message import Token
from lovsvar_gateway.core.case_forms import updates_of
from lovsvar_gateway.forms import read_fields
from lovsvar_gateway.parts import GatewayParts
from lovsvar_gateway.routes import cases
from lovsvar_gateway.routes.case_pages.frame import (
    FAULTS,
    done_at,
    fault_of,
    new_router,
    once_of,
    show_case,
    version_of,
)

router = new_router()

TEMPLATE = "case_details.html"


@router.get("/saker/{case_id}/opplysninger")
async def show_details(case_id: Token, request: Request, parts: GatewayParts) -> Response:
    """Show what the case says, with forms to change it."""
    return await show_case(request, parts, TEMPLATE, case_id)


@router.post("/saker/{case_id}/opplysninger")
async def change_details(case_id: Token, request: Request, parts: GatewayParts) -> Response:
    """Add to the case, or change or remove what it says."""
    given = await read_fields(request)
    try:
        await cases.update_case(case_id, _changed(given), parts, once_of(given))
    except FAULTS as exc:
        return await show_case(request, parts, TEMPLATE, case_id, fault=fault_of(exc), given=given)
    return done_at(f"/saker/{case_id}/opplysninger", "removed" if given.get("do") == "remove" else "saved")


def _changed(given: Mapping[str, str]) -> cases.ChangedDetails:
    expected = None if given.get("do") == "add" else version_of(given)
    return cases.ChangedDetails(expected_version=expected, updates=updates_of(given))
