"""SQL by a model: what is carried out, and what is not, with the parser's judgement and without it."""

import contextlib
import re
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import asyncpg
import pytest
import pytest_asyncio

from lovsvar_cases.adapters.law_sql import LIMITS, MOST_BYTES, MOST_ROWS, PostgresLawSql, url_of_role
from lovsvar_cases.core.errors import CasesError
from lovsvar_cases.core.law_queries import query_law_sql
from lovsvar_chassis.migrations import migrate
from lovsvar_ingest.manifest import SCHEMA
from lovsvar_testkit.databases import EMPTY, new_database

PASSWORD = "the password of queries"  # of a database that lives as long as a test
FILES = Path(__file__).parents[1] / "sql"


def read(name: str, kind: str) -> dict[str, str]:
    """Return the statements of a file by their names."""
    _, *parts = re.split(rf"^-- {kind}: (\w+)$", (FILES / name).read_text(encoding="utf-8"), flags=re.MULTILINE)
    return {name: sql.strip() for name, sql in zip(parts[::2], parts[1::2], strict=True)}


ATTACKS = read("attacks.sql", "attack")
QUERIES = read("queries.sql", "query")

LAW = """
INSERT INTO documents SELECT
    'lov/1999-03-26-17', 'LOV-1999-03-26-17', 'NL', 'gjeldende-lover', 'f', 'lov', 'Lov om husleieavtaler',
    'Husleieloven', 'husll', 1999, ARRAY['Kommunaldepartementet'], ARRAY['Husleie'], '{}', 'in_force', '2000-01-01', '',
    NULL, 'h', 1;
INSERT INTO sections
SELECT 'lov/1999-03-26-17', key, key, row_number() OVER (), NULL, 'provision', key, title, ARRAY['Kapittel'],
    text, '[]', '{}', '{}', '{}', 'in_force', '2000-01-01', 'h', 1
FROM (VALUES ('§3-5', 'Depositum', 'Leieren kan betale depositum til en særskilt konto.'),
    ('§9-5', 'Oppsigelse', 'Utleieren kan bare foreta oppsigelse av en avtale når …')) AS s (key, title, text);
INSERT INTO sections
SELECT 'lov/1999-03-26-17', 'n' || n, 'n' || n, n, NULL, 'provision', '', '', '{}', repeat('Leie. ', 20), '[]', '{}',
    '{}', '{}', 'in_force', NULL, 'h', 1
FROM generate_series(1, 4000) AS n;
CREATE TABLE secret (word text); INSERT INTO secret VALUES ('hunter2');
ANALYZE;
"""


@pytest.fixture
def database_url(empty_database_url: str) -> str:
    """A database that these tests migrate: what a role may do with a database itself is in no copy of it."""
    return empty_database_url


@contextlib.asynccontextmanager
async def stored(database_url: str) -> AsyncIterator[Any]:
    """Migrate a database, store some law in it, and give the role its password; yield a connection of the owner."""
    connection = await asyncpg.connect(database_url)
    await migrate(connection, SCHEMA)
    await connection.execute(LAW + f"ALTER ROLE lovsvar_sql PASSWORD '{PASSWORD}'")
    yield connection
    await connection.close()


@contextlib.asynccontextmanager
async def asked_of(database_url: str) -> AsyncIterator[PostgresLawSql]:
    """Run what carries out a model's queries on a database."""
    law = PostgresLawSql(database_url, PASSWORD)
    await law.start()
    try:
        yield law
    finally:
        await law.stop()


@pytest_asyncio.fixture
async def database(database_url: str) -> AsyncIterator[Any]:
    async with stored(database_url) as connection:
        yield connection


@pytest_asyncio.fixture
async def law(database: Any, database_url: str) -> AsyncIterator[PostgresLawSql]:
    async with asked_of(database_url) as law:
        yield law


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def read_law(postgres_server: str) -> AsyncIterator[PostgresLawSql]:
    """The law of all tests of the module that only ask, and of which no attack is made."""
    async with new_database(postgres_server, EMPTY) as url, stored(url), asked_of(url) as law:
        yield law


STATE = """
SELECT (SELECT count(*) FROM pg_class), (SELECT count(*) FROM pg_roles), (SELECT count(*) FROM pg_proc),
    (SELECT md5(string_agg(s::text, '' ORDER BY section_key)) FROM public.sections AS s),
    (SELECT md5(string_agg(d::text, '')) FROM public.documents AS d), (SELECT count(*) FROM pg_largeobject_metadata),
    (SELECT count(*) FROM public.corpus), (SELECT rolsuper FROM pg_roles WHERE rolname = 'lovsvar_sql'),
    (SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'), (SELECT count(*) FROM pg_replication_slots),
    (SELECT is_called FROM public.document_changes_id_seq)
"""


