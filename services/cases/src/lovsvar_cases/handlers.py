"""Subjects → use cases."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from inspect import signature
from typing import Any

from lovsvar_cases.core import casework, credit, messages, support
from lovsvar_cases.core.case_tools import CaseTools, Grants, grant_case, use_tool
from lovsvar_cases.core.credit import Verifier
from lovsvar_cases.core.drafts.drafting import DraftDesk
from lovsvar_cases.core.errors import (
    CasesError,
    CaseTooLarge,
    Conflict,
    NotConfigured,
    Refused,
    StoreUnavailable,
    UnknownCase,
    UnknownParty,
    UnknownTicket,
    UnknownVersion,
    Unreadable,
)
from lovsvar_cases.core.files.ports import DocumentDesk
from lovsvar_cases.core.key_rotation import KeyStore, rotate_keys
from lovsvar_cases.core.ports import CaseStore, CreditStore, TicketStore
from lovsvar_cases.core.tiers import TierDefinitions, TierTranslations, read_case_texts
from lovsvar_cases.document_handlers import DOCUMENT_PROBLEMS, DOCUMENTS_SERVED
from lovsvar_cases.draft_handlers import DRAFT_PROBLEMS, DRAFTS_SERVED
from lovsvar_chassis.problems import ProblemTable
from lovsvar_chassis.publisher import Sent
from lovsvar_chassis.request_router import Handler, RequestRouter
from lovsvar_chassis.sealing import SealedDesk
from lovsvar_contracts import case_accesses, case_credit, case_keys, cases, subjects
from lovsvar_contracts.case_events import CaseChanged
from lovsvar_contracts.message import Message
from lovsvar_contracts.problems import ProblemType
from lovsvar_contracts.sealing import ReadSealingKey, SealedReply, SealedRequest, SealingKey
from lovsvar_contracts.tools import CallTool, ReadTools, ToolReply, Tools

PROBLEMS: ProblemTable = {
    **DRAFT_PROBLEMS,
    **DOCUMENT_PROBLEMS,
    NotConfigured: ProblemType.NOT_CONFIGURED,
    UnknownCase: ProblemType.NOT_FOUND,
    UnknownVersion: ProblemType.NOT_FOUND,
    UnknownParty: ProblemType.NOT_FOUND,
    UnknownTicket: ProblemType.NOT_FOUND,
    Refused: ProblemType.INVALID_REQUEST,
    Conflict: ProblemType.CONFLICT,
    CaseTooLarge: ProblemType.TOO_LARGE,
    Unreadable: ProblemType.UNAVAILABLE,
    StoreUnavailable: ProblemType.UNAVAILABLE,
    CasesError: ProblemType.INTERNAL,
}

SENDS = (Sent(subjects.case_changed("{case_id}"), CaseChanged, "A case has a new version."),)

QUEUE = "cases"
AT_ONCE = 16


@dataclass(frozen=True)
class Parts:
    """What the use cases work with, by the names of their parameters."""

    store: CaseStore
    accounts: CreditStore
    tickets: TicketStore
    definitions: TierDefinitions
    translations: TierTranslations
    verify: Verifier
    grants: Grants
    tools: CaseTools
    drafts: DraftDesk
    documents: DocumentDesk
    keys: KeyStore


Served = tuple[str, type[Message], Callable[..., Awaitable[Message]]]

SERVED: tuple[Served, ...] = (
    (subjects.CASES_OPEN, cases.OpenCase, casework.open_case),
    (subjects.CASES_LIST, cases.ListCases, casework.list_cases),
    (subjects.CASES_READ, cases.ReadCase, casework.read_case),
    (subjects.CASES_HISTORY, cases.ReadHistory, casework.read_history),
    (subjects.CASES_UPDATE, cases.UpdateCase, casework.update_case),
    (subjects.CASES_MOVE, cases.MoveCase, casework.move_case),
    (subjects.CASES_PARTIES, cases.ReadParties, casework.read_parties),
    (subjects.CASES_SET_PARTY, cases.SetParty, casework.write_party),
    (subjects.CASES_REMOVE_PARTY, cases.RemoveParty, casework.forget_party),
    (subjects.CASES_ACCESSES, case_accesses.ReadAccesses, casework.read_accesses),
    (subjects.CASES_ERASE, cases.EraseCase, casework.erase_case),
    (subjects.CASES_SET_TIER, case_credit.SetTier, credit.set_tier),
    (subjects.CASES_TEXTS, case_credit.ReadCaseTexts, read_case_texts),
    (subjects.CASES_QUOTA, case_credit.ReadQuota, credit.read_quota),
    (subjects.CASES_SUBSCRIBE, case_credit.SetSubscription, credit.subscribe),
    (subjects.CASES_PAYMENT, case_credit.ReceivePayment, credit.receive_payment),
    (subjects.CASES_TICKET, cases.TicketRequest, support.create_ticket),
    (subjects.CASES_TICKETS, cases.ListTickets, support.list_tickets),
    (subjects.CASES_RESOLVE, cases.ResolveTicket, support.resolve_ticket),
    (subjects.CASES_MESSAGE, cases.SendMessage, messages.take_message),
    (subjects.CASES_SHOW, cases.ShowData, messages.show_data),
    (subjects.CASES_GRANT, cases.GrantCase, grant_case),
    (subjects.CASES_USE_TOOL, cases.UseTool, use_tool),
    (subjects.CASES_ROTATE_KEYS, case_keys.RotateKeys, rotate_keys),
    *DRAFTS_SERVED,
    *DOCUMENTS_SERVED,
)
"""What is answered on which subject, sealed, by which use case."""


def requests(parts: Parts, desk: SealedDesk) -> RequestRouter:
    """Return the router of requests, which replicas share."""

    async def list_tools(_: ReadTools) -> Tools:
        """Say which tools a model is offered in a case."""
        return parts.tools.offered()

    async def call_tool(request: CallTool) -> ToolReply:
        """Carry a tool out in the case of the run."""
        return await parts.tools.call(request)

    router = RequestRouter(QUEUE, PROBLEMS).answer(subjects.CASES_SEALING_KEY, desk.key, AT_ONCE)
    for subject, kind, use_case in SERVED:
        handler = desk.sealed(subject, kind, _bound(use_case, parts), PROBLEMS)
        router.answer(subject, _said(handler, use_case), AT_ONCE)
    router.answer(subjects.tool_list("cases"), list_tools, AT_ONCE)
    return router.answer(subjects.tool_call("cases"), call_tool, AT_ONCE)


def refusing() -> RequestRouter:
    """Return the router of a service without a master key, which says so to every request."""

    async def refuse_key(_: ReadSealingKey) -> SealingKey:
        """Say what requests are to be encrypted with."""
        raise NotConfigured

    async def no_tools(_: ReadTools) -> Tools:
        """Say which tools a model is offered in a case."""
        return Tools(tools=())

    async def refuse_call(_: CallTool) -> ToolReply:
        """Carry a tool out in the case of the run."""
        raise NotConfigured

    router = RequestRouter(QUEUE, PROBLEMS).answer(subjects.CASES_SEALING_KEY, refuse_key, AT_ONCE)
    for subject, _, use_case in SERVED:

        async def refuse(_: SealedRequest) -> SealedReply:
            raise NotConfigured

        router.answer(subject, _said(refuse, use_case), AT_ONCE)
    router.answer(subjects.tool_list("cases"), no_tools, AT_ONCE)
    return router.answer(subjects.tool_call("cases"), refuse_call, AT_ONCE)


def _bound(use_case: Callable[..., Awaitable[Message]], parts: Parts) -> Callable[[Any], Awaitable[Message]]:
    """Return a use case with the parts that its parameters after the request name."""
    _, *names = signature(use_case).parameters
    return partial(use_case, **{name: getattr(parts, name) for name in names})


def _said(handler: Handler, use_case: Callable[..., Any]) -> Handler:
    """Return a handler that says of itself what its use case says, for documents."""
    handler.__doc__ = use_case.__doc__
    return handler
