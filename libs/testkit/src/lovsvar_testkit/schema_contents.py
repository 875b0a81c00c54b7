"""What a database schema holds, to compare what the migrations of a service make with its `schema.sql`."""

from typing import Any

COLUMNS = """
SELECT c.relname, c.relkind::text, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull,
    pg_get_expr(d.adbin, d.adrelid), col_description(c.oid, a.attnum), obj_description(c.oid),
    (SELECT array_agg(x::text ORDER BY x::text) FROM unnest(c.relacl) AS x)
FROM pg_class c
JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0
LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
WHERE c.relnamespace = to_regnamespace($1) ORDER BY 1, 3
"""
CONSTRAINTS = """
SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid) FROM pg_constraint
WHERE connamespace = to_regnamespace($1) ORDER BY 1, 2
"""
INDEXES = "SELECT tablename, indexname, indexdef FROM pg_indexes WHERE schemaname = $1 ORDER BY 1, 2"
VIEWS = "SELECT viewname, definition FROM pg_views WHERE schemaname = $1 ORDER BY 1"


async def schema_contents(connection: Any, schema: str = "public") -> list[tuple[Any, ...]]:
    """Return the columns, constraints, indexes and views of `schema`, with comments and grants."""
    queries = (COLUMNS, CONSTRAINTS, INDEXES, VIEWS)
    rows = [row for query in queries for row in await connection.fetch(query, schema)]
    assert rows  # noqa: S101 # what is empty equals anything that is empty
    return [tuple(row) for row in rows]
