"""What the core needs of the world."""

from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from lovsvar_contracts.catalogues import Catalogue, FindProducts, ProductHits
from lovsvar_contracts.practice import FindPractice, PracticeHits
from lovsvar_contracts.questions import QuestionAsked
from lovsvar_contracts.run_events import RunEvent
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


class LegalSearch(Protocol):
    """The law, searched and read. Every method raises `ProblemError` when there is no result."""

    async def find(self, request: FindProvisions) -> ProvisionHits:
        """Return provisions that match words, best first."""

    async def read(self, request: ReadProvisions) -> Provisions:
        """Return provisions whole; what does not exist is listed in `missing`."""

    async def resolve(self, request: ResolveReference) -> Resolution:
        """Return what a written reference names."""

    async def outline(self, request: ReadOutline) -> Outline:
        """Return a document's table of contents."""

    async def status(self, request: ReadStatus) -> CorpusStatus:
        """Return what the corpus holds, and of which date it is."""


FindsPractice = Callable[[FindPractice], Awaitable[PracticeHits]]
"""Returns court decisions and administrative practice, best first. Raises `ProblemError` when there is no result."""


class ProductSearch(Protocol):
    """The catalogues of products, searched."""

    async def catalogues(self) -> tuple[Catalogue, ...]:
        """Return the catalogues that are served, as far as that is known in a moment. Raises nothing."""

    async def find(self, request: FindProducts) -> ProductHits:
        """Return products that fit, best first. Raises `ProblemError`, soon, when there is no result."""


class CaseDesk(Protocol):
    """The case of a run, by tools of the service that keeps cases. What it says is without personal data."""

    async def call(
        self, asked: QuestionAsked, name: str, arguments: Mapping[str, Any], call_id: str
    ) -> Mapping[str, Any]:
        """Return a tool's result, which has a `status`. A repeat with the same `call_id` changes nothing more.

        Raises `ProblemError` when there is no result.
        """


class EventSink(Protocol):
    """Where a run's events go, in order. What is stored of them has no gaps, whatever fails.

    All raise `RunStopped` when the run is no longer ours.
    """

    async def emit(self, event: RunEvent) -> None:
        """Have `event` stored after the run's last; the caller need not wait until it is."""

    async def settle(self) -> None:
        """Return when everything that was emitted is stored."""

    async def confirm(self) -> None:
        """Return when the next of what was emitted is stored: the run was still ours then."""


class Request(NamedTuple):
    """What a model is asked: the conversation so far, what it may call, and how its reply is bounded.

    `messages` and `tools` are of the chat-completions wire format. Without `calls` none of the tools is to be called:
    they are there for servers that read a history of calls with them alone, or keep what was read before. With
    `schema`, the reply is to be JSON of that schema. Servers may know neither, so that a reply has to be read as if
    they did not.
    """

    messages: Sequence[Mapping[str, Any]]
    tools: Sequence[Mapping[str, Any]] = ()
    schema: Mapping[str, Any] | None = None
    calls: bool = False
    max_tokens: int = 3_000


class LanguageModel(Protocol):
    """A chat model that calls tools. Extractive answers need none."""

    @property
    def name(self) -> str:
        """What `run.started` calls it."""

    def cost(self, input_tokens: int, output_tokens: int) -> float:
        """Return what a call of that size costs, in US dollars."""

    def reply(self, request: Request) -> AsyncGenerator[Mapping[str, Any], None]:
        """Yield one reply in pieces, as the chat-completions wire format has them.

        Closing the iterator ends the request. Raises `ProblemError`.
        """
