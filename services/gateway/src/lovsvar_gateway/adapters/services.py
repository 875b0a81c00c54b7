"""The other services: requests to them, and their health."""

from collections.abc import Callable, Mapping
from copy import copy
from typing import TypeVar

from lovsvar_chassis.health import service_healths, state_of
from lovsvar_chassis.requester import Requester
from lovsvar_contracts.health import ServiceHealth
from lovsvar_contracts.message import Message
from lovsvar_gateway.adapters.audit_log import AuditLog
from lovsvar_gateway.adapters.bulkhead import Bulkhead
from lovsvar_gateway.adapters.nats_link import NatsLink
from lovsvar_gateway.core.access import ANYBODY, Caller
from lovsvar_gateway.core.audit_records import record_of
from lovsvar_gateway.manifest import MANIFEST

Reply = TypeVar("Reply", bound=Message)


class Services:
    """The other services, by request/reply, as `caller` asks them."""

    def __init__(
        self,
        requester: Requester,
        link: NatsLink,
        audit: AuditLog,
        bulkheads: Mapping[str, Bulkhead],
        watched: Mapping[str, bool],
        not_ready: Callable[[], str],
        caller: Caller = ANYBODY,
    ) -> None:
        """`watched` names all services, this one too, and says whether each is needed to answer questions.

        `not_ready` says why this service is not ready, or "".
        """
        self._requester = requester
        self._link = link
        self._audit = audit
        self._bulkheads = bulkheads
        self._watched = watched
        self._not_ready = not_ready
        self._caller = caller

    def asked_by(self, caller: Caller) -> "Services":
        """Return the services as `caller` asks them."""
        services = copy(self)
        services._caller = caller
        return services

    def bulkhead(self, service: str) -> Bulkhead:
        """Return what limits the requests to a service."""
        return self._bulkheads[service]

    async def ask(self, subject: str, request: Message, reply: type[Reply]) -> Reply:
        """Return the reply to `request`; what it shows is in the audit log by then.

        Raises `ProblemError`; at once when NATS is down, or too many ask the same service.
        """
        # "lovsvar.search.read" is asked of search.
        async with self._bulkheads[subject.split(".")[1]].place():
            answer = await self._link.hold(self._requester.ask(subject, request, reply))
        if record := record_of(request, answer):
            await self._audit.write(record.model_copy(update={"key": self._caller.name}))
        return answer

    async def states(self) -> dict[str, str]:
        """Return for each service, this one too, "ready", "not_ready: <why>" or "down"."""
        return (await self.healths())[0]

    async def healths(self) -> tuple[dict[str, str], dict[str, ServiceHealth]]:
        """Return the state of each service as `states` does, and what those that answer say of themselves."""
        if not self._link.connected:
            return {**dict.fromkeys(self._watched, "down"), MANIFEST.name: "not_ready: NATS er nede"}, {}
        healths = await service_healths(self._requester, [name for name in self._watched if name != MANIFEST.name])
        states = {name: state_of(health) for name, health in healths.items()}
        reason = self._not_ready()
        states[MANIFEST.name] = f"not_ready: {reason}" if reason else "ready"
        return states, {name: health for name, health in healths.items() if health}

    def missing(self, states: Mapping[str, str]) -> list[str]:
        """Return the services that are needed to answer questions and are not ready by `states`."""
        return [name for name, needed in self._watched.items() if needed and states[name] != "ready"]
