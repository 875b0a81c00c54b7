"""A bucket of NATS' key-value store that is opened when it is first needed."""

import asyncio

import structlog
from faststream.nats import NatsBroker
from nats.errors import Error as NatsError
from nats.js.api import KeyValueConfig
from nats.js.errors import BucketNotFoundError
from nats.js.kv import KeyValue

log = structlog.get_logger()

SECONDS = 1.0
"""For one use of a bucket, all told: a search waits for it, and must not wait long for what it can do without."""

UNREACHABLE = (NatsError, OSError, asyncio.TimeoutError)
"""What nats-py raises when the server, or its JetStream, is not there."""


class NatsBucket:
    """Opens a bucket, which is made when it is missing and brought to its number of replicas when it is not."""

    def __init__(self, broker: NatsBroker, config: KeyValueConfig, seconds: float = SECONDS) -> None:
        """A call to the server is given up after `seconds`."""
        self._broker = broker
        self._config = config
        self.seconds = seconds
        self._store: KeyValue | None = None

    async def open(self) -> KeyValue:
        """Return the bucket. Raises one of `UNREACHABLE`."""
        if self._store is None:
            self._store = await self._bind()
        return self._store

    def forget(self) -> None:
        """Open the bucket anew next time: it was found to be away, and may have been deleted."""
        self._store = None

    async def _bind(self) -> KeyValue:
        jetstream = self._broker.connection.jetstream(timeout=self.seconds)
        try:
            store = await jetstream.key_value(self._config.bucket)
        except BucketNotFoundError:
            return await jetstream.create_key_value(self._config)
        stream = (await store.status()).stream_info.config
        if stream.num_replicas != self._config.replicas:
            try:
                await jetstream.update_stream(stream.evolve(num_replicas=self._config.replicas))
            except UNREACHABLE as exc:
                # Where practice may not change it, an operator does.
                log.warning("a bucket keeps its replicas", bucket=self._config.bucket, reason=repr(exc))
        return store
