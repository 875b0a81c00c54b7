"""Subjects → use cases."""

import asyncio
from dataclasses import dataclass

from lovsvar_chassis.event_router import EventRouter
from lovsvar_chassis.problems import ProblemTable
from lovsvar_chassis.request_router import RequestRouter
from lovsvar_contracts import subjects
from lovsvar_contracts.catalogues import CatalogueChanged
from lovsvar_contracts.ingest import DocumentChanged, EmbeddingStored
from lovsvar_contracts.named_acts import FindActs
from lovsvar_contracts.problems import ProblemType
from lovsvar_contracts.search import (
    Acts,
    CorpusStatus,
    Document,
    FindProvisions,
    ProvisionHits,
    Provisions,
    ReadStatus,
    Resolution,
    ResolveReference,
    SearchMode,
)
from lovsvar_search.core.catalogues.product_search import ProductSearch
from lovsvar_search.core.errors import NotFound, NotReady, ReplyTooLarge, StoreUnavailable
from lovsvar_search.core.law import provision_search
from lovsvar_search.core.law.act_directory import find_acts
from lovsvar_search.core.law.citations import CitationFinder
from lovsvar_search.core.law.filters import Filters, read_filters
from lovsvar_search.core.law.provision_reader import ProvisionReader
from lovsvar_search.core.law.reference_resolution import ReferenceStore, resolve_reference
from lovsvar_search.core.retrieval.corpus import Corpus
from lovsvar_search.core.retrieval.corpus_follower import CorpusFollower
from lovsvar_search.core.retrieval.matching import ByWords
from lovsvar_search.core.retrieval.vector_search import MeaningSearch, Near

PROBLEMS: ProblemTable = {
    NotReady: ProblemType.NOT_READY,
    NotFound: ProblemType.NOT_FOUND,
    ReplyTooLarge: ProblemType.TOO_LARGE,
    StoreUnavailable: ProblemType.UNAVAILABLE,
}

QUEUE = "search"

SHORT = 200
"""Characters of a query that is searched at once: to hand it to a thread and back takes longer than others
gain by not waiting for it."""


@dataclass(frozen=True)
class Handlers:
    """What requests are answered from."""

    follower: CorpusFollower
    meaning: MeaningSearch[Filters]
    store: ReferenceStore
    products: ProductSearch

    async def provisions(self, request: FindProvisions) -> ProvisionHits:
        """Find provisions."""
        corpus = self.follower.served
        if request.mode is SearchMode.LEXICAL:
            return await _find(request, corpus)
        vector = await self.meaning.vector(request.query)
        # Words are looked for while PostgreSQL looks for what is near, and not before: embedding wants every core.
        near, by_words = await asyncio.gather(
            self.meaning.near(vector, read_filters(request, corpus.names)),
            asyncio.to_thread(provision_search.match_words, request, corpus),
        )
        return await _find(request, corpus, near, by_words)

    async def acts(self, request: FindActs) -> Acts:
        """Complete the name of an act."""
        served = self.follower.served
        return find_acts(request, served.directory, served.state)

    async def resolve(self, request: ResolveReference) -> Resolution:
        """Resolve a reference."""
        served = self.follower.served
        return await resolve_reference(request, served.names, self.store, served.state)

    async def status(self, request: ReadStatus) -> CorpusStatus:
        """Return what is stored of law, and what this replica serves of it and of catalogues."""
        status = await ProvisionReader(self.store, self.follower).status(request)
        return status.model_copy(update={"catalogues": tuple(self.products.follower.counts())})

    async def heard(self, event: DocumentChanged) -> None:
        """Take over a new corpus version at once; the events of a version after the first of them change nothing."""
        if event.corpus_version > self.follower.served_counts[0]:
            self.follower.hint()

    async def catalogue_changed(self, event: CatalogueChanged) -> None:
        """Take over a catalogue's new version at once."""
        self.products.follower.hint()

    async def embedded(self, event: EmbeddingStored) -> None:
        """Take in new vectors of products."""
        self.products.follower.hint()


async def _find(
    request: FindProvisions, corpus: Corpus, near: Near | None = None, by_words: ByWords | None = None
) -> ProvisionHits:
    """Find provisions; what takes long in a thread, since Tantivy works outside Python's lock."""
    if len(request.query) <= SHORT:
        return provision_search.find_provisions(request, corpus, near, by_words)
    return await asyncio.to_thread(provision_search.find_provisions, request, corpus, near, by_words)


def requests(handlers: Handlers) -> RequestRouter:
    """Return what this service answers. Replicas share requests."""
    reader, router = ProvisionReader(handlers.store, handlers.follower), RequestRouter(QUEUE, PROBLEMS)
    router.answer(subjects.SEARCH_PROVISIONS, handlers.provisions)
    router.answer(subjects.SEARCH_READ, reader.read, reply=Provisions)
    router.answer(subjects.SEARCH_OUTLINE, reader.outline)
    router.answer(subjects.SEARCH_DOCUMENT, reader.document, reply=Document)
    router.answer(subjects.SEARCH_RESOLVE, handlers.resolve)
    router.answer(subjects.SEARCH_ACTS, handlers.acts)
    router.answer(subjects.SEARCH_DOCUMENTS, reader.documents)
    router.answer(subjects.SEARCH_SUBJECTS, reader.subjects)
    router.answer(subjects.SEARCH_CITATIONS, CitationFinder(handlers.store, handlers.follower).citations)
    router.answer(subjects.SEARCH_STATUS, handlers.status)
    router.answer(subjects.SEARCH_PRODUCTS, handlers.products.find)
    router.answer(subjects.SEARCH_READ_PRODUCTS, handlers.products.read)
    router.answer(subjects.SEARCH_CATALOGUES, handlers.products.catalogues)
    return router


def events(handlers: Handlers) -> EventRouter:
    """Return what this service hears. Each replica hears every change; what it misses it sees in the database."""
    router = EventRouter()
    router.hear(subjects.DOCUMENT_ANY, handlers.heard)
    router.hear(subjects.CATALOGUE_CHANGED, handlers.catalogue_changed)
    router.hear(subjects.EMBEDDING_STORED, handlers.embedded)
    return router
