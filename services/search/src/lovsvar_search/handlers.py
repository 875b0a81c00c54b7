"""Subjects → use cases."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass

from faststream.nats import NatsRoute, NatsRouter

from lovsvar_contracts import subjects
from lovsvar_contracts.ingest import SyncCompleted, SyncEvent
from lovsvar_contracts.problems import ProblemType
from lovsvar_contracts.search import (
    CorpusStatus,
    Document,
    Documents,
    FindProvisions,
    ListDocuments,
    Outline,
    ProvisionHits,
    Provisions,
    ReadDocument,
    ReadOutline,
    ReadProvisions,
    ReadStatus,
    Resolution,
    ResolveReference,
    SearchMode,
)
from lovsvar_search.core import finding, reading, resolving
from lovsvar_search.core.errors import NotFound, NotReady, ReplyTooLarge, StoreUnavailable
from lovsvar_search.core.filters import read_filters
from lovsvar_search.core.finding import ByWords, Corpus
from lovsvar_search.core.following import CorpusFollower
from lovsvar_search.core.meaning import MeaningSearch, Near
from lovsvar_search.core.resolving import ReferenceStore

PROBLEMS: Mapping[type[Exception], ProblemType] = {
    NotReady: ProblemType.NOT_READY,
    NotFound: ProblemType.NOT_FOUND,
    ReplyTooLarge: ProblemType.TOO_LARGE,
    StoreUnavailable: ProblemType.UNAVAILABLE,
}

QUEUE = "search"

AT_ONCE = 16
"""Requests of a kind that one process answers at once: subscriptions of one queue, among which NATS shares them out.

FastStream's own workers behind a single subscription pass each message on twice more, and answers go out one by one:
a fifth of what a search by words takes, more with many callers.
"""

SHORT = 200
"""Characters of a query that is searched at once: to hand it to a thread and back takes longer than others
gain by not waiting for it."""


@dataclass(frozen=True)
class Handlers:
    """What requests are answered from. `services` tells how the other services are."""

    follower: CorpusFollower
    meaning: MeaningSearch
    store: ReferenceStore
    services: Callable[[], Awaitable[dict[str, str]]]

    async def provisions(self, request: FindProvisions) -> ProvisionHits:
        """Find provisions."""
        corpus = self.follower.served.corpus
        if request.mode is SearchMode.LEXICAL:
            return await _find(request, corpus)
        vector = await self.meaning.vector(request.query)
        # Words are looked for while PostgreSQL looks for what is near, and not before: embedding wants every core.
        near, by_words = await asyncio.gather(
            self.meaning.near(vector, read_filters(request, corpus.names)),
            asyncio.to_thread(finding.match_words, request, corpus),
        )
        return await _find(request, corpus, near, by_words)

    async def read(self, request: ReadProvisions) -> Provisions:
        """Read provisions by name."""
        return await reading.read_provisions(request, self.store, self._version)

    async def outline(self, request: ReadOutline) -> Outline:
        """Read a table of contents."""
        return await reading.read_outline(request, self.store, self._version)

    async def document(self, request: ReadDocument) -> Document:
        """Read a page of a document."""
        return await reading.read_document(request, self.store, self._version)

    async def resolve(self, request: ResolveReference) -> Resolution:
        """Resolve a reference."""
        served = self.follower.served
        return await resolving.resolve_reference(request, served.names, self.store, served.state.version)

    async def documents(self, request: ListDocuments) -> Documents:
        """List documents."""
        return await reading.list_documents(request, self.store, self._version)

    async def status(self, request: ReadStatus) -> CorpusStatus:
        """Tell the state of the corpus; answers also while nothing is served."""
        services = await self.services()
        return await reading.read_status(request, self.store, self.follower.served_counts, services)

    async def heard(self, event: SyncEvent) -> None:
        """Look at the corpus at once when a sync has ended."""
        if isinstance(event, SyncCompleted):
            self.follower.hint()

    @property
    def _version(self) -> int:
        return self.follower.served.state.version


async def _find(
    request: FindProvisions, corpus: Corpus, near: Near | None = None, by_words: ByWords | None = None
) -> ProvisionHits:
    """Find provisions; what takes long in a thread, since Tantivy works outside Python's lock."""
    if len(request.query) <= SHORT:
        return finding.find_provisions(request, corpus, near, by_words)
    return await asyncio.to_thread(finding.find_provisions, request, corpus, near, by_words)


def routes(handlers: Handlers) -> NatsRouter:
    """Return the routes of this service. Replicas share requests; each hears every sync."""

    def shared(handler: Callable[..., Awaitable[object]], subject: str) -> Iterator[NatsRoute]:
        return (NatsRoute(handler, subject, queue=QUEUE) for _ in range(AT_ONCE))

    return NatsRouter(
        handlers=(
            *shared(handlers.provisions, subjects.SEARCH_PROVISIONS),
            *shared(handlers.read, subjects.SEARCH_READ),
            *shared(handlers.outline, subjects.SEARCH_OUTLINE),
            *shared(handlers.document, subjects.SEARCH_DOCUMENT),
            *shared(handlers.resolve, subjects.SEARCH_RESOLVE),
            *shared(handlers.documents, subjects.SEARCH_DOCUMENTS),
            *shared(handlers.status, subjects.SEARCH_STATUS),
            # A reply would reach the publisher in place of the stream's own acknowledgement.
            NatsRoute(handlers.heard, subjects.INGEST_PROGRESS_ANY, no_reply=True),
        )
    )
