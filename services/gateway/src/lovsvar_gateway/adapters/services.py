"""The services behind the gateway: asking them, and how they are."""

from typing import TypeVar

from lovsvar_chassis.health import service_states
from lovsvar_chassis.requests import Requester
from lovsvar_contracts.message import Message
from lovsvar_gateway.adapters.link import Link

Reply = TypeVar("Reply", bound=Message)

BEHIND = ("ingest", "search", "practice", "agent")


class Services:
    """The other services, by request/reply."""

    def __init__(self, requester: Requester, link: Link) -> None:
        self._requester = requester
        self._link = link

    async def ask(self, subject: str, request: Message, reply: type[Reply]) -> Reply:
        """Return the reply to `request`. Raises `ProblemError`; at once when NATS is down."""
        return await self._link.hold(self._requester.ask(subject, request, reply))

    async def states(self) -> dict[str, str]:
        """Return for each service, this one too, "ready", "not_ready: <why>" or "down"."""
        if not self._link.connected:
            return {**dict.fromkeys(BEHIND, "down"), "gateway": "not_ready: NATS er nede"}
        return {**await service_states(self._requester, BEHIND), "gateway": "ready"}
