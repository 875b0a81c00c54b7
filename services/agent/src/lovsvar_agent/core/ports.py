"""What the core needs of the world."""

from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Any, Protocol

from lovsvar_contracts.run_events import RunEvent
from lovsvar_contracts.search import (
    CorpusStatus,
    FindProvisions,
    ProvisionHits,
    Provisions,
    ReadProvisions,
    ReadStatus,
    Resolution,
    ResolveReference,
)


class LegalSearch(Protocol):
    """The law, searched and read. Every method raises `ProblemError` when there is no result."""

    async def find(self, request: FindProvisions) -> ProvisionHits:
        """Return provisions that match words, best first."""

    async def read(self, request: ReadProvisions) -> Provisions:
        """Return provisions whole; what does not exist is listed in `missing`."""

    async def resolve(self, request: ResolveReference) -> Resolution:
        """Return what a written reference names."""

    async def status(self, request: ReadStatus) -> CorpusStatus:
        """Return what the corpus holds, and of which date it is."""


class EventSink(Protocol):
    """Where a run's events go, in order."""

    async def emit(self, event: RunEvent) -> None:
        """Store `event` behind the run's last. Raises `RunStopped` when the run is no longer ours."""


class LanguageModel(Protocol):
    """A chat model that calls tools. Extractive answers need none."""

    @property
    def name(self) -> str:
        """What `run.started` calls it."""

    def reply(
        self, messages: Sequence[Mapping[str, Any]], tools: Sequence[Mapping[str, Any]]
    ) -> AsyncIterator[Mapping[str, Any]]:
        """Yield one reply in pieces, as the chat-completions wire format has them.

        `messages` is the conversation so far and `tools` the JSON schemas of what may be called. Closing
        the iterator ends the request. Raises `ProblemError`.
        """
