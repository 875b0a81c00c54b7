"""Cases in PostgreSQL: every change is a row, and what a case is now is the sum of its changes, kept sealed beside."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import asyncpg

from lovsvar_cases.adapters.keys import CaseKey, MasterKey
from lovsvar_cases.adapters.postgres_books import PostgresBooks
from lovsvar_cases.adapters.postgres_drafts import add_revision
from lovsvar_cases.adapters.word_lists import read_name_lists
from lovsvar_cases.core.casefile import CaseFile, ChangeBody, Step, folded, folded_all, shown_change
from lovsvar_cases.core.casework import page_of
from lovsvar_cases.core.errors import UnknownCase, UnknownVersion
from lovsvar_cases.core.parties import parties_of
from lovsvar_cases.core.ports import CaseStore, Clock, Decide, Values
from lovsvar_cases.core.pseudonyms.gate import Gate, Ledger
from lovsvar_chassis.database import Database, in_transaction, load_queries
from lovsvar_contracts.case_accesses import MOST_ACCESSES, CaseAccess
from lovsvar_contracts.case_details import CaseState, Phase
from lovsvar_contracts.cases import (
    MOST_CASES,
    MOST_CHANGES,
    Actor,
    ActorKind,
    CaseAction,
    CaseChange,
    CaseLine,
    ListCases,
    OpenCase,
    Tombstone,
)
from lovsvar_contracts.message import new_id, utc_now

SQL = load_queries("lovsvar_cases.adapters")
PAGE_BYTES = 300_000

Connection = Any
"""A lent connection; asyncpg's proxy has no public type."""


@dataclass(frozen=True)
class Opened:
    """A case that was read, and its key."""

    file: CaseFile
    key: CaseKey


class _Refused(UnknownCase):
    """There is such a case, but not for the one who asks, who does not learn of it."""


