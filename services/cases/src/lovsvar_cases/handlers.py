"""Subjects → use cases."""

from collections.abc import Awaitable, Callable
from typing import Any

from lovsvar_cases.core import casework
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
from lovsvar_cases.core.ports import CaseStore
from lovsvar_chassis.problems import ProblemTable
from lovsvar_chassis.request_router import RequestRouter
from lovsvar_chassis.sealing import SealedDesk
from lovsvar_contracts import cases, subjects
from lovsvar_contracts.message import Message
from lovsvar_contracts.problems import ProblemType
from lovsvar_contracts.sealing import ReadSealingKey, SealingKey

PROBLEMS: ProblemTable = {
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

UseCase = Callable[[Any, CaseStore], Awaitable[Message]]

OF_CASES: tuple[tuple[str, type[Message], UseCase], ...] = (
    (subjects.CASES_OPEN, cases.OpenCase, casework.open_case),
    (subjects.CASES_READ, cases.ReadCase, casework.read_case),
    (subjects.CASES_HISTORY, cases.ReadHistory, casework.read_history),
    (subjects.CASES_UPDATE, cases.UpdateCase, casework.update_case),
    (subjects.CASES_MOVE, cases.MoveCase, casework.move_case),
    (subjects.CASES_PARTIES, cases.ReadParties, casework.read_parties),
    (subjects.CASES_SET_PARTY, cases.SetParty, casework.write_party),
    (subjects.CASES_REMOVE_PARTY, cases.RemoveParty, casework.forget_party),
    (subjects.CASES_LIST, cases.ListCases, casework.list_cases),
    (subjects.CASES_ACCESSES, cases.ReadAccesses, casework.read_accesses),
    (subjects.CASES_ERASE, cases.EraseCase, casework.erase_case),
)


def requests(store: CaseStore, desk: SealedDesk | None) -> RequestRouter:
    """Return the router of requests, which replicas share. Without a key (`desk`) every request is refused."""
    router = RequestRouter(QUEUE, PROBLEMS)
    if desk is None:
        return router.answer(subjects.CASES_SEALING_KEY, _refuse, AT_ONCE)
    router.answer(subjects.CASES_SEALING_KEY, desk.key, AT_ONCE)
    for subject, kind, use_case in OF_CASES:
        router.answer(subject, desk.sealed(subject, kind, _with(store, use_case)), AT_ONCE)
    return router


def _with(store: CaseStore, use_case: UseCase) -> Callable[[Any], Awaitable[Message]]:
    async def handle(request: Any) -> Message:
        return await use_case(request, store)

    return handle


async def _refuse(_: ReadSealingKey) -> SealingKey:
    raise NotConfigured
