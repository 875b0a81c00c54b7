"""Subjects → use cases."""

from lovsvar_chassis.answering import Route
from lovsvar_chassis.problems import ProblemTable
from lovsvar_contracts import subjects
from lovsvar_contracts.practice import FindPractice, PracticeHits
from lovsvar_contracts.problems import ProblemType
from lovsvar_practice.adapters.metrics import PracticeMetrics
from lovsvar_practice.core.errors import InvalidQuery, KeyRefused, NotConfigured, PracticeError
from lovsvar_practice.core.finding import PracticeCache, PracticeIndex, find_practice

PROBLEMS: ProblemTable = {
    NotConfigured: ProblemType.NOT_CONFIGURED,
    KeyRefused: ProblemType.NOT_CONFIGURED,
    InvalidQuery: ProblemType.INVALID_REQUEST,
    PracticeError: ProblemType.UNAVAILABLE,
}

QUEUE = "practice"
AT_ONCE = 8


def routes(
    index: PracticeIndex | None, cache: PracticeCache, paths: tuple[str, ...], metrics: PracticeMetrics
) -> tuple[Route[FindPractice], ...]:
    """Return what this service answers. Replicas share requests."""

    async def search(request: FindPractice) -> PracticeHits:
        with metrics.searching():
            return await find_practice(request, index, cache, paths)

    return (Route(subjects.PRACTICE_SEARCH, FindPractice, search, QUEUE, AT_ONCE),)
