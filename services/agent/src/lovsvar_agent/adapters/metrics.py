"""What operators can watch of runs: how they end and how long they take, what the model and the tools do, and the cost.

Runs are measured by the events that they emit, so that what is counted is what readers see.
"""

import asyncio
import contextlib
import time
from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from opentelemetry import trace
from opentelemetry.trace import Span, SpanKind, StatusCode

from lovsvar_agent.core.earlier_turns import Turn
from lovsvar_agent.core.errors import RunStopped
from lovsvar_agent.core.extractive.answer import MODEL
from lovsvar_agent.core.modes import Answerer
from lovsvar_agent.core.ports import EventSink, LanguageModel, Request
from lovsvar_agent.core.run import NOTHING
from lovsvar_agent.core.takeover import Attempt
from lovsvar_agent.core.tools.registry import OffersTools
from lovsvar_chassis import metrics
from lovsvar_contracts.problems import ProblemError
from lovsvar_contracts.questions import Mode, QuestionAsked, Usage
from lovsvar_contracts.run_events import (
    AnswerCompleted,
    RunCompleted,
    RunEvent,
    RunFailed,
    RunLimitReached,
    RunStarted,
    ToolResult,
    UsageUpdated,
)

_tracer = trace.get_tracer(__name__)

OUTCOMES: Mapping[type, str] = {RunCompleted: "completed", RunFailed: "failed", RunLimitReached: "limit_reached"}
_INTERRUPTED: Mapping[type, str] = {asyncio.CancelledError: "cancelled", GeneratorExit: "cut_off"}


@dataclass(frozen=True)
class MeasuredAnswerer(Answerer):
    """`Answerer` whose runs are measured."""

    async def answer(
        self, asked: QuestionAsked, attempt: Attempt, sink: EventSink, earlier: Sequence[Turn] = ()
    ) -> None:
        measured = MeasuredSink(sink, self.mode_of(asked), self.tools, attempt.spent)
        began = time.perf_counter()
        try:
            await super().answer(asked, attempt, measured, earlier)
        except (asyncio.CancelledError, RunStopped) as exc:
            measured.outcome = "stopped" if isinstance(exc, RunStopped) else "cancelled"
            raise
        except Exception:
            measured.outcome = "error"
            raise
        finally:
            metrics.RUNS.record(time.perf_counter() - began, mode=measured.mode, outcome=measured.outcome)


class MeasuredSink(EventSink):
    """Counts events as they are emitted. `outcome` is "error" until the run is closed.

    `tools` are those that are counted by name. `spent` is what earlier attempts cost, which was counted then.
    """

    def __init__(self, sink: EventSink, mode: Mode, tools: OffersTools, spent: Usage = NOTHING) -> None:
        self.mode = mode.value
        self.outcome = "error"
        self._sink = sink
        self._tools = tools
        self._counted = spent

    async def emit(self, event: RunEvent) -> None:
        await self._sink.emit(event)
        match event:
            case RunStarted(model=model) if model == MODEL:
                self.mode = Mode.EXTRACTIVE.value
            case ToolResult():
                self._count_tool(event)
            case UsageUpdated(usage=usage):
                self._count_usage(usage)
            case AnswerCompleted(answer=answer):
                self._count_usage(answer.usage)
            case _:
                self.outcome = OUTCOMES.get(type(event), self.outcome)

    async def settle(self) -> None:
        await self._sink.settle()

    async def confirm(self) -> None:
        await self._sink.confirm()

    def _count_tool(self, result: ToolResult) -> None:
        # A model may make names up, of which there is no end.
        tool = result.name if result.name in self._tools.names else "unknown"
        outcome = "ok" if not result.error else "failed" if result.ms else "refused"
        metrics.TOOL_CALLS.record(result.ms / 1000, tool=tool, outcome=outcome)

    def _count_usage(self, usage: Usage) -> None:
        before, self._counted = self._counted, usage
        for direction in ("input", "output"):
            tokens = getattr(usage, f"{direction}_tokens") - getattr(before, f"{direction}_tokens")
            if tokens > 0:
                metrics.MODEL_TOKENS.add(tokens, direction=direction)
        if (cost := usage.cost_usd - before.cost_usd) > 0:
            metrics.MODEL_COST.add(cost)


class MeasuredModel(LanguageModel):
    """A model whose calls are measured, each in a span by OpenTelemetry's conventions for generative AI.

    Spans hold sizes and names, and nothing of what was asked or answered.
    """

    def __init__(self, model: LanguageModel, provider: str = "openai") -> None:
        self._model = model
        self._provider = provider

    @property
    def name(self) -> str:
        return self._model.name

    def cost(self, input_tokens: int, output_tokens: int) -> float:
        return self._model.cost(input_tokens, output_tokens)

    async def reply(self, request: Request) -> AsyncGenerator[Mapping[str, Any], None]:
        began, outcome = time.perf_counter(), "ok"
        # Not made the current span: a generator's steps may run in different contexts.
        attributes: dict[str, str | int] = {
            "gen_ai.operation.name": "chat",
            "gen_ai.provider.name": self._provider,
            "gen_ai.request.model": self.name,
            "gen_ai.request.max_tokens": request.max_tokens,
        }
        span = _tracer.start_span(f"chat {self.name}", kind=SpanKind.CLIENT, attributes=attributes)
        try:
            async with contextlib.aclosing(self._model.reply(request)) as chunks:
                async for chunk in chunks:
                    if usage := chunk.get("usage"):
                        _note_usage(span, usage)
                    yield chunk
        except BaseException as exc:
            outcome = exc.problem.type.value if isinstance(exc, ProblemError) else _INTERRUPTED.get(type(exc), "error")
            raise
        finally:
            if outcome != "ok":
                span.set_attribute("error.type", outcome)
                span.set_status(StatusCode.ERROR)
            span.end()
            metrics.MODEL_CALLS.record(time.perf_counter() - began, model=self.name, outcome=outcome)


def _note_usage(span: Span, usage: Any) -> None:
    if isinstance(usage, Mapping):
        for name, key in (("input", "prompt_tokens"), ("output", "completion_tokens")):
            if isinstance(tokens := usage.get(key), int):
                span.set_attribute(f"gen_ai.usage.{name}_tokens", tokens)
