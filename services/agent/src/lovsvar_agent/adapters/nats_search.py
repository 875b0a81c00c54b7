"""The law, searched and read by asking the search service over NATS."""

from datetime import date
from typing import TypeVar

from lovsvar_agent.core.ports import LegalSearch
from lovsvar_chassis.requester import Requester
from lovsvar_contracts import subjects
from lovsvar_contracts.message import Message
from lovsvar_contracts.search import (
    CorpusReply,
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

Reply = TypeVar("Reply", bound=CorpusReply)

STATUS_TIMEOUT = 2.0
"""Seconds; an answer is given without the corpus's date rather than late."""


class NatsSearch(LegalSearch):
    """The law by request/reply.

    It remembers the corpus that replies come from, so that `status` is asked once for each of its versions and days.
    """

    def __init__(self, requester: Requester) -> None:
        self._requester = requester
        self._replied: tuple[int, date | None] | None = None
        self._status: CorpusStatus | None = None

    async def find(self, request: FindProvisions) -> ProvisionHits:
        return await self._ask(subjects.SEARCH_PROVISIONS, request, ProvisionHits)

    async def read(self, request: ReadProvisions) -> Provisions:
        return await self._ask(subjects.SEARCH_READ, request, Provisions)

    async def resolve(self, request: ResolveReference) -> Resolution:
        return await self._ask(subjects.SEARCH_RESOLVE, request, Resolution)

    async def outline(self, request: ReadOutline) -> Outline:
        return await self._ask(subjects.SEARCH_OUTLINE, request, Outline)

    async def status(self, request: ReadStatus) -> CorpusStatus:
        """Return the status of the corpus that the last reply came from; ask `search.status` when it is not known."""
        known = self._status
        if known is None or (known.corpus_version, known.corpus_date) != self._replied:
            asking = self._requester.ask(subjects.SEARCH_STATUS, request, CorpusStatus, timeout=STATUS_TIMEOUT)
            self._status = known = await asking
            self._replied = (known.corpus_version, known.corpus_date)
        return known

    async def _ask(self, subject: str, request: Message, kind: type[Reply]) -> Reply:
        reply = await self._requester.ask(subject, request, kind)
        self._replied = (reply.corpus_version, reply.corpus_date)
        return reply
