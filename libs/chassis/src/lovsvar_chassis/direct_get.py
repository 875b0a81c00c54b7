"""Reading a stream by direct get: one request, many replies, and no consumer, of which a server has only so many.

Any replica answers, which may be some milliseconds behind: `get_last_msg` reads the very last from the leader.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass

from nats.aio.client import Client
from nats.errors import NoRespondersError
from nats.js.errors import APIError

MESSAGES = 64
BYTES = 128 * 1024
"""How much of a stream is held at once while it is read, about: the last message may exceed it."""

SECONDS = 2.0


@dataclass(frozen=True)
class Stored:
    """A message as a stream keeps it."""

    sequence: int
    subject: str
    data: bytes


@dataclass(frozen=True)
class Page:
    """Messages in order. `more` is whether others were stored behind them when they were read."""

    messages: tuple[Stored, ...]
    more: bool


async def read_page(connection: Client, stream: str, subject: str, start: int, count: int = MESSAGES) -> Page:
    """Return up to `count` messages of `subject`, which may have wildcards, from stream sequence `start` on.

    Raises `NoRespondersError` without a stream that allows direct gets, and `TimeoutError` after two silent seconds.
    """
    inbox = connection.new_inbox()
    subscription = await connection.subscribe(inbox)
    request = {"batch": count, "max_bytes": BYTES, "seq": max(start, 1), "next_by_subj": subject}
    found: list[Stored] = []
    try:
        await connection.publish(f"$JS.API.DIRECT.GET.{stream}", json.dumps(request).encode(), reply=inbox)
        while True:
            reply = await subscription.next_msg(timeout=SECONDS)
            headers = reply.headers or {}
            if (status := headers.get("Status")) is not None:
                return Page(tuple(found), more=_pending(status, headers) > 0)
            found.append(Stored(int(headers["Nats-Sequence"]), headers["Nats-Subject"], reply.data))
            if "Nats-Num-Pending" not in headers:  # A server before 2.11 knows no batches.
                return Page(tuple(found), more=True)
    finally:
        await subscription.unsubscribe()


def _pending(status: str, headers: Mapping[str, str]) -> int:
    """Return how many messages are behind the last one that was sent."""
    match status:
        case "204":
            return int(headers.get("Nats-Num-Pending", 0))
        case "404":
            return 0
        case "503":
            raise NoRespondersError
        case _:
            raise APIError(code=int(status), description=str(headers.get("Description", "")))
