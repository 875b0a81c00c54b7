"""What routes, pages and tools read of the law and of practice."""

from collections.abc import Sequence

from lovsvar_contracts import search, subjects
from lovsvar_contracts.message import Message
from lovsvar_contracts.practice import FindPractice, PracticeHits
from lovsvar_gateway.adapters.services import Reply, Services
from lovsvar_gateway.trace_headers import correlation_id


class LawReader:
    """Law and practice by request/reply. Every method raises `ProblemError`."""

    def __init__(self, services: Services) -> None:
        self._services = services

    @property
    def services(self) -> Services:
        """The other services, as the caller asks them."""
        return self._services

    async def _ask(self, subject: str, request: Message, reply: type[Reply]) -> Reply:
        request = request.model_copy(update={"correlation_id": correlation_id()})
        return await self.services.ask(subject, request, reply)

    async def find(self, request: search.FindProvisions) -> search.ProvisionHits:
        """Search provisions."""
        return await self._ask(subjects.SEARCH_PROVISIONS, request, search.ProvisionHits)

    async def resolve(self, reference: str) -> search.Resolution:
        """Return what a written reference names."""
        return await self._ask(subjects.SEARCH_RESOLVE, search.ResolveReference(reference=reference), search.Resolution)

    async def read(self, refs: Sequence[search.ProvisionRef]) -> search.Provisions:
        """Return provisions by name, at most `MAX_READ`."""
        return await self._ask(subjects.SEARCH_READ, search.ReadProvisions(refs=tuple(refs)), search.Provisions)

    async def outline(self, refid: str) -> search.Outline:
        """Return a document's table of contents."""
        return await self._ask(subjects.SEARCH_OUTLINE, search.ReadOutline(refid=refid), search.Outline)

    async def document(self, refid: str, after: int | None = None) -> search.Document:
        """Return a document, or the page of one that follows `after`."""
        return await self._ask(subjects.SEARCH_DOCUMENT, search.ReadDocument(refid=refid, after=after), search.Document)

    async def documents(self, request: search.ListDocuments) -> search.Documents:
        """List documents."""
        return await self._ask(subjects.SEARCH_DOCUMENTS, request, search.Documents)

    async def practice(self, query: str, num: int) -> PracticeHits:
        """Search court decisions and administrative practice."""
        return await self._ask(subjects.PRACTICE_SEARCH, FindPractice(query=query, num=num), PracticeHits)

    async def status(self) -> search.CorpusStatus:
        """Return what is stored."""
        return await self._ask(subjects.SEARCH_STATUS, search.ReadStatus(), search.CorpusStatus)
