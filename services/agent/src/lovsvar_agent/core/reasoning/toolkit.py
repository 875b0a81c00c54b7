"""Carrying calls out: in parallel, counted, with events in the order of the calls."""

import asyncio
import json
import time
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from lovsvar_agent.core.reasoning.arguments import Misunderstood, read_arguments
from lovsvar_agent.core.reasoning.replies import Call
from lovsvar_agent.core.reasoning.tool_results import show
from lovsvar_agent.core.run import Run, elapsed_ms
from lovsvar_agent.core.tool_spans import traced
from lovsvar_agent.core.tools.law_access import LawAccess
from lovsvar_agent.core.tools.registry import ToolRegistry
from lovsvar_agent.core.tools.tool import Found
from lovsvar_contracts.problems import ProblemError
from lovsvar_contracts.questions import Evidence
from lovsvar_contracts.run_events import ReasonerConsulted, ToolCalled, ToolResult

IDENTICAL = 3
"""This many calls that are the same end the loop."""

ALREADY_DONE = (
    "Dette kallet er alt gjort, og ga det som står {where}. Prøv andre ord eller et annet verktøy, eller gi svaret."
)


def was_done_before(error: str) -> bool:
    """Whether a result's error only says that the same call had been made."""
    return error.startswith(ALREADY_DONE.partition(" og ")[0].partition(",")[0])


class CallWatch(Protocol):
    """Looks at the calls of a run, and decides what comes of those that fail."""

    async def calling(self, name: str, call_id: str) -> None:
        """Note that a tool is about to be called."""

    async def called(self, name: str) -> str:
        """Return what the model is told besides a result. Raises `HandedOver` when it is to do no more."""


@dataclass
class EarlierCall:
    """A call that was made before this attempt at a run: `ended` or cut off, with an error, with what was answered.

    `asked` is of a call that asked the person something.
    """

    run_id: str
    call_id: str
    name: str
    arguments: Mapping[str, Any]
    ended: bool = False
    error: str | None = None
    guidance: ReasonerConsulted | None = None
    asked: bool = False


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
    run_id: str
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
        self.watch: CallWatch | None = None
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
            if self.watch and one.call.name in self.registry.tools:
                await self.watch.calling(one.call.name, one.call_id)
            await self._run.emit(
                ToolCalled, call_id=one.call_id, name=one.call.name[:100], arguments=dict(one.arguments)
            )
        if any(tool.acts for one in made if (tool := self.registry.tools.get(one.call.name))):
            await self._run.settle()
        done = await asyncio.gather(*(self._carry_out(one) for one in made))
        results = [await self._report(one, *what, in_view, hints) for one, what in zip(made, done, strict=True)]
        results = [await self._watched(one, result) for one, result in zip(made, results, strict=True)]
        if results and (background := self._background()):
            results[-1] = f"{results[-1]}\n{background}"
        limit = "tool_calls" if len(calls) > left else None
        if any(self._times(one) >= IDENTICAL for one in made):
            limit = "identical_calls"
        return Used(tuple((one.call, one.arguments) for one in made), tuple(results), limit)

    async def again(self, earlier: EarlierCall) -> tuple[Call, str]:
        """Return a call that was made before, and its result: what ended is not sent as an event again.

        Its id is the same, so that what it does is done once.
        """
        call = Call(earlier.name, json.dumps(earlier.arguments, ensure_ascii=False))
        one = _Made(call, earlier.arguments, earlier.call_id, "", earlier.run_id, failed=earlier.error is not None)
        self._made.append(one)
        if earlier.error is not None:
            one.result = earlier.error
            return call, one.result
        found, ms = await self._carry_out(one)
        if not earlier.ended:
            result = await self._report(one, found, ms, lambda _: False, hints=True)
            return call, await self._watched(one, result)
        if isinstance(found, str):
            one.result, one.failed = found, True
        else:
            await self._run.announce(self._register(one, found, hints=True)[0])
        return call, one.result

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
        one = _Made(call, arguments, self._run.count_tool_call(), refusal, self._run.asked.run_id)
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
            law = replace(self._law, call=(one.run_id, one.call_id))
            found = await traced(tool.name, one.call_id, tool.call(law, one.arguments))
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
        new, cut = self._register(one, found, hints)
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

    def _register(self, one: _Made, found: Found, hints: bool) -> tuple[tuple[Evidence, ...], bool]:
        """Keep what was found as sources and as the call's result; return what is new, and whether something is cut."""
        sources, tool = self._law.sources, self.registry.tools[one.call.name]
        sources.corpus_version = found.corpus_version or sources.corpus_version
        new = tuple(e for kind, things in found.sources for e in sources.add(kind, things))
        one.result, cut = show(tool, found, sources, self._run.limits.result_tokens, hints=hints)
        return new, cut

    async def _watched(self, one: _Made, result: str) -> str:
        """Return a result with what is said besides it. Raises `HandedOver`."""
        if self.watch is None or one.repeats or one.call.name not in self.registry.tools:
            return result
        said = await self.watch.called(one.call.name)
        return f"{result}\n{said}" if said else result
