"""A TCP way to a server that a test makes bad: it swallows, cuts or delays what goes through.

Swallowing leaves a connection half open for ever, as a forgetful firewall does; connections made after `heal` pass.
"""

import asyncio
import contextlib
import threading
from collections.abc import Coroutine, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit, urlunsplit

_CHUNK = 64 * 1024
_POSTGRES_PORT = 5432

Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class Proxy:
    """A way to the server at a URL, TCP or PostgreSQL's unix socket. Use as `async with`."""

    def __init__(self, url: str) -> None:
        self.server = url
        """Where connections to come lead."""
        self._swallows = False
        self._delay = 0.0
        self._port = 0
        self._listener: asyncio.Server | None = None
        self._lost = asyncio.Event()
        self._ends: set[asyncio.StreamWriter] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self.connections = 0
        """How many were made so far."""

    @property
    def url(self) -> str:
        """The server's URL by this way."""
        parts = urlsplit(self.server)
        user, at, _ = parts.netloc.rpartition("@")
        query = {key: values[0] for key, values in parse_qs(parts.query).items() if key != "host"}
        return urlunsplit(parts._replace(netloc=f"{user}{at}127.0.0.1:{self._port}", query=urlencode(query)))

    async def __aenter__(self) -> "Proxy":
        await self._listen()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.cut()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def swallow(self) -> None:
        """Keep every connection open and let nothing through, also on those to come."""
        self._swallows = True
        self._lost.set()
        self._lost = asyncio.Event()

    def heal(self) -> None:
        """Let new connections pass, at once; those that were swallowed stay dead."""
        self._swallows, self._delay = False, 0.0

    def delay(self, seconds: float) -> None:
        """Hold each piece back for a while, in both directions."""
        self._delay = seconds

    async def cut(self) -> None:
        """Break every connection, and refuse new ones until `mend`."""
        if self._listener is not None:
            self._listener.close()
            self._listener = None
        for end in self._ends:
            end.transport.abort()

    async def mend(self) -> None:
        """Take connections again, at the same address."""
        await self._listen()

    async def _listen(self) -> None:
        self._listener = await asyncio.start_server(self._take, "127.0.0.1", self._port)
        self._port = self._listener.sockets[0].getsockname()[1]

    async def _connect(self) -> Streams:
        parts = urlsplit(self.server)
        if folder := parse_qs(parts.query).get("host"):
            return await asyncio.open_unix_connection(Path(folder[0]) / f".s.PGSQL.{_POSTGRES_PORT}")
        return await asyncio.open_connection(parts.hostname, parts.port)

    async def _take(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        task = asyncio.current_task()
        if task is not None:
            self._tasks.add(task)
        self._ends.add(writer)
        ends = {writer}
        lost = self._lost
        try:
            if self._swallows:
                await _drop(reader)
                return
            with contextlib.suppress(OSError):
                far_reader, far_writer = await self._connect()
                ends.add(far_writer)
                self._ends.add(far_writer)
                await asyncio.gather(
                    self._carry(reader, far_writer, lost), self._carry(far_reader, writer, lost), return_exceptions=True
                )
        except asyncio.CancelledError:
            pass  # asyncio would log it as an error of ours
        finally:
            for end in ends:
                end.transport.abort()
            self._ends -= ends
            if task is not None:
                self._tasks.discard(task)

    async def _carry(self, source: asyncio.StreamReader, sink: asyncio.StreamWriter, lost: asyncio.Event) -> None:
        with contextlib.suppress(OSError):
            while piece := await source.read(_CHUNK):
                if self._delay:
                    await asyncio.sleep(self._delay)
                if lost.is_set():
                    # Not even the end of the one side reaches the other.
                    await _drop(source)
                    await asyncio.Event().wait()
                sink.write(piece)
                await sink.drain()
        if lost.is_set():
            await asyncio.Event().wait()
        sink.transport.abort()


async def _drop(source: asyncio.StreamReader) -> None:
    with contextlib.suppress(OSError):
        while await source.read(_CHUNK):
            pass


@dataclass(frozen=True)
class Wire:
    """A proxy for a test without an event loop: it runs in one of its own, in a thread."""

    proxy: Proxy
    loop: asyncio.AbstractEventLoop

    @property
    def url(self) -> str:
        """The server's URL by this way."""
        return self.proxy.url

    def cut(self) -> None:
        """Break every connection, and refuse new ones until `mend`."""
        self._do(self.proxy.cut())

    def mend(self) -> None:
        """Take connections again, at the same address."""
        self._do(self.proxy.mend())

    def _do(self, work: Coroutine[Any, Any, None]) -> None:
        asyncio.run_coroutine_threadsafe(work, self.loop).result(10)


@contextlib.contextmanager
def wire_to(url: str) -> Iterator[Wire]:
    """Run a proxy to the server at `url` until the block ends."""
    wire = Wire(Proxy(url), asyncio.new_event_loop())
    thread = threading.Thread(target=wire.loop.run_forever, daemon=True)
    thread.start()
    wire.mend()
    try:
        yield wire
    finally:
        wire._do(wire.proxy.__aexit__())
        wire.loop.call_soon_threadsafe(wire.loop.stop)
        thread.join()
        wire.loop.close()
