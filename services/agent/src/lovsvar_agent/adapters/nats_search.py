"""The law, searched and read by asking the search service over NATS."""

from lovsvar_chassis.requester import Requester
from lovsvar_contracts import subjects
from lovsvar_contracts.search import (
    CorpusStatus,
    FindProvisions,
    Outline,
    ProvisionHits,
    Provisions,
    ReadOutline,
    ReadProvisions,
    ReadStatus,
    Resolution,
    ResolveReference,
)

STATUS_TIMEOUT = 2.0
"""Seconds; an answer is given without the corpus's date rather than late."""


class NatsSearch:
    """`LegalSearch` by request/reply."""

    def __init__(self, requester: Requester) -> None:
        self._requester = requester

    async def find(self, request: FindProvisions) -> ProvisionHits:
        """Ask `search.provisions`."""
        return await self._requester.ask(subjects.SEARCH_PROVISIONS, request, ProvisionHits)

    async def read(self, request: ReadProvisions) -> Provisions:
        """Ask `search.read`."""
        return await self._requester.ask(subjects.SEARCH_READ, request, Provisions)

    async def resolve(self, request: ResolveReference) -> Resolution:
        """Ask `search.resolve`."""
        return await self._requester.ask(subjects.SEARCH_RESOLVE, request, Resolution)

    async def outline(self, request: ReadOutline) -> Outline:
        """Ask `search.outline`."""
        return await self._requester.ask(subjects.SEARCH_OUTLINE, request, Outline)

    async def status(self, request: ReadStatus) -> CorpusStatus:
        """Ask `search.status`."""
        return await self._requester.ask(subjects.SEARCH_STATUS, request, CorpusStatus, timeout=STATUS_TIMEOUT)
