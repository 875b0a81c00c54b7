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
Paged = types.PaginatedRequestParams | None

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

    async def read_resource(_: CONTEXT, params: types.ReadResourceRequestParams) -> types.ReadResourceResult:
        await ready()
        return await _asked(upstream.read_resource(params.uri))

    async def get_prompt(_: CONTEXT, params: types.GetPromptRequestParams) -> types.GetPromptResult:
        return await _asked(upstream.get_prompt(params.name, params.arguments))

    async def complete(_: CONTEXT, params: types.CompleteRequestParams) -> types.CompleteResult:
        await ready()
        argument = {"name": params.argument.name, "value": params.argument.value}
        chosen = params.context.arguments if params.context else None
        return await _asked(upstream.complete(params.ref, argument, chosen))

    info = upstream.server_info
    return Server(
        info.name if info else "lovsvar",
        title=info.title if info else None,
        version=info.version if info else "",
        instructions=upstream.instructions,
        on_list_tools=_listing(upstream.list_tools),
        on_call_tool=call_tool,
        on_list_resources=_listing(upstream.list_resources),
        on_list_resource_templates=_listing(upstream.list_resource_templates),
        on_read_resource=read_resource,
        on_list_prompts=_listing(upstream.list_prompts),
        on_get_prompt=get_prompt,
        on_completion=complete,
    )


def _listing(method: Callable[..., Awaitable[Reply]]) -> Callable[[CONTEXT, Paged], Awaitable[Reply]]:
    async def page(_: CONTEXT, params: Paged) -> Reply:
        return await _asked(method(cursor=params.cursor if params else None))

    return page


async def _asked(asking: Awaitable[Reply]) -> Reply:
    """Return the reply. A gateway that is gone becomes an error in words; its own errors pass as they are."""
    try:
        return await asking
    except httpx2.HTTPError as exc:
        raise MCPError(code=types.INTERNAL_ERROR, message=LOST) from exc
