"""What the tools ask the other services for."""

import asyncio
import time
from dataclasses import dataclass, field

from lovsvar_contracts import subjects
from lovsvar_contracts.practice import FindPractice, PracticeHits
from lovsvar_contracts.search import (
    MAX_READ,
    CorpusStatus,
    Documents,
    FindProvisions,
    ListDocuments,
    Outline,
    ProvisionHits,
    ProvisionRef,
    Provisions,
    ReadOutline,
    ReadProvisions,
    ReadStatus,
    Resolution,
    ResolveReference,
)
from lovsvar_gateway.adapters.services import Services
from lovsvar_gateway.core.mcp.results import Stamp
from lovsvar_gateway.mcp.permission import caller
from lovsvar_gateway.trace_headers import correlation_id

STAMP_SECONDS = 60.0
"""How long the corpus date is remembered while the corpus version stands."""

REMEMBERED_SECONDS = 60.0
MAX_REMEMBERED = 2_000
"""Resolved references that are remembered."""

MAX_REFERENCE = 500


@dataclass
class Law:
    """The law behind the gateway. Every method raises `ProblemError`."""

    services_of_all: Services
    _status: CorpusStatus | None = None
    _asked_at: float = 0.0
    _asking: asyncio.Lock = field(default_factory=asyncio.Lock)
    _resolved: dict[str, tuple[float, Resolution]] = field(default_factory=dict)
    _version: int = 0

    @property
    def services(self) -> Services:
        """The other services, asked in the caller's name."""
        return self.services_of_all.asked_by(caller())

    async def resolve(self, reference: str) -> Resolution:
        """Return what a written reference names.

        What was resolved is remembered for a minute while the corpus stands: models name the same few acts again
        and again.
        """
        reference = reference[:MAX_REFERENCE]
        known = self._resolved.get(reference)
        if known and time.monotonic() - known[0] < REMEMBERED_SECONDS:
            return known[1]
        request = ResolveReference(correlation_id=correlation_id(), reference=reference)
        resolution = await self.services.ask(subjects.SEARCH_RESOLVE, request, Resolution)
        self._saw(resolution.corpus_version)
        if len(self._resolved) >= MAX_REMEMBERED:
            self._resolved.clear()
        self._resolved[reference] = (time.monotonic(), resolution)
        return resolution

    def _saw(self, version: int) -> None:
        """Forget what was resolved in an earlier version of the corpus."""
        if version > self._version:
            self._version = version
            self._resolved.clear()

    async def read(self, refs: tuple[ProvisionRef, ...]) -> Provisions:
        """Return provisions by name, at most `MAX_READ`."""
        request = ReadProvisions(correlation_id=correlation_id(), refs=refs[:MAX_READ])
        read = await self.services.ask(subjects.SEARCH_READ, request, Provisions)
        self._saw(read.corpus_version)
        return read

    async def outline(self, refid: str) -> Outline:
        """Return a document with its table of contents."""
        request = ReadOutline(correlation_id=correlation_id(), refid=refid)
        outline = await self.services.ask(subjects.SEARCH_OUTLINE, request, Outline)
        self._saw(outline.corpus_version)
        return outline

    async def find(self, request: FindProvisions) -> ProvisionHits:
        """Search provisions."""
        return await self.services.ask(
            subjects.SEARCH_PROVISIONS, request.model_copy(update={"correlation_id": correlation_id()}), ProvisionHits
        )

    async def documents(self, request: ListDocuments) -> Documents:
        """List documents."""
        return await self.services.ask(
            subjects.SEARCH_DOCUMENTS, request.model_copy(update={"correlation_id": correlation_id()}), Documents
        )

    async def practice(self, query: str, num: int) -> PracticeHits:
        """Search court decisions."""
        request = FindPractice(correlation_id=correlation_id(), query=query, num=num)
        return await self.services.ask(subjects.PRACTICE_SEARCH, request, PracticeHits)

    async def status(self) -> CorpusStatus:
        """Return what is stored, as it is now."""
        request = ReadStatus(correlation_id=correlation_id())
        self._status = await self.services.ask(subjects.SEARCH_STATUS, request, CorpusStatus)
        self._asked_at = time.monotonic()
        return self._status

    async def stamp(self, version: int | None = None, *, sample: bool | None = None) -> Stamp:
        """Return where a result is from that was found in corpus `version`; None takes what is known.

        The status is asked for again when the version is another, so that the date belongs to the result.
        """
        status = self._status
        if status is None or self._is_old(status, version):
            async with self._asking:
                status = self._status
                if status is None or self._is_old(status, version):
                    status = await self.status()
        return Stamp(
            corpus_date=status.corpus_date,
            corpus_version=status.corpus_version if version is None else version,
            sample=status.sample if sample is None else sample,
        )

    def _is_old(self, status: CorpusStatus, version: int | None) -> bool:
        too_old = time.monotonic() - self._asked_at > STAMP_SECONDS
        return too_old or (version is not None and version > status.corpus_version)
