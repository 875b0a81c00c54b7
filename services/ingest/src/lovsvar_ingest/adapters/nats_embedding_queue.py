"""The queue of embedding requests: the stream EMBEDDING."""

from lovsvar_chassis.publisher import EventPublisher
from lovsvar_contracts import subjects
from lovsvar_contracts.ingest import EmbeddingRequested
from lovsvar_ingest.core.embedding_ports import EmbeddingQueue


class NatsEmbeddingQueue(EmbeddingQueue):
    """A work queue: what is acknowledged leaves it, what is being worked on is still in it."""

    def __init__(self, publisher: EventPublisher) -> None:
        self._publisher = publisher

    async def waiting(self) -> int:
        return (await self._publisher.jetstream.stream_info(subjects.STREAM_EMBEDDING)).state.messages

    async def ask(self, request: EmbeddingRequested) -> None:
        await self._publisher.publish(subjects.EMBEDDING_REQUESTED, request)

    async def clear(self) -> None:
        await self._publisher.jetstream.purge_stream(subjects.STREAM_EMBEDDING)
