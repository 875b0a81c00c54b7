"""What is answered when far more is asked than can be: goodput against offered load, up to ten times capacity.

    uv run python benchmarks/load.py                                      # searches of the bundled sample
    uv run python benchmarks/load.py --source FOLDER --mode lexical --by nats

Capacity is what callers get who each ask again at once. Then requests come at random moments (Poisson, seeded), so many
times capacity, whether earlier ones were answered or not: over HTTP by the gateway, and over NATS straight to the
service. A caller waits `--patience` seconds and leaves. Goodput is what was answered while its caller waited, a second
of offering. Refused counts what was told when to ask again, late whose callers left or were told that it took too long.
Memory (MB, highest of the step) and processor time (share of a core) are of each process.
"""

import argparse
import asyncio
import contextlib
import itertools
import json
import random
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import psutil
from search import ASKED_FILES, ingest, ready, service_process

from lovsvar_chassis.broker import make_broker
from lovsvar_chassis.requests import Requester
from lovsvar_chassis.settings import ServiceSettings
from lovsvar_contracts import subjects
from lovsvar_contracts.ingest import DATASET_LAWS, DATASET_REGULATIONS, DATASET_SAMPLE
from lovsvar_contracts.problems import ProblemError, ProblemType
from lovsvar_contracts.search import CorpusStatus, FindProvisions, ProvisionHits, ReadStatus, SearchMode
from lovsvar_ingest.adapters.everyday_files import read_everyday
from lovsvar_local.embedded import NatsServer, PostgresServer
from lovsvar_testkit.processes import free_port

CALLERS = 16
EMBEDDED_SECONDS = 20.0
SAMPLE_SECONDS = 0.25


class Outcome(StrEnum):
    """What became of a request."""

    ANSWERED = "answered"
    REFUSED = "refused"
    LATE = "late"
    FAILED = "failed"


Ask = Callable[[str], Awaitable[Outcome]]
"""Asks one question."""


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
    """Where the system that is measured is asked, and its processes."""

    requester: Requester
    port: int
    mode: SearchMode
    patience: float
    processes: Mapping[str, psutil.Process]
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


def search_by_http(system: System) -> Ask:
    """Return what searches through the gateway."""

    async def ask(query: str) -> Outcome:
        head = "GET /v1/search?" + urlencode({"q": query, "mode": system.mode})
        status, headers, _ = await system.http(head)
        return outcome_of(status, headers)

    return ask


def search_by_nats(system: System) -> Ask:
    """Return what asks the search service itself."""

    async def ask(query: str) -> Outcome:
        request = FindProvisions(query=query, mode=system.mode)
        try:
            await system.requester.ask(subjects.SEARCH_PROVISIONS, request, ProvisionHits, timeout=system.patience)
        except ProblemError as exc:
            told = exc.problem
            refused = told.type is ProblemType.UNAVAILABLE and getattr(told, "retry_after", None) is not None
            late = Outcome.LATE if told.type is ProblemType.TIMEOUT else Outcome.FAILED
            return Outcome.REFUSED if refused else late
        return Outcome.ANSWERED

    return ask


def outcome_of(status: int, headers: Mapping[str, str]) -> Outcome:
    """Return what a response says of its request."""
    if status < 300:
        return Outcome.ANSWERED
    if status in (429, 503) and "retry-after" in headers:
        return Outcome.REFUSED
    return Outcome.LATE if status in (408, 504) else Outcome.FAILED


KINDS: Mapping[str, Mapping[str, Callable[[System], Ask]]] = {
    "search": {"http": search_by_http, "nats": search_by_nats},
}
"""What may be asked, and of each the ways to ask it."""


