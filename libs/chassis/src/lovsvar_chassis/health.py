"""Saying how a service is, and asking the others."""

import asyncio
from collections.abc import Callable, Iterable

from lovsvar_chassis.answering import Route
from lovsvar_chassis.probe import host_subject
from lovsvar_chassis.requests import Requester
from lovsvar_contracts import subjects
from lovsvar_contracts.health import ReadHealth, ServiceHealth
from lovsvar_contracts.message import new_id
from lovsvar_contracts.problems import ProblemError

SERVICES = ("ingest", "search", "practice", "agent", "gateway")

INSTANCE = new_id()
"""Names this process among those of its service."""


def health_routes(name: str, version: str, not_ready: Callable[[], str]) -> tuple[Route[ReadHealth], ...]:
    """Return what answers `lovsvar.health.<name>`: in a queue group with its like, and for this host alone."""

    async def health(request: ReadHealth) -> ServiceHealth:
        reason = not_ready()
        return ServiceHealth(
            correlation_id=request.correlation_id,
            service=name,
            version=version,
            instance=INSTANCE,
            ready=not reason,
            detail=reason,
        )

    return (
        Route(subjects.health(name), ReadHealth, health, queue=name),
        Route(host_subject(name), ReadHealth, health),
    )


async def service_states(requester: Requester, services: Iterable[str] = SERVICES) -> dict[str, str]:
    """Return for each service "ready", "not_ready: <why>" or "down"; takes at most half a second."""

    async def state(service: str) -> tuple[str, str]:
        try:
            health = await requester.ask(subjects.health(service), ReadHealth(), ServiceHealth, timeout=0.5)
        except ProblemError:
            return service, "down"
        return service, "ready" if health.ready else f"not_ready: {health.detail}"

    return dict(await asyncio.gather(*(state(s) for s in services)))
