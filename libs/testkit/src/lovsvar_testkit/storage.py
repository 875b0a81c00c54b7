"""A nats-server whose room for messages a test sets while it runs, and a gateway process in front of it."""

import asyncio
import contextlib
import shutil
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import httpx2
import nats
from nats.js import JetStreamContext
from nats.js.api import StreamConfig
from nats.js.errors import APIError

from lovsvar_chassis.health import health_routers
from lovsvar_chassis.progress import Progress
from lovsvar_testkit import questions
from lovsvar_testkit.processes import free_port
from lovsvar_testkit.running import answering
from lovsvar_testkit.waiting import until

ROOM_MB = 16
PLENTY_MB = 8192


class RoomyNats:
    """A nats-server with JetStream and a configuration of its own, on one port for as long as it lives."""

    def __init__(self, folder: Path, room_mb: int = ROOM_MB) -> None:
        self._folder = folder
        self._port = free_port()
        self._process: subprocess.Popen[bytes] | None = None
        self.url = f"nats://127.0.0.1:{self._port}"
        self._write(room_mb)

    def _write(self, room_mb: int) -> None:
        store = self._folder / "jetstream"
        (self._folder / "nats.conf").write_text(
            f'listen: "127.0.0.1:{self._port}"\njetstream {{ store_dir: "{store}", max_file_store: {room_mb}MB }}\n'
        )

    async def start(self) -> None:
        """Start it, and return when it takes connections."""
        self._spawn()
        await until(self._answers)

    def _spawn(self) -> None:
        binary = Path(sys.executable).parent / "nats-server"
        self._process = subprocess.Popen([binary, "-c", self._folder / "nats.conf"], stderr=subprocess.DEVNULL)

    async def _answers(self) -> bool:
        with contextlib.suppress(OSError):
            _, writer = await asyncio.open_connection("127.0.0.1", self._port)
            writer.close()
            return True
        return False

    def stop(self, *, wipe: bool = False) -> None:
        """Stop it, and delete what it stored if so asked."""
        if self._process is not None:
            self._process.terminate()
            self._process.wait()
        if wipe:
            shutil.rmtree(self._folder / "jetstream", ignore_errors=True)

    def set_room(self, room_mb: int) -> None:
        """Change how much it may store, as an operator does: in its configuration, which it reads again."""
        self._write(room_mb)
        if self._process is not None:
            self._process.send_signal(signal.SIGHUP)

    @contextlib.asynccontextmanager
    async def full(self) -> AsyncIterator[None]:
        """Have no room for as long as the block, and plenty behind it."""
        async with self.jetstream() as jetstream:
            await jetstream.add_stream(StreamConfig(name="FILLING", subjects=["filling"]))
            with contextlib.suppress(APIError):
                while True:
                    await jetstream.publish("filling", b"x" * 500_000)
            yield
            self.set_room(PLENTY_MB)

    @contextlib.asynccontextmanager
    async def jetstream(self) -> AsyncIterator[JetStreamContext]:
        """Return a connection of the test's own."""
        connection = await nats.connect(self.url)
        try:
            yield connection.jetstream()
        finally:
            await connection.close()


@contextlib.asynccontextmanager
async def roomy_nats(folder: Path) -> AsyncIterator[RoomyNats]:
    """Run a `RoomyNats` that stores in `folder`."""
    server = RoomyNats(folder)
    await server.start()
    try:
        yield server
    finally:
        server.stop()


@contextlib.asynccontextmanager
async def gateway_process(nats_url: str, folder: Path, **environment: str) -> AsyncIterator[httpx2.AsyncClient]:
    """Run a gateway as a process, with a search and an agent that only say they are ready; yield a client for it."""
    healthy = [router for name in ("search", "agent") for router in health_routers(name, "0", lambda: "", Progress())]
    async with answering(nats_url, *healthy), questions.gateway_process(nats_url, folder, environment) as gateway:
        await until(lambda: has_status(gateway.client, "/readyz", 200), 30)
        yield gateway.client


async def has_status(client: httpx2.AsyncClient, path: str, status: int) -> bool:
    """Say whether `path` is answered with `status` now."""
    try:
        return (await client.get(path)).status_code == status
    except httpx2.HTTPError:
        return False
