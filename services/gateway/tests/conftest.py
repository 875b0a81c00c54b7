"""The gateway on a free port of its own, shared by the tests of a file or a test's own, and a client at its door."""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, TypeVar

import httpx2
import nats as nats_client
import pytest
import pytest_asyncio
from nats.js import JetStreamContext

from lovsvar_gateway import server
from lovsvar_gateway.app import create_app
from lovsvar_gateway.settings import Settings

T = TypeVar("T")


@dataclass
class Gateway:
    """A gateway that serves, and a client at its door."""

    url: str
    client: httpx2.AsyncClient

    @contextlib.asynccontextmanager
    async def stream(self, method: str, path: str, **more: Any) -> AsyncIterator["Stream"]:
        async with self.client.stream(method, path, **more) as response:
            if response.is_error:
                await response.aread()
            yield Stream(response)

    async def events(self, path: str, after: int | None = None) -> list[dict[str, Any]]:
        """Return every event of a stream up to its end, without heartbeats."""
        headers = {} if after is None else {"Last-Event-ID": str(after)}
        async with self.stream("GET", path, headers=headers) as stream:
            return [e async for e in stream if e["event"] != "heartbeat"]


class Stream:
    """Server-sent events of one response, as dicts of their fields, `data` decoded."""

    def __init__(self, response: httpx2.Response) -> None:
        self.response = response
        self._events = self._read()

    def __aiter__(self) -> AsyncIterator[dict[str, Any]]:
        return self._events

    async def next(self) -> dict[str, Any]:
        async with asyncio.timeout(15):
            return await anext(self._events)

    async def _read(self) -> AsyncIterator[dict[str, Any]]:
        fields: dict[str, Any] = {}
        async for line in self.response.aiter_lines():
            if line:
                name, _, value = line.partition(": ")
                fields[name] = json.loads(value) if name == "data" else value
            else:
                yield fields
                fields = {}


@contextlib.asynccontextmanager
async def visiting(url: str) -> AsyncIterator[Gateway]:
    """Connect a client of this event loop to the gateway at `url`."""
    async with httpx2.AsyncClient(base_url=url, timeout=30) as client:
        yield Gateway(url, client)


@contextlib.asynccontextmanager
async def run_gateway(nats_url: str, **settings: Any) -> AsyncIterator[Gateway]:
    configured = Settings(nats_url=nats_url, port=0, **settings)
    listener = server.listen("127.0.0.1", 0)
    running, stopping = server.Server(create_app(configured)), asyncio.Event()
    serving = asyncio.create_task(server.serve(running, listener, stopping))
    try:
        async with visiting(f"http://127.0.0.1:{listener.getsockname()[1]}") as gateway:
            await gateway.client.get("/healthz")
            yield gateway
    finally:
        stopping.set()
        await serving
        listener.close()


@contextlib.contextmanager
def kept_running(context: contextlib.AbstractAsyncContextManager[T]) -> Iterator[T]:
    """Enter `context` in an event loop of its own, since each test has another; yield what it yields."""
    entered: Future[T] = Future()
    leave: Future[None] = Future()

    async def stay() -> None:
        async with context as value:
            entered.set_result(value)
            await asyncio.wrap_future(leave)

    with ThreadPoolExecutor(1) as thread:
        done = thread.submit(asyncio.run, stay())
        done.add_done_callback(lambda ended: entered.done() or entered.set_exception(ended.exception() or EOFError()))
        try:
            yield entered.result(60)
        finally:
            leave.set_result(None)
            done.result(30)


@pytest.fixture(scope="session")
def keep_running() -> Callable[[contextlib.AbstractAsyncContextManager[T]], contextlib.AbstractContextManager[T]]:
    """Runs for several tests what needs an event loop."""
    return kept_running


@pytest.fixture
def start_gateway() -> Callable[..., contextlib.AbstractAsyncContextManager[Gateway]]:
    """Starts a gateway for one test, with settings of its own."""
    return run_gateway


@pytest.fixture
def visit() -> Callable[[str], contextlib.AbstractAsyncContextManager[Gateway]]:
    """Connects a client to a gateway that runs."""
    return visiting


@pytest.fixture(scope="module")
def kept_streams() -> set[str]:
    """Streams that are emptied behind a test and not deleted, since a gateway that the file shares declared them."""
    return set()


@pytest.fixture(scope="module")
def share_gateway(nats_server: str, kept_streams: set[str]) -> Iterator[Callable[..., str]]:
    """Starts a gateway that the tests of the file share, one for the same settings, and returns its URL."""
    urls: dict[str, str] = {}

    async def declared() -> set[str]:
        async with connected_to(nats_server) as js:
            return {str(info.config.name) for info in await js.streams_info()}

    def share(**settings: Any) -> str:
        key = repr(settings)
        if key not in urls:
            urls[key] = stack.enter_context(kept_running(run_gateway(nats_server, **settings))).url
            kept_streams.update(in_thread(declared()))
        return urls[key]

    with contextlib.ExitStack() as stack:
        stack.callback(lambda: in_thread(clean(nats_server, set())))
        yield share


@pytest_asyncio.fixture
async def nats_url(nats_server: str, kept_streams: set[str]) -> AsyncIterator[str]:
    """URL of a nats-server without messages, consumers, and streams but those that the file's gateways declared."""
    yield nats_server
    await clean(nats_server, kept_streams)


def in_thread(work: Coroutine[Any, Any, T]) -> T:
    """Return the result of `work`, which runs in an event loop of its own while that of a test waits."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, work).result(60)


@contextlib.asynccontextmanager
async def connected_to(nats_url: str) -> AsyncIterator[JetStreamContext]:
    connection = await nats_client.connect(nats_url)
    try:
        yield connection.jetstream()
    finally:
        await connection.close()


async def clean(nats_url: str, kept: set[str]) -> None:
    """Empty the streams of `kept`, and delete all others."""
    async with connected_to(nats_url) as js:
        for info in await js.streams_info():
            name = str(info.config.name)
            if name not in kept:
                await js.delete_stream(name)
                continue
            if info.state.consumer_count:
                for consumer in await js.consumers_info(name):
                    await js.delete_consumer(name, consumer.name)
            if info.state.messages:
                await js.purge_stream(name)


@pytest_asyncio.fixture
async def gateway(nats_url: str, share_gateway: Callable[..., str]) -> AsyncIterator[Gateway]:
    """The gateway that the tests of a file share. What they may leave in it is of no weight to others."""
    async with visiting(share_gateway()) as gateway:
        yield gateway


@pytest_asyncio.fixture
async def own_gateway(nats_url: str) -> AsyncIterator[Gateway]:
    """A gateway for one test, in its event loop."""
    async with run_gateway(nats_url) as gateway:
        yield gateway
