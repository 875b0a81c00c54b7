"""The drafts of a case: begun from a template or from nothing, revised, previewed, downloaded."""

from collections.abc import Mapping
from typing import Any

from fastapi import Request, Response
from pydantic import TypeAdapter, ValidationError
from starlette.responses import HTMLResponse, RedirectResponse

from lovsvar_contracts.case_drafts import Draft, DraftHead, DraftTemplate, Layout, TemplateId
from lovsvar_contracts.message import Token
from lovsvar_gateway.core.case_forms import draft_of
from lovsvar_gateway.forms import read_fields
from lovsvar_gateway.pages import CONTENT_SECURITY_POLICY
from lovsvar_gateway.parts import GatewayParts, Parts
from lovsvar_gateway.routes import case_drafts, case_parties
from lovsvar_gateway.routes.case_pages.frame import (
    FAULTS,
    Fault,
    done_at,
    fault_of,
    new_router,
    once_of,
    show_case,
    version_of,
)

router = new_router()

TEMPLATE: TypeAdapter[str] = TypeAdapter(TemplateId)


@router.get("/saker/{case_id}/utkast")
async def show_drafts(case_id: Token, request: Request, parts: GatewayParts) -> HTMLResponse:
    """Show the drafts, and the templates that one can be begun from."""
    listed = await case_drafts.list_drafts(case_id, Response(), parts)
    newest = {line.draft_id: line for line in reversed(listed.drafts)}
    templates = (await case_drafts.list_templates(parts)).templates
    values: dict[str, Any] = {"drafts": tuple(newest.values())[::-1], "templates": templates}
    return await show_case(request, parts, "case_drafts.html", case_id, **values)


@router.get("/saker/{case_id}/utkast/ny")
async def show_new(case_id: Token, request: Request, parts: GatewayParts) -> Response:
    """Show the form for a new draft, from the template `mal` or from nothing."""
    return await _new(case_id, request, parts, request.query_params.get("mal", ""))


@router.post("/saker/{case_id}/utkast/ny")
async def write(case_id: Token, request: Request, parts: GatewayParts) -> Response:
    """Write a draft, and redirect to it."""
    given = await read_fields(request)
    try:
        written = case_drafts.WrittenDraft.model_validate(draft_of(given))
        draft = await case_drafts.write_draft(case_id, written, parts, once_of(given))
    except FAULTS as exc:
        return await _new(case_id, request, parts, given.get("template", ""), fault_of(exc), given)
    return done_at(f"/saker/{case_id}/utkast/{draft.draft_id}", "draft")


@router.get("/saker/{case_id}/utkast/{draft_id}")
async def show_draft(case_id: Token, draft_id: Token, request: Request, parts: GatewayParts) -> HTMLResponse:
    """Show a draft: its text, its preview and its revisions, at `revisjon` or the newest."""
    return await _draft(case_id, draft_id, request, parts)


@router.post("/saker/{case_id}/utkast/{draft_id}")
async def revise(case_id: Token, draft_id: Token, request: Request, parts: GatewayParts) -> Response:
    """Write the next revision of a draft. What was written is kept on the page where it is refused."""
    given = await read_fields(request)
    try:
        number = version_of({"version": given.get("revision", "")})
        written = case_drafts.RevisedDraft.model_validate({**draft_of(given), "revision": number})
        await case_drafts.revise_draft(case_id, draft_id, written, parts, once_of(given))
    except FAULTS as exc:
        return await _draft(case_id, draft_id, request, parts, fault_of(exc), given)
    return done_at(f"/saker/{case_id}/utkast/{draft_id}", "draft")


@router.get("/saker/{case_id}/utkast/{draft_id}/{revision}/pdf")
async def preview(case_id: Token, draft_id: Token, revision: case_drafts.Revision, parts: GatewayParts) -> Response:
    """Return a revision as PDF, to be shown inside its page."""
    made = await case_drafts.read_draft_pdf(case_id, draft_id, revision, parts)
    made.headers["Content-Disposition"] = made.headers["Content-Disposition"].replace("attachment", "inline", 1)
    made.headers["Content-Security-Policy"] = "frame-ancestors 'self'"
    return made


async def _new(
    case_id: str,
    request: Request,
    parts: Parts,
    template_id: str,
    fault: Fault | None = None,
    given: Mapping[str, str] | None = None,
) -> Response:
    template: DraftTemplate | None = None
    if template_id:
        try:
            template = await case_drafts.read_template(TEMPLATE.validate_python(template_id), parts)
        except ValidationError:
            return RedirectResponse(f"/saker/{case_id}/utkast", status_code=303)
    head = DraftHead(layout=template.layout if template else Layout.LETTER)
    return await _form(case_id, request, parts, fault, given, begun_from=template, draft=None, head=head, lines=())


async def _draft(
    case_id: str,
    draft_id: str,
    request: Request,
    parts: Parts,
    fault: Fault | None = None,
    given: Mapping[str, str] | None = None,
) -> HTMLResponse:
    lines = (await case_drafts.list_revisions(case_id, draft_id, Response(), parts)).drafts
    wanted = version_of({"version": request.query_params.get("revisjon", "")}) or lines[0].revision
    draft: Draft = await case_drafts.read_draft(case_id, draft_id, wanted, Response(), parts)
    return await _form(
        case_id, request, parts, fault, given, begun_from=None, draft=draft, head=draft.head, lines=lines
    )


async def _form(
    case_id: str,
    request: Request,
    parts: Parts,
    fault: Fault | None,
    given: Mapping[str, str] | None,
    **values: Any,
) -> HTMLResponse:
    parties = (await case_parties.read_parties(case_id, Response(), parts)).parties
    values |= {"parties": parties, "layouts": tuple(Layout)}
    page = await show_case(request, parts, "case_draft.html", case_id, fault=fault, given=given, **values)
    page.headers["Content-Security-Policy"] = f"{CONTENT_SECURITY_POLICY}; frame-src 'self'"
    return page
