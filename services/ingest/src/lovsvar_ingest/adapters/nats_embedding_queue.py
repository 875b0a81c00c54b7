"""The queue of embedding requests: the stream EMBEDDING."""

from lovsvar_chassis.publisher import EventPublisher
from lovsvar_contracts import subjects
from lovsvar_contracts.ingest import EmbeddingRequested


class NatsEmbeddingQueue:
    """A work queue: what is acknowledged leaves it, what is being worked on is still in it."""

    def __init__(self, publisher: EventPublisher) -> None:
        self._publisher = publisher

    async def waiting(self) -> int:
        """Return how many requests are not done."""
        return (await self._publisher.jetstream.stream_info(subjects.STREAM_EMBEDDING)).state.messages

    async def ask(self, request: EmbeddingRequested) -> None:
        """Add a request. Raises `ProblemError` when it could not be stored."""
        await self._publisher.publish(subjects.EMBEDDING_REQUESTED, request)

    async def clear(self) -> None:
        """Drop all requests."""
        await self._publisher.jetstream.purge_stream(subjects.STREAM_EMBEDDING)
