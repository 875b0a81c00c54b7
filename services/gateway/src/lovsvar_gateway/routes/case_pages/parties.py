"""The parties of a case. Who they are is shown on this page alone."""

from collections.abc import Mapping

from fastapi import Request, Response
from pydantic import TypeAdapter
from starlette.responses import HTMLResponse

from lovsvar_contracts.case_details import PartyId
from lovsvar_contracts.message import Token
from lovsvar_gateway.core.case_forms import PARTY_FIELDS, party_of
from lovsvar_gateway.forms import read_fields
from lovsvar_gateway.parts import GatewayParts, Parts
from lovsvar_gateway.routes import case_parties
from lovsvar_gateway.routes.case_pages.frame import FAULTS, Fault, done_at, fault_of, new_router, once_of, show_case

router = new_router()

PARTY_ID: TypeAdapter[str] = TypeAdapter(PartyId)


@router.get("/saker/{case_id}/parter")
async def show_parties(case_id: Token, request: Request, parts: GatewayParts) -> HTMLResponse:
    """Show the parties, each in a form."""
    return await _page(case_id, request, parts)


@router.post("/saker/{case_id}/parter")
async def change_parties(case_id: Token, request: Request, parts: GatewayParts) -> Response:
    """Add a party, or change or remove one."""
    given = await read_fields(request)
    try:
        done = await _change(case_id, given, parts)
    except FAULTS as exc:
        return await _page(case_id, request, parts, fault_of(exc), given)
    return done_at(f"/saker/{case_id}/parter", done)


async def _change(case_id: str, given: Mapping[str, str], parts: Parts) -> str:
    party_id = given.get("party_id", "")
    if given.get("do") == "remove":
        await case_parties.remove_party(case_id, PARTY_ID.validate_python(party_id), parts)
        return "party_removed"
    written = case_parties.WrittenParty.model_validate(party_of(given))
    if party_id:
        await case_parties.change_party(case_id, PARTY_ID.validate_python(party_id), written, parts, once_of(given))
    else:
        await case_parties.add_party(case_id, written, parts, once_of(given))
    return "saved"


async def _page(
    case_id: str,
    request: Request,
    parts: Parts,
    fault: Fault | None = None,
    given: Mapping[str, str] | None = None,
) -> HTMLResponse:
    found = await case_parties.read_parties(case_id, Response(), parts)
    values = {"parties": found.parties, "fields_of": PARTY_FIELDS}
    return await show_case(request, parts, "case_parties.html", case_id, fault=fault, given=given, **values)
