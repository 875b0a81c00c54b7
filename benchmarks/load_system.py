"""The system that is put under load, and HTTP that costs the one who loads little."""

import argparse
import asyncio
import contextlib
import tempfile
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path

import psutil
from load_model import answering_slowly
from load_runs import Runs
from search import ingest, ready, service_process

from lovsvar_chassis.broker import make_broker
from lovsvar_chassis.publisher import EventPublisher
from lovsvar_chassis.requester import Requester
from lovsvar_chassis.settings import ServiceSettings
from lovsvar_contracts import subjects
from lovsvar_contracts.ingest import DATASET_LAWS, DATASET_REGULATIONS, DATASET_SAMPLE
from lovsvar_contracts.problems import ProblemError
from lovsvar_contracts.search import CorpusStatus, ReadStatus, SearchMode
from lovsvar_local.embedded import NatsServer, PostgresServer
from lovsvar_testkit.processes import free_port

EMBEDDED_SECONDS = 20.0

Answer = tuple[int, Mapping[str, str], bytes]
"""Status, headers and body."""


class Connection(asyncio.Protocol):
    """A connection on which one request is under way at a time. asyncio's streams would take more than the gateway."""

    def __init__(self) -> None:
        self._data = b""
        self._answer: asyncio.Future[Answer] | None = None
        self.transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Be usable."""
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport

    def connection_lost(self, exc: Exception | None) -> None:
        """Fail what is under way."""
        self.transport = None
        if self._answer and not self._answer.done():
            self._answer.set_exception(exc or EOFError())

    def data_received(self, data: bytes) -> None:
        """Read on."""
        self._data += data
        head, end, body = self._data.partition(b"\r\n\r\n")
        if not end or self._answer is None or self._answer.done():
            return
        lines = head.decode().split("\r\n")
        headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines[1:])}
        if len(body) >= int(headers.get("content-length", 0)):
            self._data = b""
            self._answer.set_result((int(lines[0][9:12]), headers, body))

    async def ask(self, request: bytes) -> Answer:
        """Send `request` and return its answer. Who is cancelled closes the connection, as a client who leaves does."""
        if self.transport is None:
            raise EOFError
        self._answer = asyncio.get_running_loop().create_future()
        self.transport.write(request)
        try:
            return await self._answer
        except asyncio.CancelledError:
            self.transport.abort()
            raise


@dataclass
class System:
    """Where the system that is measured is asked, its processes, and the runs of those who asked questions."""

    requester: Requester
    port: int
    mode: SearchMode
    patience: float
    processes: Mapping[str, psutil.Process]
    runs: Runs | None = None
    idle: list[Connection] = field(default_factory=list)

    async def http(self, head: str, body: bytes = b"") -> Answer:
        """Send a request by its head ("GET /v1/search?q=a") and body. Raises `OSError` and `EOFError`."""
        connection = None
        while self.idle and (connection is None or connection.transport is None):
            connection = self.idle.pop()
        if connection is None or connection.transport is None:
            loop = asyncio.get_running_loop()
            _, connection = await loop.create_connection(Connection, "127.0.0.1", self.port)
        more = f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n" if body else ""
        answer = await connection.ask(f"{head} HTTP/1.1\r\nHost: 127.0.0.1\r\n{more}\r\n".encode() + body)
        self.idle.append(connection)
        return answer


@contextlib.asynccontextmanager
async def running(arguments: argparse.Namespace) -> AsyncIterator[System]:
    """Run the servers, search and the gateway on a corpus, and for questions an agent."""
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="lovsvar-", ignore_cleanup_errors=True)))
        server, postgres = NatsServer(folder / "nats"), PostgresServer(folder / "postgres")
        stack.callback(server.stop)
        nats_url = server.start()
        stack.callback(postgres.stop)
        database_url = postgres.start()
        broker = make_broker(ServiceSettings(nats_url=nats_url), "bench")
        requester = Requester(await stack.enter_async_context(broker))
        filling = {"LOVSVAR_SOURCE": arguments.source} if arguments.source else {}
        port = free_port()
        settings = {
            "search": {"LOVSVAR_INDEX_DIR": str(folder / "index")},
            "agent": await stack.enter_async_context(answering_slowly(arguments.model)),
            # Requests that would wait longer than their callers are refused; none is answered after its caller left.
            "gateway": {
                "LOVSVAR_PORT": str(port),
                "LOVSVAR_QUEUE_SECONDS": str(arguments.queue_seconds),
                "LOVSVAR_QUESTION_SECONDS": str(arguments.patience),
            },
        }
        search = stack.enter_context(service_process("search", nats_url, database_url, **settings["search"]))
        processes = {"load": psutil.Process(), "search": psutil.Process(search.pid)}
        with service_process("ingest", nats_url, database_url, **filling):
            await ingest(nats_url, (DATASET_LAWS, DATASET_REGULATIONS) if arguments.source else (DATASET_SAMPLE,))
            await ready(requester, "search")
            await embedded(requester)
        for name in ("agent", "gateway") if arguments.kind == "question" else ("gateway",):
            service = service_process(name, nats_url, database_url, **settings[name])
            processes[name] = psutil.Process(stack.enter_context(service).pid)
            await ready(requester, name)
        processes |= {
            name: psutil.Process(one.pid) for name, one in (("nats", server), ("postgres", postgres)) if one.pid
        }
        runs = Runs(EventPublisher(broker)) if arguments.kind == "question" else None
        yield System(requester, port, arguments.mode, arguments.patience, processes, runs)


async def embedded(requester: Requester) -> None:
    """Wait for vectors, as long as that is worth it: searches of a large corpus have them of its questions."""
    stop = time.monotonic() + EMBEDDED_SECONDS
    while time.monotonic() < stop:
        with contextlib.suppress(ProblemError):
            status = await requester.ask(subjects.SEARCH_STATUS, ReadStatus(), CorpusStatus)
            if status.provisions and status.embedded >= status.provisions:
                return
        await asyncio.sleep(0.2)
