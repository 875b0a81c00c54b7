"""The parties of a case: who they are is shown here and in finished documents, and nowhere else."""

from typing import Annotated, Any

from fastapi import APIRouter, Response
from pydantic import BaseModel, Field

from lovsvar_contracts import cases, subjects
from lovsvar_contracts.case_details import PartyId, PartyKind
from lovsvar_contracts.cases import FieldValue
from lovsvar_contracts.message import Token
from lovsvar_gateway.core.phrases import Plain, PlainData
from lovsvar_gateway.parts import GatewayParts, Parts
from lovsvar_gateway.routes.cases import IdempotencyKey, request_id

router = APIRouter(tags=["cases"])


class WrittenParty(BaseModel):
    """A party, or what changes of one. A field set to null is forgotten; fields that are not named stay."""

    kind: PartyKind | None = None
    role: Annotated[str, Plain] | None = Field(default=None, max_length=100)
    fields: Annotated[dict[str, FieldValue | None], PlainData] = Field(
        default_factory=dict,
        max_length=40,
        description="Of a person `firstName`, `lastName`, `birthNumber`, `birthDate`; of an organisation `orgName`, "
        "`orgNumber`, `contactName`; of both `address`, `postalCode`, `city`, `country`, `email`, `phone`, "
        "`accountNumber`, `iban`, `alias`.",
    )


@router.get("/v1/cases/{case_id}/parties")
async def read_parties(case_id: Token, response: Response, parts: GatewayParts) -> cases.Parties:
    """Read the parties of a case."""
    response.headers["Cache-Control"] = "no-store"
    return await parts.cases.ask(subjects.CASES_PARTIES, cases.ReadParties, cases.Parties, case_id=case_id)


@router.post("/v1/cases/{case_id}/parties", status_code=201)
async def add_party(
    case_id: Token, body: WrittenParty, parts: GatewayParts, key: IdempotencyKey = None
) -> cases.Parties:
    """Add a party, and read them all. Texts name it by its id: `{{party0.lastName}}`."""
    return await _write(parts, case_id, body, request_id(key))


@router.patch("/v1/cases/{case_id}/parties/{party_id}")
async def change_party(
    case_id: Token, party_id: PartyId, body: WrittenParty, parts: GatewayParts, key: IdempotencyKey = None
) -> cases.Parties:
    """Change a party, and read them all."""
    return await _write(parts, case_id, body, request_id(key), party_id=party_id)


@router.delete("/v1/cases/{case_id}/parties/{party_id}")
async def remove_party(case_id: Token, party_id: PartyId, parts: GatewayParts) -> cases.Parties:
    """Forget who a party is, and read those that are left. Its id is not used again."""
    fields = {"case_id": case_id, "party_id": party_id}
    return await parts.cases.ask(subjects.CASES_REMOVE_PARTY, cases.RemoveParty, cases.Parties, **fields)


async def _write(parts: Parts, case_id: str, body: WrittenParty, request: str, **more: Any) -> cases.Parties:
    fields = {"party_kind": body.kind, "role": body.role, "fields": body.fields, "request_id": request}
    return await parts.cases.ask(
        subjects.CASES_SET_PARTY, cases.SetParty, cases.Parties, case_id=case_id, **fields, **more
    )
