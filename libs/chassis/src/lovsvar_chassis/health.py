"""Saying how a service is, and asking the others."""

import asyncio
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from lovsvar_chassis.probe import host_subject
from lovsvar_chassis.progress import Progress
from lovsvar_chassis.request_router import RequestRouter
from lovsvar_chassis.requester import Requester
from lovsvar_contracts import subjects
from lovsvar_contracts.health import ReadHealth, ServiceHealth
from lovsvar_contracts.message import new_id
from lovsvar_contracts.problems import ProblemError

Details = Callable[[], Mapping[str, Any]]
"""More fields of `ServiceHealth`, as they are now."""


def health_routers(
    name: str,
    version: str,
    not_ready: Callable[[], str],
    progress: Progress | None = None,
    details: Details = dict,
) -> tuple[RequestRouter, RequestRouter]:
    """Return what answers `lovsvar.health.<name>`: in a queue group with its like, and for this host alone.

    A service is not ready while one of its components makes no progress. Its instance has an id from here on.
    """
    progress = progress or Progress()
    instance = new_id()

    async def health(request: ReadHealth) -> ServiceHealth:
        reason = not_ready() or progress.silent()
        return ServiceHealth(
            correlation_id=request.correlation_id,
            service=name,
            version=version,
            instance=instance,
            ready=not reason,
            detail=reason,
            components=progress.components(),
            **details(),
        )

    shared = RequestRouter(name).answer(subjects.health(name), health)
    return shared, RequestRouter(documented=False).answer(host_subject(name), health)


async def service_healths(requester: Requester, services: Iterable[str]) -> dict[str, ServiceHealth | None]:
    """Return what each service says of itself, None where it does not answer; takes at most half a second."""

    async def health(service: str) -> tuple[str, ServiceHealth | None]:
        try:
            return service, await requester.ask(subjects.health(service), ReadHealth(), ServiceHealth, timeout=0.5)
        except ProblemError:
            return service, None

    return dict(await asyncio.gather(*(health(s) for s in services)))


def state_of(health: ServiceHealth | None) -> str:
    """Return "ready", "not_ready: <why>" or "down"."""
    if health is None:
        return "down"
    return "ready" if health.ready else f"not_ready: {health.detail}"
