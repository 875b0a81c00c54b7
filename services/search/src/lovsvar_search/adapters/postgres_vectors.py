"""Vectors in PostgreSQL, searched by pgvector's HNSW indexes."""

import asyncio
import time
from collections.abc import Mapping, Sequence

import asyncpg

from lovsvar_chassis.database import Database
from lovsvar_contracts.law import LAW_TYPE_ORDER
from lovsvar_search.adapters.postgres import SQL, database_errors
from lovsvar_search.core.corpus import place_number
from lovsvar_search.core.filters import Filters
from lovsvar_search.core.meaning import Near, NearPassage

SETTINGS: Mapping[str, str] = {
    # A demand that few passages meet makes the index look further, instead of answering with few.
    "hnsw.iterative_scan": "relaxed_order",
    "hnsw.ef_search": "64",
    # The indexes are for one model each, which a plan made for any model cannot use.
    "plan_cache_mode": "force_custom_plan",
    # Compiling a query takes longer than running it.
    "jit": "off",
}

QUESTIONS = 40
PASSAGES = 30

LATER_ANSWER = 0.01
"""What each further provision of a question is behind the one before."""

MODEL_SECONDS = 15.0
"""How often it is looked up which model serves."""


class PostgresVectors:
    """The stored vectors (`VectorStore`)."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._model: tuple[str, int] | None = None
        self._looked_at = -MODEL_SECONDS

    async def serving_model(self) -> str | None:
        """Return the model to search by, or None when there are no vectors; looked up now and then."""
        if time.monotonic() - self._looked_at > MODEL_SECONDS:
            with database_errors():
                try:
                    row = await self._database.pool.fetchrow(SQL["serving_model"])
                except asyncpg.UndefinedTableError:
                    row = None
            self._model = (row["model"], row["dimensions"]) if row else None
            self._looked_at = time.monotonic()
        return self._model[0] if self._model else None

    async def near(self, model: str, vector: Sequence[float], filters: Filters) -> Near:
        """Return the nearest everyday questions and passages, the best of each provision."""
        questions, passages = await asyncio.gather(
            self._nearest("near_questions", model, vector, QUESTIONS, filters),
            self._nearest("near_passages", model, vector, PASSAGES, filters),
        )
        by_question: dict[int, float] = {}
        for row in questions:
            number = place_number(row["refid"], row["section_key"])
            similarity = row["similarity"] - LATER_ANSWER * row["rank"]
            by_question[number] = max(similarity, by_question.get(number, 0.0))
        by_passage: dict[int, NearPassage] = {}
        for row in passages:
            number = place_number(row["refid"], row["section_key"])
            if number not in by_passage or row["similarity"] > by_passage[number].similarity:
                by_passage[number] = NearPassage(row["similarity"], row["ledd"])
        return Near(by_question, by_passage)

    async def _nearest(
        self, query: str, model: str, vector: Sequence[float], limit: int, filters: Filters
    ) -> list[asyncpg.Record]:
        # The type of an index's expression is part of the query, and no parameter can be.
        sql = SQL[query].replace(":dimensions", str(len(vector)))
        with database_errors():
            rows: list[asyncpg.Record] = await self._database.pool.fetch(
                sql, model, _as_text(vector), limit, *_demands(filters)
            )
            return rows


def _as_text(vector: Sequence[float]) -> str:
    return f"[{','.join(format(value, '.5g') for value in vector)}]"


def _demands(filters: Filters) -> tuple[object, ...]:
    return (
        None if filters.law_types == LAW_TYPE_ORDER else list(filters.law_types),
        filters.year,
        None if filters.ministries is None else list(filters.ministries),
        None if filters.legal_areas is None else list(filters.legal_areas),
        filters.dataset,
        None if filters.acts is None else list(filters.acts),
        filters.in_force_on,
        filters.announcements,
    )
