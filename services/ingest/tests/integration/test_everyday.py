"""Everyday questions in PostgreSQL, and in the corpus that they are about."""

import asyncio
import re
from collections.abc import AsyncIterator, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import asyncpg
import pytest

from lovsvar_chassis.database import Database
from lovsvar_chassis.migrations import load_migrations, migrate
from lovsvar_contracts.ingest import DATASET_LAWS, DATASET_REGULATIONS
from lovsvar_contracts.law import InForce
from lovsvar_ingest import app
from lovsvar_ingest.adapters.everyday_files import read_everyday
from lovsvar_ingest.adapters.postgres_everyday import StoredEveryday
from lovsvar_ingest.adapters.tar_stream import TarLimits, read_tar
from lovsvar_ingest.core.archive import ArchiveFile
from lovsvar_ingest.core.corpus import ParsedDocument
from lovsvar_ingest.core.errors import EverydayDataBroken
from lovsvar_ingest.core.everyday import EverydayQuestion
from lovsvar_ingest.core.lovdata_reader import LovdataReader
from lovsvar_ingest.core.superseded_acts import Standing, find_superseded
from lovsvar_ingest.manifest import SCHEMA

RENT = EverydayQuestion("nb", "Hvor mye depositum kan de ta?", (("lov/1", "§3"), ("lov/2", "§1")))
NOISE = EverydayQuestion("nn", "Naboen bråkar heile natta", (("lov/3", "§2"),))


@pytest.fixture
async def pool(database_url: str, database: Any) -> AsyncIterator[Database]:
    await migrate(database, SCHEMA)
    await database.execute("UPDATE corpus SET version = 7")
    pool = Database(database_url, size=4)
    await pool.start()
    yield pool
    await pool.stop()


async def stored(database: Any) -> list[tuple[Any, ...]]:
    """What is stored, and which transaction wrote it."""
    rows = await database.fetch("SELECT *, xmin FROM everyday_questions ORDER BY refid, section_key")
    return [tuple(row) for row in rows]


async def version(database: Any) -> int:
    return int(await database.fetchval("SELECT version FROM corpus"))


async def load(pool: Database, *questions: EverydayQuestion) -> None:
    await StoredEveryday(pool, lambda: questions).start()


async def test_each_question_is_stored_with_each_provision_that_answers_it(pool: Database, database: Any) -> None:
    await load(pool, RENT, NOISE)
    assert [row[:-1] for row in await stored(database)] == [
        (RENT.content_hash, 0, RENT.question, "nb", "lov/1", "§3"),
        (RENT.content_hash, 1, RENT.question, "nb", "lov/2", "§1"),
        (NOISE.content_hash, 0, NOISE.question, "nn", "lov/3", "§2"),
    ]
    assert await version(database) == 8


async def test_loading_the_same_again_writes_nothing(pool: Database, database: Any) -> None:
    await load(pool, RENT, NOISE)
    before = await stored(database)
    await load(pool, RENT, NOISE)
    assert await stored(database) == before
    assert await version(database) == 8


async def test_what_changed_or_left_is_replaced_and_served_anew(pool: Database, database: Any) -> None:
    await load(pool, RENT, NOISE)
    await load(pool, RENT)
    assert {row[0] for row in await stored(database)} == {RENT.content_hash}
    assert await version(database) == 9
    await load(pool)
    assert await stored(database) == []
    assert await version(database) == 10


async def test_an_empty_corpus_is_no_version_of_one(pool: Database, database: Any) -> None:
    await database.execute("UPDATE corpus SET version = 0")
    await load(pool, RENT)
    assert (len(await stored(database)), await version(database)) == (2, 0)


async def test_processes_that_start_at_once_load_once(pool: Database, database: Any) -> None:
    await asyncio.gather(*(load(pool, RENT, NOISE) for _ in range(4)))
    assert (len(await stored(database)), await version(database)) == (3, 8)


async def test_who_reads_while_questions_are_replaced_sees_the_old_ones_or_the_new_ones(
    pool: Database, database: Any
) -> None:
    await load(pool, RENT)
    async with database.transaction(isolation="repeatable_read"):
        before = await stored(database)
        async with asyncio.timeout(30):
            await load(pool, NOISE)
        assert await stored(database) == before
    assert {row[0] for row in await stored(database)} == {NOISE.content_hash}


