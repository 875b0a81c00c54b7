"""Catalogues as search reads them from PostgreSQL: each in one snapshot of the database, streamed."""

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any

import asyncpg
import numpy as np
import orjson

from lovsvar_chassis.database import Database
from lovsvar_contracts.catalogues import CatalogueId, Product, ProductId
from lovsvar_search.adapters.database import SQL, database_errors
from lovsvar_search.core.catalogues.catalogue_follower import CatalogueStore
from lovsvar_search.core.catalogues.collection import StoredProduct
from lovsvar_search.core.catalogues.definition import Listed, StoredCatalogue, read_definition
from lovsvar_search.core.errors import NothingStored
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
        found = {row["product_id"]: _product(catalogue, _stored(row)) for row in rows}
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
                yield CatalogueChanges(connection, self._catalogue, since, state)


class CatalogueChanges(CorpusChanges):
    """A catalogue at one version, inside one transaction."""

    def __init__(
        self,
        connection: "asyncpg.pool.PoolConnectionProxy[asyncpg.Record]",
        catalogue: CatalogueId,
        since: int,
        state: CorpusState,
    ) -> None:
        self._connection = connection
        self._asked = (catalogue, since)
        self.state = state

    async def companions(self) -> StoredCatalogue:
        """Return the catalogue itself. Raises `BadCatalogue`."""
        catalogue = self._asked[0]
        row = await self._connection.fetchrow(SQL["catalogue"], catalogue, timeout=SECONDS)
        words = await self._connection.fetch(SQL["catalogue_words"], catalogue, timeout=SECONDS)
        known: dict[str, Any] = dict(row or {})
        known["definition"] = read_definition(catalogue, orjson.loads(known["definition"]))
        known["categories"] = tuple(known["categories"])
        return StoredCatalogue(**known, words=sorted(word for (word,) in words))

    async def groups(self) -> Sequence[str]:
        rows = await self._connection.fetch(SQL["changed_products"], *self._asked, timeout=SECONDS)
        return [product for (product,) in rows]

    async def items(self) -> AsyncIterator[Sequence[StoredProduct]]:
        cursor = await self._connection.cursor(SQL["products_changed"], *self._asked, timeout=SECONDS)
        while rows := await cursor.fetch(BATCH, timeout=SECONDS):
            yield [_stored(row) for row in rows]


async def _state(connection: "asyncpg.pool.PoolConnectionProxy[asyncpg.Record]", catalogue: CatalogueId) -> CorpusState:
    row = await connection.fetchrow(SQL["catalogue_state"], catalogue)
    return CorpusState(row["version"], row["identity"]) if row else NOTHING


def _stored(row: asyncpg.Record) -> StoredProduct:
    known = dict(row) | {"problems": tuple(row["problems"]), "attributes": orjson.loads(row["attributes"])}
    return StoredProduct(**known)


def _product(catalogue: CatalogueId, stored: StoredProduct) -> Product:
    known = stored._asdict()
    problems = known.pop("problems")
    return Product(catalogue=catalogue, problem_mappings=problems, **known)


def _vector(sent: bytes) -> Vectors:
    """Return a half-precision vector as pgvector sends it."""
    return np.frombuffer(sent, ">f2", offset=_HEADER).astype(np.float32)
