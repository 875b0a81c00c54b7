"""Tickets: a case that nobody here can take further is paused until a person has looked at it."""

import hashlib
from typing import Any

from lovsvar_cases.core.casefile import CaseFile, ChangeBody, Step
from lovsvar_cases.core.casework import check_open
from lovsvar_cases.core.errors import OperatorsOnly, UnknownTicket
from lovsvar_cases.core.phases import PhaseStep, after
from lovsvar_cases.core.ports import Books, CaseStore, TicketStore
from lovsvar_cases.core.pseudonyms.gate import everywhere
from lovsvar_contracts.case_details import Phase
from lovsvar_contracts.cases import Actor, CaseAction, ListTickets, ResolveTicket, Ticket, TicketRequest, Tickets
from lovsvar_contracts.message import Frozen, utc_now


class Told(Frozen):
    """What a ticket says, without personal data."""

    issue_description: str
    agent_state_snapshot: dict[str, Any] | None = None


async def create_ticket(request: TicketRequest, store: CaseStore) -> Ticket:
    """Ask for human help with a case, and pause it. What the ticket says is without names and numbers."""
    ticket_id = hashlib.sha256(f"{request.case_id} {request.request_id}".encode()).hexdigest()[:32]
    async with store.gate(request.actor, request.case_id) as (_, gate):
        told = Told(
            issue_description=gate.hidden(request.issue_description),
            agent_state_snapshot=everywhere(gate.hidden, request.agent_state_snapshot),
        )

    async def decide(file: CaseFile, _: Books) -> Step:
        check_open(file)
        phase = file.state.phase
        if phase is not Phase.PAUSED_SUPPORT:
            phase = after(PhaseStep.PAUSE, file.state)
        return Step(CaseAction.TICKET_CREATED, ChangeBody(phase=phase, about=ticket_id), ticket=told.model_dump_json())

    file = await store.change(request.actor, request.case_id, request.request_id, decide)
    return Ticket(ticket_id=ticket_id, case_id=request.case_id, created_at=file.changed_at, **told.model_dump())


async def list_tickets(request: ListTickets, tickets: TicketStore, store: CaseStore) -> Tickets:
    """Return the open tickets, or all of one case. Raises `OperatorsOnly` and `UnknownCase`."""
    if request.case_id is not None:
        await store.read(request.actor, request.case_id)
        return Tickets(tickets=tuple(await tickets.tickets_of(request.case_id)))
    _check_operator(request.actor)
    return Tickets(tickets=tuple(await tickets.open_tickets()))


async def resolve_ticket(request: ResolveTicket, tickets: TicketStore, store: CaseStore) -> Ticket:
    """Note that a ticket is resolved, and let its case go on. Raises `OperatorsOnly` and `UnknownTicket`."""
    _check_operator(request.actor)
    found = next((one for one in await tickets.open_tickets() if one.ticket_id == request.ticket_id), None)
    if found is None:
        raise UnknownTicket("Det er ingen åpen henvendelse med denne id-en.")

    async def decide(file: CaseFile, _: Books) -> Step:
        paused = file.state.phase is Phase.PAUSED_SUPPORT
        phase = after(PhaseStep.RESUME, file.state) if paused else None
        return Step(CaseAction.TICKET_RESOLVED, ChangeBody(phase=phase, about=request.ticket_id))

    await store.change(request.actor, found.case_id, f"resolved-{request.ticket_id}", decide, official=True)
    await tickets.resolve(request.ticket_id, request.actor.name)
    return found.model_copy(update={"resolved_at": utc_now(), "resolved_by": request.actor.name})


def _check_operator(actor: Actor) -> None:
    if not actor.operator:
        raise OperatorsOnly