class PostgresCases(CaseStore):
    """Cases in the schema `cases`. Times are those of `now`."""

    def __init__(
        self, database: Database, master: MasterKey, monthly: Sequence[int] | None = None, now: Clock = utc_now
    ) -> None:
        """`monthly` are the cases of each tier that who has no subscription gets a month; None for no limit."""
        self._database = database
        self._master = master
        self._monthly = monthly
        self._now = now

    async def open(self, request: OpenCase, step: Step) -> CaseFile:
        case_id, actor, at = new_id(), request.actor, self._now()
        key, wrapped = self._master.new(case_id)
        state = folded(CaseState(), step.body)
        organisation = actor.organisation if request.for_organisation else None
        async with self._database.transaction() as connection:
            made = await connection.fetchval(
                SQL["open_case"],
                *(case_id, request.request_id, actor.name, organisation, str(state.phase), wrapped),
                *(_sealed_state(key, 1, state), _sealed_title(key, state), at),
            )
            if made is None:
                before = await connection.fetchval(SQL["opened_case"], actor.name, request.request_id)
                return (await self._opened(connection, "read_case", before, actor)).file
            await _add_change(connection, key, 1, request.request_id, at, actor, step)
        return CaseFile(case_id, actor.name, organisation, 1, at, at, state)

    async def change(
        self, actor: Actor, case_id: str, request_id: str, decide: Decide, *, official: bool = False
    ) -> CaseFile:
        async with self._locked(actor, case_id, official=official) as (connection, opened):
            if await connection.fetchval(SQL["made_before"], case_id, request_id) is not None:
                return opened.file
            books = PostgresBooks(connection, self._monthly, self._now)
            step = await decide(opened.file, books)
            if step is None:
                return opened.file
            return await self._store(connection, opened, request_id, actor, step)

    async def _store(
        self, connection: Connection, opened: Opened, request_id: str, actor: Actor, step: Step
    ) -> CaseFile:
        file, key, at = opened.file, opened.key, self._now()
        state, version = folded(file.state, step.body), file.version + 1
        await _add_change(connection, key, version, request_id, at, actor, step)
        sealed = _sealed_state(key, version, state)
        title = _sealed_title(key, state)
        await connection.execute(
            SQL["store_state"], file.case_id, version, str(state.phase), state.tier, sealed, title, at
        )
        await _store_parties(connection, key, version, step)
        if step.debit is not None:
            await connection.execute(SQL["debit"], file.case_id, file.account, step.debit, at.date())
        if step.ticket is not None:
            sealed = key.seal(f"ticket/{step.body.about}", step.ticket.encode())
            await connection.execute(SQL["add_ticket"], step.body.about, file.case_id, sealed, at)
        if step.draft is not None:
            await add_revision(connection, key, version, step.draft)
        return CaseFile(file.case_id, file.owner, file.organisation, version, file.opened_at, at, state)

    async def read(self, actor: Actor, case_id: str, version: int | None = None) -> CaseFile:
        action = "read" if version is None else f"read version {version}"
        async with self._reading(actor, case_id, action) as (connection, opened):
            if version is None or version == opened.file.version:
                return opened.file
            return await self._as_it_was(connection, opened, version)

    async def _as_it_was(self, connection: Connection, opened: Opened, version: int) -> CaseFile:
        file = opened.file
        if version > file.version:
            raise UnknownVersion(f"Saken har ingen versjon {version}; den siste er {file.version}.")
        rows = await connection.fetch(SQL["read_changes"], file.case_id, 0, version, version)
        state = await asyncio.to_thread(_folded, opened.key, rows)
        return CaseFile(
            file.case_id, file.owner, file.organisation, version, file.opened_at, rows[-1]["changed_at"], state
        )

    async def history(
        self, actor: Actor, case_id: str, after: int, *, noted: bool = True
    ) -> tuple[CaseFile, Sequence[CaseChange]]:
        async with self._reading(actor, case_id, "history" if noted else None) as (connection, opened):
            found = await connection.fetch(SQL["read_changes"], case_id, after, opened.file.version, MOST_CHANGES)
        return opened.file, page_of([_shown(opened.key, row) for row in found], PAGE_BYTES)

    async def list(self, request: ListCases) -> tuple[Sequence[CaseLine], str | None]:
        actor = request.actor
        at, case_id = _place(request.after)
        rows = await self._database.fetch(
            SQL["list_cases"],
            *(actor.name or None, actor.organisation, request.phase and str(request.phase), at, case_id),
            MOST_CASES + 1,
        )
        lines = [self._line(row) for row in rows[:MOST_CASES]]
        last = lines[-1] if len(rows) > MOST_CASES else None
        return lines, f"{last.changed_at.timestamp()!r}_{last.case_id}" if last else None

    def _line(self, row: asyncpg.Record) -> CaseLine:
        key = self._master.unwrapped(row["case_id"], row["wrapped_key"])
        return CaseLine(
            case_id=row["case_id"],
            version=row["version"],
            phase=Phase(row["phase"]),
            tier=row["tier"],
            title=key.open("title", row["sealed_title"]).decode(),
            organisation=row["organisation"],
            opened_at=row["opened_at"],
            changed_at=row["changed_at"],
        )

    async def parties(self, actor: Actor, case_id: str) -> tuple[CaseFile, Values]:
        async with self._reading(actor, case_id, "parties") as (connection, opened):
            return opened.file, await read_fields(connection, opened.key)

    @asynccontextmanager
    async def gate(self, actor: Actor, case_id: str) -> AsyncIterator[tuple[CaseFile, Gate]]:
        async with self._locked(actor, case_id, "lock_case_to_read") as (connection, opened):
            values = await read_fields(connection, opened.key)
            ledger = await _ledger(connection, opened.key)
            gate = Gate(parties_of(opened.file.state.details, values), ledger, read_name_lists())
            yield opened.file, gate
            if ledger.added:
                await connection.execute(SQL["write_safely"])
            for (kind, number), value in ledger.added.items():
                digest, sealed = opened.key.digest(kind, value), opened.key.seal(f"{kind}/{number}", value.encode())
                await connection.execute(SQL["add_pseudonym"], case_id, kind, number, digest, sealed)

    async def accesses(self, actor: Actor, case_id: str, before: datetime | None = None) -> Sequence[CaseAccess]:
        async with self._reading(actor, case_id, None) as (connection, _):
            rows = await connection.fetch(SQL["read_accesses"], case_id, before, MOST_ACCESSES)
        return [
            CaseAccess(at=row["accessed_at"], by=row["accessed_by"], by_kind=row["by_kind"], action=row["action"])
            for row in rows
        ]

    async def erase(self, actor: Actor, case_id: str) -> Tombstone:
        async with self._locked(actor, case_id) as (connection, _):
            return await _erase(connection, case_id)

    async def erase_closed(self, days: int) -> int:
        """Erase cases that have been closed for so many days, and return how many were."""
        before = self._now() - timedelta(days=days)
        found = await self._database.fetch(SQL["cases_to_erase"], before, 100)
        for row in found:
            async with self._database.transaction() as connection:
                await _erase(connection, row["case_id"])
        return len(found)

    @asynccontextmanager
    async def _reading(
        self, actor: Actor, case_id: str, action: str | None
    ) -> AsyncIterator[tuple[Connection, Opened]]:
        """Lend a case that is read for the block, with who did, and what, in its access log."""
        async with self._database.acquire() as connection:
            try:
                opened = await self._opened(connection, "read_case", case_id, actor)
            except _Refused:
                await _note(connection, actor, case_id, "refused")
                raise
            if action is not None:
                await _note(connection, actor, case_id, action)
            yield connection, opened

    @asynccontextmanager
    async def _locked(
        self, actor: Actor, case_id: str, query: str = "lock_case", *, official: bool = False
    ) -> AsyncIterator[tuple[Connection, Opened]]:
        """Hold a case for the block, in a transaction; others who would change it wait."""
        async with self._database.acquire() as connection:
            try:
                async with in_transaction(connection):
                    yield connection, await self._opened(connection, query, case_id, None if official else actor)
            except _Refused:
                # After the transaction, which would take the note with it.
                await _note(connection, actor, case_id, "refused")
                raise

    async def _opened(self, connection: Connection, query: str, case_id: str, actor: Actor | None) -> Opened:
        """Return a case that `actor`, if it is one, may see, by a query that reads it. Raises `UnknownCase`."""
        row = await connection.fetchrow(SQL[query], case_id)
        if row is None:
            raise UnknownCase(case_id)
        key = self._master.unwrapped(case_id, row["wrapped_key"])
        owner, organisation, version = row["owner"], row["organisation"], row["version"]
        state = _state(key, version, row["sealed_state"])
        file = CaseFile(case_id, owner, organisation, version, row["opened_at"], row["changed_at"], state)
        if actor is not None and not file.may_be_seen_by(actor):
            raise _Refused(case_id)
        return Opened(file, key)


