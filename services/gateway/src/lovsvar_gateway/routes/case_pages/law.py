"""The law of a case: what was found, and what a person adds by its reference or takes away."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from fastapi import Request, Response

from lovsvar_contracts.cases import Case
from lovsvar_contracts.message import Token
from lovsvar_contracts.named_acts import MAX_NAME
from lovsvar_gateway.core.errors import FormIncomplete
from lovsvar_gateway.core.question_form import cleaned
from lovsvar_gateway.forms import read_fields
from lovsvar_gateway.parts import GatewayParts, Parts
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

TEMPLATE = "case_law.html"
KINDS = ("legislation", "practice")


@router.get("/saker/{case_id}/rettskilder")
async def show_law(case_id: Token, request: Request, parts: GatewayParts) -> Response:
    """Show the provisions and decisions that were found."""
    return await show_case(request, parts, TEMPLATE, case_id, kinds=KINDS)


@router.post("/saker/{case_id}/rettskilder")
async def change_law(case_id: Token, request: Request, parts: GatewayParts) -> Response:
    """Add the provision that a reference names, or take away what was found."""
    given = await read_fields(request)
    try:
        case = await cases.read_case(case_id, Response(), parts)
        updates = await _added(case, given, parts) if given.get("do") == "add" else _removed(case, given)
        changed = cases.ChangedDetails(expected_version=version_of(given), updates=updates)
        await cases.update_case(case_id, changed, parts, once_of(given))
    except FAULTS as exc:
        return await show_case(request, parts, TEMPLATE, case_id, fault=fault_of(exc), given=given, kinds=KINDS)
    return done_at(f"/saker/{case_id}/rettskilder", "saved" if given.get("do") == "add" else "removed")


async def _added(case: Case, given: Mapping[str, str], parts: Parts) -> dict[str, Any]:
    reference = cleaned(given.get("reference", ""), MAX_NAME)
    found = (await parts.law.resolve(reference)).matches if reference else ()
    if len(found) != 1:
        raise FormIncomplete("case_reference_several" if found else "case_reference_unknown", "reference")
    one = found[0]
    name = f"{one.act} {one.title}" if one.title and one.title != one.act else one.act
    new = {
        "doc_id": f"{one.refid}/{one.section}" if one.section else one.refid,
        "title": name[:500],
        "summary": cleaned(given.get("why", "")),
        "url": one.url or f"/{quote(one.refid)}",
    }
    before = [text.model_dump(mode="json") for text in case.state.details.legal_research.legislation]
    # Lists of what was found are replaced as a whole.
    return {"legal_research.legislation": [*(text for text in before if text["doc_id"] != new["doc_id"]), new]}


def _removed(case: Case, given: Mapping[str, str]) -> dict[str, Any]:
    kind = given.get("list", "")
    if kind not in KINDS:
        raise FormIncomplete("case_form_unknown", "do")
    before = getattr(case.state.details.legal_research, kind)
    left = [text.model_dump(mode="json") for text in before if text.doc_id != given.get("doc_id")]
    return {f"legal_research.{kind}": left}
