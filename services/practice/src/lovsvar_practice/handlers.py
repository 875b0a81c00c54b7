"""Subjects → use cases."""

from lovsvar_chassis.problems import ProblemTable
from lovsvar_chassis.request_router import RequestRouter
from lovsvar_contracts import subjects
from lovsvar_contracts.practice import FindPractice, PracticeHits
from lovsvar_contracts.problems import ProblemType
from lovsvar_practice.adapters.metrics import PracticeMetrics
from lovsvar_practice.core.errors import InvalidQuery, KeyRefused, NotConfigured, PracticeError
from lovsvar_practice.core.practice_search import PracticeCache, PracticeIndex, find_practice

PROBLEMS: ProblemTable = {
    NotConfigured: ProblemType.NOT_CONFIGURED,
    KeyRefused: ProblemType.NOT_CONFIGURED,
    InvalidQuery: ProblemType.INVALID_REQUEST,
    PracticeError: ProblemType.UNAVAILABLE,
}

QUEUE = "practice"
AT_ONCE = 8


def requests(
    index: PracticeIndex | None, cache: PracticeCache, paths: tuple[str, ...], metrics: PracticeMetrics
) -> RequestRouter:
    """Return the router of requests. Replicas share requests."""

    async def search(request: FindPractice) -> PracticeHits:
        """Find court decisions and administrative practice."""
        with metrics.searching():
            return await find_practice(request, index, cache, paths)

    return RequestRouter(QUEUE, PROBLEMS).answer(subjects.PRACTICE_SEARCH, search, AT_ONCE)