async def test_data_that_is_broken_stops_the_start_and_leaves_what_was_stored(
    ingest: Any, pool: Database, database: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    await load(pool, RENT)

    def broken() -> Sequence[EverydayQuestion]:
        raise EverydayDataBroken("home.tsv, linje 3: noe er galt")

    monkeypatch.setattr(app, "read_everyday", broken)
    with pytest.raises(EverydayDataBroken, match=r"home\.tsv, linje 3"):
        async with ingest():
            pass
    assert len(await stored(database)) == 2


async def test_the_packages_questions_are_there_once_ingest_runs(ingest: Any, database: Any) -> None:
    async with ingest():
        count = await database.fetchval("SELECT count(DISTINCT content_hash) FROM everyday_questions")
    assert count == len(read_everyday()) > 0


async def test_the_reader_reads_the_questions(pool: Database, database_url: str) -> None:
    await load(pool, RENT)
    reader = await asyncpg.connect(database_url, server_settings={"role": "lovsvar_reader"})
    try:
        assert await reader.fetchval("SELECT count(*) FROM everyday_questions") == 2
    finally:
        await reader.close()


async def test_a_store_from_before_there_were_questions_keeps_its_vectors_and_gets_both_indexes(database: Any) -> None:
    for migration in load_migrations(SCHEMA)[:4]:
        await database.execute(migration.sql)
    await database.execute(
        """
        INSERT INTO embedding_models (model, dimensions) VALUES ('m', 2), ('begun', NULL), ('long', 5000);
        INSERT INTO embeddings VALUES ('m', 'h', '[1,0]');
        CREATE INDEX ON embeddings USING hnsw ((embedding::halfvec(2)) halfvec_cosine_ops) WHERE model = 'other';
        """
    )
    old = "embeddings_" + await database.fetchval("SELECT left(md5('m'), 12)")
    await database.execute(
        f"CREATE INDEX {old} ON embeddings USING hnsw ((embedding::halfvec(2)) halfvec_cosine_ops) WHERE model = 'm'"
    )
    await database.execute(load_migrations(SCHEMA)[4].sql)
    assert [tuple(row) for row in await database.fetch("SELECT model, content_hash, kind FROM embeddings")] == [
        ("m", "h", "passage")
    ]
    names = await database.fetch(
        "SELECT indexname FROM pg_indexes WHERE tablename = 'embeddings' AND indexname ~ '^embeddings_[0-9a-f]{12}'"
        " ORDER BY 1"
    )
    assert [row[0] for row in names] == [f"{old}_passage", f"{old}_question"]


ALIVE = (InForce.YES, InForce.UNKNOWN)


def provisions(archives: Path, wanted: set[str]) -> dict[tuple[str, str], str]:
    """Return of each section "in_force", or what it or its document is instead: of all laws, and wanted regulations.

    Which law is superseded is seen only in all of them.
    """
    found: dict[tuple[str, str], str] = {}
    standing: list[Standing] = []
    for document in documents(archives, wanted):
        header = document.header
        if header.in_force == InForce.YES:
            areas = bool(header.legal_areas)
            standing.append(Standing(header.refid, header.short_title, header.in_force_note, areas))
        for section in document.sections:
            dead = [word for word in (header.in_force, section.in_force) if word not in ALIVE]
            found[header.refid, section.key] = dead[0] if dead else "in_force"
    gone = set(find_superseded(standing, datetime.now(UTC).date()))
    return {key: "superseded" if key[0] in gone else word for key, word in found.items()}


def documents(archives: Path, wanted: set[str]) -> Iterator[ParsedDocument]:
    for dataset in (DATASET_LAWS, DATASET_REGULATIONS):
        files = (file for file, _ in read_tar(archives / f"{dataset}.tar.bz2", TarLimits()))
        kept = (file for file in files if dataset == DATASET_LAWS or refid(file) in wanted)
        for batch in LovdataReader().batches(kept, dataset, datetime.now(UTC).date()):
            yield from batch.documents


def refid(file: ArchiveFile) -> str:
    match = re.search(rb'<dd class="refid">([^<]+)</dd>', file.content)
    return match[1].decode() if match else ""


async def test_everything_that_questions_lead_to_is_law_today(archives: Path) -> None:
    targets = {target for question in read_everyday() for target in question.targets}
    standing = await asyncio.to_thread(provisions, archives, {refid for refid, _ in targets})
    astray = {target: standing.get(target, "not there") for target in targets if standing.get(target) != "in_force"}
    assert astray == {}