@dataclass
class Step:
    """What became of the requests of one step."""

    offered: int = 0
    seconds: float = 0.0
    outcomes: Counter[Outcome] = field(default_factory=Counter)
    answered_ms: list[float] = field(default_factory=list)
    refused_ms: list[float] = field(default_factory=list)
    memory: dict[str, float] = field(default_factory=dict)
    cores: dict[str, float] = field(default_factory=dict)

    async def ask(self, ask: Ask, query: str, patience: float) -> None:
        """Ask, and note what becomes of it."""
        began = time.perf_counter()
        try:
            async with asyncio.timeout(patience):
                outcome = await ask(query)
        except TimeoutError:
            outcome = Outcome.LATE
        except (OSError, EOFError):
            outcome = Outcome.FAILED
        self.outcomes[outcome] += 1
        took = (time.perf_counter() - began) * 1000
        if outcome is Outcome.ANSWERED:
            self.answered_ms.append(took)
        elif outcome is Outcome.REFUSED:
            self.refused_ms.append(took)

    @property
    def goodput(self) -> float:
        """Answers a second."""
        return self.outcomes[Outcome.ANSWERED] / self.seconds

    def report(self) -> dict[str, Any]:
        """Return the step as it is printed."""
        total = max(1, self.offered)
        return {
            "offered_s": round(self.offered / self.seconds, 1),
            "goodput_s": round(self.goodput, 1),
            **{f"{o}_%": round(100 * self.outcomes[o] / total, 1) for o in Outcome if o is not Outcome.ANSWERED},
            "p50_ms": percentile(self.answered_ms, 0.5),
            "p99_ms": percentile(self.answered_ms, 0.99),
            "refused_p50_ms": percentile(self.refused_ms, 0.5),
            "memory_mb": self.memory,
            "cores": self.cores,
        }


def percentile(times: list[float], share: float) -> float | None:
    """Return a percentile, None of nothing."""
    return round(sorted(times)[int((len(times) - 1) * share)], 1) if times else None


async def closed(ask: Ask, queries: Iterator[str], seconds: float, patience: float) -> Step:
    """Have callers ask who each ask again at once."""
    step, stop = Step(), time.perf_counter() + seconds

    async def caller() -> None:
        while time.perf_counter() < stop:
            step.offered += 1
            await step.ask(ask, next(queries), patience)

    began = time.perf_counter()
    await asyncio.gather(*(caller() for _ in range(CALLERS)))
    step.seconds = time.perf_counter() - began
    return step


async def opened(
    system: System, ask: Ask, queries: Iterator[str], rate: float, seconds: float, chance: random.Random
) -> Step:
    """Have requests come at `rate` a second, and wait until each has an outcome."""
    step, asking = Step(seconds=seconds), set[asyncio.Task[None]]()
    watching = asyncio.create_task(watch(system, step))
    began = due = time.perf_counter()
    while (due := due + chance.expovariate(rate)) < began + seconds:
        if (wait := due - time.perf_counter()) > 0:
            await asyncio.sleep(wait)
        elif step.offered % 16 == 0:
            await asyncio.sleep(0)
        step.offered += 1
        task = asyncio.create_task(step.ask(ask, next(queries), system.patience))
        asking.add(task)
        task.add_done_callback(asking.discard)
    step.seconds = max(seconds, time.perf_counter() - began)
    watching.cancel()
    if asking:
        await asyncio.wait(asking)
    return step


async def watch(system: System, step: Step) -> None:
    """Note memory and processor time of each process, until cancelled."""
    began, used = time.perf_counter(), {name: cpu_seconds(process) for name, process in system.processes.items()}
    while True:
        for name, process in system.processes.items():
            rss = process.memory_info().rss / 1e6
            step.memory[name] = round(max(rss, step.memory.get(name, 0.0)), 1)
        await asyncio.sleep(SAMPLE_SECONDS)
        passed = time.perf_counter() - began
        for name, process in system.processes.items():
            step.cores[name] = round((cpu_seconds(process) - used[name]) / passed, 2)


def cpu_seconds(process: psutil.Process) -> float:
    """Return the processor time of a process so far."""
    times = process.cpu_times()
    return float(times.user + times.system)


