"""Use case: find provisions."""

import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from lovsvar_contracts.identifiers import lovdata_url, viewer_path
from lovsvar_contracts.law import LAW_TYPE_ORDER, LawType
from lovsvar_contracts.search import FindProvisions, ProvisionHit, ProvisionHits
from lovsvar_search.core.act_names import ActNames
from lovsvar_search.core.corpus import StoredHit
from lovsvar_search.core.query import QueryPlan, plan_query
from lovsvar_search.core.ranking import Scored, types_to_search
from lovsvar_search.core.snippets import cut_snippet, snippet_pattern

LOOKED_AT = 100
"""Best hits over all types from which it is decided which types are searched."""


@dataclass(frozen=True, slots=True)
class Filters:
    """What a hit must be. `ministries` are whole names, any of which will do; None is no demand.

    A hit is an announcement in Norsk Lovtidend when `announcements` is true, and current law otherwise.
    """

    law_types: tuple[LawType, ...] = LAW_TYPE_ORDER
    year: int | None = None
    ministries: tuple[str, ...] | None = None
    announcements: bool = False


@dataclass(frozen=True, slots=True)
class Found(Scored):
    """A hit before it is fetched; `place` means something to the index that found it alone."""

    place: object


@dataclass(frozen=True, slots=True)
class Ranking:
    """The best hits, best first, and how many there are in all."""

    best: Sequence[Found] = ()
    total: int = 0


class IndexSnapshot(Protocol):
    """The index as it was at one corpus version; it stays so while it is held. Any thread may use it."""

    def analyze(self, text: str) -> list[str]:
        """Return the terms of `text` as the index stores them."""

    def search(self, plan: QueryPlan, filters: Filters, limit: int) -> Ranking:
        """Return the `limit` best hits; the same hits in the same order for every limit."""

    def fetch(self, hits: Sequence[Found]) -> Sequence[StoredHit]:
        """Return what is stored of each of these hits."""

    def weights(self, terms: Sequence[str]) -> Mapping[str, float]:
        """Return how much each term says: the rarer, the more."""


def find_provisions(request: FindProvisions, index: IndexSnapshot, names: ActNames, version: int) -> ProvisionHits:
    """Return the page of provisions that the request asks for. Does no I/O beyond the index."""
    began = time.perf_counter()
    plan = plan_query(request.query, names, index.analyze)
    ranking, law_types = _rank(request, plan, index, names)
    start = (request.page - 1) * request.page_size
    page = ranking.best[start : start + request.page_size]
    pattern, weights = snippet_pattern(plan.terms), index.weights(plan.terms)
    return ProvisionHits(
        correlation_id=request.correlation_id,
        hits=tuple(
            _hit(found.score, stored, pattern, weights) for found, stored in zip(page, index.fetch(page), strict=True)
        ),
        total=ranking.total,
        page=request.page,
        page_size=request.page_size,
        searched_law_types=law_types,
        prioritized=request.law_type is None,
        corpus_version=version,
        took_ms=round((time.perf_counter() - began) * 1000, 3),
    )


def _rank(
    request: FindProvisions, plan: QueryPlan, index: IndexSnapshot, names: ActNames
) -> tuple[Ranking, tuple[LawType, ...]]:
    """Return the best hits, as many as the page needs, and the law types that were searched."""
    wanted = request.page * request.page_size
    filters = Filters(
        law_types=(request.law_type,) if request.law_type else LAW_TYPE_ORDER,
        year=request.year,
        ministries=names.ministries_like(request.ministry) if request.ministry else None,
        announcements=request.announcements,
    )
    if plan.empty or filters.ministries == ():
        return Ranking(), filters.law_types
    if request.law_type is not None:
        return index.search(plan, filters, wanted), filters.law_types
    ranking = index.search(plan, filters, max(wanted, LOOKED_AT))
    law_types = types_to_search(ranking.best[:LOOKED_AT], request.page_size)
    if law_types != LAW_TYPE_ORDER:
        ranking = index.search(plan, replace(filters, law_types=law_types), wanted)
    return ranking, law_types


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
