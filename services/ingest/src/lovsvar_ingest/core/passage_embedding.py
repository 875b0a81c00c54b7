"""The use cases of embedding: planning, and embedding texts.

Planning is done by one process at a time, and may be repeated: it cuts changed documents into passages, and refills the
queue when it runs low, so that urgent texts never wait for hours of other work. Everyday questions go first; they are
embedded as questions, since they are compared with questions, and so are the problems that products help with, which
are written as people ask. Products have a share, so that neither the law nor a
catalogue waits for all of the other. All state is in the database and the queue: requests that are noted while the
queue is empty were lost, and are made again.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from enum import Enum

from lovsvar_contracts.ingest import EmbeddingRequested
from lovsvar_embedder.embedder import Embedder, Vector
from lovsvar_embedder.errors import TextRefused
from lovsvar_ingest.core.embedding_ports import (
    Answer,
    CutDocument,
    EmbeddingPlans,
    EmbeddingQueue,
    EmbeddingStore,
    Missing,
    UncutDocument,
)
from lovsvar_ingest.core.errors import OtherModelWanted
from lovsvar_ingest.core.passages import CHUNKER_VERSION, SectionText, cut_section

BATCH = 64
"""Texts in a request."""

FULL = 50
LOW = 25
"""The queue is filled to `FULL` requests when it holds fewer than `LOW`."""

PRODUCTS = 4
"""Where both are missing, one in so many requests is for products."""

DOCUMENTS_AT_ONCE = 20


class Planned(Enum):
    """The outcome of planning."""

    COMPLETE = "complete"
    """Every question and passage has a vector."""
    UNDER_WAY = "under way"
    """Requests wait for workers."""
    LEFT = "left"
    """Another process plans, or a sync goes first."""


async def request_embedding(
    model: str, store: EmbeddingStore, queue: EmbeddingQueue, paused: Callable[[], bool] = lambda: False
) -> Planned:
    """Cut changed documents into passages, and request missing vectors; stop early when `paused`."""
    async with store.planning() as plans:
        if plans is None or paused():
            return Planned.LEFT
        if await plans.begin(model):
            await queue.clear()
        await plans.drop_removed()
        while documents := await plans.uncut(CHUNKER_VERSION, DOCUMENTS_AT_ONCE):
            await plans.store_cuts(await asyncio.to_thread(_cut, documents), CHUNKER_VERSION)
            if paused():
                return Planned.LEFT
        return await _fill(model, plans, queue)


async def embed_texts(request: EmbeddingRequested, store: EmbeddingStore, embedder: Embedder) -> int:
    """Embed the texts of a request that have no vector yet; return their number.

    Raises `OtherModelWanted`, `EmbedderUnavailable`, `StoreUnavailable`.
    """
    if request.model != embedder.model:
        raise OtherModelWanted(f"Det ble bedt om {request.model}, men denne arbeideren har {embedder.model}.")
    wanted = await store.unembedded(request.model, request.passages)
    questions = _in_order(await store.questions_of(wanted), wanted)
    asked, refused_questions = await _embed(questions, embedder.embed_queries)
    texts = _texts(await store.sections_of(wanted), wanted)
    passages, refused_passages = await _embed(texts, embedder.embed_passages)
    products, refused_products = await _embed_products(wanted, store, embedder)
    refused = refused_questions | refused_passages | refused_products
    await store.store(request.model, request.passages, Answer(passages, asked, products, refused))
    return len(passages) + len(asked) + len(products)


async def _embed_products(
    wanted: Sequence[str], store: EmbeddingStore, embedder: Embedder
) -> tuple[dict[str, Vector], dict[str, str]]:
    """Return vectors and refusals of those texts that are products'."""
    own = _in_order(await store.products_of(wanted, asked=False), wanted)
    vectors, refused = await _embed(own, embedder.embed_passages)
    problems = _in_order(await store.products_of(wanted, asked=True), wanted)
    more, refused_too = await _embed(problems, embedder.embed_queries)
    return vectors | more, refused | refused_too


async def abandon_texts(request: EmbeddingRequested, reason: str, store: EmbeddingStore) -> None:
    """Note that a request failed at every attempt, so that its texts are not requested again."""
    unembedded = await store.unembedded(request.model, request.passages)
    await store.store(request.model, request.passages, Answer(refused=dict.fromkeys(unembedded, reason)))


async def _fill(model: str, plans: EmbeddingPlans, queue: EmbeddingQueue) -> Planned:
    waiting = await queue.waiting()
    if waiting >= LOW:
        return Planned.UNDER_WAY
    if waiting == 0:
        await plans.forget_requests(model)
    room = FULL - waiting
    missing = await plans.missing(model, room * BATCH)
    wanted = shared_out(missing, room)
    for texts in wanted:
        await plans.note_requests(model, texts)
        await queue.ask(EmbeddingRequested(model=model, passages=texts))
    under_way = waiting or wanted
    # The law is searched with a model that has all of it, whether or not it has the products too.
    if not under_way or (not missing.law and await plans.law_is_done(model)):
        await plans.complete(model)
    return Planned.UNDER_WAY if under_way else Planned.COMPLETE


def shared_out(missing: Missing, room: int) -> list[tuple[str, ...]]:
    """Return at most `room` batches: one in `PRODUCTS` of products, where there is law too, and in turn."""
    law, products = deque(_batches(missing.law)), deque(_batches(missing.products))
    wanted: list[tuple[str, ...]] = []
    while law or products:
        wanted += [each.popleft() for each in (*[law] * (PRODUCTS - 1), products) if each]
    return wanted[:room]


def _batches(texts: Sequence[str]) -> Iterator[tuple[str, ...]]:
    return (tuple(texts[start : start + BATCH]) for start in range(0, len(texts), BATCH))


def _cut(documents: Sequence[UncutDocument]) -> Sequence[CutDocument]:
    return [
        CutDocument(d.refid, d.content_hash, {section.section_key: cut_section(section) for section in d.sections})
        for d in documents
    ]


def _texts(sections: Iterable[SectionText], wanted: Sequence[str]) -> Mapping[str, str]:
    """Return the wanted passages by hash, without those that changed meanwhile."""
    cut = {passage.content_hash: passage.text for section in sections for passage in cut_section(section)}
    return _in_order(cut, wanted)


def _in_order(texts: Mapping[str, str], wanted: Sequence[str]) -> Mapping[str, str]:
    return {content_hash: texts[content_hash] for content_hash in wanted if content_hash in texts}


async def _embed(
    texts: Mapping[str, str], embed: Callable[[Sequence[str]], Awaitable[Sequence[Vector]]]
) -> tuple[dict[str, Vector], dict[str, str]]:
    """Return vectors and the reasons of refusals by hash; a refused batch is halved until the text is found."""
    vectors: dict[str, Vector] = {}
    refused: dict[str, str] = {}
    batches = [list(texts)] if texts else []
    while batches:
        hashes = batches.pop()
        try:
            made = await embed([texts[content_hash] for content_hash in hashes])
        except TextRefused as exc:
            if len(hashes) == 1:
                refused[hashes[0]] = str(exc)
            else:
                middle = len(hashes) // 2
                batches += [hashes[:middle], hashes[middle:]]
        else:
            vectors.update(zip(hashes, made, strict=True))
    return vectors, refused
