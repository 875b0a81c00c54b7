"""Reading a stream of server-sent events by the letter of the format, independent of the product's client."""

import json
import time
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from typing import Any

import httpx2


@dataclass(frozen=True)
class ServerSentEvent:
    """One event as it came: `id` is empty and `data` is None where the stream had none."""

    id: str
    event: str
    data: Any


def stream(
    client: httpx2.Client, path: str, *, timeout: float = 60.0, **headers: str
) -> Generator[ServerSentEvent, None, None]:
    """Yield each event of a stream, heartbeats too, until the server ends it. Raises `TimeoutError` after `timeout`."""
    deadline = time.monotonic() + timeout
    with client.stream("GET", path, headers={"Accept": "text/event-stream", **headers}) as response:
        if response.is_error:
            response.read()
            raise AssertionError(f"{path}: {response.status_code} {response.text}")
        fields: dict[str, str] = {}
        for line in response.iter_lines():
            if time.monotonic() > deadline:
                raise TimeoutError(f"{path} went on for {timeout} s")
            if line:
                name, _, value = line.partition(":")
                fields[name] = value.removeprefix(" ")
            elif fields:
                data = json.loads(fields["data"]) if "data" in fields else None
                if data is not None:
                    yield ServerSentEvent(fields.get("id", ""), fields.get("event", "message"), data)
                fields = {}


def events(client: httpx2.Client, path: str, *, after: str = "", timeout: float = 60.0) -> Iterator[dict[str, Any]]:
    """Yield the data of each event but heartbeats, from the one behind `after` on."""
    headers = {"Last-Event-ID": after} if after else {}
    for event in stream(client, path, timeout=timeout, **headers):
        if event.event != "heartbeat":
            if event.event != event.data["type"]:
                raise AssertionError(f"event {event.event} carries {event.data['type']}")
            yield event.data
