"""`lovsvar mcp`: every request on standard input is passed to the gateway's MCP server, the one that has the tools."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

import anyio
import httpx2
import mcp_types as types
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.server import Server
from mcp.server.context import ServerRequestContext
from mcp.server.stdio import stdio_server
from mcp.shared.exceptions import MCPError

from lovsvar.client import CONNECT_SECONDS, authorization
from lovsvar_local import exits
from lovsvar_local.commands.session import Where, api_key, open_session
from lovsvar_local.errors import CommandError
from lovsvar_local.initial_corpus import served
from lovsvar_local.progress import Progress
from lovsvar_local.standard_input import StandardInput, standard_input

CONTEXT = ServerRequestContext[Any, Any]

PATH = "/mcp"

LOST = "Lovsvar svarer ikke lenger. Start «lovsvar mcp» på nytt."

Reply = TypeVar("Reply")

SILENCE_SECONDS = 60.0
"""The gateway pings a call that takes long, so that a longer silence means that it is gone."""


async def mcp(where: Where, progress: Progress) -> int:
    """Serve until the client ends standard input. Law is fetched in the background when there is none."""
    with standard_input() as given:
        async with (
            open_session(where, "mcp", progress) as session,
            _http_client() as http,
            Client(streamable_http_client(f"{session.gateway.url}{PATH}", http_client=http)) as upstream,
        ):
            filler = session.filler
            law = asyncio.create_task(filler.something_to_answer_from() if session.folder else served(session.gateway))

            async def ready() -> None:
                try:
                    await asyncio.shield(law)
                except CommandError as error:
                    raise MCPError(code=types.INTERNAL_ERROR, message=str(error)) from error

            async def fetch_the_rest() -> None:
                with contextlib.suppress(CommandError):
                    await asyncio.shield(law)
                    if session.owned:
                        await filler.the_rest()

            rest = asyncio.create_task(fetch_the_rest())
            serving = asyncio.create_task(_serve(make_proxy(upstream, ready), given))
            try:
                await asyncio.shield(serving)
            finally:
                given.end()
                law.cancel()
                rest.cancel()
                await asyncio.gather(serving, law, rest, return_exceptions=True)
    return exits.OK


def _http_client() -> httpx2.AsyncClient:
    timeout = httpx2.Timeout(SILENCE_SECONDS, connect=CONNECT_SECONDS)
    return httpx2.AsyncClient(headers=authorization(api_key()), trust_env=False, timeout=timeout)


async def _serve(server: Server[object], given: StandardInput) -> None:
    async with stdio_server(stdin=anyio.wrap_file(given.reader)) as (read, write):
        with contextlib.suppress(anyio.ClosedResourceError, anyio.BrokenResourceError):
            await server.run(read, write, server.create_initialization_options())


def make_proxy(upstream: Client, ready: Callable[[], Awaitable[None]]) -> Server[Any]:
    """Return a server that answers as `upstream` does. What needs law waits for `ready`, which may raise `MCPError`."""

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
