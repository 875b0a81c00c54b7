"""Reading the audit log."""

from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import BaseModel

from lovsvar_contracts.audit import AuditRecord
from lovsvar_gateway.adapters.audit_log import MAX_PAGE
from lovsvar_gateway.parts import GatewayParts

router = APIRouter(prefix="/v1/audit", tags=["audit"])


class AuditPage(BaseModel):
    """Records, oldest first. `next_after` asks for those behind them; None at the end."""

    records: list[AuditRecord]
    next_after: int | None


@router.get("")
async def read_audit(
    parts: GatewayParts,
    after: Annotated[int, Query(ge=0, le=2**53, description="`next_after` of the page before.")] = 0,
    count: Annotated[int, Query(ge=1, le=MAX_PAGE)] = 100,
) -> AuditPage:
    """Read who asked what, and which sources were shown, oldest first."""
    found = await parts.audit.read(after, count)
    return AuditPage(records=[record for _, record in found], next_after=found[-1][0] if len(found) == count else None)
