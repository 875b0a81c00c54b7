"""What operators do for cases: tickets and subscriptions. What a case says is no business of theirs."""

from datetime import date
from typing import Annotated, Literal

from fastapi import APIRouter, Path, Query
from pydantic import BaseModel, Field

from lovsvar_contracts import case_credit, case_keys, cases, subjects
from lovsvar_contracts.message import Token
from lovsvar_gateway.core.phrases import IsoDate
from lovsvar_gateway.parts import GatewayParts

router = APIRouter(tags=["cases"])

Account = Annotated[
    str,
    Path(
        pattern=r"^(key|org):[A-Za-z0-9._@-]{0,64}$",
        description="`key:<name of a key>` or `org:<organisation>`.",
        examples=["org:advokatene"],
    ),
]
Day = Annotated[date, IsoDate]


class GivenCredit(BaseModel):
    """What an account gets in a period, `ends` included: so many cases of each tier."""

    starts: Day
    ends: Day
    credits: dict[Literal["1", "2", "3"], Annotated[int, Field(ge=0, le=1_000_000)]]


@router.get("/v1/tickets")
async def list_tickets(parts: GatewayParts) -> cases.Tickets:
    """List the tickets that nobody has resolved, oldest first."""
    return await parts.cases.ask(subjects.CASES_TICKETS, cases.ListTickets, cases.Tickets)


@router.post("/v1/tickets/{ticket_id}/resolved")
async def resolve_ticket(ticket_id: Token, parts: GatewayParts) -> cases.Ticket:
    """Say that a ticket is resolved. Its case goes on where it was paused."""
    return await parts.cases.ask(subjects.CASES_RESOLVE, cases.ResolveTicket, cases.Ticket, ticket_id=ticket_id)


@router.put("/v1/subscriptions/{account}")
async def set_subscription(account: Account, body: GivenCredit, parts: GatewayParts) -> case_credit.Subscription:
    """Set what an account gets in a period, in place of what it got in one that starts on the same day."""
    fields = {"account": account, **body.model_dump()}
    return await parts.cases.ask(
        subjects.CASES_SUBSCRIBE, case_credit.SetSubscription, case_credit.Subscription, **fields
    )


@router.post("/v1/cases:rotate-keys")
async def rotate_case_keys(
    parts: GatewayParts, after: Annotated[Token | None, Query(description="`next` of the page before.")] = None
) -> case_keys.KeyRotation:
    """Have the keys of a page of cases wrapped by the master key that is set now, where another one did.

    Ask again with `next` until there is none; who is cut off begins again. What could not be opened is counted.
    """
    return await parts.cases.ask(subjects.CASES_ROTATE_KEYS, case_keys.RotateKeys, case_keys.KeyRotation, after=after)
