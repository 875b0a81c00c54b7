"""Who has looked at a case: the request and its reply."""

from datetime import datetime
from typing import Literal

from lovsvar_contracts.cases import ActorKind, CaseRequest
from lovsvar_contracts.message import Frozen, Message, Token

MOST_ACCESSES = 1_000
"""Entries of a page."""


class ReadAccesses(CaseRequest):
    """Read who has looked at a case, newest first: a page, of those that were earlier than `before`."""

    kind: Literal["read_accesses"] = "read_accesses"
    before: datetime | None = None


class CaseAccess(Frozen):
    """Somebody looked at, or tried to look at, a case."""

    at: datetime
    by: str
    by_kind: ActorKind = ActorKind.PERSON
    action: str


class Accesses(Message):
    """A page of the access log of a case; `next` is the `before` of the page that follows."""

    kind: Literal["accesses"] = "accesses"
    case_id: Token
    accesses: tuple[CaseAccess, ...] = ()
    next: datetime | None = None
