"""Drafts of a case: templates, revisions, and the documents that are made of them."""

import base64
from typing import Annotated, Any

from fastapi import APIRouter, Path, Response
from pydantic import BaseModel, Field

from lovsvar_contracts import case_drafts, subjects
from lovsvar_contracts.case_drafts import (
    MOST_MARKDOWN,
    Draft,
    DraftFormat,
    DraftHead,
    DraftName,
    Drafts,
    DraftTemplate,
    FieldName,
    TemplateId,
    Templates,
)
from lovsvar_contracts.message import Token
from lovsvar_gateway.core.phrases import Plain, PlainData
from lovsvar_gateway.parts import GatewayParts, Parts
from lovsvar_gateway.routes.cases import IdempotencyKey, request_id

router = APIRouter(tags=["cases"])

Revision = Annotated[int, Path(ge=1, le=100_000)]
PDF = "application/pdf"
DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"


def _file(description: str, media_type: str) -> dict[int | str, dict[str, Any]]:
    schema = {"type": "string", "format": "binary"}
    return {200: {"description": description, "content": {media_type: {"schema": schema}}}}


class WrittenDraft(BaseModel):
    """A draft from a template, or from Markdown with placeholders such as `{{party0.lastName}}` and `{{party1.name}}`.

    Provisions are named as `[lov/1999-03-26-17/§3-5]` or «husleieloven § 3-5»; a quote in «» is verified word for word.
    """

    name: Annotated[DraftName, Plain] | None = None
    markdown: Annotated[str, Plain] | None = Field(default=None, min_length=1, max_length=MOST_MARKDOWN)
    template: TemplateId | None = None
    values: Annotated[
        dict[FieldName, Annotated[str, Field(max_length=4_000)]], PlainData
    ] = Field(default_factory=dict, max_length=40, description="What the template asks for.")  # fmt: skip
    head: DraftHead | None = None


class RevisedDraft(WrittenDraft):
    """The next revision of a draft. What is not given is as before; nothing is written over."""

    revision: int | None = Field(default=None, ge=1, le=100_000, description="The number that it must get.")


@router.get("/v1/templates")
async def list_templates(parts: GatewayParts) -> Templates:
    """List the templates of letters, pleadings and agreements, also those that are withdrawn, with the reason."""
    return await parts.cases.ask(subjects.CASES_TEMPLATES, case_drafts.ReadTemplates, Templates)


@router.get("/v1/templates/{template_id}")
async def read_template(template_id: TemplateId, parts: GatewayParts) -> DraftTemplate:
    """Read a template with its text."""
    fields = {"template_id": template_id}
    found = await parts.cases.ask(subjects.CASES_TEMPLATES, case_drafts.ReadTemplates, Templates, **fields)
    return found.templates[0]


@router.get("/v1/cases/{case_id}/drafts")
async def list_drafts(case_id: Token, response: Response, parts: GatewayParts) -> Drafts:
    """List the revisions of all drafts of a case, newest first."""
    response.headers["Cache-Control"] = "no-store"
    return await parts.cases.ask(subjects.CASES_DRAFTS, case_drafts.ListDrafts, Drafts, case_id=case_id)


@router.post("/v1/cases/{case_id}/drafts", status_code=201)
async def write_draft(case_id: Token, body: WrittenDraft, parts: GatewayParts, key: IdempotencyKey = None) -> Draft:
    """Write a draft. 422 names placeholders that stand for nothing, and sources or quotes that do not hold."""
    return await _write(parts, case_id, body, request_id(key))


@router.get("/v1/cases/{case_id}/drafts/{draft_id}")
async def list_revisions(case_id: Token, draft_id: Token, response: Response, parts: GatewayParts) -> Drafts:
    """List the revisions of a draft, newest first."""
    response.headers["Cache-Control"] = "no-store"
    fields = {"case_id": case_id, "draft_id": draft_id}
    return await parts.cases.ask(subjects.CASES_DRAFTS, case_drafts.ListDrafts, Drafts, **fields)


@router.post("/v1/cases/{case_id}/drafts/{draft_id}/revisions", status_code=201)
async def revise_draft(
    case_id: Token, draft_id: Token, body: RevisedDraft, parts: GatewayParts, key: IdempotencyKey = None
) -> Draft:
    """Write the next revision of a draft. 409 when it would not get the number in `revision`."""
    return await _write(parts, case_id, body, request_id(key), draft_id=draft_id)


@router.get("/v1/cases/{case_id}/drafts/{draft_id}/revisions/{revision}")
async def read_draft(
    case_id: Token, draft_id: Token, revision: Revision, response: Response, parts: GatewayParts
) -> Draft:
    """Read a revision: its text with placeholders, and its sources."""
    response.headers["Cache-Control"] = "no-store"
    fields = {"case_id": case_id, "draft_id": draft_id, "revision": revision}
    return await parts.cases.ask(subjects.CASES_READ_DRAFT, case_drafts.ReadDraft, Draft, **fields)


@router.get(
    "/v1/cases/{case_id}/drafts/{draft_id}/revisions/{revision}/pdf",
    response_class=Response,
    responses=_file("A PDF/A-2b file", PDF),
)
async def read_draft_pdf(case_id: Token, draft_id: Token, revision: Revision, parts: GatewayParts) -> Response:
    """Read a revision as PDF, with who the parties are."""
    return await _rendered(parts, case_id, draft_id, revision, DraftFormat.PDF)


@router.get(
    "/v1/cases/{case_id}/drafts/{draft_id}/revisions/{revision}/docx",
    response_class=Response,
    responses=_file("A DOCX file", DOCX),
)
async def read_draft_docx(case_id: Token, draft_id: Token, revision: Revision, parts: GatewayParts) -> Response:
    """Read a revision as DOCX, with who the parties are."""
    return await _rendered(parts, case_id, draft_id, revision, DraftFormat.DOCX)


async def _write(parts: Parts, case_id: str, body: WrittenDraft, request: str, **more: Any) -> Draft:
    fields = {**body.model_dump(), "case_id": case_id, "request_id": request, **more}
    return await parts.cases.ask(subjects.CASES_WRITE_DRAFT, case_drafts.WriteDraft, Draft, **fields)


async def _rendered(parts: Parts, case_id: str, draft_id: str, revision: int, kind: DraftFormat) -> Response:
    fields = {"case_id": case_id, "draft_id": draft_id, "revision": revision, "format": kind}
    made = await parts.cases.ask(
        subjects.CASES_RENDER_DRAFT, case_drafts.RenderDraft, case_drafts.RenderedDraft, **fields
    )
    headers = {"Content-Disposition": f'attachment; filename="{made.file_name}"', "Cache-Control": "no-store"}
    return Response(
        base64.b64decode(made.content), media_type=PDF if kind is DraftFormat.PDF else DOCX, headers=headers
    )
