"""Asking the law: announced, counted, limited, and retried while it says that it is not ready."""

import pytest

from lovsvar_agent.adapters.memory_search import MemorySearch
from lovsvar_agent.adapters.memory_sink import MemorySink
from lovsvar_agent.core.announced_search import AnnouncedSearch
from lovsvar_agent.core.errors import LimitReached
from lovsvar_agent.core.run import Limits, Run
from lovsvar_agent.core.tools.law_reading import LAW_READING
from lovsvar_agent.core.tools.law_search import LAW_SEARCH
from lovsvar_contracts.law import LAW_TYPE_ORDER
from lovsvar_contracts.problems import Problem, ProblemError, ProblemType
from lovsvar_contracts.run_events import SourcesFound, ToolCalled, ToolResult
from lovsvar_contracts.search import FindProvisions, ProvisionHits, ProvisionRef

QUICK = Limits(patience=0.05, pause=0.001)


class FailingSearch(MemorySearch):
    """Fails `times` times before it finds."""

    def __init__(self, provisions, times: int, *, retryable: bool = True) -> None:
        super().__init__(provisions)
        self.tries = 0
        self._times = times
        self._problem = Problem(type=ProblemType.NOT_READY, title="x", detail="Ikke klar.", retryable=retryable)

    async def find(self, request: FindProvisions) -> ProvisionHits:
        self.tries += 1
        if self.tries <= self._times:
            raise ProblemError(self._problem)
        return await super().find(request)


def announced(asked, search, limits: Limits = QUICK) -> tuple[AnnouncedSearch, MemorySink, Run]:
    sink = MemorySink()
    run = Run(asked, 1, sink, limits)
    return AnnouncedSearch(run, search), sink, run


async def test_a_call_is_announced_with_its_result_and_new_sources(asked, corpus) -> None:
    tools, sink, run = announced(asked, MemorySearch(corpus))
    await tools.find("pant")
    called, result, found = sink.events
    assert isinstance(called, ToolCalled)
    assert isinstance(result, ToolResult)
    assert isinstance(found, SourcesFound)
    assert (called.name, called.arguments["query"]) == (LAW_SEARCH.name, "pant")
    assert called.call_id == result.call_id
    assert (result.hits, result.truncated, result.searched_law_types) == (1, False, LAW_TYPE_ORDER)
    assert [e.evidence_id for e in found.evidence] == ["lovdata-1"]
    assert run.usage.tool_calls == 1


async def test_a_source_that_is_known_is_not_announced_again(asked, corpus) -> None:
    tools, sink, _ = announced(asked, MemorySearch(corpus))
    hits = await tools.find("pant")
    await tools.read([ProvisionRef(refid=h.refid, section=h.section) for h in hits.hits])
    assert [e.type for e in sink.events][-2:] == ["tool.called", "tool.result"]
    assert isinstance(sink.events[-1], ToolResult)
    assert (sink.events[-1].name, sink.events[-1].hits) == (LAW_READING.name, 1)


async def test_a_tool_that_is_not_ready_is_asked_again_within_one_call(asked, corpus) -> None:
    search = FailingSearch(corpus, times=3)
    tools, sink, run = announced(asked, search)
    assert (await tools.find("pant")).hits
    assert search.tries == 4
    assert run.usage.tool_calls == 1
    assert [e.type for e in sink.events] == ["tool.called", "tool.result", "sources.found"]


async def test_patience_ends(asked, corpus) -> None:
    tools, sink, _ = announced(asked, FailingSearch(corpus, times=10_000))
    with pytest.raises(ProblemError):
        await tools.find("pant")
    assert isinstance(sink.events[-1], ToolResult)
    assert sink.events[-1].error == "Ikke klar."


async def test_a_failure_that_will_not_pass_is_not_tried_again(asked, corpus) -> None:
    search = FailingSearch(corpus, times=1, retryable=False)
    tools, _, _ = announced(asked, search)
    with pytest.raises(ProblemError):
        await tools.find("pant")
    assert search.tries == 1


async def test_no_more_calls_are_made_than_the_limit_allows(asked, corpus) -> None:
    tools, sink, _ = announced(asked, MemorySearch(corpus), Limits(tool_calls=2))
    await tools.find("pant")
    await tools.resolve("båtleieloven § 3-2")
    with pytest.raises(LimitReached) as caught:
        await tools.find("skader")
    assert caught.value.limit == "tool_calls"
    assert sum(isinstance(e, ToolCalled) for e in sink.events) == 2
