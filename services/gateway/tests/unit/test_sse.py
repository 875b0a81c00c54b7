"""An event stream as it is sent."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

from lovsvar_chassis import metrics
from lovsvar_chassis.tasks import end
from lovsvar_gateway.core.errors import UnknownRun
from lovsvar_gateway.sse import RETRY, Beats, EventStream, frame
from lovsvar_testkit.measured import Measured
from lovsvar_testkit.waiting import until


class Source:
    """Frames that come when the test says so; None ends them, an exception breaks them."""

    def __init__(self, *ready: bytes | Exception | None) -> None:
        self.ready: asyncio.Queue[bytes | Exception | None] = asyncio.Queue()
        self.closed = False
        for item in ready:
            self.ready.put_nowait(item)

    async def frames(self) -> AsyncIterator[bytes]:
        try:
            while (item := await self.ready.get()) is not None:
                if isinstance(item, Exception):
                    raise item
                yield item
        finally:
            self.closed = True


class Client:
    """Takes what a stream sends. `leave` disconnects; a `slow` one takes nothing behind the headers until `wake`."""

    def __init__(self, source: Source, beat: float = 60, *, slow: bool = False, patience: float = 60) -> None:
        self.closing, self.leave = asyncio.Event(), asyncio.Event()
        self.sent: asyncio.Queue[bytes] = asyncio.Queue()
        self.reading, self.wake = asyncio.Event(), asyncio.Event()
        self._slow = slow
        self.stream = EventStream(
            source.frames(),  # type: ignore[arg-type]
            beats=Beats(self.closing, beat),
            patience=patience,
        )

    async def run(self) -> None:
        async with asyncio.timeout(10):
            await self.stream({"type": "http"}, self._receive, self._send)

    async def _receive(self) -> dict[str, Any]:
        await self.leave.wait()
        return {"type": "http.disconnect"}

    async def _send(self, message: Any) -> None:
        if message.get("more_body"):
            self.reading.set()
            if self._slow:
                await self.wake.wait()
            self.sent.put_nowait(message["body"])

    def everything(self) -> list[bytes]:
        return [self.sent.get_nowait() for _ in range(self.sent.qsize())]


def test_an_event_is_its_id_its_name_and_its_data() -> None:
    assert frame("run.accepted", '{"a":1}', 7) == b'id: 7\nevent: run.accepted\ndata: {"a":1}\n\n'
    assert frame("heartbeat", "{}") == b"event: heartbeat\ndata: {}\n\n"


async def test_the_first_frame_says_when_to_come_back_and_the_stream_ends_with_its_source() -> None:
    source = Source(b"one", b"two", None)
    client = Client(source)
    await client.run()
    assert client.everything() == [RETRY + b"one", b"two"]
    assert source.closed


async def test_a_stopping_server_ends_the_stream_with_a_hint_to_come_back() -> None:
    source = Source(b"one")
    client = Client(source)
    running = asyncio.create_task(client.run())
    await client.sent.get()
    client.closing.set()
    await running
    (last,) = client.everything()
    assert last.startswith(RETRY)
    assert source.closed


async def test_a_source_that_fails_ends_the_stream_so_that_the_client_resumes() -> None:
    source = Source(b"one", RuntimeError("gone"))
    client = Client(source)
    await client.run()
    first, last = client.everything()
    assert first == RETRY + b"one"
    assert last.startswith(RETRY)
    assert source.closed


async def test_heartbeats_come_between_events_and_lose_none() -> None:
    source = Source()
    client = Client(source, beat=0.01)
    running = asyncio.create_task(client.run())
    beats = [await client.sent.get() for _ in range(3)]
    source.ready.put_nowait(b"one")
    source.ready.put_nowait(None)
    await running
    assert all(b"event: heartbeat" in b and b"id:" not in b for b in beats)
    assert [b.startswith(RETRY) for b in beats] == [True, False, False]
    assert [f for f in client.everything() if b"heartbeat" not in f] == [b"one"]


async def test_a_client_that_leaves_while_the_stream_waits_closes_the_source() -> None:
    source = Source(b"one")
    client = Client(source)
    running = asyncio.create_task(client.run())
    await client.sent.get()
    client.leave.set()
    await running
    assert source.closed


async def test_a_client_that_leaves_without_reading_closes_the_source() -> None:
    source = Source(b"one")
    client = Client(source, slow=True)
    running = asyncio.create_task(client.run())
    await client.reading.wait()
    client.leave.set()
    await running
    assert source.closed


async def test_a_client_that_does_not_read_is_dropped_and_told_so_when_it_reads_again() -> None:
    source = Source(b"one", b"two")
    client = Client(source, slow=True, patience=0.01)
    running = asyncio.create_task(client.run())
    while not source.closed:  # noqa: ASYNC110
        await asyncio.sleep(0.01)
    client.wake.set()
    await running
    (farewell,) = client.everything()
    assert farewell.startswith(RETRY + b"event: dropped\n")
    assert b'"reason":"slow_reader"' in farewell
    assert b"id:" not in farewell


async def test_a_heartbeat_that_is_not_read_drops_the_client_too() -> None:
    source = Source()
    client = Client(source, beat=0.01, slow=True, patience=0.01)
    running = asyncio.create_task(client.run())
    while not source.closed:  # noqa: ASYNC110
        await asyncio.sleep(0.01)
    client.leave.set()
    await running
    assert source.closed


async def test_streams_that_end_before_their_time_are_counted_by_the_reason(measured: Measured) -> None:
    await Client(Source(RuntimeError("in the source"))).run()
    await Client(Source(UnknownRun("gone"))).run()
    slow = Client(Source(frame("a", "{}"), frame("b", "{}")), slow=True, patience=0.05)
    running = asyncio.create_task(slow.run())
    await slow.reading.wait()
    await until(lambda: asyncio.sleep(0, measured.value(metrics.EVENT_STREAMS_DROPPED, reason="slow_reader") == 1))
    slow.wake.set()
    await running
    await Client(Source(None)).run()
    assert measured.value(metrics.EVENT_STREAMS_DROPPED, reason="broken") == 1
    assert measured.value(metrics.EVENT_STREAMS_DROPPED, reason="log_lost") == 1
    assert measured.value(metrics.EVENT_STREAMS_DROPPED) == 3
    assert measured.value(metrics.EVENT_STREAMS) == 0


async def test_a_stream_whose_heartbeat_fails_ends_those_of_no_other() -> None:
    source = Source()
    client = Client(source, beat=0.01)

    class Broken:
        """A stream that cannot even be looked at."""

        @property
        def is_withdrawn(self) -> bool:
            raise RuntimeError

    running = asyncio.create_task(client.run())
    with client.stream._beats.kept(Broken()):  # type: ignore[arg-type]
        beats = [await client.sent.get() for _ in range(3)]
    source.ready.put_nowait(None)
    await running
    assert all(b"event: heartbeat" in beat for beat in beats)


async def test_heartbeats_that_ended_are_begun_again_by_the_next_stream() -> None:
    source = Source()
    client = Client(source, beat=0.01)
    running = asyncio.create_task(client.run())
    await client.sent.get()
    (task,) = [task for task in asyncio.all_tasks() if task.get_name() == "heartbeats"]
    await end(task)
    with client.stream._beats.kept(Client(Source()).stream):
        client.everything()
        await client.sent.get()
        await client.sent.get()
    source.ready.put_nowait(None)
    await running
