"""Server-sent events: the wire format, and a response that beats, ends in time and lets go of its source.

FastAPI's own EventSourceResponse is not used: its keep-alive is a comment, which a browser's EventSource
cannot see, it ends only with its source, and it puts two more tasks and a buffer behind each stream.
"""

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Mapping

import anyio
import structlog
from starlette.responses import Response, StreamingResponse
from starlette.types import Send

from lovsvar_contracts.message import utc_now

log = structlog.get_logger()

MEDIA_TYPE = "text/event-stream"
RETRY = b"retry: 2000\n"
"""Milliseconds after which a client reconnects. A field of the first frame and of the last, never a frame alone:
some readers take one without data for an empty message."""

HEADERS: Mapping[str, str] = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}

Frames = AsyncGenerator[bytes, None]


def frame(event: str, data: str, id_: int | None = None) -> bytes:
    """Return one event on the wire. `data` is JSON on one line."""
    head = f"id: {id_}\n" if id_ is not None else ""
    return f"{head}event: {event}\ndata: {data}\n\n".encode()


def heartbeat() -> bytes:
    """Return the event that says only that the stream lives. It has no id, so that it moves no cursor."""
    return frame("heartbeat", f'{{"ts":"{utc_now().isoformat()}"}}')


class EventStream(StreamingResponse):
    """A response that sends `frames`, and closes them however it ends."""

    def __init__(
        self, frames: Frames, *, closing: asyncio.Event, beat: float, headers: Mapping[str, str] | None = None
    ) -> None:
        """`closing` is set when the server stops; `beat` is the time between heartbeats in seconds."""
        self._paced = paced(frames, closing, beat)
        super().__init__(self._paced, headers={**HEADERS, **(headers or {})}, media_type=MEDIA_TYPE)

    async def stream_response(self, send: Send) -> None:
        """Send everything, then close the source, also when the client went away in between."""
        async with contextlib.aclosing(self._paced):
            await super().stream_response(send)


def nothing_more() -> Response:
    """Answer a client that has seen the end. By the standard, 204 keeps an EventSource from asking again."""
    return Response(status_code=204, headers=dict(HEADERS), media_type=MEDIA_TYPE)


async def paced(frames: Frames, closing: asyncio.Event, beat: float) -> Frames:
    """Yield `frames` with heartbeats in between; end with them, or when `closing` is set.

    A source that fails ends the stream too: what was sent stands, and the client resumes behind it.
    """
    loop = asyncio.get_running_loop()
    due = loop.time() + beat
    upcoming = asyncio.ensure_future(anext(frames))
    closed = asyncio.ensure_future(closing.wait())
    hint = RETRY
    try:
        while not closed.done():
            await asyncio.wait(
                {upcoming, closed}, timeout=max(0.0, due - loop.time()), return_when=asyncio.FIRST_COMPLETED
            )
            if loop.time() >= due:
                due = loop.time() + beat
                yield hint + heartbeat()
                hint = b""
            if upcoming.done():
                yield hint + upcoming.result()
                hint = b""
                upcoming = asyncio.ensure_future(anext(frames))
        yield RETRY + heartbeat()
    except StopAsyncIteration:
        return
    except Exception:
        log.warning("event stream broken off", exc_info=True)
        yield RETRY + heartbeat()
    finally:
        with anyio.CancelScope(shield=True):
            closed.cancel()
            upcoming.cancel()
            await asyncio.gather(upcoming, closed, return_exceptions=True)
            await frames.aclose()
