"""Asking the law: announced, counted, limited, and retried while it says that it is not ready."""

import time
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, TypeVar

from lovsvar_agent.core.errors import LimitReached
from lovsvar_agent.core.ports import LegalSearch
from lovsvar_agent.core.question_filters import NO_FILTERS
from lovsvar_agent.core.run import Run, elapsed_ms, patiently
from lovsvar_agent.core.source_kinds.law import LAW
from lovsvar_agent.core.tool_spans import traced
from lovsvar_agent.core.tools.law_reading import LAW_READING
from lovsvar_agent.core.tools.law_search import LAW_SEARCH
from lovsvar_contracts.problems import ProblemError
from lovsvar_contracts.run_events import ToolCalled, ToolResult
from lovsvar_contracts.search import (
    MAX_QUERY,
    FindProvisions,
    ProvisionHits,
    ProvisionRef,
    Provisions,
    ReadProvisions,
    Resolution,
    ResolveReference,
)

Reply = TypeVar("Reply", ProvisionHits, Provisions, Resolution)


class AnnouncedSearch:
    """The law, searched and read for one run, each call with its events. `search` holds the filters.

    Each raises `ProblemError` when it failed, `LimitReached` when no call is left.
    """

    def __init__(self, run: Run, search: LegalSearch) -> None:
        self._run = run
        self._search = search

    async def find(self, query: str) -> ProvisionHits:
        """Search provisions; what is new among them becomes evidence."""
        request = FindProvisions(query=query[:MAX_QUERY], correlation_id=self._run.asked.correlation_id)
        filters = self._run.asked.filters or NO_FILTERS
        held = {"lawType": filters.law_type, "year": filters.year, "ministry": filters.ministry}
        arguments = {"query": request.query, "page": request.page, "pageSize": request.page_size}
        arguments |= {name: value for name, value in held.items() if value}
        hits = await self._call(LAW_SEARCH.name, arguments, lambda: self._search.find(request))
        await self._run.announce(self._run.evidence.add(LAW, hits.hits))
        return hits

    async def read(self, refs: Sequence[ProvisionRef]) -> Provisions:
        """Read provisions whole; what is new among them becomes evidence."""
        request = ReadProvisions(refs=tuple(refs), correlation_id=self._run.asked.correlation_id)
        arguments = {"provisions": [{"document": r.refid, "section": r.section} for r in refs]}
        found = await self._call(LAW_READING.name, arguments, lambda: self._search.read(request))
        await self._run.announce(self._run.evidence.add(LAW, found.provisions))
        return found

    async def resolve(self, reference: str) -> Resolution:
        """Look up what a written reference names."""
        request = ResolveReference(reference=reference, correlation_id=self._run.asked.correlation_id)
        return await self._call(LAW_READING.name, {"reference": reference}, lambda: self._search.resolve(request))

    async def _call(self, name: str, arguments: dict[str, Any], ask: Callable[[], Awaitable[Reply]]) -> Reply:
        run = self._run
        if run.tool_calls_left <= 0:
            raise LimitReached("tool_calls")
        call_id = run.count_tool_call()
        await run.emit(ToolCalled, call_id=call_id, name=name, arguments=arguments)
        began = time.perf_counter()
        try:
            reply = await traced(name, call_id, patiently(run.limits, ask))
        except ProblemError as exc:
            error = exc.problem.detail
            await run.emit(ToolResult, call_id=call_id, name=name, hits=0, ms=elapsed_ms(began), error=error)
            raise
        run.evidence.corpus_version = reply.corpus_version or run.evidence.corpus_version
        await run.emit(ToolResult, call_id=call_id, name=name, ms=elapsed_ms(began), **_counts(reply))
        return reply


def _counts(reply: ProvisionHits | Provisions | Resolution) -> dict[str, Any]:
    """Return what `tool.result` says of a reply."""
    match reply:
        case ProvisionHits(hits=hits):
            types = reply.searched_law_types
            return {"hits": len(hits), "searched_law_types": types, "truncated": reply.total > len(hits)}
        case Provisions(provisions=provisions):
            return {"hits": len(provisions)}
    return {"hits": len(reply.matches)}
