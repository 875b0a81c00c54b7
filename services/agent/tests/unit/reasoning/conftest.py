"""A run, its sources and its tools, with everything in memory."""

from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, settings

from lovsvar_agent.adapters.memory_practice import MemoryPractice
from lovsvar_agent.adapters.memory_search import MemorySearch
from lovsvar_agent.adapters.memory_sink import MemorySink
from lovsvar_agent.core.evidence import EvidenceRegistry
from lovsvar_agent.core.reasoning.sources import Sources
from lovsvar_agent.core.run import Limits, Run
from lovsvar_agent.core.tools.law_access import LawAccess

settings.register_profile("lovsvar-agent", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("lovsvar-agent")


@pytest.fixture
def sink() -> MemorySink:
    return MemorySink()


@pytest.fixture
def make_run(asked, sink) -> Callable[..., Run]:
    return lambda **limits: Run(asked, 1, sink, Limits(**{"patience": 0.0, **limits}))


@pytest.fixture
def make_tools(corpus, decisions, asked) -> Callable[..., LawAccess]:
    def make(search=None, *, practice=decisions, question=asked.question, sources=None, **limits) -> LawAccess:
        return LawAccess(
            search or MemorySearch(corpus),
            None if practice is None else MemoryPractice(practice),
            sources or Sources(EvidenceRegistry()),
            Limits(**{"patience": 0.0, **limits}),
            question,
            asked.correlation_id,
        )

    return make


@pytest.fixture
def sources(corpus) -> Sources:
    """Every provision of the invented corpus: §3-2 is lovdata-2."""
    found = Sources(EvidenceRegistry())
    found.take(provisions=corpus)
    return found
