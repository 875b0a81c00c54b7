"""Server-sent events: the wire format, and a response with heartbeats that closes its source however it ends.

FastAPI's own EventSourceResponse is not used: its keep-alive is a comment, which a browser's EventSource cannot see,
it ends only with its source, and it adds two tasks and a buffer to each stream.
"""

import asyncio
import contextlib
import ctypes
import gc
from collections.abc import AsyncGenerator, Iterator, Mapping

import structlog
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from lovsvar_chassis import metrics
from lovsvar_chassis.tasks import end, tell_of_failure
from lovsvar_contracts.message import utc_now
from lovsvar_gateway.core.access import WITHDRAWN
from lovsvar_gateway.core.errors import UnknownRun, UnknownSync

log = structlog.get_logger()

MEDIA_TYPE = "text/event-stream"
RETRY = b"retry: 2000\n"
"""Milliseconds after which a client reconnects. A field of the first frame and of the last, never a frame alone:
some readers take one without data for an empty message."""

HEADERS: Mapping[str, str] = {
    # `no-transform` keeps proxies from compressing, and so from buffering.
    "Cache-Control": "no-store, no-transform",
    "X-Accel-Buffering": "no",
}

# Why a stream ended early: the client did not read, its key was revoked, the log was deleted, its frames failed.
SLOW_READER, KEY_REVOKED, LOG_LOST, BROKEN = "slow_reader", "key_revoked", "log_lost", "broken"

LOOK_SECONDS = 0.5  # between two checks of which heartbeats are due and which keys are revoked
MANY = 500  # streams whose memory is worth a pause of some tenths of a second to return it
ENDING_SECONDS = 0.05  # between two such checks when the server stops
FAREWELL_SECONDS = 60.0  # for a dropped client to read why; the socket cuts off one that reads nothing at all

Frames = AsyncGenerator[bytes, None]


def frame(event: str, data: str, id_: int | str | None = None) -> bytes:
    """Return one event on the wire. `data` is JSON on one line."""
    head = f"id: {id_}\n" if id_ is not None else ""
    return f"{head}event: {event}\ndata: {data}\n\n".encode()


def heartbeat() -> bytes:
    """Return the event that only says that the stream is open. It has no id, so that it moves no cursor."""
    return frame("heartbeat", f'{{"ts":"{utc_now().isoformat()}"}}')


def dropped(reason: str) -> bytes:
    """Count a stream that ends early; return the event with the reason, without an id that would move the cursor."""
    metrics.EVENT_STREAMS_DROPPED.add(reason=reason)
    return frame("dropped", f'{{"reason":"{reason}","ts":"{utc_now().isoformat()}"}}')


class SlowReader(Exception):
    """The client left the stream unread for too long. Remedy: it resumes after the last event that it read."""


class Beats:
    """The task that sends heartbeats on all event streams, and ends them when the server stops or a key is revoked."""

    def __init__(self, closing: asyncio.Event, seconds: float) -> None:
        """`closing` is set when the server stops; `seconds` is the time between the heartbeats of a stream."""
        self._closing = closing
        self._seconds = seconds
        self._streams: dict[EventStream, float] = {}
        self._task: asyncio.Task[None] | None = None
        self._most = 0

    @contextlib.contextmanager
    def kept(self, stream: "EventStream") -> Iterator[None]:
        """Send heartbeats on `stream` for as long as the block."""
        self._streams[stream] = asyncio.get_running_loop().time() + self._seconds
        if self._task is None:
            self._task = asyncio.create_task(self._run(), name="heartbeats")
            tell_of_failure(self._task)
        try:
            yield
        finally:
            del self._streams[stream]

    async def _run(self) -> None:
        pause = min(LOOK_SECONDS, self._seconds)
        try:
            while self._streams:
                if self._closing.is_set():
                    await asyncio.sleep(ENDING_SECONDS)
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(pause):
                        await self._closing.wait()
                for stream in list(self._streams):
                    self._look_at(stream)
                self._tidy()
        finally:
            # The next stream starts it again, however it ended.
            self._task = None

    def _look_at(self, stream: "EventStream") -> None:
        now = asyncio.get_running_loop().time()
        try:
            if self._closing.is_set() or stream.is_withdrawn:
                stream.end_early()
            elif self._streams[stream] <= now:
                self._streams[stream] = now + self._seconds
                stream.beat()
        except Exception:
            # A fault of one stream ends the heartbeats of no other.
            log.exception("a heartbeat failed")

    def _tidy(self) -> None:
        """Return memory to the system once most of many streams have ended, which glibc does not do by itself."""
        self._most = max(self._most, len(self._streams))
        if self._most >= MANY and len(self._streams) < self._most / 4:
            self._most = len(self._streams)
            gc.collect()
            getattr(ctypes.CDLL(None), "malloc_trim", lambda _: None)(0)


