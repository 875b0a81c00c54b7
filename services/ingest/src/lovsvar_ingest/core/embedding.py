"""Planning what is embedded, and embedding it: the use cases.

Planning is done by one process at a time, as often as anybody likes: it cuts documents that changed into
passages, and fills the queue up when it has run low, so that what is urgent never waits behind hours of
work. Nothing is remembered outside the database and the queue: requests that are noted while the queue is
empty were lost, and are asked for again.
"""

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import Enum

from lovsvar_contracts.ingest import EmbeddingRequested
from lovsvar_ingest.core.embedding_ports import (
    CutDocument,
    Embedder,
    EmbeddingPlans,
    EmbeddingQueue,
    EmbeddingStore,
    UncutDocument,
    Vector,
)
from lovsvar_ingest.core.errors import OtherModelWanted, TextRefused
from lovsvar_ingest.core.passages import CUTTING, SectionText, cut_section

BATCH = 64
"""Passages in a request."""

FULL = 50
LOW = 25
"""The queue is filled to `FULL` requests when it holds fewer than `LOW`."""

DOCUMENTS_AT_ONCE = 20


class Planned(Enum):
    """How planning ended."""

    COMPLETE = "complete"
    """Every passage has a vector."""
    UNDER_WAY = "under way"
    """Workers have something to do."""
    LEFT = "left"
    """Another process plans, or a sync is to go first."""


def never() -> bool:
    """Say that nothing else is to go first."""
    return False


async def request_embedding(
    model: str, store: EmbeddingStore, queue: EmbeddingQueue, paused: Callable[[], bool] = never
) -> Planned:
    """Cut documents that changed, and ask for vectors that are missing; `paused` may break it off."""
    async with store.planning() as plans:
        if plans is None or paused():
            return Planned.LEFT
        if await plans.begin(model):
            await queue.clear()
        await plans.drop_removed()
        while documents := await plans.uncut(CUTTING, DOCUMENTS_AT_ONCE):
            await plans.store_cuts(await asyncio.to_thread(_cut, documents), CUTTING)
            if paused():
                return Planned.LEFT
        return await _fill(model, plans, queue)


async def embed_passages(request: EmbeddingRequested, store: EmbeddingStore, embedder: Embedder) -> int:
    """Embed what of a request has no vector yet; return how many were embedded.

    Raises `OtherModelWanted`, `EmbedderUnavailable`.
    """
    if request.model != embedder.model:
        raise OtherModelWanted(f"Det ble bedt om {request.model}, men denne arbeideren har {embedder.model}.")
    wanted = await store.unembedded(request.model, request.passages)
    texts = _texts(await store.sections_of(wanted), wanted)
    vectors, refused = await _embed(texts, embedder)
    await store.store(request.model, request.passages, vectors, refused)
    return len(vectors)


async def abandon_passages(request: EmbeddingRequested, reason: str, store: EmbeddingStore) -> None:
    """Note that a request failed each time it was tried, so that its passages are not asked for again."""
    unembedded = await store.unembedded(request.model, request.passages)
    await store.store(request.model, request.passages, {}, dict.fromkeys(unembedded, reason))


async def _fill(model: str, plans: EmbeddingPlans, queue: EmbeddingQueue) -> Planned:
    waiting = await queue.waiting()
    if waiting >= LOW:
        return Planned.UNDER_WAY
    if waiting == 0:
        await plans.forget_requests(model)
    missing = await plans.missing(model, (FULL - waiting) * BATCH)
    for start in range(0, len(missing), BATCH):
        passages = tuple(missing[start : start + BATCH])
        await plans.note_requests(model, passages)
        await queue.ask(EmbeddingRequested(model=model, passages=passages))
    if waiting or missing:
        return Planned.UNDER_WAY
    await plans.complete(model)
    return Planned.COMPLETE


def _cut(documents: Sequence[UncutDocument]) -> Sequence[CutDocument]:
    return [
        CutDocument(d.refid, d.content_hash, {section.section_key: cut_section(section) for section in d.sections})
        for d in documents
    ]


def _texts(sections: Iterable[SectionText], wanted: Sequence[str]) -> Mapping[str, str]:
    """Return the wanted texts by hash, in the order wanted; what changed meanwhile is left out."""
    cut = {passage.content_hash: passage.text for section in sections for passage in cut_section(section)}
    return {content_hash: cut[content_hash] for content_hash in wanted if content_hash in cut}


async def _embed(texts: Mapping[str, str], embedder: Embedder) -> tuple[Mapping[str, Vector], Mapping[str, str]]:
    """Return vectors, and why texts were refused, by hash; a refused batch is halved until the text is found."""
    vectors: dict[str, Vector] = {}
    refused: dict[str, str] = {}
    batches = [list(texts)] if texts else []
    while batches:
        hashes = batches.pop()
        try:
            made = await embedder.embed([texts[content_hash] for content_hash in hashes])
        except TextRefused as exc:
            if len(hashes) == 1:
                refused[hashes[0]] = str(exc)
            else:
                middle = len(hashes) // 2
                batches += [hashes[:middle], hashes[middle:]]
        else:
            vectors.update(zip(hashes, made, strict=True))
    return vectors, refused
