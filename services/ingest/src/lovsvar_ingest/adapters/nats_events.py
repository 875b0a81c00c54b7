"""The events of syncs, documents and catalogues, and the queue of embedding requests, over NATS."""

import asyncio
import contextlib
from collections.abc import Mapping, Sequence

from nats.errors import Error as NatsError

from lovsvar_chassis.publisher import EventPublisher
from lovsvar_contracts import subjects
from lovsvar_contracts.catalogues import CatalogueChanged
from lovsvar_contracts.ingest import DocumentChange, DocumentChanged, EmbeddingRequested, SyncEvent
from lovsvar_ingest.core.catalogues.ports import CatalogueEvents
from lovsvar_ingest.core.embedding_ports import EmbeddingQueue
from lovsvar_ingest.core.ports import SyncEvents

SUBJECTS: Mapping[DocumentChange, str] = {
    DocumentChange.ADDED: subjects.DOCUMENT_ADDED,
    DocumentChange.CHANGED: subjects.DOCUMENT_CHANGED,
    DocumentChange.REMOVED: subjects.DOCUMENT_REMOVED,
}

AT_ONCE = 50


class NatsSyncEvents(SyncEvents):
    """Publishes to the streams INGEST_EVENTS and DOCUMENTS. Raises `ProblemError` when they cannot be reached."""

    def __init__(self, publisher: EventPublisher) -> None:
        self._publisher = publisher

    async def publish(self, event: SyncEvent) -> None:
        await self._publisher.publish(subjects.ingest_progress(event.sync_id), event)

    async def publish_documents(self, events: Sequence[DocumentChanged]) -> None:
        """Publish changes of documents, `AT_ONCE` at a time."""
        for start in range(0, len(events), AT_ONCE):
            some = events[start : start + AT_ONCE]
            await asyncio.gather(*(self._publisher.publish(SUBJECTS[event.change], event) for event in some))


class NatsCatalogueEvents(NatsSyncEvents, CatalogueEvents):
    """Publishes to the stream INGEST_EVENTS, and says to those who listen which catalogue changed."""

    async def changed(self, catalogue: str, version: int, correlation_id: str) -> None:
        event = CatalogueChanged(correlation_id=correlation_id, catalogue=catalogue, version=version)
        # A hint only: the database is the truth, which search also looks at by itself.
        with contextlib.suppress(NatsError, OSError):
            await self._publisher.notify(subjects.CATALOGUE_CHANGED, event)


class NatsEmbeddingQueue(EmbeddingQueue):
    """The work queue EMBEDDING: what is acknowledged leaves it, what is being worked on is still in it."""

    def __init__(self, publisher: EventPublisher) -> None:
        self._publisher = publisher

    async def waiting(self) -> int:
        return (await self._publisher.jetstream.stream_info(subjects.STREAM_EMBEDDING)).state.messages

    async def ask(self, request: EmbeddingRequested) -> None:
        await self._publisher.publish(subjects.EMBEDDING_REQUESTED, request)

    async def clear(self) -> None:
        await self._publisher.jetstream.purge_stream(subjects.STREAM_EMBEDDING)
