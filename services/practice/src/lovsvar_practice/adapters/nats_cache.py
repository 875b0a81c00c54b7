"""What was found before, in NATS' key-value store, shared by all replicas."""

import asyncio

import structlog
from faststream.nats import NatsBroker
from nats.js.api import KeyValueConfig
from nats.js.errors import KeyNotFoundError
from pydantic import TypeAdapter, ValidationError

from lovsvar_practice.adapters.metrics import PracticeMetrics
from lovsvar_practice.adapters.nats_bucket import SECONDS, UNREACHABLE, NatsBucket
from lovsvar_practice.core.practice_search import Hits
from lovsvar_practice.manifest import CACHE

log = structlog.get_logger()

KEPT_SECONDS = 24 * 3600.0
MAX_BYTES = 64 * 1024 * 1024

_hits = TypeAdapter(Hits)


class NatsPracticeCache:
    """Keeps what a search found for a day, as the provider worded it. A full or missing store keeps nothing."""

    def __init__(
        self, broker: NatsBroker, metrics: PracticeMetrics, replicas: int = 1, seconds: float = SECONDS
    ) -> None:
        """`replicas` copies of the bucket are kept; each use of it may take so many `seconds`."""
        config = KeyValueConfig(bucket=CACHE, ttl=KEPT_SECONDS, max_bytes=MAX_BYTES, replicas=replicas)
        self._bucket = NatsBucket(broker, config, seconds)
        self._metrics = metrics

    async def recall(self, key: str) -> Hits | None:
        """Return what was kept under `key` at most a day ago."""
        try:
            async with asyncio.timeout(self._bucket.seconds):
                entry = await (await self._bucket.open()).get(key)
            hits = _hits.validate_json(entry.value or b"")
        except (KeyNotFoundError, ValidationError):
            self._metrics.looked_up("miss")
            return None
        except UNREACHABLE as exc:
            self._away(exc)
            self._metrics.looked_up("unreachable")
            return None
        self._metrics.looked_up("hit")
        return hits

    async def keep(self, key: str, hits: Hits) -> None:
        """Keep `hits` under `key` for a day."""
        try:
            async with asyncio.timeout(self._bucket.seconds):
                await (await self._bucket.open()).put(key, _hits.dump_json(hits))
        except UNREACHABLE as exc:
            self._away(exc)

    def _away(self, error: BaseException) -> None:
        self._bucket.forget()
        log.warning("practice cache is away", error=repr(error))
