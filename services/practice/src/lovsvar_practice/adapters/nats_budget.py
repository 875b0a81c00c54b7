"""The day's searches, counted in NATS' key-value store across all replicas."""

from collections.abc import Callable
from datetime import date, datetime

from faststream.nats import NatsBroker
from nats.js.api import KeyValueConfig
from nats.js.errors import KeyNotFoundError, KeyWrongLastSequenceError
from nats.js.kv import KeyValue

from lovsvar_contracts.message import utc_now
from lovsvar_practice.adapters.nats_bucket import SECONDS, UNREACHABLE, NatsBucket
from lovsvar_practice.core.errors import BudgetSpent
from lovsvar_practice.core.practice_search import SearchBudget
from lovsvar_practice.manifest import BUDGET

KEPT_SECONDS = 3 * 24 * 3600.0


class NatsBudget(SearchBudget):
    """Counts requests a day (UTC), by compare-and-set, so that replicas together keep within `limit`.

    While the store cannot be reached, a replica counts alone, on top of the count that it last read, and adds its
    requests once the store is back: each replica keeps within `limit` even then.
    """

    def __init__(
        self,
        broker: NatsBroker,
        limit: int,
        replicas: int = 1,
        now: Callable[[], datetime] = utc_now,
        seconds: float = SECONDS,
    ) -> None:
        """`replicas` copies of the count are kept; one use of the store may take `seconds`."""
        self._bucket = NatsBucket(broker, KeyValueConfig(bucket=BUDGET, ttl=KEPT_SECONDS, replicas=replicas), seconds)
        self._limit = limit
        self._now = now
        self._day = now().date()
        self._read = 0
        self._owed = 0

    @property
    def left(self) -> int:
        """The requests that may still be sent today, as far as this replica knows."""
        self._turn_day()
        return max(0, self._limit - self._read - self._owed)

    async def spend(self) -> None:
        day = self._turn_day()
        owed, self._owed = self._owed, 0
        try:
            async with self._bucket.use() as store:
                self._read = await self._add(store, day, owed + 1)
        except UNREACHABLE as exc:
            self._owed += owed
            if self._read + self._owed >= self._limit:
                raise self._spent() from exc
            self._owed += 1
        except BaseException:
            self._owed += owed
            raise

    async def _add(self, store: KeyValue, day: date, requests: int) -> int:
        """Add `requests` to the count of `day`, and return it."""
        while True:
            try:
                entry = await store.get(day.isoformat())
                count, revision = int(entry.value or b"0"), entry.revision
            except KeyNotFoundError:
                count, revision = 0, None
            self._read = count
            if count + requests > self._limit:
                raise self._spent()
            try:
                await store.update(day.isoformat(), str(count + requests).encode(), last=revision)
            except KeyWrongLastSequenceError:
                continue
            return count + requests

    def _turn_day(self) -> date:
        if (today := self._now().date()) != self._day:
            self._day, self._read, self._owed = today, 0, 0
        return today

    def _spent(self) -> BudgetSpent:
        return BudgetSpent(
            f"Dagens kvote på {self._limit} søk i rettspraksis er brukt opp. Søk som er gjort det siste døgnet, "
            "besvares fortsatt; nye kan gjøres etter midnatt (UTC)."
        )
