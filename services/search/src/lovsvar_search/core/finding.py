"""Use case: find provisions."""

import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from lovsvar_contracts.identifiers import lovdata_url, viewer_path
from lovsvar_contracts.law import LAW_TYPE_ORDER, LawType
from lovsvar_contracts.search import FindProvisions, ProvisionHit, ProvisionHits
from lovsvar_search.core.act_names import ActNames
from lovsvar_search.core.corpus import StoredHit
from lovsvar_search.core.query import QueryPlan, plan_query
from lovsvar_search.core.ranking import Scored, types_to_search
from lovsvar_search.core.snippets import cut_snippet, snippet_pattern

LOOKED_AT = 200
"""Best hits over all types from which it is decided which types are searched."""


@dataclass(frozen=True, slots=True)
class Filters:
    """What a hit must be. `ministries` are whole names, any of which will do; None is no demand."""

    law_types: tuple[LawType, ...] = LAW_TYPE_ORDER
    year: int | None = None
    ministries: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class Page:
    """Hits with their scores, best first, and how many there are in all."""

    hits: Sequence[tuple[float, StoredHit]]
    total: int


class IndexSnapshot(Protocol):
    """The index as it was at one corpus version; it stays so while it is held. Any thread may use it."""

    def analyze(self, text: str) -> list[str]:
        """Return the terms of `text` as the index stores them."""

    def best(self, plan: QueryPlan, filters: Filters, limit: int) -> Sequence[Scored]:
        """Return the score and law type of the `limit` best hits, best first."""

    def page(self, plan: QueryPlan, filters: Filters, offset: int, limit: int) -> Page:
        """Return hits `offset` to `offset + limit`, best first, in an order that does not change."""

    def weights(self, terms: Sequence[str]) -> Mapping[str, float]:
        """Return how much each term says: the rarer, the more."""


def find_provisions(request: FindProvisions, index: IndexSnapshot, names: ActNames, version: int) -> ProvisionHits:
    """Return the page of provisions that the request asks for. Does no I/O beyond the index."""
    began = time.perf_counter()
    plan = plan_query(request.query, names, index.analyze)
    filters = Filters(
        law_types=(request.law_type,) if request.law_type else LAW_TYPE_ORDER,
        year=request.year,
        ministries=names.ministries_like(request.ministry) if request.ministry else None,
    )
    page = Page((), 0)
    if not plan.empty and filters.ministries != ():
        if request.law_type is None:
            best = index.best(plan, filters, LOOKED_AT)
            filters = Filters(types_to_search(best, request.page_size), filters.year, filters.ministries)
        page = index.page(plan, filters, (request.page - 1) * request.page_size, request.page_size)
    pattern, weights = snippet_pattern(plan.terms), index.weights(plan.terms)
    return ProvisionHits(
        correlation_id=request.correlation_id,
        hits=tuple(_hit(score, stored, pattern, weights) for score, stored in page.hits),
        total=page.total,
        page=request.page,
        page_size=request.page_size,
        searched_law_types=filters.law_types,
        prioritized=request.law_type is None,
        corpus_version=version,
        took_ms=round((time.perf_counter() - began) * 1000, 3),
    )


def _hit(
    score: float, stored: StoredHit, pattern: re.Pattern[str] | None, weights: Mapping[str, float]
) -> ProvisionHit:
    snippet = cut_snippet(stored.text, pattern, weights, stored.ledd_starts)
    return ProvisionHit(
        refid=stored.refid,
        section=stored.section,
        act=stored.act,
        title=stored.title,
        law_type=stored.law_type,
        path=stored.path,
        snippet=snippet.text,
        ledd=snippet.ledd,
        score=round(score, 4),
        in_force=stored.in_force,
        url=viewer_path(stored.refid, stored.section),
        lovdata_url=lovdata_url(stored.refid, stored.section),
        tokens=stored.tokens,
        sample=stored.sample,
    )
