"""Server-sent events: the wire format, and a response that beats, ends in time and lets go of its source.

FastAPI's own EventSourceResponse is not used: its keep-alive is a comment, which a browser's EventSource
cannot see, it ends only with its source, and it puts two more tasks and a buffer behind each stream.
"""

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping

import anyio
import structlog
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from lovsvar_contracts.message import utc_now
from lovsvar_gateway.core.access import WITHDRAWN

log = structlog.get_logger()

MEDIA_TYPE = "text/event-stream"
RETRY = b"retry: 2000\n"
"""Milliseconds after which a client reconnects. A field of the first frame and of the last, never a frame alone:
some readers take one without data for an empty message."""

HEADERS: Mapping[str, str] = {
    # `no-transform` keeps proxies from compressing, and so from holding back what is not yet enough to compress.
    "Cache-Control": "no-store, no-transform",
    "X-Accel-Buffering": "no",
}

SLOW_READER = "slow_reader"
"""Why a stream was dropped: its client did not read."""

KEY_REVOKED = "key_revoked"
"""Why a stream was dropped: the key that opened it was revoked, or may no longer do this."""

FAREWELL_SECONDS = 60.0
"""How long a dropped client may take to read why. One that reads nothing at all is cut off by the socket first."""

Frames = AsyncGenerator[bytes, None]


def frame(event: str, data: str, id_: int | None = None) -> bytes:
    """Return one event on the wire. `data` is JSON on one line."""
    head = f"id: {id_}\n" if id_ is not None else ""
    return f"{head}event: {event}\ndata: {data}\n\n".encode()


def heartbeat() -> bytes:
    """Return the event that says only that the stream lives. It has no id, so that it moves no cursor."""
    return frame("heartbeat", f'{{"ts":"{utc_now().isoformat()}"}}')


def dropped(reason: str) -> bytes:
    """Return the event that says why a stream ends before its time. It has no id: the client resumes where it was."""
    return frame("dropped", f'{{"reason":"{reason}","ts":"{utc_now().isoformat()}"}}')


class SlowReader(Exception):
    """The client did not read for as long as it may. Remedy: it resumes behind the last event that it read."""


class EventStream(Response):
    """A response that sends `frames` with heartbeats in between, and closes them however it ends.

    It ends with its frames, when the server stops, when its key is revoked, or when the client leaves. Frames that
    fail end it too: what was sent stands, and the client resumes behind it. A client that does not read is dropped:
    its frames are let go of, and when it reads again it is told so behind what it was sent before.
    """

    media_type = MEDIA_TYPE

    def __init__(
        self,
        frames: Frames,
        *,
        closing: asyncio.Event,
        beat: float,
        patience: float,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        """`closing` is set when the server stops.

        `beat` is the time between heartbeats, `patience` how long a client may leave what it was sent unread,
        both in seconds.
        """
        super().__init__(headers={**HEADERS, **(headers or {})})
        del self.headers["Content-Length"]
        self._frames = frames
        self._closing = closing
        self._beat = beat
        self._patience = patience
        self._begun = False
        self._dropped = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send everything. Each frame is written whole, so that heartbeats may come from a task of their own."""
        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
        async with contextlib.aclosing(self._frames), anyio.create_task_group() as group:

            async def then_end(part: Callable[[], Awaitable[None]]) -> None:
                await part()
                group.cancel_scope.cancel()

            async def gone() -> None:
                while (await receive())["type"] != "http.disconnect":
                    pass

            async def revoked() -> None:
                await withdrawn.wait()
                await send({"type": "http.response.body", "body": dropped(KEY_REVOKED), "more_body": True})

            group.start_soon(then_end, gone)
            if withdrawn := scope.get("state", {}).get(WITHDRAWN):
                group.start_soon(then_end, revoked)
            await then_end(lambda: self._send_all(send))
        if not self._dropped:
            await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _send_all(self, send: Send) -> None:
        try:
            async with anyio.create_task_group() as group:

                async def beats() -> None:
                    await self._send_beats(send)
                    group.cancel_scope.cancel()

                group.start_soon(beats)
                await self._send_frames(send)
                group.cancel_scope.cancel()
        except* SlowReader:
            await self._say_farewell(send)

    async def _send_frames(self, send: Send) -> None:
        try:
            async for sent in self._frames:
                await self._send(send, sent)
        except SlowReader:
            raise
        except Exception:
            log.warning("event stream broken off", exc_info=True)
            await self._send(send, heartbeat(), hint=True)

    async def _send_beats(self, send: Send) -> None:
        while not self._closing.is_set():
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(self._beat):
                    await self._closing.wait()
            await self._send(send, heartbeat(), hint=self._closing.is_set())

    async def _send(self, send: Send, sent: bytes, *, hint: bool = False) -> None:
        if hint or not self._begun:
            self._begun = True
            sent = RETRY + sent
        try:
            async with asyncio.timeout(self._patience):
                await send({"type": "http.response.body", "body": sent, "more_body": True})
        except TimeoutError as exc:
            raise SlowReader from exc

    async def _say_farewell(self, send: Send) -> None:
        """Tell a client why it was dropped, once it reads again; what fed its stream is let go of at once."""
        log.info("dropped a slow reader")
        self._dropped = True
        await self._frames.aclose()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(FAREWELL_SECONDS):
                last = RETRY + dropped(SLOW_READER)
                await send({"type": "http.response.body", "body": last, "more_body": True})
                await send({"type": "http.response.body", "body": b"", "more_body": False})


def nothing_more() -> Response:
    """Answer a client that has seen the end. By the standard, 204 keeps an EventSource from asking again."""
    return Response(status_code=204, headers=dict(HEADERS), media_type=MEDIA_TYPE)