async def _note(connection: Connection, actor: Actor, case_id: str, action: str) -> None:
    await connection.execute(SQL["note_access"], case_id, actor.name, str(actor.kind), action)


async def read_fields(connection: Connection, key: CaseKey) -> Values:
    """Return what the vault holds of a case's parties: for their form, their documents, and the gate."""
    found: dict[str, dict[str, str]] = {}
    for row in await connection.fetch(SQL["read_fields"], key.case_id):
        if row["sealed"] is not None:
            place = f"{row['party_id']}/{row['field']}"
            found.setdefault(row["party_id"], {})[row["field"]] = key.open(place, row["sealed"]).decode()
    return found


async def _ledger(connection: Connection, key: CaseKey) -> Ledger:
    rows = await connection.fetch(SQL["read_pseudonyms"], key.case_id)
    return Ledger(
        {
            (row["kind"], row["number"]): key.open(f"{row['kind']}/{row['number']}", row["sealed"]).decode()
            for row in rows
        }
    )


async def _store_parties(connection: Connection, key: CaseKey, version: int, step: Step) -> None:
    for name, value in step.fields.items():
        sealed = None if value is None else key.seal(f"{step.body.about}/{name}", value.encode())
        await connection.execute(SQL["set_field"], key.case_id, step.body.about, name, version, sealed)
    if step.forgotten is not None:
        await connection.execute(SQL["forget_party"], key.case_id, step.forgotten)


async def _add_change(
    connection: Connection, key: CaseKey, version: int, request_id: str, at: datetime, actor: Actor, step: Step
) -> None:
    sealed = key.seal(f"change/{version}", step.body.model_dump_json(exclude_defaults=True).encode())
    await connection.execute(
        SQL["add_change"],
        *(key.case_id, version, request_id, at, actor.name, str(actor.kind), str(step.action), sealed),
    )


async def _erase(connection: Connection, case_id: str) -> Tombstone:
    row = await connection.fetchrow(SQL["erase_case"], case_id)
    await connection.execute(SQL["erase_what_is_of_a_case"], case_id)
    return Tombstone(case_id=case_id, opened_at=row["opened_at"], erased_at=row["erased_at"])


def _sealed_state(key: CaseKey, version: int, state: CaseState) -> bytes:
    return key.seal(f"state/{version}", state.model_dump_json(exclude_defaults=True).encode())


def _sealed_title(key: CaseKey, state: CaseState) -> bytes:
    return key.seal("title", state.title.encode())


def _state(key: CaseKey, version: int, sealed: bytes) -> CaseState:
    return CaseState.model_validate_json(key.open(f"state/{version}", sealed))


def _body(key: CaseKey, row: asyncpg.Record) -> ChangeBody:
    return ChangeBody.model_validate_json(key.open(f"change/{row['version']}", row["sealed"]))


def _folded(key: CaseKey, rows: Sequence[asyncpg.Record]) -> CaseState:
    return folded_all(CaseState(), [_body(key, row) for row in rows])


def _shown(key: CaseKey, row: asyncpg.Record) -> CaseChange:
    actor = Actor(name=row["changed_by"], kind=ActorKind(row["by_kind"]))
    return shown_change(row["version"], row["changed_at"], actor, CaseAction(row["action"]), _body(key, row))


def _place(after: str | None) -> tuple[datetime | None, str | None]:
    """Return the time and the id that a page begins after; from the beginning when they cannot be read."""
    if after is None:
        return None, None
    at, _, case_id = after.partition("_")
    try:
        return datetime.fromtimestamp(float(at), tz=utc_now().tzinfo), case_id
    except (ValueError, OverflowError, OSError):
        return None, None
