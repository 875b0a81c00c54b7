"""The corpus as the follower reads it from PostgreSQL: one snapshot of the database, streamed."""

from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager

import asyncpg

from lovsvar_chassis.database import Database
from lovsvar_contracts.identifiers import is_announcement
from lovsvar_contracts.law import InForce, LawType, ProvisionKind
from lovsvar_legaltext.act_names import Act, ActNames
from lovsvar_legaltext.aliases import Alias
from lovsvar_search.adapters.database import SQL, database_errors
from lovsvar_search.core.errors import StoreUnavailable
from lovsvar_search.core.law.sections import Companions, EverydayQuestion, IndexedSection
from lovsvar_search.core.retrieval.corpus import CorpusChanges, CorpusSource, CorpusState

BATCH = 1_000
"""Sections that are fetched and indexed at a time."""

NOTHING = CorpusState(0, "")

STEP_SECONDS = 12.0
"""How long one step of reading what changed may take at first; one that comes too late has twice the time next time."""

LONGEST_STEP = 300.0


class PostgresCorpus(CorpusSource):
    """What has been stored, by version. `aliases` are everyday names of documents."""

    def __init__(self, database: Database, aliases: Iterable[Alias] = ()) -> None:
        self._database = database
        self._aliases = tuple(aliases)
        self._step_seconds = STEP_SECONDS

    async def state(self) -> CorpusState:
        with database_errors():
            async with self._database.acquire() as connection:
                return await _state(connection)

    @asynccontextmanager
    async def changes(self, since: int) -> AsyncIterator["PostgresChanges"]:
        seconds = self._step_seconds
        try:
            with database_errors():
                async with self._database.transaction(isolation="repeatable_read", readonly=True) as connection:
                    # Everything and what changed last are read in different ways.
                    await connection.execute(SQL["plan_for_arguments"])
                    await connection.execute(SQL["allow_time"], str(round(seconds * 1000)))
                    yield PostgresChanges(connection, since, await _state(connection), self._aliases, seconds + 1)
        except StoreUnavailable as exc:
            if isinstance(exc.__cause__, TimeoutError | asyncpg.QueryCanceledError):
                self._step_seconds = min(2 * seconds, LONGEST_STEP)
            raise
        self._step_seconds = STEP_SECONDS


class PostgresChanges(CorpusChanges):
    """The corpus at one version, inside one transaction."""

    def __init__(
        self,
        connection: "asyncpg.pool.PoolConnectionProxy[asyncpg.Record]",
        since: int,
        state: CorpusState,
        aliases: Sequence[Alias],
        seconds: float,
    ) -> None:
        self._seconds = seconds
        self._connection = connection
        self._aliases = aliases
        self._since = since
        self._acts: dict[str, Act] = {}
        self.state = state

    async def companions(self) -> Companions:
        rows = await self._connection.fetch(SQL["act_names"], timeout=self._seconds)
        self._acts = {row["refid"]: _act(row) for row in rows}
        parts = await self._connection.fetch(SQL["section_parts"], timeout=self._seconds)
        current = [act for act in self._acts.values() if not is_announcement(act.refid)]
        names = ActNames(current, [(row["refid"], row["part"]) for row in parts], self._aliases)
        return Companions(names, await self._questions())

    async def _questions(self) -> Sequence[EverydayQuestion]:
        """Return every everyday question with its answers; none where ingest does not know of them yet."""
        if await self._connection.fetchval(SQL["knows_everyday_questions"]) is None:
            return ()
        rows = await self._connection.fetch(SQL["everyday_questions"], timeout=self._seconds)
        return [EverydayQuestion(r["question"], r["refid"], r["section_key"], r["rank"]) for r in rows]

    async def groups(self) -> Sequence[str]:
        rows = await self._connection.fetch(SQL["changed_refids"], self._since, timeout=self._seconds)
        return [row["refid"] for row in rows]

    async def items(self) -> AsyncIterator[Sequence[IndexedSection]]:
        cursor = await self._connection.cursor(SQL["changed_sections"], self._since, timeout=self._seconds)
        while rows := await cursor.fetch(BATCH, timeout=self._seconds):
            yield [_section(row, self._acts[row["refid"]]) for row in rows]


async def _state(connection: "asyncpg.pool.PoolConnectionProxy[asyncpg.Record]") -> CorpusState:
    try:
        row = await connection.fetchrow(SQL["corpus_state"])
    except asyncpg.UndefinedTableError:
        return NOTHING
    return CorpusState(row["version"], row["identity"], row["corpus_date"]) if row else NOTHING


def _act(row: asyncpg.Record) -> Act:
    known = dict(row) | {"law_type": LawType(row["law_type"]), "in_force": InForce(row["in_force"])}
    return Act(**known | {name: tuple(row[name]) for name in ("ministries", "legal_areas")})


def _section(row: asyncpg.Record, act: Act) -> IndexedSection:
    known = dict(row) | {"act": act, "kind": ProvisionKind(row["kind"]), "in_force": InForce(row["in_force"])}
    del known["refid"]
    return IndexedSection(**known | {name: tuple(row[name]) for name in ("path", "ledd_openings")})
