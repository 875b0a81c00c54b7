"""Carrying calls out: in parallel, counted, with events in the order of the calls."""

import asyncio
import time
from collections.abc import Callable, Hashable, Mapping, Sequence
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
    "Dette kallet er alt gjort, og ga det som står {where}. Prøv andre ord eller et annet verktøy, eller gi svaret."
)


@dataclass(frozen=True)
class Used:
    """What came of some calls: each with its arguments as understood, and its result for the model.

    `limit` ends the loop.
    """

    calls: tuple[tuple[Call, Mapping[str, Any]], ...]
    results: tuple[str, ...]
    limit: str | None


@dataclass
class _Made:
    """One call: why it is not carried out, if so, and what the model was told; `failed` ones may be made again."""

    call: Call
    arguments: Mapping[str, Any]
    call_id: str
    refusal: str
    repeats: "_Made | None" = None
    result: str = ""
    failed: bool = False


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
        self._made: list[_Made] = []

    async def use(
        self, calls: Sequence[Call], in_view: Callable[[str], bool] = lambda _: False, *, hints: bool = True
    ) -> Used:
        """Carry `calls` out in parallel, with events in their order; those beyond the limit of a run are not made.

        `in_view` says whether an earlier result is still before the model. With `hints`, results say what may be
        called for more.
        """
        left = self._run.tool_calls_left
        made = [self._one(call) for call in calls[:left]]
        for one in made:
            await self._run.emit(
                ToolCalled, call_id=one.call_id, name=one.call.name[:100], arguments=dict(one.arguments)
            )
        if any(tool.acts for one in made if (tool := self.registry.tools.get(one.call.name))):
            await self._run.settle()
        done = await asyncio.gather(*(self._carry_out(one) for one in made))
        results = [await self._report(one, *what, in_view, hints) for one, what in zip(made, done, strict=True)]
        if results and (background := self._background()):
            results[-1] = f"{results[-1]}\n{background}"
        limit = "tool_calls" if len(calls) > left else None
        if any(self._times(one) >= IDENTICAL for one in made):
            limit = "identical_calls"
        return Used(tuple((one.call, one.arguments) for one in made), tuple(results), limit)

    def _one(self, call: Call) -> _Made:
        arguments: Mapping[str, Any] = {}
        refusal = ""
        try:
            arguments = read_arguments(call.arguments)
        except Misunderstood as exc:
            refusal = str(exc)
        if call.name not in self.registry.tools:
            known = ", ".join(sorted(self.registry.names))
            refusal = f"Verktøyet «{call.name[:60]}» finnes ikke. Disse finnes: {known}."
        one = _Made(call, arguments, self._run.count_tool_call(), refusal)
        if not refusal:
            same = (m for m in self._made if not (m.failed or m.refusal) and self._asks(m) == self._asks(one))
            one.repeats = next(same, None)
        self._made.append(one)
        return one

    def _asks(self, one: _Made) -> Hashable:
        """Return what a call asks for, by the sources known now: an act has more names than one."""
        if not one.arguments or one.call.name not in self.registry.tools:
            return one.call.name, one.call.arguments
        return one.call.name, self.registry.tools[one.call.name].asks(self._law, one.arguments)

    def _times(self, one: _Made) -> int:
        return sum(self._asks(made) == self._asks(one) for made in self._made)

    async def _carry_out(self, one: _Made) -> tuple[Found | str, float]:
        """Return what the call found, or why it found nothing, and the milliseconds it took."""
        if one.refusal or one.repeats:
            return one.refusal, 0.0
        began = time.perf_counter()
        tool = self.registry.tools[one.call.name]
        found: Found | str
        try:
            found = await traced(tool.name, one.call_id, tool.call(self._law, one.arguments))
        except Misunderstood as exc:
            found = str(exc)
        except ProblemError as exc:
            found = f"Verktøyet feilet: {exc.problem.detail} Prøv på en annen måte, eller svar ut fra det du har."
        return found, elapsed_ms(began)

    async def _report(
        self, one: _Made, found: Found | str, ms: float, in_view: Callable[[str], bool], hints: bool
    ) -> str:
        """Emit what a call found, and return it as the model reads it."""
        run, name = self._run, one.call.name[:100]
        earlier = one.repeats
        if earlier is not None:
            # What was left out meanwhile is shown again.
            there = in_view(earlier.result)
            found = ALREADY_DONE.format(where="over" if there else "under")
            one.result = found if there else f"{found}\n{earlier.result}"
        elif isinstance(found, str):
            one.result, one.failed = found, True
        if isinstance(found, str):
            await run.emit(ToolResult, call_id=one.call_id, name=name, hits=0, ms=ms, error=found)
            return one.result
        sources = self._law.sources
        sources.corpus_version = found.corpus_version or sources.corpus_version
        new = tuple(e for kind, things in found.sources for e in sources.add(kind, things))
        tool = self.registry.tools[one.call.name]
        one.result, cut = show(tool, found, sources, run.limits.result_tokens, hints=hints)
        await run.emit(
            ToolResult,
            call_id=one.call_id,
            name=name,
            hits=found.count,
            searched_law_types=found.searched_law_types,
            truncated=cut,
            ms=ms,
        )
        await run.announce(new)
        return one.result
