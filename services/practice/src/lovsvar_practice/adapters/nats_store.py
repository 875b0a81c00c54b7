"""What NATS' key-value store keeps for all replicas: earlier results, and the count of the day's searches."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from datetime import date, datetime

import structlog
from faststream.nats import NatsBroker
from nats.errors import Error as NatsError
from nats.js.api import KeyValueConfig
from nats.js.errors import BucketNotFoundError, KeyNotFoundError, KeyWrongLastSequenceError
from nats.js.kv import KeyValue
from pydantic import TypeAdapter, ValidationError

from lovsvar_contracts.message import utc_now
from lovsvar_practice.adapters.metrics import PracticeMetrics
from lovsvar_practice.core.errors import BudgetSpent
from lovsvar_practice.core.practice_search import Hits, PracticeCache, SearchBudget
from lovsvar_practice.manifest import BUDGET, CACHE

log = structlog.get_logger()

SECONDS = 1.0
"""The timeout of one use of a bucket: a search waits for it, and can do without it."""

UNREACHABLE = (NatsError, OSError, asyncio.TimeoutError)
"""What nats-py raises when the server, or its JetStream, cannot be reached."""

COUNT_SECONDS = 3 * 24 * 3600.0
RESULT_SECONDS = 24 * 3600.0
"""How long the count of a day and the results of a search are kept."""

MAX_BYTES = 64 * 1024 * 1024

_hits = TypeAdapter(Hits)


class NatsBucket:
    """A bucket that is created when it is missing, and brought to its number of replicas when it exists."""

    def __init__(self, broker: NatsBroker, config: KeyValueConfig, seconds: float = SECONDS) -> None:
        """One use of the bucket may take `seconds`."""
        self._broker = broker
        self._config = config
        self._seconds = seconds
        self._store: KeyValue | None = None

    @contextlib.asynccontextmanager
    async def use(self) -> AsyncIterator[KeyValue]:
        """Give the bucket. Raises one of `UNREACHABLE`, and opens the bucket again at its next use: it may be gone."""
        try:
            async with asyncio.timeout(self._seconds):
                if self._store is None:
                    self._store = await self._open()
                yield self._store
        except KeyNotFoundError:
            raise
        except UNREACHABLE as exc:
            self._store = None
            log.warning("a bucket cannot be used", bucket=self._config.bucket, error=repr(exc))
            raise

    async def _open(self) -> KeyValue:
        jetstream = self._broker.connection.jetstream(timeout=self._seconds)
        try:
            store = await jetstream.key_value(self._config.bucket)
        except BucketNotFoundError:
            return await jetstream.create_key_value(self._config)
        stream = (await store.status()).stream_info.config
        if stream.num_replicas != self._config.replicas:
            try:
                await jetstream.update_stream(stream.evolve(num_replicas=self._config.replicas))
            except UNREACHABLE as exc:
                # Where practice lacks the permission, an operator changes it.
                log.warning("a bucket keeps its replicas", bucket=self._config.bucket, reason=repr(exc))
        return store


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
        self._bucket = NatsBucket(broker, KeyValueConfig(bucket=BUDGET, ttl=COUNT_SECONDS, replicas=replicas), seconds)
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


class NatsPracticeCache(PracticeCache):
    """Keeps the results of a search for a day, in the provider's words. A full or missing store keeps nothing."""

    def __init__(
        self, broker: NatsBroker, metrics: PracticeMetrics, replicas: int = 1, seconds: float = SECONDS
    ) -> None:
        """`replicas` copies of the bucket are kept; one use of it may take `seconds`."""
        config = KeyValueConfig(bucket=CACHE, ttl=RESULT_SECONDS, max_bytes=MAX_BYTES, replicas=replicas)
        self._bucket = NatsBucket(broker, config, seconds)
        self._metrics = metrics

    async def recall(self, key: str) -> Hits | None:
        hits, result = None, "hit"
        try:
            async with self._bucket.use() as store:
                entry = await store.get(key)
            hits = _hits.validate_json(entry.value or b"")
        except (KeyNotFoundError, ValidationError):
            result = "miss"
        except UNREACHABLE:
            result = "unreachable"
        self._metrics.looked_up(result)
        return hits

    async def keep(self, key: str, hits: Hits) -> None:
        with contextlib.suppress(*UNREACHABLE):
            async with self._bucket.use() as store:
                await store.put(key, _hits.dump_json(hits))
