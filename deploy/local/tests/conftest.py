"""Stand-ins for the services: small scripts that the supervisor can run, and a gateway that replays a script."""

import asyncio
import json
import os
import signal
import sys
import tempfile
import textwrap
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import unquote

import pytest
import pytest_asyncio

from lovsvar_local.children import Command
from lovsvar_local.folder import DataFolder, open_folder
from lovsvar_local.setup import Setup

SCRIPTS: Mapping[str, str] = {
    # Ends on SIGTERM, and when its standard input ends.
    "patient": """
        import os, signal, sys
        signal.signal(signal.SIGTERM, lambda *_: os._exit(0))
        sys.stdin.read()
    """,
    # Ends by force alone.
    "stubborn": """
        import signal, threading
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        print("hører ikke", flush=True)
        threading.Event().wait()
    """,
    # Ends as soon as it has said why.
    "dying": """
        print("det mangler en nøkkel", flush=True)
        raise SystemExit(1)
    """,
    # Says which servers it was told of, and what of embedding.
    "telling": """
        import os, sys
        print(os.environ["LOVSVAR_NATS_URL"], os.environ["LOVSVAR_DATABASE_URL"], flush=True)
        print("embedding", os.environ["LOVSVAR_EMBEDDING"], os.environ["LOVSVAR_PLAN_EMBEDDINGS"], flush=True)
        sys.stdin.read()
    """,
    # Says that it is alive, as the gateway does.
    "gateway": """
        import http.server, os, signal, sys, threading
        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                self.send_response(200); self.end_headers(); self.wfile.write(b"{}")
            def log_message(self, *_): pass
        signal.signal(signal.SIGTERM, lambda *_: os._exit(0))
        threading.Thread(target=lambda: (sys.stdin.read(), os._exit(0)), daemon=True).start()
        http.server.ThreadingHTTPServer(("127.0.0.1", int(os.environ["LOVSVAR_PORT"])), Handler).serve_forever()
    """,
}
"""Small programs in place of services."""

MakeSetup = Callable[..., Setup]


@pytest.fixture(scope="session", autouse=True)
def _hang_ups_are_heard() -> None:
    """Whoever runs the tests by nohup ignores SIGHUP, and so would every program that they start."""
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


@pytest.fixture
def scripted() -> MakeSetup:
    """Make a setup whose services are scripts: `scripted(agent="patient")`; the gateway is always one of them."""

    def command(script: str, name: str, environment: Mapping[str, str], log: Path) -> Command:
        arguments = [sys.executable, "-I", "-S", "-c", textwrap.dedent(SCRIPTS[script])]
        return Command(name, arguments, {**os.environ, **environment}, log)

    def make(**scripts: str) -> Setup:
        chosen = {**scripts, "gateway": scripts.get("gateway", "gateway")}
        return Setup(
            "test",
            services=tuple(chosen),
            command_of=lambda name, environment, log: command(chosen[name], name, environment, log),
        )

    return make


@pytest.fixture
def fresh() -> Iterator[Path]:
    """An empty folder. Not `tmp_path`: each pytest that starts closes its parent to PostgreSQL's account anew."""
    with tempfile.TemporaryDirectory(prefix="lovsvar-local-", ignore_cleanup_errors=True) as path:
        yield Path(path)


@pytest.fixture
def folder(fresh: Path) -> DataFolder:
    """A fresh data folder."""
    return open_folder(fresh / "data")


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


@pytest_asyncio.fixture
async def stand_in() -> AsyncIterator[StandIn]:
    """A stand-in for the gateway, listening."""
    gateway = StandIn()
    server = await asyncio.start_server(gateway.serve, "127.0.0.1", 0)
    gateway.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    yield gateway
    server.close()
    await server.wait_closed()
