"""What the use cases need of the store."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from datetime import date, datetime
from typing import Protocol

from lovsvar_cases.core.casefile import CaseFile, Step
from lovsvar_cases.core.pseudonyms.gate import Gate
from lovsvar_contracts.case_accesses import CaseAccess
from lovsvar_contracts.case_credit import SetSubscription
from lovsvar_contracts.cases import (
    Actor,
    CaseChange,
    CaseLine,
    ListCases,
    OpenCase,
    Ticket,
    Tombstone,
)

Values = Mapping[str, Mapping[str, str]]
"""The fields of parties, by the parties' ids."""


@dataclass(frozen=True)
class Credit:
    """What an account has of a tier, without what one case uses. `left` is None where it is not limited."""

    left: int | None
    ends: date | None = None

    @property
    def suffices(self) -> bool:
        """Whether there is one for one more case."""
        return self.left is None or self.left > 0


class Books(Protocol):
    """Credit and payments, within the change of a case: what is read stays true until the change is stored."""

    async def credit(self, account: str, tier: int, case_id: str) -> Credit:
        """Return what the account has, without counting what the case itself uses."""

    async def is_paid(self, case_id: str, tier: int) -> bool:
        """Return whether a payment covers the case at `tier`."""


Decide = Callable[[CaseFile, Books], Awaitable[Step | None]]
"""Decides on a change of a case as it is now; None changes nothing. Raises `CasesError`."""


class CaseStore(Protocol):
    """Cases, each changed by one at a time. Everything raises `UnknownCase` for who may not see a case."""

    async def open(self, request: OpenCase, step: Step) -> CaseFile:
        """Store a new case, of which `step` is the first change; or return the one that the request opened before."""

    async def change(
        self, actor: Actor, case_id: str, request_id: str, decide: Decide, *, official: bool = False
    ) -> CaseFile:
        """Change a case by what `decide` says, unless the request did so before, and return it.

        What is `official`, as a payment or the end of a ticket, is done to cases that the actor may not see.
        """

    async def read(self, actor: Actor, case_id: str, version: int | None = None) -> CaseFile:
        """Return a case, also as it was. Raises `UnknownVersion`."""

    async def history(
        self, actor: Actor, case_id: str, after: int, *, noted: bool = True
    ) -> tuple[CaseFile, Sequence[CaseChange]]:
        """Return a case and a page of its changes above `after`."""

    async def list(self, request: ListCases) -> tuple[Sequence[CaseLine], str | None]:
        """Return a page of the cases that the actor may see, and where the next begins."""

    async def parties(self, actor: Actor, case_id: str) -> tuple[CaseFile, Values]:
        """Return a case and what the vault holds of its parties."""

    def gate(self, actor: Actor, case_id: str) -> AbstractAsyncContextManager[tuple[CaseFile, Gate]]:
        """Lend the gate of a case for the block; what it takes out first is remembered at the end."""

    async def accesses(self, actor: Actor, case_id: str, before: datetime | None = None) -> Sequence[CaseAccess]:
        """Return who looked at a case before a time, newest first, at most `MOST_ACCESSES`."""

    async def erase(self, actor: Actor, case_id: str) -> Tombstone:
        """Delete a case's key and all that is stored of it, except a tombstone."""


class CreditStore(Protocol):
    """Subscriptions and payments."""

    async def quota(self, account: str, tier: int) -> Credit:
        """Return what an account has of a tier."""

    async def subscribe(self, request: SetSubscription) -> None:
        """Store a subscription, in place of one that starts on the same day."""

    async def add_payment(self, payment_id: str, attempt: str, case_id: str, tier: int) -> str | None:
        """Store a payment; or return the attempt with which it was stored before. Raises `UnknownCase`."""


class TicketStore(Protocol):
    """Support tickets of all cases."""

    async def open_tickets(self) -> Sequence[Ticket]:
        """Return the tickets that nobody has resolved, oldest first."""

    async def tickets_of(self, case_id: str) -> Sequence[Ticket]:
        """Return all tickets of a case, oldest first. Who may see the case is asked before."""

    async def resolve(self, ticket_id: str, by: str) -> None:
        """Note that a ticket is resolved. Raises `UnknownTicket`."""


Clock = Callable[[], datetime]
