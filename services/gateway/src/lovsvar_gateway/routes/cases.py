"""Cases: opened, described, changed, read at any version, exported, closed and erased."""

import hashlib
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Header, Query, Response
from fastapi.responses import StreamingResponse
from pydantic import AwareDatetime, BaseModel, Field

from lovsvar_contracts import case_accesses, case_credit, cases, subjects
from lovsvar_contracts.case_details import CaseTier, Phase
from lovsvar_contracts.message import Token, new_id
from lovsvar_gateway.adapters.case_export import CaseExport
from lovsvar_gateway.core.phrases import Plain, PlainData
from lovsvar_gateway.parts import GatewayParts
from lovsvar_gateway.trace_headers import correlation_id

router = APIRouter(tags=["cases"])

MAX_VERSION = 2**31 - 1

IdempotencyKey = Annotated[
    str | None,
    Header(
        alias="Idempotency-Key",
        min_length=1,
        max_length=255,
        description="A fresh one for each change, sent again with each try: the change is then made once.",
    ),
]
Version = Annotated[int | None, Query(ge=1, le=MAX_VERSION, description="The case as it was then.")]


class OpenedCase(BaseModel):
    """A new case. With a description it waits for its tier, else to be described."""

    title: Annotated[str, Plain] = Field(default="", max_length=200)
    description: Annotated[str, Plain] = Field(default="", max_length=8_000)
    for_organisation: bool = Field(default=False, description="All keys of the organisation see it.")


class ChangedDetails(BaseModel):
    """Details by dot notation: `summary.current`, `facts`, `facts.0.fact`, `legal_research.legislation`.

    A list's name appends to it, except within `legal_research`; everything else replaces, and needs
    `expected_version`. A place in a list that is set to null is removed.
    """

    expected_version: int | None = Field(default=None, ge=1, le=MAX_VERSION, description="The version that was read.")
    updates: Annotated[dict[str, Any], PlainData] = Field(min_length=1, max_length=50)


class DecidedTier(BaseModel):
    """The tier of a case; without one it is proposed by the rules."""

    tier: CaseTier | None = None
    reason: Annotated[str, Plain] = Field(default="", max_length=1_000)


class Reason(BaseModel):
    """Why a case is closed or opened again."""

    reason: Annotated[str, Plain] = Field(default="", max_length=500)


class Issue(BaseModel):
    """What is wrong, for the support."""

    issue_description: Annotated[str, Plain] = Field(min_length=1, max_length=4_000)


def request_id(key: str | None) -> str:
    """Return the id of a request by its `Idempotency-Key`, a fresh one without."""
    return new_id() if key is None else hashlib.sha256(key.encode()).hexdigest()[:32]


@router.post("/v1/cases", status_code=201)
async def open_case(
    body: OpenedCase, response: Response, parts: GatewayParts, key: IdempotencyKey = None
) -> cases.Case:
    """Open a case. Only the key that opened it sees it, and with `for_organisation` the keys of its organisation."""
    fields = {**body.model_dump(), "request_id": request_id(key)}
    case = await parts.cases.ask(subjects.CASES_OPEN, cases.OpenCase, cases.Case, **fields)
    response.headers["Location"] = f"/v1/cases/{case.case_id}"
    return case


@router.get("/v1/cases")
async def list_cases(
    response: Response,
    parts: GatewayParts,
    phase: Phase | None = None,
    after: Annotated[str | None, Query(max_length=100, description="`next` of the page before.")] = None,
) -> cases.Cases:
    """List the cases that the key sees, the last changed first."""
    response.headers["Cache-Control"] = "no-store"
    return await parts.cases.ask(subjects.CASES_LIST, cases.ListCases, cases.Cases, phase=phase, after=after)


@router.get("/v1/cases/{case_id}")
async def read_case(case_id: Token, response: Response, parts: GatewayParts, version: Version = None) -> cases.Case:
    """Read a case as it is, or as it was at any version."""
    response.headers["Cache-Control"] = "no-store"
    fields = {"case_id": case_id, "version": version}
    return await parts.cases.ask(subjects.CASES_READ, cases.ReadCase, cases.Case, **fields)


@router.patch("/v1/cases/{case_id}")
async def update_case(
    case_id: Token, body: ChangedDetails, parts: GatewayParts, key: IdempotencyKey = None
) -> cases.Case:
    """Change the details of a case. 409 when somebody else has changed it since `expected_version`."""
    fields = {"case_id": case_id, **body.model_dump(), "request_id": request_id(key)}
    return await parts.cases.ask(subjects.CASES_UPDATE, cases.UpdateCase, cases.Case, **fields)


@router.delete("/v1/cases/{case_id}")
async def erase_case(case_id: Token, parts: GatewayParts) -> cases.Tombstone:
    """Erase a case for good. Its key is deleted, and nothing but when it was opened and erased is left."""
    return await parts.cases.ask(subjects.CASES_ERASE, cases.EraseCase, cases.Tombstone, case_id=case_id)


