"""The time that a request may take."""

import asyncio
import contextlib
from typing import Any

from starlette.responses import PlainTextResponse

from lovsvar_gateway.http_guards import Edge

SCOPE = {"type": "http", "method": "GET", "path": "/", "query_string": b"", "headers": [], "state": {}}


async def statuses(app: Any) -> list[int]:
    """Return the status of each answer to one request that has hardly any time."""
    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)

    await Edge(app, seconds=0.01)(dict(SCOPE), asyncio.Event().wait, send)
    return [message["status"] for message in sent if message["type"] == "http.response.start"]


async def test_an_answer_that_does_not_come_is_given_up() -> None:
    async def app(*_: Any) -> None:
        await asyncio.Event().wait()

    assert await statuses(app) == [408]


async def test_an_answer_that_comes_just_when_the_time_is_over_is_sent() -> None:
    async def app(scope: Any, receive: Any, send: Any) -> None:
        # As asyncio's own wait_for does, when what it waits for is ready at the moment at which it is cancelled.
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.Event().wait()
        await PlainTextResponse("late")(scope, receive, send)

    assert await statuses(app) == [200]
