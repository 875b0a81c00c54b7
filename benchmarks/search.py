"""How fast search is over the full corpus, asked as others ask it: through NATS.

    uv run python benchmarks/search.py --source FOLDER            # fills a temporary database first
    uv run python benchmarks/search.py --database-url URL         # uses one that is filled

Prints latencies, and how many raw NATS echoes of 5 KB go into them, so that they mean something on another
machine. A virtual machine may give twice as much one minute as the next: each kind of request is measured in rounds, in
which an echo is too, and all are counted. The p50 of the calmest round is printed too, as does what a fixed piece of
Python took, at least and at most. `--json` prints one object instead.

Hybrid search is asked everyday questions, each once, since the vector of a question is remembered; it is as fast as it
has vectors to look through, whose number is printed.
"""

import argparse
import asyncio
import contextlib
import itertools
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import nats
import psutil
from nats.aio.msg import Msg

from lovsvar_chassis.broker import make_broker
from lovsvar_chassis.publisher import EventPublisher
from lovsvar_chassis.requester import Requester
from lovsvar_chassis.settings import ServiceSettings
from lovsvar_contracts import subjects
from lovsvar_contracts.health import ReadHealth, ServiceHealth
from lovsvar_contracts.ingest import (
    DATASET_LAWS,
    DATASET_REGULATIONS,
    SyncCompleted,
    SyncFailed,
    SyncRequested,
    sync_event_adapter,
)
from lovsvar_contracts.problems import ProblemError
from lovsvar_contracts.search import (
    CorpusStatus,
    FindProvisions,
    Outline,
    ProvisionHits,
    ProvisionRef,
    Provisions,
    ReadOutline,
    ReadProvisions,
    ReadStatus,
    SearchMode,
)
from lovsvar_ingest.adapters.everyday_files import read_everyday
from lovsvar_local.embedded import NatsServer, PostgresServer

ECHO = "bench.echo"
LOAD_SECONDS = 5.0
ASKED_FILES = "[!d]*.tsv"
"""Everyday questions as people ask them, some twenty tokens; those of drawn provisions are twice as long."""

HYBRID_STRIDE = 25
"""One in so many everyday questions is asked of hybrid search, so that all fields of law are."""

ROUNDS = 5

ARBEIDSMILJOLOVEN = "lov/2005-06-17-62"
QUERIES = (
    "Hvor mye kan utleier kreve i depositum?",
    "oppsigelsestid fast ansatt prøvetid",
    "Kan naboen sette opp gjerde uten å spørre?",
    "reklamasjonsfrist forbrukerkjøp",
    "Når foreldes et pengekrav?",
    "husleieloven § 3-5",
    "rett til innsyn i egen pasientjournal",
    "Hvem arver når det ikke finnes testament?",
    "avkjøring vikeplikt rundkjøring",
    "taushetsplikt for ansatte i kommunen",
    "krav til rømningsvei i bygg",
    "Kor lang ferie har ein arbeidstakar rett til?",
    "erstatning ved forsinket fly",
    "personvern samtykke barn alder",
    "dispensasjon fra reguleringsplan",
    "hvilende bevilling servering av alkohol",
    "meldeplikt ved endring av enkeltpersonforetak",
    "Kan arbeidsgiver trekke i lønn for skade på utstyr?",
    "fartsgrense tettbygd strøk moped",
    "vilkår for separasjon og skilsmisse",
)


@dataclass(frozen=True)
class SearchProcess:
    """A search service that runs, and how long it took to become ready."""

    process: subprocess.Popen[bytes]
    ready_seconds: float

    @property
    def rss_mb(self) -> float:
        """Resident memory in MB (10^6 bytes)."""
        return psutil.Process(self.process.pid).memory_info().rss / 1e6

    @property
    def cpu_seconds(self) -> float:
        """Processor time so far: unlike a latency, it hardly depends on what else the machine does."""
        times = psutil.Process(self.process.pid).cpu_times()
        return float(times.user + times.system)


