"""The law, as the search service knows it."""

from collections.abc import Sequence
from typing import TypeVar

from lovsvar_cases.core.drafts.citations import LawSource
from lovsvar_cases.core.drafts.errors import SourcesUnavailable
from lovsvar_chassis.requester import Requester
from lovsvar_contracts import subjects
from lovsvar_contracts.message import Message
from lovsvar_contracts.problems import ProblemError
from lovsvar_contracts.search import (
    FoundReference,
    ProvisionRef,
    Provisions,
    ReadProvisions,
    Resolution,
    ResolveReference,
)

Reply = TypeVar("Reply", bound=Message)


class SearchLaw(LawSource):
    """Reads law by request/reply."""

    def __init__(self, requester: Requester) -> None:
        self._requester = requester

    async def references(self, text: str) -> Sequence[FoundReference]:
        if not (text := text.strip()):
            return ()
        return (await self._ask(subjects.SEARCH_RESOLVE, ResolveReference(reference=text), Resolution)).references

    async def read(self, refs: Sequence[ProvisionRef]) -> Provisions:
        return await self._ask(subjects.SEARCH_READ, ReadProvisions(refs=tuple(refs)), Provisions)

    async def _ask(self, subject: str, request: Message, reply: type[Reply]) -> Reply:
        try:
            return await self._requester.ask(subject, request, reply)
        except ProblemError as exc:
            raise SourcesUnavailable("Kildene kan ikke kontrolleres nå. Prøv igjen om litt.") from exc