@contextlib.asynccontextmanager
async def running(arguments: argparse.Namespace) -> AsyncIterator[System]:
    """Run the servers, search and the gateway on a corpus."""
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
        port, index = free_port(), str(folder / "index")
        search = stack.enter_context(service_process("search", nats_url, database_url, LOVSVAR_INDEX_DIR=index))
        with service_process("ingest", nats_url, database_url, **filling):
            await ingest(nats_url, (DATASET_LAWS, DATASET_REGULATIONS) if arguments.source else (DATASET_SAMPLE,))
            await ready(requester, "search")
            await embedded(requester)
        gateway = stack.enter_context(service_process("gateway", nats_url, database_url, LOVSVAR_PORT=str(port)))
        await ready(requester, "gateway")
        processes = {
            "load": psutil.Process(),
            "search": psutil.Process(search.pid),
            "gateway": psutil.Process(gateway.pid),
        }
        if server.pid:
            processes["nats"] = psutil.Process(server.pid)
        yield System(requester, port, arguments.mode, arguments.patience, processes)


async def embedded(requester: Requester) -> None:
    """Wait for vectors, as long as that is worth it: searches of a large corpus have them of its questions."""
    stop = time.monotonic() + EMBEDDED_SECONDS
    while time.monotonic() < stop:
        with contextlib.suppress(ProblemError):
            status = await requester.ask(subjects.SEARCH_STATUS, ReadStatus(), CorpusStatus)
            if status.provisions and status.embedded >= status.provisions:
                return
        await asyncio.sleep(0.2)


async def measure(system: System, arguments: argparse.Namespace) -> dict[str, Any]:
    """Return capacity and steps of each way to ask."""
    chance = random.Random(arguments.seed)
    asked = [one.question for one in read_everyday(names=ASKED_FILES)]
    chance.shuffle(asked)
    # Each is asked once in a while only: what was asked lately is remembered.
    queries = itertools.cycle(asked)
    report: dict[str, Any] = {}
    for by in arguments.by:
        ask = KINDS[arguments.kind][by](system)
        await closed(ask, queries, 1.0, arguments.patience)
        capacity = arguments.capacity or (await closed(ask, queries, arguments.seconds, arguments.patience)).goodput
        steps = []
        for times in arguments.times:
            step = await opened(system, ask, queries, capacity * times, arguments.seconds, chance)
            steps.append({"times": times, **step.report()})
            if not arguments.json:
                print(by, json.dumps(steps[-1]), flush=True)
        best = max(one["goodput_s"] for one in steps)
        report[by] = {
            "capacity_s": round(capacity, 1),
            "steps": steps,
            "kept_%": round(100 * min(one["goodput_s"] for one in steps if one["times"] >= 1) / max(best, 0.1)),
        }
    return report


async def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kind", choices=KINDS, default="search")
    parser.add_argument("--source", help="folder or address of the archives; else the bundled sample")
    parser.add_argument("--mode", type=SearchMode, choices=list(SearchMode), default=SearchMode.HYBRID)
    parser.add_argument("--by", nargs="+", choices=("http", "nats"), default=["http", "nats"])
    parser.add_argument("--times", type=float, nargs="+", default=[0.5, 1.0, 2.0, 5.0, 10.0], help="of capacity")
    parser.add_argument("--capacity", type=float, help="requests a second that count as capacity; else measured")
    parser.add_argument("--seconds", type=float, default=5.0, help="how long each step offers")
    parser.add_argument("--patience", type=float, default=5.0, help="seconds that a caller waits")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    arguments = parser.parse_args()
    async with running(arguments) as system:
        report = await measure(system, arguments)
    if arguments.json:
        print(json.dumps(report))
        return
    for by, measured in report.items():
        print(
            f"{by}: capacity {measured['capacity_s']} a second; at capacity and above, goodput stays at or above "
            f"{measured['kept_%']} % of its best"
        )


if __name__ == "__main__":
    asyncio.run(main())
