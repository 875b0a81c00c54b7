"""The law asked in SQL: what a model's query is judged by, and what it gets back."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from lovsvar_cases.core.case_tools import CaseTool, Desk, Result, not_found, success, text, tool
from lovsvar_cases.core.errors import CasesError
from lovsvar_cases.core.sql_guard.allowlist import TABLES
from lovsvar_cases.core.sql_guard.guard import judge
from lovsvar_cases.core.sql_guard.size import LONGEST

PRACTICE = (
    "Rettspraksis er ikke lagret her, så tabellen practice er tom. Finn praksis med verktøyet for søk i "
    "rettspraksis, eller spør i legislation."
)
NOTHING = "Ingen rader passer. Prøv færre eller andre ord, for eksempel roten av et ord: ILIKE '%deposit%'."

OFFER = (
    "Still én SELECT (PostgreSQL) til lover og forskrifter; en rad er en paragraf. Hent først doc_id, title og summary "
    "med nøkkelord, for eksempel SELECT doc_id, title, summary FROM legislation WHERE full_text ILIKE '%depositum%' "
    "LIMIT 10. Hent deretter full_text for de doc_id-ene som trengs, med WHERE doc_id IN ('…', '…')."
)


class SqlFailed(CasesError):
    """PostgreSQL did not carry a query out. Its words say why, and what may help."""


@dataclass(frozen=True)
class Rows:
    """What a query gave: each row as JSON, and whether there were more than is returned."""

    rows: tuple[str, ...]
    more: bool


class LawSql(Protocol):
    """Carries out queries that nobody has to trust: it reads the views of the law, within its limits."""

    async def ask(self, query: str) -> Rows:
        """Return what a query gives. Raises `SqlFailed`."""


async def query_law_sql(law: LawSql, given: Mapping[str, Any]) -> Result:
    """Return the rows of a model's query. Raises `SqlRefused` and `SqlFailed`."""
    table = given["table_name"]
    found = await law.ask(judge(given["query_string"], table))
    if not found.rows:
        return not_found(PRACTICE if table == "practice" else NOTHING)
    if found.more:
        return success(results=[json.loads(row) for row in found.rows], more="Det er flere rader enn disse.")
    return success(results=[json.loads(row) for row in found.rows])


def law_tools(law: LawSql) -> tuple[CaseTool, ...]:
    """Return the tool by which a model asks `law`."""

    async def work(_: Desk, given: Mapping[str, Any]) -> Result:
        return await query_law_sql(law, given)

    columns = "; ".join(f"{table}: {', '.join(sorted(names))}" for table, names in TABLES.items())
    description = f"{OFFER} Kolonner: {columns}. Rettspraksis er ikke lagret: practice er tom."
    return (
        tool(
            "query_law_sql",
            "Spør i lovdatabasen",
            description,
            work,
            ("query_string", "table_name"),
            query_string=text("Spørringen.", minLength=1, maxLength=LONGEST),
            table_name=text("Tabellen som spørres.", enum=list(TABLES)),
        ),
    )
