"""A bucket of NATS' key-value store, opened when it is first used."""

import asyncio
import contextlib
from collections.abc import AsyncIterator

import structlog
from faststream.nats import NatsBroker
from nats.errors import Error as NatsError
from nats.js.api import KeyValueConfig
from nats.js.errors import BucketNotFoundError, KeyNotFoundError
from nats.js.kv import KeyValue

log = structlog.get_logger()

SECONDS = 1.0
"""The timeout of one use of a bucket: a search waits for it, and can do without it."""

UNREACHABLE = (NatsError, OSError, asyncio.TimeoutError)
"""What nats-py raises when the server, or its JetStream, cannot be reached."""


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
