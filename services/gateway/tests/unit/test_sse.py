"""The pace of an event stream."""

import asyncio
from collections.abc import AsyncIterator

from lovsvar_gateway.sse import RETRY, Frames, frame, paced


class Source:
    """Frames that come when the test says so."""

    def __init__(self, *ready: bytes) -> None:
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
            await asyncio.sleep(0)
            self.closed = True


def run(source: Source, closing: asyncio.Event | None = None, beat: float = 60) -> Frames:
    return paced(source.frames(), closing or asyncio.Event(), beat)  # type: ignore[arg-type]


def test_an_event_is_its_id_its_name_and_its_data() -> None:
    assert frame("run.accepted", '{"a":1}', 7) == b'id: 7\nevent: run.accepted\ndata: {"a":1}\n\n'
    assert frame("heartbeat", "{}") == b"event: heartbeat\ndata: {}\n\n"


async def test_the_first_frame_says_when_to_come_back_and_the_stream_ends_with_its_source() -> None:
    source = Source(b"one", b"two")
    source.ready.put_nowait(None)
    assert [f async for f in run(source)] == [RETRY + b"one", b"two"]
    assert source.closed


async def test_a_closing_server_ends_the_stream_with_a_hint_to_come_back() -> None:
    source, closing = Source(b"one"), asyncio.Event()
    stream = run(source, closing)
    await anext(stream)
    closing.set()
    last = [f async for f in stream]
    assert len(last) == 1
    assert last[0].startswith(RETRY)
    assert source.closed


async def test_a_source_that_fails_ends_the_stream_so_that_the_client_resumes() -> None:
    source = Source(b"one")
    source.ready.put_nowait(RuntimeError("gone"))
    frames = [f async for f in run(source)]
    assert frames[0] == RETRY + b"one"
    assert frames[1].startswith(RETRY)
    assert source.closed


async def test_heartbeats_come_between_events_and_lose_none() -> None:
    source = Source()
    stream = run(source, beat=0.01)
    beats = [await anext(stream) for _ in range(3)]
    source.ready.put_nowait(b"one")
    source.ready.put_nowait(None)
    rest = [f async for f in stream]
    assert all(b"event: heartbeat" in b and b"id:" not in b for b in beats)
    assert [f for f in rest if b"heartbeat" not in f] == [b"one"]


async def test_a_reader_that_leaves_closes_the_source() -> None:
    source = Source(b"one")
    stream = run(source)
    await anext(stream)
    await stream.aclose()
    assert source.closed
