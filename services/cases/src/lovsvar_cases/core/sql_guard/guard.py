"""The judgement of one query, before PostgreSQL sees it."""

import logging
import re

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from lovsvar_cases.core.errors import CasesError
from lovsvar_cases.core.sql_guard.allowlist import NODES, QUERIES, SCHEMA, TABLES, TYPES
from lovsvar_cases.core.sql_guard.size import LONGEST, too_large

MOST_NODES = 400
DEEPEST = 24
"""Brackets within brackets."""

MOST_DIGITS = 9
NAME = re.compile(r"[a-zæøå_][a-zæøå0-9_]{0,62}", re.IGNORECASE)

# It writes what it cannot read into the log.
_log = logging.getLogger("sqlglot")


class SqlRefused(CasesError):
    """A query is not one that is carried out. Its words say to a model how to write it."""


def judge(query: str, table: str) -> str:
    """Return the query as it is carried out: written again from the tree that was judged, without comments.

    `table` is the one table of `TABLES` that it may read. Raises `SqlRefused`.
    """
    if table not in TABLES:
        raise SqlRefused(f"table_name må være {' eller '.join(TABLES)}.")
    tree = _parsed(query)
    nodes = list(tree.walk())
    if len(nodes) > MOST_NODES:
        raise SqlRefused("Spørringen er for sammensatt. Del den opp.")
    names = _Names(nodes, table)
    for node in nodes:
        if type(node) not in NODES:
            raise SqlRefused(f"{_said(node)} er ikke tillatt. Bruk SELECT med enkle uttrykk og vanlige funksjoner.")
        names.check(node)
        _check_value(node)
    _check_full_text(tree)
    return tree.sql(dialect="postgres", comments=False)


def _parsed(query: str) -> exp.Query:
    if len(query) > LONGEST or "\x00" in query:
        raise SqlRefused(f"Spørringen kan ha høyst {LONGEST} tegn.")
    if too_large(query):
        raise SqlRefused("Spørringen er for sammensatt. Bruk færre underspørringer eller kolonner.")
    depth = deepest = 0
    for character in query:
        depth += (character in "([") - (character in ")]")
        deepest = max(deepest, depth)
    if deepest > DEEPEST:
        raise SqlRefused("Spørringen har for mange parenteser i hverandre.")
    _log.disabled = True
    try:
        statements = sqlglot.parse(query, dialect="postgres")
    except (SqlglotError, RecursionError, ValueError) as exc:
        raise SqlRefused("Spørringen er ikke gyldig SQL (PostgreSQL).") from exc
    if len(statements) != 1 or not isinstance(statements[0], QUERIES):
        raise SqlRefused("Bare én SELECT om gangen er tillatt.")
    return statements[0]


class _Names:
    """What may be named: the table, its columns, and what the query itself gives a name."""

    def __init__(self, nodes: list[exp.Expr], table: str) -> None:
        self._tables = {table}
        self._columns = set(TABLES[table])
        for node in nodes:
            if isinstance(node, exp.CTE):
                # PostgreSQL's own tables are called so, and a name holds in its part of a query alone.
                if node.alias.lower().startswith("pg_"):
                    raise SqlRefused("Navn kan ikke begynne med pg_.")
                self._tables.add(node.alias.lower())
            if isinstance(node, exp.Alias):
                self._columns.add(node.alias.lower())
            if isinstance(node, exp.TableAlias):
                self._columns |= {column.name.lower() for column in node.columns}

    def check(self, node: exp.Expr) -> None:
        if isinstance(node, exp.Identifier) and not NAME.fullmatch(node.name):
            raise SqlRefused("Navn består av bokstaver, tall og understrek.")
        if isinstance(node, exp.Table):
            own_schema = node.db.lower() in ("", SCHEMA) and not node.catalog
            if not (isinstance(node.this, exp.Identifier) and own_schema and node.name.lower() in self._tables):
                raise SqlRefused(f"Bare tabellen {sorted(self._tables)[0]} kan leses.")
        if isinstance(node, exp.Column) and not isinstance(node.this, exp.Star) and not self._is_known(node):
            raise SqlRefused(f"Kolonnen {node.name} finnes ikke. Kolonnene er {', '.join(sorted(self._columns))}.")
        if isinstance(node, exp.Star) and not isinstance(node.parent, exp.Count):
            raise SqlRefused("Skriv hvilke kolonner som skal hentes i stedet for *.")

    def _is_known(self, column: exp.Column) -> bool:
        return not column.db and not column.catalog and column.name.lower() in self._columns


def _check_value(node: exp.Expr) -> None:
    if isinstance(node, exp.With) and node.recursive:
        raise SqlRefused("WITH RECURSIVE er ikke tillatt.")
    if isinstance(node, exp.Join) and not _is_keyed(node):
        raise SqlRefused("Tabeller kobles med JOIN … ON a.kolonne = b.kolonne.")
    if isinstance(node, exp.DataType) and node.this not in TYPES:
        raise SqlRefused("Verdier kan gjøres om til text, integer, numeric, boolean og date.")
    if (
        isinstance(node, exp.Literal)
        and not node.is_string
        and not re.fullmatch(rf"\d{{1,{MOST_DIGITS}}}(\.\d{{1,{MOST_DIGITS}}})?", node.name)
    ):
        raise SqlRefused(f"Tall kan ha høyst {MOST_DIGITS} sifre.")


def _is_keyed(join: exp.Join) -> bool:
    """Whether rows are joined by equal columns, and not each with each."""
    if join.args.get("using"):
        return True
    on = join.args.get("on")
    conditions = on.flatten() if isinstance(on, exp.And) else (on,)
    return any(
        isinstance(one, exp.EQ) and isinstance(one.this, exp.Column) and isinstance(one.expression, exp.Column)
        for one in conditions
    )


def _check_full_text(tree: exp.Query) -> None:
    """Refuse full texts of what was not named by id: first come summaries. Conditions may look into any."""
    for column in tree.find_all(exp.Column):
        within = column.find_ancestor(exp.Where, exp.Join, exp.Select)
        if column.name.lower() == "full_text" and isinstance(within, exp.Select) and not _by_id(within):
            raise SqlRefused(
                "Hent først doc_id, title og summary; full_text hentes etterpå med WHERE doc_id = '…' eller "
                "doc_id IN ('…', '…')."
            )


def _by_id(select: exp.Select) -> bool:
    """Whether rows are named by ids that are written out."""
    where = select.args.get("where")
    if where is None:
        return False
    conditions = where.this.flatten() if isinstance(where.this, exp.And) else (where.this,)
    return any(_names_ids(condition) for condition in conditions)


def _names_ids(condition: exp.Expr) -> bool:
    if not isinstance(condition, exp.EQ | exp.In):
        return False
    ids = condition.expressions if isinstance(condition, exp.In) else [condition.expression]
    column = condition.this
    named = isinstance(column, exp.Column) and column.name.lower() == "doc_id"
    return named and bool(ids) and all(isinstance(one, exp.Literal) for one in ids)


def _said(node: exp.Expr) -> str:
    if isinstance(node, exp.Anonymous):
        return f"Funksjonen {node.name}"
    return f"«{node.key.upper()}»"
