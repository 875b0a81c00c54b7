"""The HTTP server: its address, and a stop in time while event streams are open."""

import asyncio
import contextlib
import errno
import logging
import socket
import sys
from collections.abc import Iterator

import h11
import structlog
import uvicorn
from fastapi import FastAPI
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

from lovsvar_chassis.liveness import liveness
from lovsvar_chassis.service import stop_on_signals
from lovsvar_gateway.adapters.nats_link import NatsLink
from lovsvar_gateway.core.access import is_loopback
from lovsvar_gateway.core.errors import CannotListen, GatewayError, OpenToAll
from lovsvar_gateway.settings import Settings

log = structlog.get_logger()

STOP_SECONDS = 1  # for open requests when the server stops; event streams end at once
HEAD_SECONDS = 15.0  # for a whole request's head to arrive on an open connection
UNREAD_MS = 60_000  # until a connection that acknowledges nothing counts as dead

IDLE = {h11.CLIENT: h11.IDLE, h11.SERVER: h11.IDLE}

EXIT_DID_NOT_START = 1
EXIT_UNSAFE = 2
EXIT_CANNOT_LISTEN = 3


class Http(H11Protocol):
    """uvicorn's HTTP/1.1 with a timeout for a request's head, without which a silent client keeps its connection."""

    _late: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Wait for the first request."""
        super().connection_made(transport)
        self._expect(None)

    def data_received(self, data: bytes) -> None:
        """Read on, or refuse at once what would be refused later at a much greater cost."""
        # Only for the first bytes on an idle connection.
        if self.conn.states == IDLE and not self.conn.trailing_data[0] and self.client:
            refusal = self.config.app.state.shedder.refusal(data, self.client[0])  # type: ignore[union-attr]
            if refusal is not None:
                self.transport.write(refusal)
                super().on_response_complete()
                self._expect(self.cycle)
                return
        super().data_received(data)

    def on_response_complete(self) -> None:
        """Wait for the next request."""
        answered = self.cycle
        super().on_response_complete()
        self._expect(answered)

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no longer."""
        super().connection_lost(exc)
        if self._late is not None:
            self._late.cancel()

    def _expect(self, answered: RequestResponseCycle | None) -> None:
        if self._late is not None:
            self._late.cancel()
        self._late = self.loop.call_later(HEAD_SECONDS, self._close_after, answered)

    def _close_after(self, answered: RequestResponseCycle | None) -> None:
        if self.cycle is answered:
            self.transport.close()


class Server(uvicorn.Server):
    """uvicorn's server, stopped by its owner, which ends event streams first."""

    def __init__(self, app: FastAPI) -> None:
        config = uvicorn.Config(
            app,
            http=Http,
            ws="none",
            lifespan="on",
            log_config=None,
            access_log=False,
            server_header=False,
            timeout_graceful_shutdown=STOP_SECONDS,
        )
        super().__init__(config)
        self._closing: asyncio.Event = app.state.parts.closing

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave signals to the chassis."""
        yield

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start the application; a failed start ends the server, not the interpreter."""
        try:
            await super().startup(sockets)
        except SystemExit:
            self.should_exit = True

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop taking requests, and end what is open."""
        self._closing.set()
        await super().shutdown(sockets)


def check_safe(settings: Settings) -> None:
    """Raise `OpenToAll` when others would reach a gateway without keys and the settings do not allow that."""
    if settings.api_keys_file is None and not settings.without_keys and not is_loopback(settings.host):
        raise OpenToAll(settings.host)


async def run(app: FastAPI, settings: Settings) -> int:
    """Serve until a signal, or the end of the parent if so set, and return the exit code."""
    logging.getLogger("uvicorn").setLevel(logging.WARNING)
    stopping = stop_on_signals(exit_with_parent=settings.exit_with_parent)
    try:
        async with liveness(settings.liveness_file):
            with listen(settings.host, settings.port) as listener:
                if await connected(app.state.parts.link, stopping):
                    return await serve(Server(app), listener, stopping)
    except GatewayError as exc:
        print(exc, file=sys.stderr)  # noqa: T201
        return EXIT_CANNOT_LISTEN if isinstance(exc, CannotListen) else EXIT_DID_NOT_START
    return 0


async def connected(link: NatsLink, stopping: asyncio.Event) -> bool:
    """Wait for NATS; return False when `stopping` is set first. Raises `CannotConnect`."""
    connecting = asyncio.create_task(link.connect())
    if not await _ends_first(connecting, stopping):
        connecting.cancel()
        return False
    await connecting
    return True


async def serve(server: Server, listener: socket.socket, stopping: asyncio.Event) -> int:
    """Serve on `listener` until `stopping` is set, and return the exit code."""
    serving = asyncio.create_task(server.serve(sockets=[listener]))
    await _ends_first(serving, stopping)
    server.should_exit = True
    if not server.started:
        serving.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await serving
    return 0 if server.started or stopping.is_set() else EXIT_DID_NOT_START


async def _ends_first(task: asyncio.Task[None], stopping: asyncio.Event) -> bool:
    """Wait for `task` or `stopping`; return whether `task` has ended."""
    stop = asyncio.create_task(stopping.wait())
    await asyncio.wait({task, stop}, return_when=asyncio.FIRST_COMPLETED)
    stop.cancel()
    return task.done()


def listen(host: str, port: int) -> socket.socket:
    """Return a socket that listens on the address. Raises `CannotListen` with what to do about it."""
    try:
        family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
        listener = socket.create_server(address[:2], family=family, backlog=2048)
    except OSError as exc:
        raise CannotListen(_why(host, port, exc)) from exc
    listener.setblocking(False)
    if hasattr(socket, "TCP_USER_TIMEOUT"):  # Linux; accepted connections inherit it
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, UNREAD_MS)
    # Handed down to connections. asyncio sets it only where a socket names its protocol, which this one does not, and
    # without it an answer that is written in parts waits 40 ms for the client to confirm the first.
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    log.info("listening", host=host, port=listener.getsockname()[1])
    return listener


def _why(host: str, port: int, error: OSError) -> str:
    if error.errno == errno.EADDRINUSE:
        return f"Port {port} på {host} er i bruk av et annet program. Velg en annen med LOVSVAR_PORT."
    if error.errno == errno.EACCES:
        return f"Port {port} på {host} krever rettigheter som dette programmet ikke har. Velg en over 1023."
    return f"Kan ikke lytte på {host} port {port}: {error.strerror or error}."
