"""An MCP server that passes every request to the gateway's, so that there is one implementation of the tools.

It speaks both protocols that the gateway's does; the official package handles their differences.
"""

from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

import httpx2
import mcp_types as types
from mcp import Client
from mcp.server import Server
from mcp.server.context import ServerRequestContext
from mcp.shared.exceptions import MCPError

CONTEXT = ServerRequestContext[Any, Any]

LOST = "Lovsvar svarer ikke lenger. Start «lovsvar mcp» på nytt."

Reply = TypeVar("Reply")


def make_proxy(upstream: Client, ready: Callable[[], Awaitable[None]]) -> Server[Any]:
    """Return a server that answers as `upstream` does.

    What needs law waits for `ready`, which returns once there is law to answer from, or raises `MCPError`.
    """

    async def call_tool(ctx: CONTEXT, params: types.CallToolRequestParams) -> types.CallToolResult:
        await ready()

        async def passed_on(progress: float, total: float | None, message: str | None) -> None:
            await ctx.session.report_progress(progress, total, message)

        return await _asked(upstream.call_tool(params.name, params.arguments, progress_callback=passed_on))

    def passing(ask: Callable[[Any], Awaitable[Reply]], *, waits: bool = False) -> Callable[..., Awaitable[Reply]]:
        async def handle(_: CONTEXT, params: Any) -> Reply:
            if waits:
                await ready()
            return await _asked(ask(params))

        return handle

    def listing(method: Callable[..., Awaitable[Reply]]) -> Callable[..., Awaitable[Reply]]:
        return passing(lambda params: method(cursor=params.cursor if params else None))

    def complete(params: types.CompleteRequestParams) -> Awaitable[types.CompleteResult]:
        argument = {"name": params.argument.name, "value": params.argument.value}
        return upstream.complete(params.ref, argument, params.context.arguments if params.context else None)

    info = upstream.server_info
    return Server(
        info.name if info else "lovsvar",
        title=info.title if info else None,
        version=info.version if info else "",
        instructions=upstream.instructions,
        on_list_tools=listing(upstream.list_tools),
        on_call_tool=call_tool,
        on_list_resources=listing(upstream.list_resources),
        on_list_resource_templates=listing(upstream.list_resource_templates),
        on_read_resource=passing(lambda params: upstream.read_resource(params.uri), waits=True),
        on_list_prompts=listing(upstream.list_prompts),
        on_get_prompt=passing(lambda params: upstream.get_prompt(params.name, params.arguments)),
        on_completion=passing(complete, waits=True),
    )


async def _asked(asking: Awaitable[Reply]) -> Reply:
    """Return the reply. A gateway that is gone becomes an error in words; its own errors pass as they are."""
    try:
        return await asking
    except httpx2.HTTPError as exc:
        raise MCPError(code=types.INTERNAL_ERROR, message=LOST) from exc