def add_corpus_arguments(parser: argparse.ArgumentParser) -> argparse._MutuallyExclusiveGroup:
    """Add the arguments that say where the corpus comes from; return their group, of which one is required."""
    which = parser.add_mutually_exclusive_group(required=True)
    which.add_argument("--source", help="folder or address of the archives; ingested into temporary servers")
    which.add_argument("--database-url", help="a database that has been filled")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    return which


@contextlib.asynccontextmanager
async def corpus(arguments: argparse.Namespace) -> AsyncIterator[tuple[str, str]]:
    """Yield the URLs of a nats-server and of a filled database."""
    with tempfile.TemporaryDirectory(prefix="lovsvar-bench-", ignore_cleanup_errors=True) as folder:
        server = NatsServer(Path(folder) / "nats")
        postgres = PostgresServer(Path(folder) / "postgres")
        try:
            nats_url = server.start()
            if arguments.database_url:
                yield nats_url, arguments.database_url
            else:
                database_url = postgres.start()
                with service_process("ingest", nats_url, database_url, LOVSVAR_SOURCE=arguments.source):
                    await ingest(nats_url)
                yield nats_url, database_url
        finally:
            postgres.stop()
            server.stop()


@contextlib.contextmanager
def python_process(code: str, *arguments: str, **environment: str) -> Iterator[subprocess.Popen[bytes]]:
    """Run Python code as a process of its own until the block ends."""
    process = subprocess.Popen(
        [sys.executable, "-c", code, *arguments], env=os.environ | environment, stdin=subprocess.DEVNULL
    )
    try:
        yield process
    finally:
        process.terminate()
        process.wait(15)


def service_process(
    name: str, nats_url: str, database_url: str, **more: str
) -> contextlib.AbstractContextManager[subprocess.Popen[bytes]]:
    """Run a service as a process of its own until the block ends."""
    return python_process(
        f"from lovsvar_{name}.app import main; main()",
        LOVSVAR_NATS_URL=nats_url,
        LOVSVAR_DATABASE_URL=database_url,
        LOVSVAR_LOG_LEVEL="ERROR",
        **more,
    )


async def ingest(nats_url: str, datasets: Sequence[str] = (DATASET_LAWS, DATASET_REGULATIONS)) -> None:
    """Sync data sets and wait until they are stored."""
    broker = make_broker(ServiceSettings(nats_url=nats_url), "bench")
    async with broker:
        await ready(Requester(broker), "ingest")
        for dataset in datasets:
            request, ended = SyncRequested(dataset=dataset), asyncio.get_running_loop().create_future()

            async def heard(message: Msg, ended: asyncio.Future[object] = ended) -> None:
                event = sync_event_adapter.validate_json(message.data)
                if isinstance(event, SyncCompleted | SyncFailed) and not ended.done():
                    ended.set_result(event)

            subscription = await broker.connection.subscribe(subjects.ingest_progress(request.sync_id), cb=heard)
            await EventPublisher(broker).publish(subjects.INGEST_REQUESTED, request)
            event = await ended
            await subscription.unsubscribe()
            if isinstance(event, SyncFailed):
                raise SystemExit(event.detail)


async def ready(requester: Requester, service: str, seconds: float = 120.0, replicas: int = 1) -> None:
    """Wait until that many of a service say that they are ready."""
    deadline = time.monotonic() + seconds
    instances: set[str] = set()
    while time.monotonic() < deadline:
        with contextlib.suppress(ProblemError):
            health = await requester.ask(subjects.health(service), ReadHealth(), ServiceHealth, timeout=1)
            if health.ready:
                instances.add(health.instance)
            if len(instances) >= replicas:
                return
        await asyncio.sleep(0.02)
    raise SystemExit(f"{service} did not become ready in {seconds:.0f} s")


