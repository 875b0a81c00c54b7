"""A broker on a real nats-server with the system's streams, and a nats-server that a test may stop and start."""

import asyncio
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from faststream.nats import NatsBroker

from lovsvar_chassis.broker import make_broker
from lovsvar_chassis.publisher import EventPublisher
from lovsvar_chassis.settings import ServiceSettings
from lovsvar_chassis.streams import declare_streams
from lovsvar_testkit.processes import free_port


@pytest_asyncio.fixture
async def broker(nats_url: str) -> AsyncIterator[NatsBroker]:
    """A connected broker; the streams are declared."""
    async with make_broker(ServiceSettings(nats_url=nats_url), "test") as connected:
        await declare_streams(connected.connection.jetstream())
        yield connected


@pytest.fixture
def events(broker: NatsBroker) -> EventPublisher:
    return EventPublisher(broker)


class RestartableNats:
    """A nats-server that comes back on the same port with what it had stored."""

    def __init__(self, folder: Path) -> None:
        self._port = free_port()
        self._folder = folder
        self._process: asyncio.subprocess.Process | None = None
        self.url = f"nats://127.0.0.1:{self._port}"

    async def start(self) -> None:
        binary = Path(sys.executable).parent / "nats-server"
        arguments = ["-a", "127.0.0.1", "-p", str(self._port), "-js", "-sd", str(self._folder)]
        self._process = await asyncio.create_subprocess_exec(
            binary, *arguments, stderr=asyncio.subprocess.PIPE, start_new_session=True
        )
        async for line in self._process.stderr:
            if b"Server is ready" in line:
                return
        raise RuntimeError("nats-server did not start")

    async def stop(self) -> None:
        if self._process and self._process.returncode is None:
            self._process.terminate()
            await self._process.wait()


@pytest_asyncio.fixture
async def restartable_nats(tmp_path: Path) -> AsyncIterator[RestartableNats]:
    server = RestartableNats(tmp_path)
    await server.start()
    yield server
    await server.stop()
