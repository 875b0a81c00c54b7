"""The law as the tools read it: in the caller's name, with a memory for what models ask again and again."""

import time

from lovsvar_contracts.message import Message
from lovsvar_contracts.questions import Answer
from lovsvar_contracts.search import CorpusReply, CorpusStatus, Resolution
from lovsvar_gateway.adapters.services import LawReader, Reply, Services
from lovsvar_gateway.core.mcp.results import Stamp
from lovsvar_gateway.mcp.calls import caller

REMEMBERED_SECONDS = 60.0
MAX_REMEMBERED = 2_000  # resolved references that are remembered
MAX_REFERENCE = 500


class CachedLaw(LawReader):
    """Law whose resolved references and corpus status are kept for a minute, unless the corpus version rises."""

    def __init__(self, services: Services) -> None:
        super().__init__(services)
        self._resolved: dict[str, tuple[float, Resolution]] = {}
        self._status: tuple[float, CorpusStatus] | None = None
        self._version = 0

    @property
    def services(self) -> Services:
        """The other services, asked in the caller's name."""
        return self._services.asked_by(caller())

    async def _ask(self, subject: str, request: Message, reply: type[Reply]) -> Reply:
        answer = await super()._ask(subject, request, reply)
        if (version := getattr(answer, "corpus_version", 0)) > self._version:
            self._version, self._status = version, None
            self._resolved.clear()
        return answer

    async def resolve(self, reference: str) -> Resolution:
        """Return what a written reference, of which 500 characters count, names."""
        reference = reference[:MAX_REFERENCE]
        known = self._resolved.get(reference)
        if known and time.monotonic() - known[0] < REMEMBERED_SECONDS:
            return known[1]
        resolution = await super().resolve(reference)
        if len(self._resolved) >= MAX_REMEMBERED:
            self._resolved.clear()
        self._resolved[reference] = (time.monotonic(), resolution)
        return resolution

    async def stamp(
        self, served: CorpusReply | CorpusStatus | Answer | None = None, *, sample: bool | None = None
    ) -> Stamp:
        """Return the source of a result: the corpus that it was `served` from, None for the current one.

        `sample` says whether the law in it is invented, None where the result does not say.
        """
        if served is None or sample is None:
            if self._status is None or time.monotonic() - self._status[0] > REMEMBERED_SECONDS:
                self._status = time.monotonic(), await self.status()
            status = self._status[1]
            served, sample = served or status, status.sample if sample is None else sample
        return Stamp(corpus_date=served.corpus_date, corpus_version=served.corpus_version, sample=sample)
