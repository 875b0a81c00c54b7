"""Subjects → use cases."""

from collections.abc import Mapping

from faststream.nats import NatsRoute, NatsRouter

from lovsvar_contracts import subjects
from lovsvar_contracts.practice import FindPractice, PracticeHits
from lovsvar_contracts.problems import ProblemType
from lovsvar_practice.adapters.metrics import PracticeMetrics
from lovsvar_practice.core.errors import InvalidQuery, KeyRefused, NotConfigured, PracticeError
from lovsvar_practice.core.finding import PracticeCache, PracticeIndex, find_practice

PROBLEMS: Mapping[type[Exception], ProblemType] = {
    NotConfigured: ProblemType.NOT_CONFIGURED,
    KeyRefused: ProblemType.NOT_CONFIGURED,
    InvalidQuery: ProblemType.INVALID_REQUEST,
    PracticeError: ProblemType.UNAVAILABLE,
}

QUEUE = "practice"
WORKERS = 8


def routes(
    index: PracticeIndex | None, cache: PracticeCache, paths: tuple[str, ...], metrics: PracticeMetrics
) -> NatsRouter:
    """Return the routes of this service. Replicas share the work in the queue group `practice`."""

    async def search(request: FindPractice) -> PracticeHits:
        with metrics.searching():
            return await find_practice(request, index, cache, paths)

    return NatsRouter(handlers=(NatsRoute(search, subjects.PRACTICE_SEARCH, queue=QUEUE, max_workers=WORKERS),))
