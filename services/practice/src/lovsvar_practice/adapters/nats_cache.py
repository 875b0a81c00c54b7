"""Earlier results, in NATS' key-value store, shared by all replicas."""

import contextlib

from faststream.nats import NatsBroker
from nats.js.api import KeyValueConfig
from nats.js.errors import KeyNotFoundError
from pydantic import TypeAdapter, ValidationError

from lovsvar_practice.adapters.metrics import PracticeMetrics
from lovsvar_practice.adapters.nats_bucket import SECONDS, UNREACHABLE, NatsBucket
from lovsvar_practice.core.practice_search import Hits, PracticeCache
from lovsvar_practice.manifest import CACHE

KEPT_SECONDS = 24 * 3600.0
MAX_BYTES = 64 * 1024 * 1024

_hits = TypeAdapter(Hits)


class NatsPracticeCache(PracticeCache):
    """Keeps the results of a search for a day, in the provider's words. A full or missing store keeps nothing."""

    def __init__(
        self, broker: NatsBroker, metrics: PracticeMetrics, replicas: int = 1, seconds: float = SECONDS
    ) -> None:
        """`replicas` copies of the bucket are kept; one use of it may take `seconds`."""
        config = KeyValueConfig(bucket=CACHE, ttl=KEPT_SECONDS, max_bytes=MAX_BYTES, replicas=replicas)
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
