"""Subjects → use cases."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from lovsvar_cases.core import casework, credit, support
from lovsvar_cases.core.case_tools import CaseTools, Granted, Grants
from lovsvar_cases.core.credit import Verifier
from lovsvar_cases.core.drafts.drafting import DraftDesk
from lovsvar_cases.core.errors import (
    CasesError,
    CaseTooLarge,
    Conflict,
    NotConfigured,
    Refused,
    UnknownCase,
    UnknownParty,
    UnknownTicket,
    UnknownVersion,
    Unreadable,
)
from lovsvar_cases.core.ports import CaseStore, CreditStore, TicketStore
from lovsvar_cases.core.tiers import TierDefinitions
from lovsvar_cases.draft_handlers import DRAFT_PROBLEMS, served
from lovsvar_chassis.problems import ProblemTable
from lovsvar_chassis.request_router import RequestRouter
from lovsvar_chassis.sealing import SealedDesk
from lovsvar_contracts import case_credit, cases, subjects
from lovsvar_contracts.message import Message
from lovsvar_contracts.problems import ProblemType
from lovsvar_contracts.sealing import ReadSealingKey, SealingKey
from lovsvar_contracts.tools import CallTool, ReadTools, ToolReply, Tools

PROBLEMS: ProblemTable = {
    **DRAFT_PROBLEMS,
    NotConfigured: ProblemType.NOT_CONFIGURED,
    UnknownCase: ProblemType.NOT_FOUND,
    UnknownVersion: ProblemType.NOT_FOUND,
    UnknownParty: ProblemType.NOT_FOUND,
    UnknownTicket: ProblemType.NOT_FOUND,
    Refused: ProblemType.INVALID_REQUEST,
    Conflict: ProblemType.CONFLICT,
    CaseTooLarge: ProblemType.TOO_LARGE,
    Unreadable: ProblemType.UNAVAILABLE,
    CasesError: ProblemType.INTERNAL,
}

QUEUE = "cases"
AT_ONCE = 16


@dataclass(frozen=True)
class Parts:
    """What the use cases work with."""

    store: CaseStore
    accounts: CreditStore
    tickets: TicketStore
    tiers: TierDefinitions
    verify: Verifier
    grants: Grants
    tools: CaseTools
    drafts: DraftDesk


Served = tuple[str, type[Message], Callable[[Any], Awaitable[Message]]]


def _served(parts: Parts) -> tuple[Served, ...]:
    """Return what is answered on which subject, sealed."""
    store, accounts = parts.store, parts.accounts

    async def grant(request: cases.GrantCase) -> cases.CaseGrant:
        """Let a run act in a case that its opener may see."""
        await store.read(request.actor, request.case_id)
        return cases.CaseGrant(grant=parts.grants.made(Granted(request.actor, request.case_id, request.run_id)))

    of_cases = (
        (subjects.CASES_OPEN, cases.OpenCase, casework.open_case),
        (subjects.CASES_LIST, cases.ListCases, casework.list_cases),
        (subjects.CASES_READ, cases.ReadCase, casework.read_case),
        (subjects.CASES_HISTORY, cases.ReadHistory, casework.read_history),
        (subjects.CASES_UPDATE, cases.UpdateCase, casework.update_case),
        (subjects.CASES_MOVE, cases.MoveCase, casework.move_case),
        (subjects.CASES_PARTIES, cases.ReadParties, casework.read_parties),
        (subjects.CASES_SET_PARTY, cases.SetParty, casework.write_party),
        (subjects.CASES_REMOVE_PARTY, cases.RemoveParty, casework.forget_party),
        (subjects.CASES_ACCESSES, cases.ReadAccesses, casework.read_accesses),
        (subjects.CASES_ERASE, cases.EraseCase, casework.erase_case),
        (subjects.CASES_TICKET, cases.TicketRequest, support.create_ticket),
    )
    return (
        *((subject, kind, partial(use_case, store=store)) for subject, kind, use_case in of_cases),
        (
            subjects.CASES_SET_TIER,
            case_credit.SetTier,
            partial(credit.set_tier, store=store, definitions=parts.tiers),
        ),
        (subjects.CASES_QUOTA, case_credit.ReadQuota, partial(credit.read_quota, accounts=accounts)),
        (subjects.CASES_SUBSCRIBE, case_credit.SetSubscription, partial(credit.subscribe, accounts=accounts)),
        (
            subjects.CASES_PAYMENT,
            case_credit.ReceivePayment,
            partial(credit.receive_payment, verify=parts.verify, accounts=accounts, store=store),
        ),
        (subjects.CASES_TICKETS, cases.ListTickets, partial(support.list_tickets, tickets=parts.tickets)),
        (
            subjects.CASES_RESOLVE,
            cases.ResolveTicket,
            partial(support.resolve_ticket, tickets=parts.tickets, store=store),
        ),
        (subjects.CASES_GRANT, cases.GrantCase, grant),
        *served(parts.drafts),
    )


def requests(parts: Parts, desk: SealedDesk) -> RequestRouter:
    """Return the router of requests, which replicas share."""

    async def list_tools(_: ReadTools) -> Tools:
        """Say which tools a model is offered in a case."""
        return parts.tools.offered()

    async def call_tool(request: CallTool) -> ToolReply:
        """Carry a tool out in the case of the run."""
        return await parts.tools.call(request)

    router = RequestRouter(QUEUE, PROBLEMS).answer(subjects.CASES_SEALING_KEY, desk.key, AT_ONCE)
    for subject, kind, handle in _served(parts):
        router.answer(subject, desk.sealed(subject, kind, handle), AT_ONCE)
    router.answer(subjects.tool_list("cases"), list_tools, AT_ONCE)
    return router.answer(subjects.tool_call("cases"), call_tool, AT_ONCE)


def refusing() -> RequestRouter:
    """Return the router of a service without a master key, which no request can be sealed for."""

    async def refuse(_: ReadSealingKey) -> SealingKey:
        """Say that cases are not set up."""
        raise NotConfigured

    return RequestRouter(QUEUE, PROBLEMS).answer(subjects.CASES_SEALING_KEY, refuse, AT_ONCE)
