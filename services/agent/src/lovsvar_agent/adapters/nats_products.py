"""The catalogues of products, by asking the search service over NATS."""

import asyncio
import time

from lovsvar_agent.core.ports import ProductSearch
from lovsvar_chassis.requester import Requester
from lovsvar_contracts import subjects
from lovsvar_contracts.catalogues import (
    Catalogue,
    CatalogueChanged,
    Catalogues,
    FindProducts,
    ProductHits,
    ReadCatalogues,
)
from lovsvar_contracts.problems import ProblemError

KNOWN_SECONDS = 15.0
"""How long what is served is taken for known."""

LIST_SECONDS = 0.5
FIND_SECONDS = 2.0
"""How long each request may take; an answer is given without products rather than late."""


class NatsProducts(ProductSearch):
    """Catalogues by request/reply. What is served is remembered; when search does not say, what it said last holds."""

    def __init__(self, requester: Requester) -> None:
        self._requester = requester
        self._known: tuple[Catalogue, ...] = ()
        self._until = 0.0
        self._asking = asyncio.Lock()

    async def catalogues(self) -> tuple[Catalogue, ...]:
        async with self._asking:
            if time.monotonic() >= self._until:
                await self._read()
        return self._known

    async def find(self, request: FindProducts) -> ProductHits:
        return await self._requester.ask(subjects.SEARCH_PRODUCTS, request, ProductHits, timeout=FIND_SECONDS)

    async def changed(self, event: CatalogueChanged) -> None:
        """Ask again for what is served, since a catalogue has another version."""
        if all((one.catalogue, one.version) != (event.catalogue, event.version) for one in self._known):
            self._until = 0.0

    async def _read(self) -> None:
        self._until = time.monotonic() + KNOWN_SECONDS
        asking = self._requester.ask(subjects.SEARCH_CATALOGUES, ReadCatalogues(), Catalogues, timeout=LIST_SECONDS)
        try:
            self._known = (await asking).catalogues
        except ProblemError:
            # The log of requests says why. A run that begins meanwhile is not held up by asking again.
            return
