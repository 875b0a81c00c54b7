"""Keeping served what is stored of catalogues: which there are, the index of each, and its vectors.

PostgreSQL is the truth, as for the law. Each catalogue has a `CorpusFollower` of its own, so that one which cannot be
read keeps nothing from the others; and none of them keeps anything from the law, whose readiness knows nothing of them.
"""

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from lovsvar_contracts.catalogues import Catalogue, CatalogueId, Product, ProductId
from lovsvar_contracts.search import CatalogueCounts
from lovsvar_embedder.similarity import SimilarityScales
from lovsvar_search.core.catalogues.collection import assemble, catalogue_collection
from lovsvar_search.core.catalogues.definition import Listed, StoredCatalogue
from lovsvar_search.core.catalogues.product_vectors import PassageStore, ProductVectors
from lovsvar_search.core.errors import NotReady, StoreUnavailable
from lovsvar_search.core.retrieval.collection import Collection
from lovsvar_search.core.retrieval.corpus import ChangingIndex, Corpus, CorpusSource
from lovsvar_search.core.retrieval.corpus_follower import CorpusFollower
from lovsvar_search.core.retrieval.memory_vectors import MemoryVectors, Sought
from lovsvar_search.core.retrieval.vector_search import MeaningSearch, QuestionEmbedder

log = logging.getLogger(__name__)

UNKNOWN_LANGUAGE = "Katalogen har et språk som ikke kan søkes i: {language}"


class CatalogueStore(PassageStore, Protocol):
    """What is stored of catalogues. Methods raise `StoreUnavailable`."""

    async def listed(self) -> Sequence[Listed]:
        """Return the catalogues that are to be served."""

    def source(self, catalogue: CatalogueId) -> CorpusSource:
        """Return a catalogue as a follower reads it: its items, and as companions a `StoredCatalogue`."""

    async def read(self, catalogue: CatalogueId, product_ids: Sequence[ProductId]) -> Sequence[Product]:
        """Return those of these items that there are, in this order."""


@dataclass(frozen=True)
class EmbeddingModel:
    """What questions are embedded with, and what the cosines of its vectors mean."""

    embedder: QuestionEmbedder
    scales: SimilarityScales


@dataclass
class FollowedCatalogue:
    """A catalogue that is listed: its index, and its vectors where questions can be embedded."""

    listed: Listed
    follower: CorpusFollower
    vectors: ProductVectors | None = None
    meaning: MeaningSearch[Sought] | None = None

    @property
    def corpus(self) -> Corpus | None:
        """What is searched; None while nothing is."""
        try:
            return self.follower.served
        except NotReady:
            return None

    @property
    def embedded(self) -> int:
        """Items of which every text has a vector."""
        return self.vectors.embedded if self.vectors else 0

    def counts(self) -> CatalogueCounts:
        """Return how much of it is served."""
        version, items = self.follower.served_counts
        return CatalogueCounts(
            catalogue=self.listed.catalogue,
            items=items,
            embedded=self.embedded,
            version=version,
            trouble=self.follower.not_ready(),
            private=self.listed.private,
        )

    def described(self) -> Catalogue | None:
        """Return what is served; None while nothing is."""
        if (corpus := self.corpus) is None:
            return None
        stored: StoredCatalogue = corpus.directory
        return stored.described(corpus.size, self.embedded)


