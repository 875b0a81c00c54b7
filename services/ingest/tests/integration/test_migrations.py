"""The database's schema."""

import asyncio
import re
from importlib.resources import files
from pathlib import Path
from typing import Any

import asyncpg
import pytest

from lovsvar_chassis.database import load_queries
from lovsvar_chassis.migrations import Migrations, load_migrations, migrate
from lovsvar_ingest.manifest import SCHEMA
from lovsvar_testkit.schema_contents import schema_contents

ROOT = Path(__file__).parents[4]


@pytest.fixture
def database_url(empty_database_url: str) -> str:
    """What these tests migrate themselves."""
    return empty_database_url


async def test_the_migrations_and_the_schema_file_make_the_same_database(database: Any) -> None:
    await database.execute(files("lovsvar_ingest").joinpath("schema.sql").read_text())
    written = [await schema_contents(database, schema) for schema in ("public", "law_sql")]
    await database.execute("DROP SCHEMA public, law_sql CASCADE; CREATE SCHEMA public")
    await migrate(database, SCHEMA)
    assert [await schema_contents(database, schema) for schema in ("public", "law_sql")] == written


def test_the_role_of_queries_is_the_same_where_logins_are_made() -> None:
    migration = next(migration.sql for migration in load_migrations(SCHEMA) if migration.name == "law_sql")
    role = re.search(r"^DO \$\$\nDECLARE\n    am record.*?^\$\$;$", migration, re.DOTALL | re.MULTILINE)
    assert role is not None
    assert role[0] in (ROOT / "deploy/postgres/logins.sql").read_text(encoding="utf-8")


async def test_vectors_stored_before_get_the_indexes_that_new_ones_get(database: Any) -> None:
    migrations = load_migrations(SCHEMA)
    for migration in migrations[:8]:
        await database.execute(migration.sql)
    await database.execute(
        """
        INSERT INTO embedding_models (model, dimensions) VALUES ('m', 2), ('begun', NULL), ('long', 5000);
        INSERT INTO embeddings (model, content_hash, embedding) VALUES ('m', 'h', '[1,0]')
        """
    )
    for statement in await _index_statements(database):
        await database.execute(re.sub(r" WITH \(.*?\)", "", statement))
    before = await _vector_indexes(database)
    for migration in migrations[8:]:
        await database.execute(migration.sql)
    migrated = await _vector_indexes(database)
    assert migrated.keys() == before.keys()
    assert migrated != before
    for name in migrated:
        await database.execute(f"DROP INDEX {name}")
    for statement in await _index_statements(database):
        await database.execute(statement)
    assert migrated == await _vector_indexes(database)


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


async def _index_statements(database: Any) -> list[str]:
    make_indexes = load_queries("lovsvar_ingest.adapters")["make_indexes"]
    return [row[0] for row in await database.fetch(make_indexes, "m", 2)]


async def _vector_indexes(database: Any) -> dict[str, str]:
    rows = await database.fetch("SELECT indexname, indexdef FROM pg_indexes WHERE indexdef LIKE '%hnsw%'")
    return {row["indexname"]: row["indexdef"] for row in rows}


async def test_processes_that_start_at_once_migrate_once(database_url: str, database: Any) -> None:
    parts = [Migrations(database_url, SCHEMA) for _ in range(5)]
    await asyncio.gather(*(part.start() for part in parts))
    assert all(part.done for part in parts)
    numbers = [row["number"] for row in await database.fetch("SELECT number FROM schema_migrations ORDER BY number")]
    assert numbers == [migration.number for migration in load_migrations(SCHEMA)]


async def test_migrating_again_changes_nothing(database_url: str, database: Any) -> None:
    await migrate(database, SCHEMA)
    before = await schema_contents(database)
    await migrate(database, SCHEMA)
    assert await schema_contents(database) == before


async def test_the_corpus_has_one_row_and_no_second(database: Any) -> None:
    await migrate(database, SCHEMA)
    assert await database.fetchval("SELECT version FROM corpus") == 0
    try:
        await database.execute("INSERT INTO corpus (only_row) VALUES (false)")
    except asyncpg.CheckViolationError:
        return
    raise AssertionError("a second row was stored")


async def test_the_model_completed_last_serves_else_the_one_with_most_vectors(database: Any) -> None:
    await migrate(database, SCHEMA)
    serving = "SELECT model FROM serving_model"
    await database.execute("INSERT INTO embedding_models (model) VALUES ('begun')")
    assert await database.fetchval(serving) is None
    for model, vectors in (("few", 1), ("many", 3), ("some", 2)):
        await database.execute("INSERT INTO embedding_models (model, dimensions) VALUES ($1, 2)", model)
        await database.executemany(
            "INSERT INTO embeddings (model, content_hash, embedding) VALUES ($1, $2, '[1,0]')",
            [(model, str(number)) for number in range(vectors)],
        )
    assert await database.fetchval(serving) == "many"
    complete = "UPDATE embedding_models SET completed_at = $2::text::timestamptz WHERE model = $1"
    await database.execute(complete, "few", "2026-01-02")
    assert await database.fetchval(serving) == "few"
    await database.execute(complete, "some", "2026-01-03")
    assert await database.fetchval(serving) == "some"


READER = {"role": "lovsvar_reader"}


@pytest.mark.parametrize(
    "table", ["documents", "sections", "corpus", "schema_migrations", "embedded_provisions", "later"]
)
async def test_the_reader_reads_every_table_also_later_ones(database_url: str, database: Any, table: str) -> None:
    await migrate(database, SCHEMA)
    await database.execute("CREATE TABLE later (one integer)")
    reader = await asyncpg.connect(database_url, server_settings=READER)
    try:
        assert await reader.fetchval(f"SELECT count(*) FROM {table}") >= 0
    finally:
        await reader.close()


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE corpus SET version = 7",
        "DELETE FROM documents",
        "INSERT INTO archives (dataset, checksum, reading) VALUES ('a', 'b', 1)",
        "TRUNCATE sections CASCADE",
        "CREATE TABLE mine (one integer)",
        "DROP TABLE embeddings",
    ],
)
async def test_the_reader_writes_nothing(database_url: str, database: Any, statement: str) -> None:
    await migrate(database, SCHEMA)
    reader = await asyncpg.connect(database_url, server_settings=READER)
    try:
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            await reader.execute(statement)
    finally:
        await reader.close()


async def test_an_owner_who_may_not_make_roles_migrates_all_the_same(database: Any) -> None:
    # Whether the cluster has the role already depends on the tests before; the owner gets on either way.
    owner = "lovsvar_test_owner"
    await database.execute("CREATE EXTENSION IF NOT EXISTS vector")
    await database.execute(f"CREATE ROLE {owner}")
    try:
        await database.execute(f"ALTER SCHEMA public OWNER TO {owner}; SET ROLE {owner}")
        await migrate(database, SCHEMA)
        await migrate(database, SCHEMA)
        assert await database.fetchval("SELECT count(*) FROM schema_migrations") == len(load_migrations(SCHEMA))
        assert not await database.fetchval("SELECT pg_has_role(current_user, 'lovsvar_reader', 'MEMBER')")
    finally:
        await database.execute(f"RESET ROLE; DROP SCHEMA public CASCADE; DROP OWNED BY {owner}; DROP ROLE {owner}")
