"""A stored corpus that tests fill themselves, and queries that nobody in their right mind asks."""

import contextlib
import importlib.util
import json
import math
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any

import asyncpg
import pytest
import pytest_asyncio

from lovsvar_contracts.identifiers import section_key
from lovsvar_embedder.embedder import Vector
from lovsvar_testkit.databases import new_database


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
    """Return a vector that is `similarity` near to (1, 0, 0, 0)."""
    return (similarity, math.sqrt(1 - similarity**2), 0.0, 0.0)


@dataclass
class StoredCorpus:
    """Stores documents as ingest does: pending first, stamped with the version that their sync ends with."""

    connection: "asyncpg.Connection[asyncpg.Record]"
    url: str
    columns: dict[str, dict[str, str]] = field(default_factory=dict)

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
        """Store vectors as near to (1, 0, 0, 0) as told: of (refid, section, ledd), and of stored questions."""
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
                " WHERE table_schema = 'public' AND table_name = $1 AND is_nullable = 'NO' AND column_default IS NULL",
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


@contextlib.asynccontextmanager
async def connected(database_url: str) -> AsyncIterator[StoredCorpus]:
    """Connect to a database until the block ends."""
    connection = await asyncpg.connect(database_url)
    try:
        yield StoredCorpus(connection, database_url)
    finally:
        await connection.close()


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
    """A database in which nothing is stored."""
    async with connected(database_url) as corpus:
        yield corpus


@pytest_asyncio.fixture
async def stored(empty: StoredCorpus) -> StoredCorpus:
    """A database with three documents, at version 1."""
    await empty.store(HUSLEIE, FISKE, REPEALED)
    await empty.stamp()
    return empty


@pytest.fixture(scope="session")
def store_apart(migrated_server: str) -> Callable[[], AbstractAsyncContextManager[StoredCorpus]]:
    """Stores the documents of `stored`, not yet stamped, in a database of its own until the block ends."""

    @contextlib.asynccontextmanager
    async def store() -> AsyncIterator[StoredCorpus]:
        async with new_database(migrated_server) as database_url, connected(database_url) as corpus:
            await corpus.store(HUSLEIE, FISKE, REPEALED)
            yield corpus

    return store


@pytest.fixture(scope="session")
def hostile_queries() -> Sequence[str]:
    """The list of hostile queries. Tests are no package, so that it is loaded by its place."""
    file = Path(__file__).with_name("hostile_queries.py")
    spec = importlib.util.spec_from_file_location(file.stem, file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    queries: Sequence[str] = module.QUERIES
    return queries
