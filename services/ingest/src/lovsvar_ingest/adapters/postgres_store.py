"""The corpus in PostgreSQL.

Batches are copied into temporary tables and merged from there, with the same few statements for any size. The
connection of a sync holds an advisory lock of the data set, which ends with the connection.
"""

import contextlib
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from datetime import date
from typing import Any

import asyncpg

from lovsvar_chassis.database import Database, in_transaction, load_queries
from lovsvar_contracts.ingest import DATASET_SAMPLE, DocumentChange
from lovsvar_ingest.adapters.postgres_syncs import SyncNotes, hold_dataset
from lovsvar_ingest.core.archive import Provenance, Validators
from lovsvar_ingest.core.corpus import Header, ParsedDocument
from lovsvar_ingest.core.ports import (
    SECTIONS_NAMED,
    CorpusStore,
    CorpusWriter,
    KnownDocument,
    UnpublishedChange,
)
from lovsvar_ingest.core.superseded_acts import Standing
from lovsvar_ingest.core.sync_guard import Extent

_SQL = load_queries("lovsvar_ingest.adapters")

_HEADER = Header.__slots__
_DOCUMENT = (*_HEADER, "dataset", "source_file", "content_hash")
_STRUCTURE = ("position", "parent", "kind", "name", "title", "before", "notes", "footnotes")
_SECTION = (
    *("section", "position", "structure", "kind", "value", "title", "path", "text", "notes", "footnotes", "refs"),
    *("in_force", "in_force_from", "content_hash", "tokens"),
)


class PostgresStore(CorpusStore):
    """The corpus, and which data sets are being synced."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @contextlib.asynccontextmanager
    async def writer(self, dataset: str) -> AsyncIterator["PostgresWriter"]:
        """Hold `dataset` by an advisory lock, which the pool releases with the connection. Raises `SyncUnderWay`."""
        async with hold_dataset(self._database, dataset) as connection:
            await connection.execute(_SQL["make_incoming"])
            yield PostgresWriter(connection, dataset)


class PostgresWriter(SyncNotes, CorpusWriter):
    """Writes to the corpus while its connection holds the data set."""

    async def known(self) -> Mapping[str, KnownDocument]:
        rows = await self._connection.fetch(_SQL["known_documents"])
        return {row[0]: KnownDocument(*row[1:]) for row in rows}

    async def extents(self, refids: Sequence[str]) -> Mapping[str, Extent]:
        rows = await self._connection.fetch(_SQL["extents"], refids)
        return {row["refid"]: Extent(row["provisions"], row["tokens"]) for row in rows}

    async def stored(self) -> Provenance | None:
        row = await self._connection.fetchrow(_SQL["stored_archive"], self._dataset)
        if row is None:
            return None
        validators = Validators(row["etag"], row["last_modified"])
        return Provenance(row["checksum"], row["reading"], row["source"], validators, row["reread"])

    async def write(self, documents: Sequence[ParsedDocument], changes: Mapping[str, DocumentChange]) -> None:
        refids = [document.header.refid for document in documents]
        async with in_transaction(self._connection):
            await self._copy("incoming_documents", _DOCUMENT, map(_document_row, documents))
            await self._connection.execute(_SQL["store_documents"])
            await self._connection.execute(_SQL["drop_structures"], refids)
            await self._copy("structures", ("refid", *_STRUCTURE), _structure_rows(documents))
            columns = ("refid", "section_key", *_SECTION, "blocks")
            await self._copy("incoming_sections", columns, _section_rows(documents))
            changed = await self._connection.fetch(_SQL["remove_sections"], refids)
            changed += await self._connection.fetch(_SQL["store_sections"], refids)
            await self._note([(refid, self._dataset, changes[refid]) for refid in refids])
            places = [list(column) for column in zip(*changed, strict=True)] or [[], []]
            await self._connection.execute(_SQL["note_changed_sections"], *places, SECTIONS_NAMED)

    async def in_force(self) -> Sequence[Standing]:
        return [Standing(*row) for row in await self._connection.fetch(_SQL["documents_in_force"], self._dataset)]

    async def finish(
        self, gone: Sequence[str], superseded: Sequence[str], published: date | None, archive: Provenance
    ) -> None:
        connection, datasets = self._connection, [self._dataset]
        async with in_transaction(connection):
            await connection.execute(_SQL["remove_documents"], list(gone))
            await connection.execute(_SQL["repeal_documents"], list(superseded))
            await self._note([(refid, self._dataset, DocumentChange.REMOVED) for refid in gone])
            await self._note([(refid, self._dataset, DocumentChange.CHANGED) for refid in superseded])
            sample: list[asyncpg.Record] = []
            if self._dataset != DATASET_SAMPLE:
                sample = await connection.fetch(_SQL["remove_dataset"], DATASET_SAMPLE)
                await self._note([(record["refid"], DATASET_SAMPLE, DocumentChange.REMOVED) for record in sample])
                await connection.execute(_SQL["forget_archive"], DATASET_SAMPLE)
                datasets.append(DATASET_SAMPLE)
            await connection.execute(_SQL["raise_version"], datasets)
            await connection.execute(_SQL["stamp_documents"], datasets)
            await connection.execute(_SQL["stamp_changes"], datasets)
            await connection.execute(_SQL["move_corpus_date"], published)
            await connection.execute(_SQL["note_archive"], self._dataset, *_archive_row(archive), published)

    async def unpublished(self, limit: int) -> Sequence[UnpublishedChange]:
        datasets = [self._dataset, DATASET_SAMPLE]
        rows = await self._connection.fetch(_SQL["unpublished_changes"], datasets, limit)
        return [
            UnpublishedChange(row[0], row[1], row[2], DocumentChange(row[3]), tuple(row[4]), row[5]) for row in rows
        ]

    async def forget(self, changes: Sequence[UnpublishedChange]) -> None:
        await self._connection.execute(_SQL["forget_changes"], [change.id for change in changes])

    async def _note(self, changes: Sequence[tuple[str, str, DocumentChange]]) -> None:
        """Note pending changes: refid, data set and change of each."""
        if changes:
            refids, datasets, kinds = zip(*changes, strict=True)
            await self._connection.execute(_SQL["note_changes"], refids, datasets, [kind.value for kind in kinds])

    async def _copy(self, table: str, columns: Sequence[str], rows: Iterable[tuple[Any, ...]]) -> None:
        await self._connection.copy_records_to_table(table, records=rows, columns=columns)


def _archive_row(archive: Provenance) -> tuple[Any, ...]:
    etag, last_modified = archive.validators.etag, archive.validators.last_modified
    return archive.checksum, archive.parser_version, archive.source, etag, last_modified, archive.reread


def _document_row(document: ParsedDocument) -> tuple[Any, ...]:
    header = (getattr(document.header, name) for name in _HEADER)
    return (*header, document.dataset, document.source_file, document.content_hash)


def _structure_rows(documents: Iterable[ParsedDocument]) -> Iterable[tuple[Any, ...]]:
    for document in documents:
        for structure in document.structures:
            yield (document.header.refid, *(getattr(structure, name) for name in _STRUCTURE))


def _section_rows(documents: Iterable[ParsedDocument]) -> Iterable[tuple[Any, ...]]:
    for document in documents:
        for section in document.sections:
            values = (getattr(section, name) for name in _SECTION)
            yield (document.header.refid, section.key, *values, section.blocks_json)