@contextlib.asynccontextmanager
async def search_process(
    nats_url: str, database_url: str, index: Path
) -> AsyncIterator[tuple[SearchProcess, Requester]]:
    """Run search on an index folder; yield it, ready, and somebody to ask it."""
    broker = make_broker(ServiceSettings(nats_url=nats_url), "bench")
    async with broker:
        requester = Requester(broker)
        began = time.perf_counter()
        with service_process("search", nats_url, database_url, LOVSVAR_INDEX_DIR=str(index)) as process:
            await ready(requester, "search")
            yield SearchProcess(process, time.perf_counter() - began), requester


def python_ms() -> float:
    """Return the milliseconds that a fixed piece of Python takes at the moment."""
    times = []
    for _ in range(5):
        began = time.perf_counter()
        counts: dict[int, int] = {}
        for number in range(60_000):
            counts[number % 100] = counts.get(number % 100, 0) + number
        times.append((time.perf_counter() - began) * 1000)
    return statistics.median(times)


async def timed(calls: int, call: Callable[[], Awaitable[object]], before: int = 20) -> list[float]:
    """Return the milliseconds of each of `calls` calls, sorted, after some `before` that are not counted."""
    for _ in range(before):
        await call()
    times = []
    for _ in range(calls):
        began = time.perf_counter()
        await call()
        times.append((time.perf_counter() - began) * 1000)
    return sorted(times)


ECHO_PROGRAM = f"""
import asyncio, nats, sys
async def echo(message):
    await message.respond(message.data)
async def main():
    connection = await nats.connect(sys.argv[1])
    await connection.subscribe({ECHO!r}, cb=echo)
    await asyncio.Event().wait()
asyncio.run(main())
"""


async def echo_times(nats_url: str) -> list[float]:
    """Return the times of a raw nats-py echo of 5 KB in a process of its own."""
    connection = await nats.connect(nats_url)
    with python_process(ECHO_PROGRAM, nats_url):
        for _ in range(200):
            with contextlib.suppress(nats.errors.Error):
                await connection.request(ECHO, b"x", timeout=1)
                break
            await asyncio.sleep(0.05)
        times = await timed(500, lambda: connection.request(ECHO, b"x" * 5_000, timeout=5))
    await connection.close()
    return times


async def queries_a_second(requester: Requester, callers: int, seconds: float) -> float:
    """Return how many searches by words a second are answered to `callers` who each ask again at once."""
    queries = itertools.cycle(QUERIES)
    answered = 0
    stop = time.perf_counter() + seconds

    async def caller() -> None:
        nonlocal answered
        while time.perf_counter() < stop:
            await find(requester, next(queries), SearchMode.LEXICAL)
            answered += 1

    began = time.perf_counter()
    await asyncio.gather(*(caller() for _ in range(callers)))
    return answered / (time.perf_counter() - began)


async def find(requester: Requester, query: str, mode: SearchMode) -> ProvisionHits:
    """Search for provisions."""
    return await requester.ask(subjects.SEARCH_PROVISIONS, FindProvisions(query=query, mode=mode), ProvisionHits)


