"""Subscriptions, payments and tickets in PostgreSQL."""

from collections.abc import Sequence

import asyncpg

from lovsvar_cases.adapters.keys import MasterKey
from lovsvar_cases.adapters.postgres_books import SQL, PostgresBooks
from lovsvar_cases.core.errors import UnknownCase, UnknownTicket
from lovsvar_cases.core.ports import Clock, Credit, CreditStore, TicketStore
from lovsvar_cases.core.support import Told
from lovsvar_chassis.database import Database
from lovsvar_contracts.case_credit import SetSubscription
from lovsvar_contracts.cases import Ticket
from lovsvar_contracts.message import utc_now

MOST_TICKETS = 200


class PostgresCredit(CreditStore):
    """Subscriptions and payments in the schema `cases`."""

    def __init__(self, database: Database, monthly: Sequence[int] | None, now: Clock = utc_now) -> None:
        """`monthly` are the cases of each tier that who has no subscription gets a month; None for no limit."""
        self._database = database
        self._monthly = monthly
        self._now = now

    async def quota(self, account: str, tier: int) -> Credit:
        async with self._database.transaction() as connection:
            return await PostgresBooks(connection, self._monthly, self._now).credit(account, tier, "")

    async def subscribe(self, request: SetSubscription) -> None:
        async with self._database.transaction() as connection:
            for tier, number in request.credits.items():
                await connection.execute(
                    SQL["set_subscription"], request.account, int(tier), request.starts, request.ends, number
                )

    async def add_payment(self, payment_id: str, attempt: str, case_id: str, tier: int) -> str | None:
        async with self._database.acquire() as connection:
            if await connection.fetchval(SQL["add_payment"], payment_id, attempt, case_id, tier) is not None:
                return None
            before = await connection.fetchrow(SQL["read_payment"], payment_id)
        if before is None:
            raise UnknownCase(case_id)
        return str(before["attempt"])


class PostgresTickets(TicketStore):
    """Tickets in the schema `cases`, sealed with their cases' keys."""

    def __init__(self, database: Database, master: MasterKey) -> None:
        self._database = database
        self._master = master

    async def open_tickets(self) -> Sequence[Ticket]:
        return [self._ticket(row) for row in await self._database.fetch(SQL["open_tickets"], MOST_TICKETS)]

    async def tickets_of(self, case_id: str) -> Sequence[Ticket]:
        return [self._ticket(row) for row in await self._database.fetch(SQL["tickets_of_case"], case_id)]

    def _ticket(self, row: asyncpg.Record) -> Ticket:
        key = self._master.unwrapped(row["case_id"], row["wrapped_key"])
        told = Told.model_validate_json(key.open(f"ticket/{row['ticket_id']}", row["sealed"]))
        about = {name: row[name] for name in ("ticket_id", "case_id", "created_at", "resolved_at", "resolved_by")}
        return Ticket(**about, **told.model_dump())

    async def resolve(self, ticket_id: str, by: str) -> None:
        async with self._database.acquire() as connection:
            if await connection.fetchval(SQL["resolve_ticket"], ticket_id, by) is None:
                raise UnknownTicket("Det er ingen åpen henvendelse med denne id-en.")
