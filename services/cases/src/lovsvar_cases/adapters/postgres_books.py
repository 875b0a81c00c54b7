"""Credit and payments in PostgreSQL, within the transaction that changes a case."""

import calendar
from collections.abc import Sequence
from datetime import date
from typing import Any

from lovsvar_cases.core.ports import Books, Clock, Credit
from lovsvar_chassis.database import load_queries

SQL = load_queries("lovsvar_cases.adapters")


class PostgresBooks(Books):
    """Reads over one connection, whose transaction keeps others from using the same credit."""

    def __init__(self, connection: Any, monthly: Sequence[int] | None, now: Clock) -> None:
        """`monthly` are those of each tier that who has no subscription gets a month; None for no limit."""
        self._connection = connection
        self._monthly = monthly
        self._today = now().date()

    async def credit(self, account: str, tier: int, case_id: str) -> Credit:
        await self._connection.execute(SQL["lock_account"], account)
        found = await self._connection.fetchrow(SQL["read_subscription"], account, tier, self._today)
        if found is not None:
            starts, ends, given = found["starts"], found["ends"], found["credits"]
        elif await self._connection.fetchval(SQL["is_subscriber"], account, self._today):
            return Credit(0)
        elif self._monthly is None:
            return Credit(None)
        else:
            (starts, ends), given = _month(self._today), self._monthly[tier - 1]
        used = await self._connection.fetchval(SQL["count_debits"], account, tier, starts, ends, case_id)
        return Credit(max(0, given - used), ends)

    async def is_paid(self, case_id: str, tier: int) -> bool:
        return bool(await self._connection.fetchval(SQL["is_paid"], case_id, tier))


def _month(day: date) -> tuple[date, date]:
    last = calendar.monthrange(day.year, day.month)[1]
    return day.replace(day=1), day.replace(day=last)
