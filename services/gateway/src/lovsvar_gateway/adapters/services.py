"""The other services: requests to them, limits of these, and their health."""

import asyncio
import contextlib
import math
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from lovsvar_chassis.admission import Admission
from lovsvar_chassis.budget import Budget, current
from lovsvar_chassis.health import service_healths, state_of
from lovsvar_chassis.problems import busy
from lovsvar_chassis.requester import Requester
from lovsvar_contracts import listings, search, subjects
from lovsvar_contracts.health import ServiceHealth
from lovsvar_contracts.message import Message
from lovsvar_contracts.named_acts import FindActs
from lovsvar_contracts.practice import FindPractice, PracticeHits
from lovsvar_contracts.problems import ProblemError
from lovsvar_gateway.adapters.audit_log import AuditLog
from lovsvar_gateway.adapters.nats_link import NatsLink
from lovsvar_gateway.core.access import ANYBODY, Caller
from lovsvar_gateway.core.audit_records import record_of
from lovsvar_gateway.manifest import MANIFEST
from lovsvar_gateway.trace_headers import correlation_id

Reply = TypeVar("Reply", bound=Message)


class Bulkhead:
    """Places for `at_once` requests to a service. Shares take turns, and a wait that is too long is refused at once."""

    def __init__(self, at_once: int) -> None:
        self._admission: Admission[asyncio.Future[None]] = Admission(at_once, lambda place: not place.done())

    @property
    def has_room(self) -> bool:
        """Whether no request is refused now."""
        return self._admission.has_room

    def check(self, share: str) -> None:
        """Raise what `place` would raise now for a request of that share."""
        self._check(Budget(math.inf, share))

    @contextlib.asynccontextmanager
    async def place(self) -> AsyncIterator[None]:
        """Hold a place for the block. Raises `ProblemError` with `retry_after` if the wait would be too long."""
        if not self._admission.enter():
            self._check(current())
            await self._wait(current().share)
        served = True
        try:
            yield
        except ProblemError as exc:
            served = exc.problem.retry_after is None
            raise
        finally:
            self._leave(served=served)

    def _check(self, budget: Budget) -> None:
        if seconds := self._admission.refusal(budget.share, budget.left):
            raise ProblemError(busy(seconds))

    async def _wait(self, share: str) -> None:
        place = asyncio.get_running_loop().create_future()
        self._admission.line_up(place, share)
        try:
            await place
        except asyncio.CancelledError:
            # The place may have been assigned in the same moment: pass it on.
            if not place.cancelled():
                self._leave(served=False)
            raise

    def _leave(self, *, served: bool) -> None:
        if (following := self._admission.leave(served=served)) is not None:
            following.set_result(None)


@dataclass(frozen=True)
class Services:
    """The other services, by request/reply, as `caller` asks them.

    `watched` names all services, this one too, and says whether each is needed to answer questions. `not_ready` says
    why this service is not ready, or "".
    """

    requester: Requester
    link: NatsLink
    audit: AuditLog
    bulkheads: Mapping[str, Bulkhead]
    watched: Mapping[str, bool]
    not_ready: Callable[[], str]
    caller: Caller = ANYBODY

    def asked_by(self, caller: Caller) -> "Services":
        """Return the services as `caller` asks them."""
        return replace(self, caller=caller)

    def bulkhead(self, service: str) -> Bulkhead:
        """Return what limits the requests to a service."""
        return self.bulkheads[service]

    async def ask(self, subject: str, request: Message, reply: type[Reply]) -> Reply:
        """Return the reply to `request`; what it shows is in the audit log by then.

        Raises `ProblemError`; at once when NATS is down, or too many ask the same service.
        """
        # "lovsvar.search.read" is asked of search.
        async with self.bulkheads[subject.split(".")[1]].place():
            answer = await self.link.hold(self.requester.ask(subject, request, reply))
        if record := record_of(request, answer):
            await self.audit.write(record.model_copy(update={"key": self.caller.name}))
        return answer

    async def states(self) -> dict[str, str]:
        """Return for each service, this one too, "ready", "not_ready: <why>" or "down"."""
        return (await self.healths())[0]

    async def healths(self) -> tuple[dict[str, str], dict[str, ServiceHealth]]:
        """Return the state of each service as `states` does, and what those that answer say of themselves."""
        if not self.link.connected:
            return {**dict.fromkeys(self.watched, "down"), MANIFEST.name: "not_ready: NATS er nede"}, {}
        healths = await service_healths(self.requester, [name for name in self.watched if name != MANIFEST.name])
        states = {name: state_of(health) for name, health in healths.items()}
        reason = self.not_ready()
        states[MANIFEST.name] = f"not_ready: {reason}" if reason else "ready"
        return states, {name: health for name, health in healths.items() if health}

    def missing(self, states: Mapping[str, str]) -> list[str]:
        """Return the services that are needed to answer questions and are not ready by `states`."""
        return [name for name, needed in self.watched.items() if needed and states[name] != "ready"]


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

    async def acts(self, request: FindActs) -> search.Acts:
        """Complete the name of an act."""
        return await self._ask(subjects.SEARCH_ACTS, request, search.Acts)

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

    async def documents(self, request: listings.ListDocuments) -> listings.Documents:
        """List documents."""
        return await self._ask(subjects.SEARCH_DOCUMENTS, request, listings.Documents)

    async def subjects(self, series: search.Series) -> listings.Subjects:
        """Return by what the documents of a series can be browsed."""
        return await self._ask(subjects.SEARCH_SUBJECTS, listings.ReadSubjects(series=series), listings.Subjects)

    async def citations(self, refid: str, section: str | None = None, most: int = 5) -> listings.Citations:
        """Return what refers to a document, or to a provision of it."""
        request = listings.ListCitations(refid=refid, section=section, most=most)
        return await self._ask(subjects.SEARCH_CITATIONS, request, listings.Citations)

    async def practice(self, query: str, num: int) -> PracticeHits:
        """Search court decisions and administrative practice."""
        return await self._ask(subjects.PRACTICE_SEARCH, FindPractice(query=query, num=num), PracticeHits)

    async def status(self) -> search.CorpusStatus:
        """Return what is stored."""
        return await self._ask(subjects.SEARCH_STATUS, search.ReadStatus(), search.CorpusStatus)
