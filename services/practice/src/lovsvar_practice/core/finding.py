"""Finding practice."""

import time
from typing import Protocol

from lovsvar_contracts.practice import FindPractice, PracticeHit, PracticeHits
from lovsvar_practice.core.addresses import is_practice
from lovsvar_practice.core.errors import NotConfigured
from lovsvar_practice.core.plain_text import plain

MAX_TITLE = 200
MAX_SNIPPET = 500


class PracticeIndex(Protocol):
    """Somewhere that decisions can be searched. What it returns is not trusted."""

    async def search(self, query: str, num: int) -> tuple[PracticeHit, ...]:
        """Return at most `num` pages that match `query`, best first. Raises `PracticeError`."""


async def find_practice(request: FindPractice, index: PracticeIndex | None, paths: tuple[str, ...]) -> PracticeHits:
    """Return decisions under `paths` that match the request. Raises `NotConfigured` when there is no index to ask."""
    if index is None:
        raise NotConfigured(
            "Søk i rettspraksis er ikke satt opp: SERPER_API_KEY mangler. Svar bygger på lover og forskrifter alene."
        )
    began = time.perf_counter()
    hits = admit(await index.search(request.query, request.num), paths)[: request.num]
    return PracticeHits(correlation_id=request.correlation_id, hits=hits, took_ms=(time.perf_counter() - began) * 1000)


def admit(found: tuple[PracticeHit, ...], paths: tuple[str, ...]) -> tuple[PracticeHit, ...]:
    """Return the hits whose address is practice at Lovdata, in their order, with their words made plain."""
    return tuple(
        PracticeHit(title=plain(hit.title, MAX_TITLE) or hit.url, url=hit.url, snippet=plain(hit.snippet, MAX_SNIPPET))
        for hit in found
        if is_practice(hit.url, paths)
    )
