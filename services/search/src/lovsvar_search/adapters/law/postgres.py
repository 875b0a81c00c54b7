"""The stored corpus, read from PostgreSQL by a connection that cannot write."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from typing import TypeVar

import asyncpg
import orjson
import structlog

from lovsvar_chassis.database import Database
from lovsvar_contracts.identifiers import lovdata_url, viewer_path
from lovsvar_contracts.ingest import ArchiveOrigin
from lovsvar_contracts.law import DocumentSummary, InForce, LawType, StructureKind
from lovsvar_contracts.listings import Citing, ListDocuments, Subject
from lovsvar_contracts.search import OutlineEntry
from lovsvar_search.adapters.database import LOST, SQL, database_errors, fetch_planned
from lovsvar_search.core.errors import NothingStored, StoreUnavailable
from lovsvar_search.core.law.provision_reader import Counts, Division, Key, Placed, ReadProvision
from lovsvar_search.core.law.reference_resolution import ReferenceStore, Section
from lovsvar_search.core.law.sections import heading, is_sample, status_of

log = structlog.get_logger()

PATIENCE = 7.0
"""Seconds that reading may take with every try: with two to close a dead connection it is less than the ten that a
request has."""

EMBEDDED_SECONDS = 30.0
"""How often the embedded provisions are counted: that takes a second or more."""

PROVISION_OVERHEAD = 1_500
"""Bytes that a provision costs in a reply besides its text and blocks: names, path, addresses, notes."""

_Result = TypeVar("_Result")

TRIES = 3
"""Connections that are tried for one read: a restart of PostgreSQL cuts every one in the pool."""


class PostgresStore(ReferenceStore):
    """Reads provisions and documents."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._counted: tuple[tuple[object, ...], int] | None = None
        self._embedded = 0
        self._embedded_at = 0.0
        self._counting: asyncio.Task[int] | None = None

    async def _ask(self, ask: Callable[[], Awaitable[_Result]]) -> _Result:
        """Run `ask`; again when the connection it got turned out to be lost."""
        with database_errors():
            async with asyncio.timeout(PATIENCE):
                for _ in range(TRIES - 1):
                    with suppress(*LOST):
                        return await ask()
                return await ask()

    async def _fetch(self, query: str, *arguments: object) -> list[asyncpg.Record]:
        storable = [_storable(argument) for argument in arguments]
        return await self._ask(lambda: self._database.fetch(SQL[query], *storable))

    async def _sections(self, query: str, *arguments: object) -> Sequence[Section]:
        return [(row["section"], heading(row["value"], row["title"])) for row in await self._fetch(query, *arguments)]

    async def read(self, keys: Sequence[Key]) -> Mapping[Key, ReadProvision]:
        rows = await self._fetch("read_provisions", [refid for refid, _ in keys], [key for _, key in keys])
        return {(row["refid"], row["section_key"]): _provision(row) for row in rows}

    async def existing(self, keys: Sequence[Key]) -> Mapping[Key, tuple[str, str]]:
        rows = await self._fetch("existing_sections", [refid for refid, _ in keys], [key for _, key in keys])
        return {(r["refid"], r["section_key"]): (r["section"], heading(r["value"], r["title"])) for r in rows}

    async def between(self, refid: str, first: str, last: str, limit: int) -> Sequence[tuple[str, str]]:
        return await self._sections("sections_between", refid, first, last, limit)

    async def called(self, refid: str, keys: Sequence[str]) -> Sequence[tuple[str, str]]:
        return await self._sections("sections_called", refid, list(keys))

    async def provisions(self, refid: str) -> Sequence[tuple[str, str, str]]:
        rows = await self._fetch("provision_numbers", refid)
        return [(row["section"], row["value"], heading(row["value"], row["title"])) for row in rows]

    async def chapters(self, refid: str, number: str) -> Sequence[tuple[str, str]]:
        return [(row["name"], row["title"]) for row in await self._fetch("chapters", refid, number)]

    async def count_ledd(self, refid: str, key: str) -> int:
        rows = await self._fetch("count_ledd", refid, key)
        return int(rows[0]["ledd"])

    async def summary(self, refid: str) -> DocumentSummary | None:
        rows = await self._fetch("summary", refid)
        return _summary(rows[0]) if rows else None

    async def outline(self, refid: str) -> tuple[Sequence[Division], Sequence[Placed]]:
        divisions, sections = await asyncio.gather(
            self._fetch("divisions", refid), self._fetch("outline_sections", refid)
        )
        return (
            [Division(r["position"], r["parent"], StructureKind(r["kind"]), r["name"], r["title"]) for r in divisions],
            [Placed(row["structure"], OutlineEntry.model_validate(dict(row))) for row in sections],
        )

    async def document_page(self, refid: str, after: int, size: int) -> Sequence[ReadProvision]:
        rows = await self._fetch("document_page", refid, after, size, PROVISION_OVERHEAD)
        return [_provision(row) for row in rows]

    async def list_documents(self, request: ListDocuments) -> tuple[Sequence[DocumentSummary], int]:
        limit, offset = request.page_size, (request.page - 1) * request.page_size
        document = (request.law_type, request.year, request.ministry, request.title, request.changes)
        place = (request.series, request.legal_area, request.letter, request.by_title)
        demands = [_storable(one) for one in (*document, *place)]

        async def fetch(limit: int, offset: int) -> list[asyncpg.Record]:
            sql = SQL["list_documents"]
            return await self._ask(lambda: fetch_planned(self._database, sql, *demands, limit, offset))

        rows = await fetch(limit, offset)
        counted = rows or (await fetch(1, 0) if offset else [])
        return [_summary(row) for row in rows], counted[0]["total"] if counted else 0

    async def subjects(self, series: str) -> Mapping[str, Sequence[Subject]]:
        found: dict[str, list[Subject]] = {}
        for row in await self._fetch("subjects", series):
            found.setdefault(row["kind"], []).append(Subject(name=row["name"], documents=row["documents"]))
        return found

    async def links_to(self, refid: str) -> Sequence[tuple[Citing, str]]:
        return [(_citing(row), row["ref"]) for row in await self._fetch("links_to", refid)]

    async def counts(self) -> Counts:
        try:
            corpus = (await self._fetch("state_counted"))[0]
            rows = await self._fetch("count_documents")
            provisions = await self._count_provisions(tuple(corpus))
            embedded = await self._count_embedded()
            archives = tuple(ArchiveOrigin(**row) for row in await self._fetch("archives"))
        except NothingStored:
            return Counts(0, None, 0, {}, {})
        by_type: dict[LawType, int] = {}
        by_dataset: dict[str, int] = {}
        for row in rows:
            by_type[LawType(row["law_type"])] = by_type.get(LawType(row["law_type"]), 0) + row["documents"]
            by_dataset[row["dataset"]] = by_dataset.get(row["dataset"], 0) + row["documents"]
        return Counts(corpus["version"], corpus["corpus_date"], provisions, by_type, by_dataset, embedded, archives)

    async def _count_provisions(self, state: tuple[object, ...]) -> int:
        """Return how many provisions are served; counted once for each `state` of the corpus."""
        if self._counted is None or self._counted[0] != state:
            self._counted = state, (await self._fetch("count_provisions"))[0]["provisions"]
        return self._counted[1]

    async def _count_embedded(self) -> int:
        """Return how many provisions have vectors: the last count, which is made again in the background."""
        if self._counting is None:
            self._counting = asyncio.create_task(self._recount_embedded())
            return await asyncio.shield(self._counting)
        if self._counting.done() and time.monotonic() - self._embedded_at > EMBEDDED_SECONDS:
            self._counting = asyncio.create_task(self._recount_embedded())
        return self._embedded

    async def _recount_embedded(self) -> int:
        try:
            self._embedded = (await self._fetch("count_embedded"))[0]["embedded"]
        except StoreUnavailable:
            log.warning("embedded provisions could not be counted", exc_info=True)
        self._embedded_at = time.monotonic()
        return self._embedded


