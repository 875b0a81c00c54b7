"""How near provisions are to a question is asked of search once, ahead where that is possible."""

import asyncio

import pytest

from lovsvar_agent.adapters.memory_search import MemorySearch
from lovsvar_agent.core.reasoning.relevance import UNKNOWN, RelevanceSearch
from lovsvar_contracts.problems import Problem, ProblemError, ProblemType

QUERY = "Hvor mye kan båteieren kreve i pant?"


class CountingSearch(MemorySearch):
    """Counts searches; the first `failing` ones fail, and all wait until they are `free`."""

    def __init__(self, corpus, failing: int = 0) -> None:
        super().__init__(corpus)
        self.failing = failing
        self.searches = 0
        self.begun, self.ended = asyncio.Event(), asyncio.Event()
        self.free = asyncio.Event()
        self.free.set()

    async def find(self, request):
        self.searches += 1
        self.begun.set()
        try:
            await self.free.wait()
        finally:
            self.ended.set()
        if self.searches <= self.failing:
            raise ProblemError(Problem(type=ProblemType.UNAVAILABLE, title="", detail="Ikke nå.", retryable=True))
        return await super().find(request)


@pytest.fixture
def make_search(corpus, make_tools, sources):
    def make(failing: int = 0) -> tuple[CountingSearch, RelevanceSearch]:
        search = CountingSearch(corpus, failing)
        return search, RelevanceSearch(make_tools(search, sources=sources), QUERY)

    return make


@pytest.mark.parametrize("ahead", [False, True])
async def test_search_is_asked_once(make_search, ahead: bool) -> None:
    search, near = make_search()
    if ahead:
        near.begin()
    assert (await near.relevance()).found
    assert await near.relevance() is await near.relevance()
    assert search.searches == 1


async def test_a_search_that_failed_ahead_is_made_again_when_it_is_needed(make_search) -> None:
    search, near = make_search(failing=1)
    near.begin()
    assert (await near.relevance()).found
    assert search.searches == 2


async def test_nothing_is_known_without_search(make_search) -> None:
    _, near = make_search(failing=2)
    near.begin()
    assert await near.relevance() is UNKNOWN


async def test_a_search_that_nobody_needs_any_more_ends(make_search) -> None:
    search, near = make_search()
    search.free.clear()
    near.begin()
    await search.begun.wait()
    near.stop()
    await search.ended.wait()
