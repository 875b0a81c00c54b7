"""Who has looked at a case: the request and its reply."""

from datetime import datetime
from typing import Literal

from lovsvar_contracts.cases import ActorKind, CaseRequest
from lovsvar_contracts.message import Frozen, Message, Token


class ReadAccesses(CaseRequest):
    """Read who has looked at a case, newest first."""

    kind: Literal["read_accesses"] = "read_accesses"


class CaseAccess(Frozen):
    """Somebody looked at, or tried to look at, a case."""

    at: datetime
    by: str
    by_kind: ActorKind = ActorKind.PERSON
    action: str


class Accesses(Message):
    """The access log of a case, the last thousand entries."""

    kind: Literal["accesses"] = "accesses"
    case_id: Token
    accesses: tuple[CaseAccess, ...] = ()
