"""SQL by a model: what is carried out, and what is not, with the parser's judgement and without it."""

import re
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import asyncpg
import pytest
import pytest_asyncio

from lovsvar_cases.adapters.law_sql import LIMITS, MOST_BYTES, MOST_ROWS, PostgresLawSql
from lovsvar_cases.core.errors import CasesError
from lovsvar_cases.core.law_queries import query_law_sql
from lovsvar_cases.core.sql_guard.guard import judge
from lovsvar_chassis.migrations import migrate
from lovsvar_ingest.manifest import SCHEMA

PASSWORD = "the password of queries"  # of a database that lives as long as a test
FILES = Path(__file__).parents[1] / "sql"
HARMLESS = re.compile(r"SELECT (version|inet_server_addr|session_user|has_table_privilege|to_regclass)", re.IGNORECASE)


def read(name: str, kind: str) -> dict[str, str]:
    """Return the statements of a file by their names."""
    _, *parts = re.split(rf"^-- {kind}: (\w+)$", (FILES / name).read_text(encoding="utf-8"), flags=re.MULTILINE)
    return {name: sql.strip() for name, sql in zip(parts[::2], parts[1::2], strict=True)}


ATTACKS = read("attacks.sql", "attack")
QUERIES = read("queries.sql", "query")

LAW = """
INSERT INTO documents SELECT
    'lov/1999-03-26-17', 'LOV-1999-03-26-17', 'NL', 'gjeldende-lover', 'f', 'lov', 'Lov om husleieavtaler', 'Husleieloven',
    'husll', 1999, ARRAY['Kommunaldepartementet'], ARRAY['Husleie'], '{}', 'in_force', '2000-01-01', '', NULL, 'h', 1;
INSERT INTO sections
SELECT 'lov/1999-03-26-17', key, key, row_number() OVER (), NULL, 'provision', key, title, ARRAY['Kapittel'],
    text, '[]', '{}', '{}', '{}', 'in_force', '2000-01-01', 'h', 1
FROM (VALUES ('§3-5', 'Depositum', 'Leieren kan betale depositum til en særskilt konto.'),
    ('§9-5', 'Oppsigelse', 'Utleieren kan bare foreta oppsigelse av en avtale når …')) AS s (key, title, text);
INSERT INTO sections
SELECT 'lov/1999-03-26-17', 'n' || n, 'n' || n, n, NULL, 'provision', '', '', '{}', repeat('Leie. ', 20), '[]', '{}', '{}',
    '{}', 'in_force', NULL, 'h', 1
FROM generate_series(1, 4000) AS n;
CREATE TABLE secret (word text); INSERT INTO secret VALUES ('hunter2');
ANALYZE;
"""


@pytest_asyncio.fixture
async def database(database_url: str) -> AsyncIterator[Any]:
    connection = await asyncpg.connect(database_url)
    await migrate(connection, SCHEMA)
    await connection.execute(LAW + f"ALTER ROLE lovsvar_sql PASSWORD '{PASSWORD}'")
    yield connection
    await connection.close()


@pytest_asyncio.fixture
async def law(database: Any, database_url: str) -> AsyncIterator[PostgresLawSql]:
    law = PostgresLawSql(database_url, PASSWORD)
    await law.start()
    yield law
    await law.stop()


STATE = """
SELECT (SELECT count(*) FROM pg_class), (SELECT count(*) FROM pg_roles), (SELECT count(*) FROM pg_proc),
    (SELECT md5(string_agg(s::text, '' ORDER BY section_key)) FROM public.sections AS s),
    (SELECT md5(string_agg(d::text, '')) FROM public.documents AS d), (SELECT count(*) FROM pg_largeobject_metadata),
    (SELECT count(*) FROM public.corpus), (SELECT rolsuper FROM pg_roles WHERE rolname = 'lovsvar_sql'),
    (SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'), (SELECT count(*) FROM pg_replication_slots),
    (SELECT is_called FROM public.document_changes_id_seq)
"""


async def test_no_attack_passes_the_parser() -> None:
    passed = []
    for name, sql in ATTACKS.items():
        for table in ("legislation", "practice"):
            try:
                passed.append((name, judge(sql, table)))
            except CasesError:
                continue
    assert len(ATTACKS) >= 80
    assert passed == []


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
    print("\nGIVEN", {k: [r[:150] for r in v[:2]] for k, v in given.items()})
    assert slow == []
    assert tuple(await database.fetchrow(STATE)) == tuple(before)
    said = str(given)
    for word in ("hunter2", "SCRAM", "root:", "rolname", "PG_VERSION", "gjeldende-lover"):
        assert word not in said


@pytest.mark.parametrize("name", QUERIES)
async def test_queries_about_the_law_are_carried_out(law: PostgresLawSql, name: str) -> None:
    result = await query_law_sql(law, {"query_string": QUERIES[name], "table_name": "legislation"})
    assert result["status"] == "success", result
    assert result["results"]
