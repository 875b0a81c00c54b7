"""A gateway that answers by the handlers a test gives it, and can drop connections."""

import asyncio
import json
import os
import sys
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from urllib.parse import unquote

from lovsvar_contracts.search import CorpusStatus

STATUS = CorpusStatus(
    documents=1,
    provisions=1,
    embedded=0,
    corpus_version=1,
    stored_version=1,
    corpus_date=None,
    by_law_type={},
    sample=False,
    indexed_provisions=1,
    ready=True,
)

Handler = Callable[["Request"], Awaitable[None]]


@dataclass
class Request:
    """One request to the stand-in, and the way to answer it."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes
    writer: asyncio.StreamWriter

    async def reply(self, body: object, status: int = 200, kind: str = "application/json") -> None:
        """Answer with `body` as JSON."""
        data = json.dumps(body).encode()
        head = (
            f"HTTP/1.1 {status} X\r\nContent-Type: {kind}\r\nContent-Length: {len(data)}\r\nConnection: close\r\n\r\n"
        )
        await self.send(head.encode() + data)

    async def stream(self) -> None:
        """Begin a stream of events, which ends when the connection is closed."""
        await self.send(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n")

    async def event(self, name: str, data: object, id_: int | None = None) -> None:
        """Send one event."""
        head = f"id: {id_}\n" if id_ is not None else ""
        await self.send(f"{head}event: {name}\ndata: {json.dumps(data)}\n\n".encode())

    async def send(self, data: bytes) -> None:
        """Send raw bytes."""
        self.writer.write(data)
        await self.writer.drain()


@dataclass
class StandIn:
    """A gateway that answers by the handlers a test gives it, one connection a request."""

    routes: dict[tuple[str, str], Handler] = field(default_factory=dict)
    seen: list[Request] = field(default_factory=list)
    url: str = ""

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer one request and close."""
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
            method, path, _ = head[0].split(" ")
            headers = {k.lower(): v for k, _, v in (line.partition(": ") for line in head[1:]) if k}
            body = await reader.readexactly(int(headers.get("content-length", 0)))
            request = Request(method, unquote(path), headers, body, writer)
            self.seen.append(request)
            handler = self.routes.get((method, request.path.partition("?")[0]))
            if handler is None:
                await request.reply({"type": "urn:lovsvar:problem:not-found", "detail": "Finnes ikke."}, 404)
            else:
                await handler(request)
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()


async def run_command(stand_in: StandIn, *arguments: str) -> tuple[int, str, str]:
    """Run `lovsvar` against the stand-in; return its exit code, its standard output and its standard error."""
    stand_in.routes["GET", "/v1/status"] = lambda request: request.reply(STATUS.model_dump(mode="json"))
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *("-c", "from lovsvar_local.cli import main; main()", *arguments, "--url", stand_in.url),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env={name: value for name, value in os.environ.items() if not name.startswith("LOVSVAR_")},
    )
    async with asyncio.timeout(60):
        out, err = await process.communicate()
    return process.returncode or 0, out.decode(), err.decode()
