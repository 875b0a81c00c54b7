"""Finding practice."""

import time
from typing import Protocol

from lovsvar_contracts.practice import FindPractice, PracticeHit, PracticeHits
from lovsvar_practice.core.errors import NotConfigured


class PracticeIndex(Protocol):
    """Somewhere that decisions can be searched."""

    async def search(self, query: str, num: int) -> tuple[PracticeHit, ...]:
        """Return at most `num` decisions that match `query`, best first. Raises `PracticeError`."""


async def find_practice(request: FindPractice, index: PracticeIndex | None) -> PracticeHits:
    """Return decisions that match the request. Raises `NotConfigured` when there is no index to ask."""
    if index is None:
        raise NotConfigured(
            "Søk i rettspraksis er ikke satt opp: SERPER_API_KEY mangler. Svar bygger på lover og forskrifter alene."
        )
    began = time.perf_counter()
    hits = await index.search(request.query, request.num)
    return PracticeHits(correlation_id=request.correlation_id, hits=hits, took_ms=(time.perf_counter() - began) * 1000)
