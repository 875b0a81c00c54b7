"""Tools of other services, found by asking them over NATS."""

import asyncio
import contextlib
from collections.abc import Iterable, Iterator, Sequence

import structlog

from lovsvar_agent.core.tools.registry import ToolRegistry
from lovsvar_agent.core.tools.remote_tool import remote_tool
from lovsvar_agent.core.tools.tool import Tool
from lovsvar_chassis.requester import Requester
from lovsvar_chassis.tasks import Background
from lovsvar_contracts import subjects
from lovsvar_contracts.problems import ProblemError
from lovsvar_contracts.questions import QuestionAsked
from lovsvar_contracts.tools import CallTool, OfferedTool, ReadTools, ToolReply, Tools

log = structlog.get_logger()

LIST_SECONDS = 2.0
CALL_SECONDS = 10.0
RETRY_SECONDS = 10.0
"""Between two attempts at a service that does not say which tools it has."""

MAX_SCHEMA_TOKENS = 1_000
"""Of a tool's definition; each is sent with every request to the model."""


class RemoteTools(Background):
    """The tools of this service with those of others. A component: start, stop.

    Each service is asked at the start. One that does not answer, or of which a call failed, is asked again until it
    does; meanwhile its tools are not offered to runs that begin. Before a run in a case, which can do little without
    the tools of the case, those that are missing are asked for once more.
    """

    def __init__(
        self, requester: Requester, services: Sequence[str], own: ToolRegistry, retry: float = RETRY_SECONDS
    ) -> None:
        self._requester = requester
        self._services = services
        self._own = own
        self._retry = retry
        self._registry = own
        self._offered: dict[str, tuple[Tool, ...]] = {}
        self._unsure: set[str] = set()
        self._failed = asyncio.Event()

    @property
    def names(self) -> frozenset[str]:
        """The names of all tools there are now, also those that not every run is offered."""
        return self._registry.names

    async def offered_for(self, asked: QuestionAsked) -> ToolRegistry:
        """Return what a run of that question may use."""
        if asked.grant is not None and self._unsure:
            await self._discover(tuple(self._unsure))
        return await self._registry.offered_for(asked)

    async def start(self) -> None:
        """Ask every service, for two seconds at most."""
        await self._discover(self._services)
        await super().start()

    async def _run(self) -> None:
        while True:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(self._retry if self._unsure else None):
                    await self._failed.wait()
            self._failed.clear()
            await self._discover(tuple(self._unsure))

    async def _discover(self, services: Iterable[str]) -> None:
        await asyncio.gather(*(self._read(service) for service in services))
        self._registry = ToolRegistry((*self._own.tools.values(), *self._accepted()))

    async def _read(self, service: str) -> None:
        asking = self._requester.ask(subjects.tool_list(service), ReadTools(), Tools, timeout=LIST_SECONDS)
        try:
            tools = tuple(self._made(service, (await asking).tools))
        except ProblemError as exc:
            if self._offered.pop(service, ()) or service not in self._unsure:
                log.warning("tools of a service are missing", service=service, reason=exc.problem.detail)
            self._unsure.add(service)
            return
        self._offered[service] = tools
        self._unsure.discard(service)
        log.info("tools of a service", service=service, tools=[tool.name for tool in tools])

    def _made(self, service: str, offered: Iterable[OfferedTool]) -> Iterator[Tool]:
        async def ask(request: CallTool) -> ToolReply:
            try:
                return await self._requester.ask(subjects.tool_call(service), request, ToolReply, timeout=CALL_SECONDS)
            except ProblemError:
                self._unsure.add(service)
                self._failed.set()
                raise

        for one in offered:
            try:
                tool = remote_tool(one, ask)
                if ToolRegistry([tool]).tokens - ToolRegistry().tokens > MAX_SCHEMA_TOKENS:
                    raise ValueError("its definition is too long")
            except ValueError as exc:
                log.warning("a tool is refused", service=service, tool=one.name, reason=str(exc))
            else:
                yield tool

    def _accepted(self) -> Iterator[Tool]:
        """Yield the tools of all services, except those whose name or kind of source is taken."""
        names, own = set(self._own.names), {kind.prefix for kind in self._own.kinds}
        owners: dict[str, tuple[str, str]] = {}
        for service in self._services:
            for tool in self._offered.get(service, ()):
                kinds = {kind.prefix: (service, kind.label) for kind in tool.finds}
                if tool.name in names or own & kinds.keys() or any(owners.get(k, v) != v for k, v in kinds.items()):
                    reason = "its name or source is taken"
                    log.warning("a tool is refused", service=service, tool=tool.name, reason=reason)
                else:
                    names.add(tool.name)
                    owners |= kinds
                    yield tool
