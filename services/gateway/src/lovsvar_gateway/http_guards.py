"""The outermost middleware: limits of size and time, the trace header, and unexpected errors."""

import asyncio
import contextlib
import re
import time
from collections.abc import Callable

import structlog
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from lovsvar_chassis.budget import Budget, spending
from lovsvar_contracts.case_documents import MOST_PARTS, PART_BYTES
from lovsvar_contracts.case_drafts import MOST_MARKDOWN
from lovsvar_gateway import problems
from lovsvar_gateway.problems import Refusal
from lovsvar_gateway.trace_headers import hide_query, trace_id

log = structlog.get_logger()

MAX_BODY = 64 * 1024  # bytes of a request's body
# Documents are sent on as they come; their service refuses what is above its own limit at the first part too many.
UPLOAD = re.compile(r"/v1/cases/[^/]+/documents|/saker/[^/]+/dokumenter/ny")
MAX_UPLOAD = MOST_PARTS * PART_BYTES + MAX_BODY
# A draft may have as many characters as its contract says, and a form writes some of them with six bytes.
DRAFT = re.compile(r"/v1/cases/[^/]+/drafts.*|/saker/[^/]+/utkast/[^/]+")
MAX_DRAFT = 6 * MOST_MARKDOWN + MAX_BODY
UPLOAD_TIMES = 10  # how much longer than another request an upload may take
READING = frozenset({"GET", "HEAD"})
BODY = frozenset({"content-length", "transfer-encoding"})  # headers of a request with a body
LOOK_SECONDS = 0.1  # from a request's start until its client is watched
_DRAIN_BYTES = 16 * MAX_BODY
_DRAIN_SECONDS = 2.0


class Edge:
    """ASGI middleware. Nothing in it buffers, so that streams pass through as they are."""

    def __init__(self, app: ASGIApp, *, seconds: float) -> None:
        """`seconds` is how long a request may take until its response begins; a stream that has begun goes on.

        It is the budget of requests to other services, too. The work on a read ends when its client leaves.
        """
        self._app = app
        self._seconds = seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, and answer it here when it is too large, too slow or its handler fails."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        if scope["query_string"]:
            hide_query()
        started = False
        most, seconds = bounds_of(scope, self._seconds)
        limit, presence = asyncio.timeout(seconds), Presence(scope, receive)
        budget = Budget(time.monotonic() + seconds)

        async def send_marked(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers["X-Content-Type-Options"] = "nosniff"
                if trace := trace_id():
                    headers["X-Trace-Id"] = trace
            await send(message)

        async def send_in_time(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                budget.lift()
                presence.close()
                # An expired timeout cannot be rescheduled.
                if not limit.expired():
                    limit.reschedule(None)
            await send_marked(message)

        try:
            async with limit:
                presence.watch(limit)
                if refusal := fault_of_body(Headers(scope=scope), most):
                    if refusal is Refusal.TOO_LARGE:
                        await drain(receive)
                    closing = {"Connection": "close"} if refusal is Refusal.MALFORMED else {}
                    await problems.refuse(Request(scope), refusal, headers=closing)(scope, receive, send_in_time)
                else:
                    with spending(budget):
                        await self._app(scope, limited(presence.receive, lambda: started, most), send_in_time)
        except Exception:
            if presence.left and not started:
                return
            if limit.expired() and not started:
                await problems.refuse(Request(scope), Refusal.TOO_LATE)(scope, receive, send_marked)
                return
            log.exception("request failed", path=scope["path"])
            if started:
                raise
            await problems.unexpected(Request(scope))(scope, receive, send_marked)
        finally:
            presence.close()


class Presence:
    """Whether the client of a request still waits; only a request without a body that reads is watched."""

    def __init__(self, scope: Scope, receive: Receive) -> None:
        self._receive = receive
        self._watched = scope["method"] in READING and not BODY.intersection(Headers(scope=scope).keys())
        self._begun = False
        self._timer: asyncio.TimerHandle | None = None
        self._watcher: asyncio.Task[None] | None = None
        self.left = False

    def watch(self, limit: asyncio.Timeout) -> None:
        """Expire `limit` when the client leaves, unless the request is answered at once."""

        def begin() -> None:
            self._watcher = asyncio.create_task(self._wait_until_left(limit))

        if self._watched:
            self._timer = asyncio.get_running_loop().call_later(LOOK_SECONDS, begin)

    async def _wait_until_left(self, limit: asyncio.Timeout) -> None:
        while (await self._receive())["type"] != "http.disconnect":
            pass
        self.left = True
        with contextlib.suppress(RuntimeError):  # It is over already.
            limit.reschedule(asyncio.get_running_loop().time())

    def close(self) -> None:
        """Watch no longer."""
        for watching in (self._timer, self._watcher):
            if watching is not None:
                watching.cancel()

    async def receive(self) -> Message:
        """Return what the client sends to the application. The watcher may have received the empty body before."""
        if self._watched and not self._begun:
            self._begun = True
            return {"type": "http.request", "body": b"", "more_body": False}
        message = await self._receive()
        while self._watched and message["type"] == "http.request":
            message = await self._receive()
        return message


def bounds_of(scope: Scope, seconds: float) -> tuple[int, float]:
    """Return how many bytes a request's body may have, and how many of `seconds` it may take."""
    if scope["method"] == "POST" and UPLOAD.fullmatch(scope["path"]):
        return MAX_UPLOAD, seconds * UPLOAD_TIMES
    if scope["method"] == "POST" and DRAFT.fullmatch(scope["path"]):
        return MAX_DRAFT, seconds
    return MAX_BODY, seconds


def fault_of_body(headers: Headers, most: int = MAX_BODY) -> Refusal | None:
    """Return why a body is refused: its size, or two headers that say where it ends, of which a proxy may use one."""
    length = headers.get("content-length", "0")
    if "transfer-encoding" in headers and "content-length" in headers:
        return Refusal.MALFORMED
    return Refusal.TOO_LARGE if length.isascii() and length.isdigit() and int(length) > most else None


def limited(receive: Receive, started: Callable[[], bool], most: int = MAX_BODY) -> Receive:
    """Return `receive` that raises a 413 for a body above `most` bytes, or disconnects if it has `started`."""
    size = 0

    async def receive_limited() -> Message:
        nonlocal size
        message = await receive()
        size += len(message.get("body", b""))
        if size > most:
            if started():
                return {"type": "http.disconnect"}
            await drain(receive)
            raise HTTPException(413)
        return message

    return receive_limited


async def drain(receive: Receive) -> None:
    """Read on for a while: a client that is still sending would be cut off before it reads the response."""
    size = 0
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(_DRAIN_SECONDS):
            while size < _DRAIN_BYTES:
                message = await receive()
                size += len(message.get("body", b""))
                if not message.get("more_body", False):
                    return