class EventStream(Response):
    """A response that sends `frames` with heartbeats in between, and closes them however it ends.

    It ends with its frames, when they fail, when the server stops, when its key is revoked, when its log is deleted,
    or when the client leaves. A client that does not read is dropped: its frames are closed, and the reason is sent
    when it reads again.
    """

    media_type = MEDIA_TYPE

    def __init__(
        self, frames: Frames, *, beats: Beats, patience: float, headers: Mapping[str, str] | None = None
    ) -> None:
        """`patience` is how long a client may leave what it was sent unread, in seconds."""
        super().__init__(headers={**HEADERS, **(headers or {})})
        del self.headers["Content-Length"]
        self._frames = frames
        self._beats = beats
        self._patience = patience
        self._begun = False
        self._withdrawn: asyncio.Event | None = None
        self._sending: asyncio.Task[None] | None = None
        self._beating: asyncio.Task[None] | None = None
        self._send: Send
        self._last: bytes | None = None
        self._slow = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send everything, counted as an open stream meanwhile."""
        metrics.EVENT_STREAMS.add(1)
        try:
            await self._send_all(scope, receive, send)
        finally:
            metrics.EVENT_STREAMS.add(-1)

    async def _send_all(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send everything. Each frame is written whole, so that heartbeats may come from a task of their own."""
        self._send, self._withdrawn = send, scope.get("state", {}).get(WITHDRAWN)
        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
        leaving = asyncio.create_task(_left(receive))
        try:
            try:
                self._sending = asyncio.create_task(self._send_frames())
                with self._beats.kept(self):
                    await asyncio.wait({self._sending, leaving}, return_when=asyncio.FIRST_COMPLETED)
            finally:
                await end(*(task for task in (self._sending, self._beating) if task is not None))
                await self._frames.aclose()
            ending = asyncio.create_task(self._say_farewell() if self._slow else self._end())
            await asyncio.wait({ending, leaving}, return_when=asyncio.FIRST_COMPLETED)
            await end(ending)
        finally:
            await end(leaving)

    @property
    def is_withdrawn(self) -> bool:
        """Whether the key that opened it was revoked."""
        return self._withdrawn is not None and self._withdrawn.is_set()

    def end_early(self) -> None:
        """End it: with a hint to come back, or, when its key was revoked, with the reason."""
        if self._last is None:
            self._stop(dropped(KEY_REVOKED) if self.is_withdrawn else RETRY + heartbeat())

    def beat(self) -> None:
        """Send a heartbeat, unless the previous one is still being sent."""
        if self._beating is None or self._beating.done():
            self._beating = asyncio.create_task(self._send_beat())

    async def _send_beat(self) -> None:
        try:
            await self._write(heartbeat())
        except SlowReader:
            self._slow = True
            self._stop(None)
        finally:
            self._beating = None

    async def _send_frames(self) -> None:
        try:
            async for sent in self._frames:
                await self._write(sent)
        except SlowReader:
            self._slow = True
        except (UnknownRun, UnknownSync):
            self._last = dropped(LOG_LOST)
        except Exception:
            log.warning("event stream broken off", exc_info=True)
            metrics.EVENT_STREAMS_DROPPED.add(reason=BROKEN)
            self._last = RETRY + heartbeat()

    def _stop(self, last: bytes | None) -> None:
        self._last = last
        if self._sending is not None:
            self._sending.cancel()

    async def _write(self, sent: bytes) -> None:
        if not self._begun:
            self._begun = True
            sent = sent if sent.startswith(RETRY) else RETRY + sent
        try:
            async with asyncio.timeout(self._patience):
                await self._send({"type": "http.response.body", "body": sent, "more_body": True})
        except TimeoutError as exc:
            raise SlowReader from exc

    async def _end(self) -> None:
        if self._last is not None:
            with contextlib.suppress(SlowReader):
                await self._write(self._last)
        await self._send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _say_farewell(self) -> None:
        """Send a dropped client the reason, once it reads again. Its frames are closed by then."""
        log.info("dropped a slow reader")
        last = RETRY + dropped(SLOW_READER)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(FAREWELL_SECONDS):
                await self._send({"type": "http.response.body", "body": last, "more_body": True})
                await self._send({"type": "http.response.body", "body": b"", "more_body": False})


async def _left(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


def nothing_more() -> Response:
    """Answer a client that has seen the end. By the standard, 204 keeps an EventSource from asking again."""
    return Response(status_code=204, headers=dict(HEADERS), media_type=MEDIA_TYPE)
