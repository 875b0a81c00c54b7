"""A stand-in for Serper on this machine: its replies in order, the last again and again, or by `answers_by`."""

import contextlib
import json
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Literal

NO: Mapping[str, str] = {}
REFUSAL = b'{"message": "Unauthorized.", "statusCode": 403}'

Trouble = Literal["", "hang up", "cut", "stall", "stall in the body", "endless"]


@dataclass(frozen=True)
class SerperRequest:
    """A request as the server saw it; `at` is by `time.monotonic()`."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: dict[str, Any]
    at: float

    @property
    def key(self) -> str | None:
        """The key that was sent."""
        return self.headers.get("x-api-key")


@dataclass(frozen=True)
class SerperReply:
    """What is answered: a status and a body, and what goes wrong meanwhile."""

    status: int = 200
    body: bytes = b"{}"
    headers: Mapping[str, str] = field(default_factory=dict)
    trouble: Trouble = ""


@dataclass
class Serper:
    """What the server was asked, and what it will answer. `url` is what `LOVSVAR_SERPER_URL` is set to."""

    url: str
    requests: list[SerperRequest] = field(default_factory=list)
    _replies: list[SerperReply] = field(default_factory=list)
    _decide: Callable[[SerperRequest], SerperReply] | None = None
    _changed: threading.Condition = field(default_factory=threading.Condition)
    _over: threading.Event = field(default_factory=threading.Event)

    def finds(self, *results: Mapping[str, Any]) -> None:
        """Answer with these results, each in the form {"title", "link", "snippet"}."""
        self._replies.append(found(*results))

    def plays(self, file: Path) -> None:
        """Answer with the JSON in `file`."""
        self.says(200, file.read_bytes())

    def says(self, status: int, body: bytes = REFUSAL, headers: Mapping[str, str] = NO) -> None:
        """Answer with this status, body and headers."""
        self._replies.append(SerperReply(status, body, headers))

    def hangs_up(self) -> None:
        """Close the connection without an answer."""
        self._replies.append(SerperReply(trouble="hang up"))

    def cuts_off(self) -> None:
        """Close the connection in the middle of the body."""
        self._replies.append(SerperReply(body=found(*[{"link": "https://lovdata.no/"}] * 50).body, trouble="cut"))

    def stalls(self) -> None:
        """Answer nothing until the test is over."""
        self._replies.append(SerperReply(trouble="stall"))

    def stalls_in_the_body(self) -> None:
        """Begin an answer, and say no more until the test is over."""
        self._replies.append(SerperReply(body=found().body, trouble="stall in the body"))

    def never_ends(self) -> None:
        """Send a body without an end, until the reader goes away or the test is over."""
        self._replies.append(SerperReply(trouble="endless"))

    def answers_by(self, decide: Callable[[SerperRequest], SerperReply]) -> None:
        """Answer each request with what `decide` returns for it."""
        self._decide = decide

    def wait_for(self, number: int, timeout: float = 20.0) -> None:
        """Return when `number` requests have come. Raises `TimeoutError`. Call it in a thread."""
        with self._changed:
            if not self._changed.wait_for(lambda: len(self.requests) >= number, timeout):
                raise TimeoutError(f"{len(self.requests)} of {number} requests came")

    def take(self, request: SerperRequest) -> SerperReply:
        """Note a request and return what it is answered with."""
        with self._changed:
            self.requests.append(request)
            self._changed.notify_all()
            if self._decide is not None:
                return self._decide(request)
            if not self._replies:
                return SerperReply(500, b"the test has not said what to answer")
            return self._replies.pop(0) if len(self._replies) > 1 else self._replies[0]

    def rest(self) -> None:
        """Return when the test is over."""
        self._over.wait(60)

    @property
    def over(self) -> bool:
        """Whether the test is over."""
        return self._over.is_set()

    def end(self) -> None:
        """Say that the test is over."""
        self._over.set()


def found(*results: Mapping[str, Any]) -> SerperReply:
    """Return a reply with these results."""
    placed = [{**result, "position": place} for place, result in enumerate(results, 1)]
    reply = {"searchParameters": {"type": "search", "engine": "google"}, "organic": placed, "credits": 1}
    return SerperReply(200, json.dumps(reply, ensure_ascii=False).encode())


@contextlib.contextmanager
def standing_in_for_serper() -> Iterator[Serper]:
    """Run the stand-in on the loopback interface."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers.get("Content-Length", 0))) or b"{}")
            headers = {name.lower(): value for name, value in self.headers.items()}
            reply = serper.take(SerperRequest(self.command, self.path, headers, body, time.monotonic()))
            # A client that gives up is what some tests are about.
            with contextlib.suppress(OSError):
                _send(self, reply, serper)

        do_GET = do_POST  # noqa: N815 - as inherited

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - as inherited
            """Say nothing."""

    class Server(ThreadingHTTPServer):
        request_queue_size = 128
        daemon_threads = True

    server = Server(("127.0.0.1", 0), Handler)
    serper = Serper(f"http://127.0.0.1:{server.server_port}")
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield serper
    finally:
        serper.end()
        server.shutdown()
        server.server_close()
        thread.join()


def _send(handler: BaseHTTPRequestHandler, reply: SerperReply, serper: Serper) -> None:
    handler.close_connection = True
    if reply.trouble == "stall":
        serper.rest()
    if reply.trouble in {"stall", "hang up"}:
        return
    handler.send_response(reply.status)
    for name, value in {"Content-Type": "application/json", **reply.headers}.items():
        handler.send_header(name, value)
    if reply.trouble != "endless":
        handler.send_header("Content-Length", str(len(reply.body)))
    handler.end_headers()
    if reply.trouble == "":
        handler.wfile.write(reply.body)
        return
    handler.wfile.write(reply.body[: len(reply.body) // 2])
    handler.wfile.flush()
    if reply.trouble == "stall in the body":
        serper.rest()
    while reply.trouble == "endless" and not serper.over:
        handler.wfile.write(b" " * 65_536)
