"""A server on this machine that speaks Serper's format and answers what a test tells it to."""

import json
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest


@dataclass(frozen=True)
class Request:
    """A request as the server saw it."""

    path: str
    key: str | None
    body: dict[str, Any]


class Serper:
    """What the server was asked, and what it will answer: replies in order, the last one again and again."""

    def __init__(self) -> None:
        self.url = ""
        self.requests: list[Request] = []
        self.released = threading.Event()
        self._replies: list[tuple[int | None, bytes]] = []

    def finds(self, *results: dict[str, Any]) -> None:
        """Answer with these results, each in the form {"title", "link", "snippet"}."""
        reply = {"searchParameters": {"type": "search"}, "organic": results, "credits": 1}
        self.says(200, json.dumps(reply).encode())

    def says(self, status: int, body: bytes = b'{"message": "no"}') -> None:
        """Answer with this status and body."""
        self._replies.append((status, body))

    def hangs_up(self) -> None:
        """Close the connection without an answer."""
        self._replies.append((None, b"hang up"))

    def stalls(self) -> None:
        """Answer nothing until the test is over."""
        self._replies.append((None, b"stall"))

    def next_reply(self, request: Request) -> tuple[int | None, bytes]:
        self.requests.append(request)
        return self._replies.pop(0) if len(self._replies) > 1 else self._replies[0]


@pytest.fixture
def serper() -> Iterator[Serper]:
    state = Serper()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            status, reply = state.next_reply(Request(self.path, self.headers.get("X-API-KEY"), body))
            if status is None:
                if reply == b"stall":
                    state.released.wait(30)
                self.close_connection = True
                return
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(reply)))
            self.end_headers()
            self.wfile.write(reply)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    state.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield state
    state.released.set()
    server.shutdown()
    server.server_close()
    thread.join()
