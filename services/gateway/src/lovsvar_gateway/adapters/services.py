"""The services behind the gateway: asking them, and how they are."""

from typing import TypeVar

from lovsvar_chassis.health import service_states
from lovsvar_chassis.requests import Requester
from lovsvar_contracts.message import Message
from lovsvar_gateway.adapters.audit_log import AuditLog
from lovsvar_gateway.adapters.link import Link
from lovsvar_gateway.core.access import ANYBODY, Caller
from lovsvar_gateway.core.auditing import record_of

Reply = TypeVar("Reply", bound=Message)

BEHIND = ("ingest", "search", "practice", "agent")


class Services:
    """The other services, by request/reply, as `caller` asks them."""

    def __init__(self, requester: Requester, link: Link, audit: AuditLog, caller: Caller = ANYBODY) -> None:
        self._requester = requester
        self._link = link
        self._audit = audit
        self._caller = caller

    def asked_by(self, caller: Caller) -> "Services":
        """Return the services as `caller` asks them."""
        return Services(self._requester, self._link, self._audit, caller)

    async def ask(self, subject: str, request: Message, reply: type[Reply]) -> Reply:
        """Return the reply to `request`; what it shows is in the audit log by then.

        Raises `ProblemError`; at once when NATS is down.
        """
        answer = await self._link.hold(self._requester.ask(subject, request, reply))
        if record := record_of(request, answer):
            await self._audit.write(record.model_copy(update={"key": self._caller.name}))
        return answer

    async def states(self) -> dict[str, str]:
        """Return for each service, this one too, "ready", "not_ready: <why>" or "down"."""
        if not self._link.connected:
            return {**dict.fromkeys(BEHIND, "down"), "gateway": "not_ready: NATS er nede"}
        fault = self._link.storage_fault()
        own = f"not_ready: {fault}" if fault else "ready"
        return {**await service_states(self._requester, BEHIND), "gateway": own}
