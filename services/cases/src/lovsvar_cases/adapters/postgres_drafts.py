"""Drafts in PostgreSQL: revisions are stored by the change that makes them, and read here."""

from collections.abc import Sequence
from typing import Any

import asyncpg

from lovsvar_cases.adapters.keys import CaseKey, MasterKey
from lovsvar_cases.core.casefile import CaseFile
from lovsvar_cases.core.drafts.drafting import DraftStore
from lovsvar_cases.core.drafts.errors import UnknownDraft
from lovsvar_cases.core.drafts.placeholders import Meanings
from lovsvar_cases.core.parties import parties_of
from lovsvar_cases.core.ports import CaseStore
from lovsvar_chassis.database import Database, load_queries
from lovsvar_contracts.case_drafts import Draft
from lovsvar_contracts.cases import Actor

SQL = load_queries("lovsvar_cases.adapters")
MOST_REVISIONS = 500


async def add_revision(connection: Any, key: CaseKey, version: int, draft: Draft) -> None:
    """Store a revision within the change that makes version `version` of its case."""
    sealed = key.seal(_place(draft.draft_id, draft.revision), draft.encode())
    await connection.execute(SQL["add_revision"], key.case_id, draft.draft_id, draft.revision, version, sealed)


def _place(draft_id: str, revision: int) -> str:
    return f"draft/{draft_id}/{revision}"


class PostgresDrafts(DraftStore):
    """Reads drafts and what their placeholders stand for. `cases` says who may see a case, and notes who did."""

    def __init__(self, database: Database, master: MasterKey, cases: CaseStore) -> None:
        self._database = database
        self._master = master
        self._cases = cases

    async def meanings(self, actor: Actor, case_id: str, version: int | None = None) -> tuple[CaseFile, Meanings]:
        file, _ = await self._cases.parties(actor, case_id)
        rows = await self._database.fetch(SQL["read_fields_at"], case_id, version or file.version)
        values: dict[str, dict[str, str]] = {}
        for row in rows:
            if row["sealed"] is not None:
                place = f"{row['party_id']}/{row['field']}"
                values.setdefault(row["party_id"], {})[row["field"]] = self._opened(case_id, row, place).decode()
        numbered = {
            f"{row['kind']}{row['number']}": self._opened(case_id, row, f"{row['kind']}/{row['number']}").decode()
            for row in await self._database.fetch(SQL["read_numbered"], case_id)
        }
        return file, Meanings(parties_of(file.state.details, values), numbered)

    async def revision(self, actor: Actor, case_id: str, draft_id: str, revision: int | None = None) -> Draft:
        await self._cases.read(actor, case_id)
        return await self._revision(case_id, draft_id, revision)

    async def revisions(self, actor: Actor, case_id: str, draft_id: str | None = None) -> Sequence[Draft]:
        await self._cases.read(actor, case_id)
        rows = await self._database.fetch(SQL["list_revisions"], case_id, draft_id, MOST_REVISIONS)
        if draft_id is not None and not rows:
            raise UnknownDraft(draft_id)
        return [self._draft(case_id, row) for row in rows]

    async def of_request(self, actor: Actor, case_id: str, request_id: str) -> Draft | None:
        await self._cases.read(actor, case_id)
        rows = await self._database.fetch(SQL["revision_of_request"], case_id, request_id)
        return await self._revision(case_id, rows[0]["draft_id"], rows[0]["revision"]) if rows else None

    async def _revision(self, case_id: str, draft_id: str, revision: int | None) -> Draft:
        rows = await self._database.fetch(SQL["read_revision"], case_id, draft_id, revision)
        if not rows:
            raise UnknownDraft(draft_id, revision)
        return self._draft(case_id, rows[0])

    def _draft(self, case_id: str, row: asyncpg.Record) -> Draft:
        return Draft.model_validate_json(self._opened(case_id, row, _place(row["draft_id"], row["revision"])))

    def _opened(self, case_id: str, row: asyncpg.Record, place: str) -> bytes:
        return self._master.unwrapped(case_id, row["wrapped_key"]).open(place, row["sealed"])
