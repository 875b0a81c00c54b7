"""Catalogues as search reads them from PostgreSQL: each in one snapshot of the database, streamed."""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager

import asyncpg
import numpy as np
import orjson

from lovsvar_chassis.database import Database
from lovsvar_contracts.catalogues import CatalogueId, Product, ProductId
from lovsvar_search.adapters.catalogues.words import compounds_of
from lovsvar_search.adapters.database import SQL, database_errors
from lovsvar_search.core.catalogues.catalogue_follower import CatalogueStore
from lovsvar_search.core.catalogues.collection import IndexedProduct, StoredProduct, indexed
from lovsvar_search.core.catalogues.definition import Listed, StoredCatalogue, read_definition
from lovsvar_search.core.errors import BadCatalogue, NothingStored
from lovsvar_search.core.retrieval.compounds import CompoundWords
from lovsvar_search.core.retrieval.corpus import CorpusChanges, CorpusSource, CorpusState
from lovsvar_search.core.retrieval.items import place_number
from lovsvar_search.core.retrieval.memory_vectors import Passage, Vectors

BATCH = 500
"""Items that are fetched and indexed at a time, and vectors that are fetched at a time."""

SECONDS = 30.0
"""How long one step of reading a catalogue may take."""

NOTHING = CorpusState(0, "")

_HEADER = 4
"""Bytes before the numbers of a vector: how many there are, and two that say nothing."""


class PostgresCatalogues(CatalogueStore):
    """What is stored of catalogues."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def listed(self) -> Sequence[Listed]:
        try:
            with database_errors():
                rows = await self._database.fetch(SQL["listed_catalogues"])
        except NothingStored:
            # Ingest is older than catalogues, or has not made its tables yet.
            return ()
        return [Listed(**row) for row in rows]

    def source(self, catalogue: CatalogueId) -> CorpusSource:
        return PostgresCatalogue(self._database, catalogue)

    async def passages(self, catalogue: CatalogueId) -> Sequence[Passage]:
        with database_errors():
            rows = await self._database.fetch(SQL["product_passages"], catalogue)
        return [Passage(place_number(product), number, text) for product, number, text in rows]

    async def vectors(self, model: str, texts: Sequence[str]) -> Mapping[str, Vectors]:
        found: dict[str, Vectors] = {}
        with database_errors():
            for first in range(0, len(texts), BATCH):
                some = texts[first : first + BATCH]
                rows = await self._database.fetch(SQL["product_vectors"], model, some)
                found |= {text: _vector(sent) for text, sent in rows}
        return found

    async def read(self, catalogue: CatalogueId, product_ids: Sequence[ProductId]) -> Sequence[Product]:
        with database_errors():
            rows = await self._database.fetch(SQL["read_products"], catalogue, list(product_ids))
        found = {row["product_id"]: _stored(row).product(catalogue) for row in rows}
        return [found[product] for product in dict.fromkeys(product_ids) if product in found]


class PostgresCatalogue(CorpusSource):
    """One catalogue, by version."""

    def __init__(self, database: Database, catalogue: CatalogueId) -> None:
        self._database = database
        self._catalogue = catalogue

    async def state(self) -> CorpusState:
        with database_errors():
            async with self._database.acquire() as connection:
                return await _state(connection, self._catalogue)

    @asynccontextmanager
    async def changes(self, since: int) -> AsyncIterator["CatalogueChanges"]:
        with database_errors():
            async with self._database.transaction(isolation="repeatable_read", readonly=True) as connection:
                await connection.execute(SQL["allow_time"], str(round(SECONDS * 1000)))
                state = await _state(connection, self._catalogue)
                yield CatalogueChanges(connection, self._catalogue, state)


class CatalogueChanges(CorpusChanges):
    """A catalogue at one version, inside one transaction.

    Every item counts as changed: how its compounds are taken apart hangs on the words of all others, and two replicas
    that took different ways to a version are to answer alike.
    """

    def __init__(
        self,
        connection: "asyncpg.pool.PoolConnectionProxy[asyncpg.Record]",
        catalogue: CatalogueId,
        state: CorpusState,
    ) -> None:
        self._connection = connection
        self._catalogue = catalogue
        self._compounds: CompoundWords | None = None
        self.state = state

    async def companions(self) -> StoredCatalogue:
        """Return the catalogue itself. Raises `BadCatalogue`."""
        row = await self._connection.fetchrow(SQL["catalogue"], self._catalogue, timeout=SECONDS)
        if row is None:
            raise BadCatalogue(f"Katalogen {self._catalogue} er borte.")
        words = await self._connection.fetch(SQL["catalogue_words"], self._catalogue, timeout=SECONDS)
        language = row["language"]
        self._compounds = await asyncio.to_thread(compounds_of, language, [word for (word,) in words])
        return StoredCatalogue(
            catalogue=self._catalogue,
            name=row["name"],
            language=language,
            definition=read_definition(self._catalogue, orjson.loads(row["definition"])),
            version=row["version"],
            synced_at=row["synced_at"],
            categories=tuple(row["categories"]),
            compounds=self._compounds,
        )

    async def groups(self) -> Sequence[str]:
        rows = await self._connection.fetch(SQL["every_product"], self._catalogue, timeout=SECONDS)
        return [product for (product,) in rows]

    async def items(self) -> AsyncIterator[Sequence[IndexedProduct]]:
        compounds = self._compounds or (await self.companions()).compounds
        cursor = await self._connection.cursor(SQL["products"], self._catalogue, timeout=SECONDS)
        while rows := await cursor.fetch(BATCH, timeout=SECONDS):
            yield await asyncio.to_thread(lambda rows: [indexed(_stored(row), compounds) for row in rows], rows)


async def _state(connection: "asyncpg.pool.PoolConnectionProxy[asyncpg.Record]", catalogue: CatalogueId) -> CorpusState:
    row = await connection.fetchrow(SQL["catalogue_state"], catalogue)
    return CorpusState(row["version"], row["identity"]) if row else NOTHING


def _stored(row: asyncpg.Record) -> StoredProduct:
    known = dict(row) | {"problems": tuple(row["problems"]), "attributes": orjson.loads(row["attributes"])}
    return StoredProduct(**known)


def _vector(sent: bytes) -> Vectors:
    """Return a half-precision vector as pgvector sends it."""
    return np.frombuffer(sent, ">f2", offset=_HEADER).astype(np.float32)