@router.get("/v1/cases/{case_id}/history")
async def read_history(
    case_id: Token, response: Response, parts: GatewayParts, after: Annotated[int, Query(ge=0, le=MAX_VERSION)] = 0
) -> cases.History:
    """Read who changed what, and when."""
    response.headers["Cache-Control"] = "no-store"
    fields = {"case_id": case_id, "after": after}
    return await parts.cases.ask(subjects.CASES_HISTORY, cases.ReadHistory, cases.History, **fields)


@router.put("/v1/cases/{case_id}/tier")
async def set_tier(case_id: Token, body: DecidedTier, parts: GatewayParts, key: IdempotencyKey = None) -> cases.Case:
    """Decide or correct the tier of a case. The credit is used at once; without one the case waits for payment."""
    fields = {"case_id": case_id, **body.model_dump(), "request_id": request_id(key)}
    return await parts.cases.ask(subjects.CASES_SET_TIER, case_credit.SetTier, cases.Case, **fields)


@router.post("/v1/cases/{case_id}/close")
async def close_case(case_id: Token, parts: GatewayParts, body: Reason | None = None) -> cases.Case:
    """Close a case. It can be read, exported, erased and opened again."""
    fields = {"case_id": case_id, "step": "close", "reason": body.reason if body else ""}
    return await parts.cases.ask(subjects.CASES_MOVE, cases.MoveCase, cases.Case, **fields)


@router.post("/v1/cases/{case_id}/reopen")
async def reopen_case(case_id: Token, parts: GatewayParts, body: Reason | None = None) -> cases.Case:
    """Open a closed case again."""
    fields = {"case_id": case_id, "step": "reopen", "reason": body.reason if body else ""}
    return await parts.cases.ask(subjects.CASES_MOVE, cases.MoveCase, cases.Case, **fields)


@router.get("/v1/cases/{case_id}/accesses")
async def read_accesses(
    case_id: Token,
    response: Response,
    parts: GatewayParts,
    before: Annotated[AwareDatetime | None, Query(description="`next` of the page before.")] = None,
) -> case_accesses.Accesses:
    """Read who has looked at a case, also who was refused, newest first."""
    response.headers["Cache-Control"] = "no-store"
    fields = {"case_id": case_id, "before": before}
    return await parts.cases.ask(subjects.CASES_ACCESSES, case_accesses.ReadAccesses, case_accesses.Accesses, **fields)


@router.get(
    "/v1/cases/{case_id}/export",
    response_class=Response,
    responses={200: {"description": "A zip file", "content": {"application/zip": {"schema": {"type": "string"}}}}},
)
async def export_case(case_id: Token, parts: GatewayParts) -> StreamingResponse:
    """Read everything that is stored in a case as one zip file, which is sent while it is made.

    It holds the case with every change, its parties, its access log, its tickets, its documents as they were handed in,
    its drafts as Markdown, PDF and DOCX, and the answers that are kept. The last file, `innhold.json`, has the SHA-256
    of every other; a file without it was cut off.
    """
    case = await parts.cases.ask(subjects.CASES_READ, cases.ReadCase, cases.Case, case_id=case_id)
    headers = {"Content-Disposition": f'attachment; filename="sak-{case_id}.zip"', "Cache-Control": "no-store"}
    archive = CaseExport(parts.cases, parts.runs, case)
    return StreamingResponse(archive.stream(), media_type="application/zip", headers=headers)


@router.post("/v1/cases/{case_id}/tickets", status_code=201)
async def create_ticket(case_id: Token, body: Issue, parts: GatewayParts, key: IdempotencyKey = None) -> cases.Ticket:
    """Ask the support for help. The case is paused until an operator has looked at it; names are taken out."""
    fields = {"case_id": case_id, **body.model_dump(), "request_id": request_id(key)}
    return await parts.cases.ask(subjects.CASES_TICKET, cases.TicketRequest, cases.Ticket, **fields)


@router.get("/v1/cases/{case_id}/tickets")
async def list_case_tickets(case_id: Token, response: Response, parts: GatewayParts) -> cases.Tickets:
    """List the tickets of a case, oldest first, also those that are resolved."""
    response.headers["Cache-Control"] = "no-store"
    found = await parts.cases.ask(subjects.CASES_TICKETS, cases.ListTickets, cases.Tickets, case_id=case_id)
    return cases.Tickets.model_validate(await parts.cases.shown(case_id, found.model_dump(mode="json")))


@router.get("/v1/quota")
async def read_quota(parts: GatewayParts, tier: CaseTier, for_organisation: bool = False) -> case_credit.Quota:
    """Read whether there is credit for one more case of a tier."""
    fields = {"tier": tier, "for_organisation": for_organisation}
    return await parts.cases.ask(subjects.CASES_QUOTA, case_credit.ReadQuota, case_credit.Quota, **fields)


@router.get("/v1/case-texts")
async def read_case_texts(parts: GatewayParts, locale: Literal["nb", "nn", "en"] = "nb") -> case_credit.CaseTexts:
    """Read what a person is told when a case begins: the greeting, the tiers, and whether there is credit for them."""
    found = case_credit.ReadCaseTexts(locale=locale, correlation_id=correlation_id())
    return await parts.cases.send(subjects.CASES_TEXTS, found, case_credit.CaseTexts)
