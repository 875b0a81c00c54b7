"""Subject → use case, for the workers that embed."""

from lovsvar_chassis.events import EventPublisher
from lovsvar_chassis.work_queue import Handlers, RetryLater, WorkPolicy
from lovsvar_contracts import subjects
from lovsvar_contracts.ingest import EmbeddingRequested, EmbeddingStored
from lovsvar_embedder.embedder import Embedder
from lovsvar_embedder.errors import EmbedderUnavailable
from lovsvar_ingest.core.embedding import abandon_texts, embed_texts
from lovsvar_ingest.core.embedding_ports import EmbeddingStore
from lovsvar_ingest.core.errors import OtherModelWanted

POLICY = WorkPolicy(
    stream=subjects.STREAM_EMBEDDING,
    subject=subjects.EMBEDDING_REQUESTED,
    durable="embedding",
    workers=1,
    # Workers run when nobody else wants the cores, and may be kept from saying that they still work.
    ack_wait=60.0,
)

WAIT_FOR_EMBEDDER = 30.0
"""Seconds until a request is tried again that this worker cannot embed now."""


def work(store: EmbeddingStore, embedder: Embedder, publisher: EventPublisher) -> Handlers[EmbeddingRequested]:
    """Return what is done with requests. Workers share them through the durable consumer `embedding`."""

    async def handle(request: EmbeddingRequested, attempt: int) -> None:
        try:
            stored = await embed_texts(request, store, embedder)
        except (EmbedderUnavailable, OtherModelWanted) as exc:
            raise RetryLater(WAIT_FOR_EMBEDDER, str(exc)) from exc
        event = EmbeddingStored(correlation_id=request.correlation_id, model=request.model, stored=stored)
        await publisher.notify(subjects.EMBEDDING_STORED, event)

    async def give_up(request: EmbeddingRequested, reason: str) -> None:
        await abandon_texts(request, reason, store)

    return Handlers(model=EmbeddingRequested, handle=handle, give_up=give_up)