class CatalogueFollower:
    """Follows every catalogue in the background. A component: start, stop."""

    def __init__(
        self,
        store: CatalogueStore,
        make_index: Callable[[Collection], ChangingIndex],
        model: EmbeddingModel | None = None,
        poll_seconds: float = 2.0,
    ) -> None:
        """`model` None is a search by words alone."""
        self._store = store
        self._make_index = make_index
        self._model = model
        self._poll_seconds = poll_seconds
        self._followed: dict[CatalogueId, FollowedCatalogue] = {}
        self._refused: dict[CatalogueId, CatalogueCounts] = {}
        self._trouble = False
        self._hint = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Begin to follow; returns before any catalogue is served."""
        self._task = asyncio.create_task(self._follow(), name="catalogue-follower")

    async def stop(self) -> None:
        """Stop following, and close the indexes."""
        if self._task is not None:
            while not self._task.done():
                self._task.cancel()
                await asyncio.wait({self._task}, timeout=1.0)
        for one in list(self._followed):
            await self._drop(one)

    def hint(self) -> None:
        """Look at what is stored now."""
        self._hint.set()

    def served(self, wanted: Sequence[CatalogueId] = ()) -> Sequence[FollowedCatalogue]:
        """Return those of the `wanted` catalogues that are served, all of them for none, by id."""
        found = (self._followed[one] for one in sorted(set(wanted) or self._followed) if one in self._followed)
        return [one for one in found if one.corpus is not None]

    def counts(self) -> Sequence[CatalogueCounts]:
        """Return what is served of each catalogue that is listed, by id, and why one is not served or may be old."""
        counts = [*self._refused.values(), *(one.counts() for one in self._followed.values())]
        return sorted(counts, key=lambda one: one.catalogue)

    async def _follow(self) -> None:
        while True:
            self._hint.clear()
            try:
                await self._look()
                self._trouble = False
            except StoreUnavailable as exc:
                if not self._trouble:
                    log.warning("catalogues cannot be followed: %s", exc)
                self._trouble = True
            except Exception:
                # A fault in one look must not end the following.
                log.exception("catalogues cannot be followed")
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._hint.wait(), self._poll_seconds)

    async def _look(self) -> None:
        listed = {one.catalogue: one for one in await self._store.listed()}
        for catalogue, followed in list(self._followed.items()):
            new = listed.get(catalogue)
            # Another language is another index.
            if new is None or new.language != followed.listed.language:
                await self._drop(catalogue)
            elif new.version != followed.listed.version:
                followed.listed = new
                followed.follower.hint()
        self._refused = {one: why for one, why in self._refused.items() if one in listed}
        for one in listed.values():
            if one.catalogue not in self._followed:
                await _apart(one.catalogue, self._take_up(one))
        for catalogue, followed in self._followed.items():
            if followed.vectors and (corpus := followed.corpus):
                await _apart(catalogue, followed.vectors.renew(corpus.state.version))

    async def _take_up(self, listed: Listed) -> None:
        try:
            collection = catalogue_collection(listed.catalogue, listed.language)
        except KeyError:
            if listed.catalogue not in self._refused:
                log.error("a catalogue is in no language that is known: %s %s", listed.catalogue, listed.language)
            why = UNKNOWN_LANGUAGE.format(language=listed.language)
            self._refused[listed.catalogue] = CatalogueCounts(
                catalogue=listed.catalogue, trouble=why, private=listed.private
            )
            return
        source, index = self._store.source(listed.catalogue), self._make_index(collection)
        followed = FollowedCatalogue(listed, CorpusFollower(collection, source, index, assemble, self._poll_seconds))
        followed.follower.swapped = self.hint
        if self._model is not None:
            memory = MemoryVectors(self._model.embedder.model, self._model.scales)
            followed.vectors = ProductVectors(listed.catalogue, self._store, memory)
            followed.meaning = MeaningSearch(memory, self._model.embedder)
        self._refused.pop(listed.catalogue, None)
        self._followed[listed.catalogue] = followed
        await followed.follower.start()

    async def _drop(self, catalogue: CatalogueId) -> None:
        followed = self._followed.pop(catalogue)
        await followed.follower.stop()
        log.info("the catalogue %s is no longer served", catalogue)


async def _apart(catalogue: CatalogueId, work: Awaitable[None]) -> None:
    """Do what one catalogue needs; a fault of its own keeps nothing from the others. Raises `StoreUnavailable`."""
    try:
        await work
    except StoreUnavailable:
        raise
    except Exception:
        log.exception("the catalogue %s cannot be followed", catalogue)
