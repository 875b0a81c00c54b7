"""One run: its limits, events, evidence and usage."""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, TypeVar

from lovsvar_agent.core.earlier_turns import Turn
from lovsvar_agent.core.errors import LimitReached
from lovsvar_agent.core.evidence import EvidenceRegistry
from lovsvar_agent.core.ports import EventSink
from lovsvar_contracts.problems import Problem, ProblemError
from lovsvar_contracts.questions import Evidence, QuestionAsked, Usage
from lovsvar_contracts.run_events import RunEvent, SourcesFound, StepFinished, StepStarted

_LONGEST_PAUSE = 2.0

Reply = TypeVar("Reply")

NOTHING = Usage()
"""What a first attempt finds spent."""


@dataclass
class Bound:
    """The limit that ended a piece of work early, as `run.limit_reached` names it; None when none did."""

    limit: str | None = None


@asynccontextmanager
async def bounded(clock: asyncio.Timeout) -> AsyncIterator[Bound]:
    """Let the block work until it is done, its time is up or a limit is reached; the bound says which."""
    bound = Bound()
    try:
        async with clock:
            yield bound
    except TimeoutError:
        if not clock.expired():
            raise
        bound.limit = "seconds"
    except LimitReached as exc:
        bound.limit = exc.limit


@dataclass(frozen=True)
class Limits:
    """How far a run may go. Times are in seconds.

    Tokens and money are counted over all attempts at a run, tool calls, rounds and time in each.

    `patience` is how long a tool that says "try again later", or a model's server that is not ready, is tried again;
    `pause` the first wait between two tries, which doubles up to two seconds. The rest concerns a language model
    alone: `rounds` are replies that may call tools; `tokens` (read and written) and `cost_usd` are of the whole run,
    `output_tokens` of one reply, `result_tokens` of one tool's result, `context_tokens` of the conversation that is
    sent.
    """

    tool_calls: int = 12
    seconds: float = 120.0
    patience: float = 20.0
    pause: float = 0.2
    rounds: int = 5
    tokens: int = 120_000
    cost_usd: float = 1.0
    output_tokens: int = 3_000
    result_tokens: int = 2_500
    context_tokens: int = 24_000


class Run:
    """What one attempt at a question has done so far. Everything it emits carries the question's correlation id."""

    def __init__(
        self,
        asked: QuestionAsked,
        attempt: int,
        sink: EventSink,
        limits: Limits,
        evidence: EvidenceRegistry | None = None,
        earlier: Sequence[Turn] = (),
        spent: Usage = NOTHING,
    ) -> None:
        """`earlier` is what the question follows up.

        `evidence` holds what earlier attempts found, whose ids stay, and `spent` is what those have cost.
        """
        self.asked = asked
        self.attempt = attempt
        self.limits = limits
        self.evidence = evidence or EvidenceRegistry()
        self.earlier = tuple(earlier)
        self.usage = spent
        self._called_before = spent.tool_calls
        self._sink = sink
        self._steps = 0
        self._open: tuple[str, float] | None = None
        self._emitting = asyncio.Lock()
        self.hear: Callable[[RunEvent], None] = lambda _: None
        """Is told of every event, once it is emitted."""

    async def emit(self, event: type[RunEvent], **fields: Any) -> None:
        """Emit an event of this run. Tools that work at the same time take turns."""
        made = event(run_id=self.asked.run_id, correlation_id=self.asked.correlation_id, **fields)
        async with self._emitting:
            await self._sink.emit(made)
            self.hear(made)

    async def settle(self) -> None:
        """Return when all events are stored: before what others notice."""
        await self._sink.settle()

    async def confirm(self) -> None:
        """Return when the run is seen to be still ours: before what costs money."""
        await self._sink.confirm()

    @asynccontextmanager
    async def step(self, name: str, title: str) -> AsyncIterator[None]:
        """Begin a step and end it after the block; one that fails is left to `close_step`."""
        self._steps += 1
        self._open = (name, time.perf_counter())
        await self.emit(StepStarted, step=self._steps, name=name, title=title)
        yield
        await self.close_step()

    async def close_step(self) -> None:
        """End the step that is open, if one is."""
        if self._open is not None:
            (name, began), self._open = self._open, None
            await self.emit(StepFinished, step=self._steps, name=name, ms=elapsed_ms(began))

    @property
    def lost_earlier(self) -> bool:
        """Whether the question follows up another of which nothing is kept any more."""
        return bool(self.asked.follows) and not self.earlier

    async def report_earlier(self) -> None:
        """Report, as a step, whether what the question follows up is at hand."""
        if self.lost_earlier:
            async with self.step("earlier_lost", "Fant ikke spørsmålet dette følger opp; går videre uten det"):
                pass
        elif self.earlier:
            async with self.step("earlier", "Tar med spørsmålet og svaret dette følger opp"):
                pass

    @property
    def tool_calls_left(self) -> int:
        """How many tools this attempt may still call."""
        return self.limits.tool_calls + self._called_before - self.usage.tool_calls

    def count_tool_call(self) -> str:
        """Count a tool call and return its id, unique within the run."""
        self.usage = self.usage.model_copy(update={"tool_calls": self.usage.tool_calls + 1})
        return f"call-{self.attempt}-{self.usage.tool_calls}"

    async def announce(self, evidence: tuple[Evidence, ...]) -> None:
        """Report sources that were not known before."""
        if evidence:
            await self.emit(SourcesFound, evidence=evidence)


async def patiently(
    limits: Limits, ask: Callable[[], Awaitable[Reply]], passes: Callable[[Problem], bool] = lambda p: p.retryable
) -> Reply:
    """Ask, and ask again while the problem is one that passes, within the limits' patience. Raises `ProblemError`."""
    until = time.monotonic() + limits.patience
    pause = limits.pause
    while True:
        try:
            return await ask()
        except ProblemError as exc:
            if not passes(exc.problem) or time.monotonic() + pause > until:
                raise
        await asyncio.sleep(pause)
        pause = min(2 * pause, _LONGEST_PAUSE)


def elapsed_ms(began: float) -> float:
    """Return the milliseconds since `began` (`time.perf_counter`), to a hundredth."""
    return round((time.perf_counter() - began) * 1000, 2)
