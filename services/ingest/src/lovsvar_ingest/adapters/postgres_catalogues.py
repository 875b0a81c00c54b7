"""Catalogues in PostgreSQL.

Items are copied into temporary tables and merged from there, with the same few statements for any number. The
connection of a sync holds the advisory lock of the catalogue's data set, which ends with the connection.
"""

import contextlib
import json
from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Any

import asyncpg

from lovsvar_chassis.database import Database, in_transaction, load_queries
from lovsvar_contracts.catalogues import dataset_of
from lovsvar_ingest.adapters.postgres_syncs import Connection, SyncNotes, hold_dataset
from lovsvar_ingest.core.archive import Validators
from lovsvar_ingest.core.catalogues.ports import (
    CatalogueStore,
    CatalogueWriter,
    Differences,
    ItemsFile,
    ListedCatalogue,
    StoredCatalogue,
)
from lovsvar_ingest.core.catalogues.products import StoredProduct

_SQL = load_queries("lovsvar_ingest.adapters")

_PRODUCT = (
    *("catalogue", "product_id", "name", "description", "price", "amount", "url", "category", "problems"),
    *("attributes", "content_hash", "version"),
)
_PASSAGE = ("catalogue", "product_id", "number", "content_hash", "text")


class PostgresCatalogues(CatalogueStore):
    """The catalogues, and which of them are being synced."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @contextlib.asynccontextmanager
    async def writer(self, catalogue: str) -> AsyncIterator["PostgresCatalogueWriter"]:
        """Hold a catalogue by an advisory lock. Raises `SyncUnderWay`."""
        async with hold_dataset(self._database, dataset_of(catalogue)) as connection:
            await connection.execute(_SQL["make_staged_products"])
            yield PostgresCatalogueWriter(connection, catalogue)
            # Not after a failure: the connection may be gone, and the next sync begins with empty tables.
            await connection.execute(_SQL["forget_staged_products"])

    async def delist(self, listed: Sequence[str], unread: Sequence[str]) -> Mapping[str, int]:
        """Mark as removed what is not `listed`, but from sources in `unread`; return the versions by catalogue."""
        async with self._database.transaction() as connection:
            rows = await connection.fetch(_SQL["delist_catalogues"], list(listed), list(unread))
            gone = {row["catalogue"]: row["version"] for row in rows}
            if gone:
                await connection.execute(_SQL["remove_products_of"], list(gone))
                await connection.execute(_SQL["drop_product_passages_of"], list(gone))
        return gone

    async def stored(self, catalogue: str) -> StoredCatalogue | None:
        """Return a catalogue as it is stored; None when it never was."""
        return _stored(await self._database.fetch(_SQL["stored_catalogue"], catalogue))

    async def has_law(self) -> bool:
        """Whether any law was stored yet."""
        [(version, _)] = await self._database.fetch(_SQL["corpus"])
        return bool(version)


class PostgresCatalogueWriter(SyncNotes, CatalogueWriter):
    """Writes to one catalogue while its connection holds it."""

    def __init__(self, connection: Connection, catalogue: str) -> None:
        super().__init__(connection, dataset_of(catalogue))
        self._catalogue = catalogue
        self._compared = False

    async def stored(self) -> StoredCatalogue | None:
        return _stored(await self._connection.fetch(_SQL["stored_catalogue"], self._catalogue))

    async def stage(self, products: Sequence[StoredProduct]) -> None:
        rows = [self._product_row(product) for product in products]
        passages = [(self._catalogue, product.product_id, *each) for product in products for each in product.passages()]
        await self._connection.copy_records_to_table("staged_products", records=rows, columns=_PRODUCT)
        await self._connection.copy_records_to_table("staged_passages", records=passages, columns=_PASSAGE)

    async def compare(self, kept: Sequence[str], *, force: bool) -> Differences:
        connection = self._connection
        await connection.execute(_SQL["analyse_staged_products"])
        await connection.execute(_SQL["forget_differing_products"])
        await connection.execute(_SQL["note_differing_products"], self._catalogue, force, list(kept))
        row = await connection.fetchrow(_SQL["count_differing_products"], self._catalogue)
        return Differences(**dict(row or {}))

    async def finish(
        self, listed: ListedCatalogue, items: ItemsFile, kept: Sequence[str], *, force: bool
    ) -> tuple[int, Differences]:
        connection, catalogue, definition = self._connection, self._catalogue, listed.definition
        validators = items.validators
        async with in_transaction(connection):
            # Again, in the transaction: a catalogue may have been delisted meanwhile.
            differences = await self.compare(kept, force=force)
            version = await connection.fetchval(
                _SQL["store_catalogue"],
                *(catalogue, definition.name, definition.language, json.dumps(definition.stored()), listed.source),
                *(definition.reading, items.checksum, validators.etag, validators.last_modified),
            )
            await connection.execute(_SQL["store_products"], catalogue, version)
            await connection.execute(_SQL["remove_products"], catalogue, version)
            await connection.execute(_SQL["drop_product_passages"], catalogue)
            await connection.execute(_SQL["store_product_passages"], catalogue)
        return version, differences

    async def checked(self, validators: Validators) -> None:
        etag, last_modified = validators.etag, validators.last_modified
        await self._connection.execute(_SQL["note_catalogue_checked"], self._catalogue, etag, last_modified)

    async def corpus_version(self) -> int:
        version, _ = await self.corpus()
        return version

    def _product_row(self, product: StoredProduct) -> tuple[Any, ...]:
        texts = (product.name, product.description, product.price, product.amount, product.url, product.category)
        attributes = json.dumps(product.attributes, ensure_ascii=False)
        problems = list(product.problems)
        return (self._catalogue, product.product_id, *texts, problems, attributes, product.content_hash, 0)


def _stored(rows: Sequence[asyncpg.Record]) -> StoredCatalogue | None:
    if not rows:
        return None
    values = dict(rows[0])
    validators = Validators(values.pop("etag"), values.pop("last_modified"))
    return StoredCatalogue(**values, validators=validators)
