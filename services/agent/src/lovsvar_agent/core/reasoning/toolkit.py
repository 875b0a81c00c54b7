"""Carrying calls out: in parallel, counted, with events in the order of the calls."""

import asyncio
import json
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from lovsvar_agent.core.reasoning.arguments import Misunderstood, read_arguments
from lovsvar_agent.core.reasoning.replies import Call
from lovsvar_agent.core.reasoning.tool_results import show
from lovsvar_agent.core.run import Run, elapsed_ms
from lovsvar_agent.core.tool_spans import traced
from lovsvar_agent.core.tools.law_access import LawAccess
from lovsvar_agent.core.tools.registry import ToolRegistry
from lovsvar_agent.core.tools.tool import Found
from lovsvar_contracts.problems import ProblemError
from lovsvar_contracts.run_events import ToolCalled, ToolResult

IDENTICAL = 3
"""This many calls that are the same end the loop."""

ALREADY_DONE = (
    "Dette kallet er alt gjort, og ga det som står under. Prøv andre ord eller et annet verktøy, eller gi svaret."
)


@dataclass(frozen=True)
class Used:
    """What came of some calls: each with its arguments as understood, and its result for the model.

    `limit` ends the loop. `searched` is whether any of them looked for law, found or not.
    """

    calls: tuple[tuple[Call, Mapping[str, Any]], ...]
    results: tuple[str, ...]
    limit: str | None
    searched: bool


@dataclass(frozen=True)
class _Planned:
    call: Call
    arguments: Mapping[str, Any]
    call_id: str
    key: str
    refusal: str


class Toolkit:
    """The tools of one run, as the model calls them."""

    def __init__(
        self, run: Run, law: LawAccess, registry: ToolRegistry, background: Callable[[], str] = lambda: ""
    ) -> None:
        """`background` returns what the model is given after the next results, beside them; nothing if it is empty."""
        self.registry = registry
        self._run = run
        self._law = law
        self._background = background
        self._seen: Counter[str] = Counter()
        self._results: dict[str, str] = {}
        self._failed: set[str] = set()

    async def use(self, calls: Sequence[Call]) -> Used:
        """Carry `calls` out in parallel, with events in their order; those beyond the limit of a run are not made."""
        left = self._run.tool_calls_left
        planned = [self._plan(call) for call in calls[:left]]
        for plan in planned:
            await self._run.emit(
                ToolCalled, call_id=plan.call_id, name=plan.call.name[:100], arguments=dict(plan.arguments)
            )
        done = await asyncio.gather(*(self._carry_out(plan) for plan in planned))
        results = [await self._report(plan, *one) for plan, one in zip(planned, done, strict=True)]
        if results and (background := self._background()):
            results[-1] = f"{results[-1]}\n{background}"
        limit = "tool_calls" if len(calls) > left else None
        if any(count >= IDENTICAL for count in self._seen.values()):
            limit = "identical_calls"
        searched = any(not p.refusal and self.registry.tools[p.call.name].searches for p in planned)
        return Used(tuple((p.call, p.arguments) for p in planned), tuple(results), limit, searched)

    def _plan(self, call: Call) -> _Planned:
        arguments: Mapping[str, Any] = {}
        refusal = ""
        try:
            arguments = read_arguments(call.arguments)
        except Misunderstood as exc:
            refusal = str(exc)
        key = json.dumps([call.name, arguments or call.arguments], sort_keys=True)
        self._seen[key] += 1
        if call.name not in self.registry.tools:
            known = ", ".join(sorted(self.registry.names))
            refusal = f"Verktøyet «{call.name[:60]}» finnes ikke. Disse finnes: {known}."
        elif self._seen[key] > 1 and not refusal and key not in self._failed:
            refusal = ALREADY_DONE
        return _Planned(call, arguments, self._run.count_tool_call(), key, refusal)

    async def _carry_out(self, plan: _Planned) -> tuple[Found | str, float]:
        """Return what the call found, or why it found nothing, and the milliseconds it took."""
        if plan.refusal:
            return plan.refusal, 0.0
        began = time.perf_counter()
        tool = self.registry.tools[plan.call.name]
        found: Found | str
        try:
            found = await traced(tool.name, plan.call_id, tool.call(self._law, plan.arguments))
        except Misunderstood as exc:
            found = str(exc)
        except ProblemError as exc:
            found = f"Verktøyet feilet: {exc.problem.detail} Prøv på en annen måte, eller svar ut fra det du har."
        return found, elapsed_ms(began)

    async def _report(self, plan: _Planned, found: Found | str, ms: float) -> str:
        """Emit what a call found, and return it as the model reads it."""
        run, name = self._run, plan.call.name[:100]
        if isinstance(found, str):
            await run.emit(ToolResult, call_id=plan.call_id, name=name, hits=0, ms=ms, error=found)
            # What failed may be tried again; what was done is shown again, since it may have been left out meanwhile.
            if plan.refusal != ALREADY_DONE:
                self._failed.add(plan.key)
            earlier = self._results.get(plan.key, "")
            return f"{found}\n{earlier}" if earlier else found
        sources = self._law.sources
        sources.corpus_version = found.corpus_version or sources.corpus_version
        new = tuple(e for kind, things in found.sources for e in sources.add(kind, things))
        text, cut = show(self.registry.tools[plan.call.name], found, sources, run.limits.result_tokens)
        await run.emit(
            ToolResult,
            call_id=plan.call_id,
            name=name,
            hits=found.count,
            searched_law_types=found.searched_law_types,
            truncated=cut,
            ms=ms,
        )
        await run.announce(new)
        self._failed.discard(plan.key)
        self._results[plan.key] = text
        return text