async def measure(nats_url: str, requester: Requester) -> dict[str, Any]:
    """Return what each kind of request takes, in milliseconds and in echoes, and what a fixed piece of Python does."""
    queries, questions = itertools.cycle(QUERIES), iter(read_everyday(names=ASKED_FILES)[::HYBRID_STRIDE])
    outline = await requester.ask(subjects.SEARCH_OUTLINE, ReadOutline(refid=ARBEIDSMILJOLOVEN), Outline)
    entries = [entry for node in outline.children for entry in node.provisions][:50]
    refs = tuple(ProvisionRef(refid=ARBEIDSMILJOLOVEN, section=entry.section) for entry in entries)

    def lexical() -> Awaitable[object]:
        return find(requester, next(queries), SearchMode.LEXICAL)

    def hybrid() -> Awaitable[object]:
        return find(requester, next(questions).question, SearchMode.HYBRID)

    def read(count: int) -> Awaitable[object]:
        return requester.ask(subjects.SEARCH_READ, ReadProvisions(refs=refs[:count]), Provisions)

    def contents() -> Awaitable[object]:
        return requester.ask(subjects.SEARCH_OUTLINE, ReadOutline(refid=ARBEIDSMILJOLOVEN), Outline)

    measuring: dict[str, Callable[[], Awaitable[list[float]]]] = {
        "nats echo": lambda: echo_times(nats_url),
        "lexical": lambda: timed(200, lexical, 5),
        "hybrid": lambda: timed(60, hybrid, 5),
        "read one": lambda: timed(60, lambda: read(1), 5),
        "read fifty": lambda: timed(40, lambda: read(50), 5),
        "outline": lambda: timed(40, contents, 5),
    }
    rounds: dict[str, list[list[float]]] = {name: [] for name in measuring}
    python = [python_ms()]
    for _ in range(ROUNDS):
        for name, measured in measuring.items():
            rounds[name].append(await measured())
            python.append(python_ms())
    report = {}
    echoes = [statistics.median(one) for one in rounds["nats echo"]]
    for name, times in rounds.items():
        every, medians = sorted(itertools.chain(*times)), [statistics.median(one) for one in times]
        report[name] = {
            "p50": round(statistics.median(every), 2),
            "p99": round(every[int(len(every) * 0.99)], 2),
            "calmest": round(min(medians), 2),
            "echoes": round(statistics.median(ms / echo for ms, echo in zip(medians, echoes, strict=True)), 1),
        }
    return {"ms": report, "python_ms": [round(min(python), 1), round(max(python), 1)]}


async def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    add_corpus_arguments(parser)
    parser.add_argument("--callers", type=int, default=32)
    arguments = parser.parse_args()
    report: dict[str, Any] = {}
    async with corpus(arguments) as (nats_url, database_url):
        with tempfile.TemporaryDirectory(prefix="lovsvar-bench-index-") as index:
            async with search_process(nats_url, database_url, Path(index)) as (search, _):
                report["build_s"], report["rss_after_build_mb"] = round(search.ready_seconds, 2), round(search.rss_mb)
                report["build_cpu_s"] = round(search.cpu_seconds, 2)
            async with search_process(nats_url, database_url, Path(index)) as (search, requester):
                report["restart_s"] = round(search.ready_seconds, 2)
                status = await requester.ask(subjects.SEARCH_STATUS, ReadStatus(), CorpusStatus)
                report["provisions"], report["with_vectors"] = status.provisions, status.embedded
                by = (await find(requester, QUERIES[0], SearchMode.HYBRID)).mode
                report["hybrid_is"] = str(by)
                report |= await measure(nats_url, requester)
                cpu = search.cpu_seconds
                rate = await queries_a_second(requester, arguments.callers, LOAD_SECONDS)
                report["queries_a_second"] = round(rate)
                report["cpu_ms_a_query"] = round((search.cpu_seconds - cpu) / (rate * LOAD_SECONDS) * 1000, 2)
                report["callers"], report["rss_mb"] = arguments.callers, round(search.rss_mb)
                with tempfile.TemporaryDirectory(prefix="lovsvar-bench-index-") as other:
                    async with search_process(nats_url, database_url, Path(other)):
                        await ready(requester, "search", replicas=2)
                        both = await queries_a_second(requester, arguments.callers, LOAD_SECONDS)
                report["queries_a_second_by_two_replicas"] = round(both)
    if arguments.json:
        print(json.dumps(report))
        return
    for name, value in report.items():
        if name != "ms":
            print(f"{name:32} {value}")
    print(f"{'milliseconds':20} {'p50':>8} {'p99':>8} {'calmest':>8} {'echoes':>8}")
    for name, t in report["ms"].items():
        print(f"{name:20} {t['p50']:8.2f} {t['p99']:8.2f} {t['calmest']:8.2f} {t['echoes']:8.1f}")


if __name__ == "__main__":
    asyncio.run(main())
