"""The use case: finding practice; and its ports."""

import time
from collections.abc import Sequence
from typing import Protocol

from lovsvar_contracts.practice import FindPractice, PracticeHit, PracticeHits
from lovsvar_practice.core.addresses import is_practice
from lovsvar_practice.core.errors import NotConfigured
from lovsvar_practice.core.plain_text import plain
from lovsvar_practice.core.queries import practice_query, search_key

MAX_TITLE = 200
MAX_SNIPPET = 500

Hits = tuple[PracticeHit, ...]


class PracticeIndex(Protocol):
    """A search provider for decisions. Its results are not trusted."""

    async def search(self, query: str, num: int) -> Hits:
        """Return at most `num` pages that match `query`, best first. Raises `PracticeError`."""


class SearchBudget(Protocol):
    """The limit on requests a day."""

    async def spend(self) -> None:
        """Count one request that is about to be sent. Raises `BudgetSpent` when it may not be."""


class PracticeCache(Protocol):
    """Earlier results. It may forget at any time, and never fails."""

    async def recall(self, key: str) -> Hits | None:
        """Return the hits kept under `key`; None when there are none, or the cache cannot be reached."""

    async def keep(self, key: str, hits: Hits) -> None:
        """Keep `hits` under `key`, if possible."""


async def find_practice(
    request: FindPractice, index: PracticeIndex | None, cache: PracticeCache, paths: Sequence[str]
) -> PracticeHits:
    """Return decisions under `paths` that match the request.

    Raises `NotConfigured` without an index, `InvalidQuery` for a query without words, and the errors of the index.
    """
    if index is None:
        raise NotConfigured(
            "Søk i rettspraksis er ikke satt opp: SERPER_API_KEY mangler. Svar bygger på lover og forskrifter alene."
        )
    began = time.perf_counter()
    query = practice_query(request.query, paths)
    key = search_key(query, request.num)
    found = kept = await cache.recall(key)
    if found is None:
        found = await index.search(query, request.num)
        await cache.keep(key, found)
    return PracticeHits(
        correlation_id=request.correlation_id,
        hits=admit(found, paths)[: request.num],
        cached=kept is not None,
        took_ms=(time.perf_counter() - began) * 1000,
    )


def admit(found: Hits, paths: Sequence[str]) -> Hits:
    """Return the hits whose address is practice at Lovdata, in their order, as plain text."""
    return tuple(
        PracticeHit(title=plain(hit.title, MAX_TITLE) or hit.url, url=hit.url, snippet=plain(hit.snippet, MAX_SNIPPET))
        for hit in found
        if is_practice(hit.url, paths)
    )
