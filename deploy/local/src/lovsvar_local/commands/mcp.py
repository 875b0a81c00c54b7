"""`lovsvar mcp`: Norwegian law for a language model's client, over standard input and output."""

import asyncio
import contextlib

import anyio
import httpx2
import mcp_types as types
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.server import Server
from mcp.server.stdio import stdio_server
from mcp.shared.exceptions import MCPError

from lovsvar.client import CONNECT_SECONDS, authorization
from lovsvar_local import exits
from lovsvar_local.commands.session import Where, api_key, open_session
from lovsvar_local.errors import CommandError
from lovsvar_local.initial_corpus import served
from lovsvar_local.mcp_proxy import make_proxy
from lovsvar_local.progress import Progress
from lovsvar_local.standard_input import StandardInput, standard_input

PATH = "/mcp"

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