def _storable(argument: object) -> object:
    """Return an argument without what PostgreSQL cannot store in a text, and which therefore names nothing."""
    if isinstance(argument, list):
        return [_storable(item) for item in argument]
    if isinstance(argument, str):
        return argument.encode(errors="ignore").decode().replace("\x00", "")
    return argument


_COPIED_TEXT = """
refid section value title document_title law_type kind path position text notes footnotes refs content_hash tokens
dataset
"""
_COPIED = _COPIED_TEXT.split()


def _provision(row: asyncpg.Record) -> ReadProvision:
    """Write a row as the `Provision` that it is; `blocks` pass through as they are stored."""
    refid, section = row["refid"], row["section"]
    provision = {name: row[name] for name in _COPIED} | {
        "act": row["short_title"] or row["document_title"],
        "blocks": orjson.Fragment(row["blocks"]),
        "in_force": status_of(InForce(row["document_in_force"]), InForce(row["in_force"])),
        "in_force_from": row["in_force_from"] or row["document_in_force_from"],
        "url": viewer_path(refid, section),
        "lovdata_url": lovdata_url(refid, section),
        "sample": is_sample(row["dataset"]),
    }
    return ReadProvision(row["position"], orjson.dumps(provision))


def _citing(row: asyncpg.Record) -> Citing:
    return Citing(
        refid=row["refid"],
        section=row["section"],
        act=row["short_title"] or row["document_title"],
        title=heading(row["value"], row["title"]),
        law_type=LawType(row["law_type"]),
        in_force=status_of(InForce(row["document_in_force"]), InForce(row["in_force"])),
        url=viewer_path(row["refid"], row["section"]),
    )


def _summary(row: asyncpg.Record) -> DocumentSummary:
    """Read a row whose columns have the names of a summary's fields; others are passed over."""
    refid = row["refid"]
    known = {"changes": row["changes_to"], "sample": is_sample(row["dataset"])}
    addresses = {"url": viewer_path(refid), "lovdata_url": lovdata_url(refid)}
    return DocumentSummary.model_validate(dict(row) | known | addresses)
