"""A run, its sources and its tools, with everything in memory."""

from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, settings

from lovsvar_agent.adapters.memory_search import MemorySearch
from lovsvar_agent.adapters.memory_sink import MemorySink
from lovsvar_agent.core.evidence import EvidenceRegistry
from lovsvar_agent.core.run import Limits, Run
from lovsvar_agent.core.source_kinds.law import LAW
from lovsvar_agent.core.tools.law_access import LawAccess
from lovsvar_agent.core.tools.registry import ToolRegistry, own_tools

settings.register_profile("lovsvar-agent", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("lovsvar-agent")


@pytest.fixture
def sink() -> MemorySink:
    return MemorySink()


@pytest.fixture
def make_run(asked, sink) -> Callable[..., Run]:
    return lambda **limits: Run(asked, 1, sink, Limits(**{"patience": 0.0, **limits}))


@pytest.fixture
def make_tools(corpus, asked) -> Callable[..., LawAccess]:
    def make(search=None, *, question=asked.question, sources=None, **limits) -> LawAccess:
        return LawAccess(
            search or MemorySearch(corpus),
            sources or EvidenceRegistry(),
            Limits(**{"patience": 0.0, **limits}),
            asked.model_copy(update={"question": question}),
        )

    return make


@pytest.fixture
def make_registry(decisions, finding) -> Callable[..., ToolRegistry]:
    return lambda practice=decisions: ToolRegistry(own_tools(None if practice is None else finding(practice)))


@pytest.fixture
def sources(corpus) -> EvidenceRegistry:
    """Every provision of the invented corpus: §3-2 is lovdata-2."""
    found = EvidenceRegistry()
    found.add(LAW, corpus)
    return found