async def test_no_attack_gets_anywhere_without_the_parser(law: PostgresLawSql, database: Any) -> None:
    before = await database.fetchrow(STATE)
    slow, given = [], {}
    for name, sql in ATTACKS.items():
        began = time.monotonic()
        try:
            found = await law.ask(sql)
        except CasesError:
            pass
        else:
            given[name] = found.rows
            assert len(found.rows) <= MOST_ROWS
            assert sum(len(row.encode()) for row in found.rows) <= MOST_BYTES
        if time.monotonic() - began > LIMITS.command + LIMITS.acquire:
            slow.append(name)
        # A change of the session would be seen by the next query.
        assert (await law.ask("SELECT count(*) AS n FROM legislation")).rows == ('{"n":4002}',)
    assert slow == []
    assert tuple(await database.fetchrow(STATE)) == tuple(before)
    said = str(given)
    for word in ("hunter2", "SCRAM", "root:", "rolname", "PG_VERSION", "gjeldende-lover"):
        assert word not in said


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize("name", QUERIES)
async def test_queries_about_the_law_are_carried_out(read_law: PostgresLawSql, name: str) -> None:
    result = await query_law_sql(read_law, {"query_string": QUERIES[name], "table_name": "legislation"})
    assert result["status"] == "success", result
    assert result["results"]


@pytest.mark.asyncio(loop_scope="module")
async def test_what_there_is_nothing_of_is_said(read_law: PostgresLawSql) -> None:
    asked = {"query_string": "SELECT doc_id, title FROM practice", "table_name": "practice"}
    practice = await query_law_sql(read_law, asked)
    assert practice["status"] == "not_found"
    assert "ikke lagret" in practice["message"]
    assert "legislation" in practice["message"]
    asked = {"query_string": "SELECT doc_id FROM legislation WHERE year = 1814", "table_name": "legislation"}
    assert (await query_law_sql(read_law, asked))["status"] == "not_found"


async def test_rows_and_bytes_have_an_end(law: PostgresLawSql, database: Any) -> None:
    asked = {"query_string": "SELECT doc_id FROM legislation", "table_name": "legislation"}
    result = await query_law_sql(law, asked)
    assert len(result["results"]) == MOST_ROWS
    assert result["more"]
    await database.execute("UPDATE sections SET text = repeat('å', 30000) WHERE section_key = '§3-5'")
    by_id = "FROM legislation WHERE doc_id = 'lov/1999-03-26-17/§3-5'"
    with pytest.raises(CasesError, match=r"left\(full_text"):
        await query_law_sql(law, {**asked, "query_string": f"SELECT full_text {by_id}"})
    result = await query_law_sql(law, {**asked, "query_string": f"SELECT left(full_text, 9000) AS begynnelse {by_id}"})
    assert result["results"] == [{"begynnelse": "å" * 9000}]


async def test_the_role_reads_two_views_and_owns_nothing(database: Any, database_url: str) -> None:
    role = await asyncpg.connect(url_of_role(database_url, PASSWORD))
    try:
        readable = await role.fetch(
            "SELECT relname FROM pg_class WHERE relnamespace NOT IN ('pg_catalog'::regnamespace,"
            " 'information_schema'::regnamespace) AND relkind IN ('r', 'v', 'm', 'p', 'f')"
            " AND has_table_privilege(oid, 'SELECT, INSERT, UPDATE, DELETE, TRUNCATE')"
        )
        assert {row[0] for row in readable} == {"legislation", "practice"}
        assert not await role.fetchval("SELECT has_database_privilege(current_database(), 'CREATE, TEMPORARY')")
        assert not await role.fetchval("SELECT has_schema_privilege('law_sql', 'CREATE')")
        assert not await role.fetchval("SELECT has_schema_privilege('public', 'USAGE, CREATE')")
        assert await role.fetchval("SHOW default_transaction_read_only") == "on"
        assert await role.fetchval("SHOW statement_timeout") == "5s"
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            await role.fetch("SELECT word FROM public.secret")
    finally:
        await role.close()


async def test_a_database_without_the_role_is_an_error_that_says_so(database_url: str) -> None:
    law = PostgresLawSql(database_url, PASSWORD)
    await law.start()
    try:
        with pytest.raises(CasesError):
            await law.ask("SELECT doc_id FROM legislation")
    finally:
        await law.stop()
