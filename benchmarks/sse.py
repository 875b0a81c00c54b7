"""Load of event streams: many runs at once, each asked, streamed and ended, through real HTTP and a real broker.

    uv run python benchmarks/sse.py [--streams 500] [--events 30] [--ramp 5] [--json]
    uv run python benchmarks/sse.py --streams 3000 --events 5 --ramp 20 --pace 8

It starts a nats-server and a gateway of its own, and plays the agents in a process of their own: they take
each question and write the events of a run at a steady pace, so that all streams are open at once. Playing them costs
more than the gateway does: a shorter pace measures the players. For every stream it checks that each event came
exactly once and in order, and meanwhile it reads an answer that is finished; it ends with 1 when one of these failed.
`load_before` is the machine's load a core when it began:
above some 0.5, others were at work too, and times are theirs as much as the gateway's.
"""

import argparse
import asyncio
import contextlib
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

import httpx2
import psutil
from nats.errors import Error as NatsError
from nats.js import JetStreamContext

from lovsvar_chassis.broker import make_broker
from lovsvar_chassis.publisher import EventPublisher
from lovsvar_chassis.run_log import Cursor, RunLog
from lovsvar_chassis.service import connect
from lovsvar_chassis.settings import ServiceSettings
from lovsvar_contracts import subjects
from lovsvar_contracts.questions import QuestionAsked
from lovsvar_contracts.run_events import AnswerDelta, RunAccepted, RunCompleted, RunEvent
from lovsvar_testkit import servers
from lovsvar_testkit.processes import ServiceProcess, free_port

HOST = "127.0.0.1"
NO_QUEUE = {"LOVSVAR_QUEUE_SECONDS": "1e6", "LOVSVAR_QUEUE_LENGTH": "5000", "LOVSVAR_QUEUE_PER_CALLER": "5000"}
"""Every stream is admitted: what is measured comes after the queue."""
AT_ONCE = 256
"""Questions that the agents take at a time."""
AFTER_SECONDS = 5.0
"""Between the end of the last stream and the last look at the gateway's memory."""
TEXT = "Utleieren kan ikke kreve mer enn det som er avtalt. " * 4
BODY = json.dumps({"question": "Hva kan utleier kreve i depositum?"}).encode()
ASK = (
    f"POST /v1/questions HTTP/1.1\r\nHost: {HOST}\r\nAccept: text/event-stream\r\nConnection: close\r\n"
    f"Content-Type: application/json\r\nContent-Length: {len(BODY)}\r\n\r\n"
).encode() + BODY


@dataclass(frozen=True)
class Load:
    """What to put on the gateway. `ramp` is over how many seconds streams open, `pace` seconds between events."""

    streams: int
    events: int
    ramp: float
    pace: float


@dataclass(frozen=True)
class Seen:
    """What came of one stream: the ids in order, and the milliseconds from connecting to the first event."""

    ids: list[int]
    first_event_ms: float


@dataclass(frozen=True)
class Report:
    """What was measured. Times are in milliseconds from connecting, to the first event read."""

    streams: int
    events_per_run: int
    complete: int
    lost: int
    doubled: int
    first_event_p50_ms: float
    first_event_p99_ms: float
    alone_post_to_first_event_p50_ms: float
    alone_post_to_first_event_p99_ms: float
    seconds: float
    finished_read: int
    finished_refused: int
    finished_read_p99_ms: float
    consumers_peak: int
    gateway_rss_before_mb: float
    gateway_peak_rss_mb: float
    gateway_rss_after_mb: float
    gateway_cpu_seconds: float
    load_before: float


async def events_of_question(port: int) -> AsyncIterator[int]:
    """Ask a question as a stream and yield the id of each event. Plain sockets, which cost little."""
    reader, writer = await asyncio.open_connection(HOST, port)
    try:
        writer.write(ASK)
        async for line in reader:
            if line.startswith(b"id: "):
                yield int(line[4:])
    finally:
        writer.close()


async def follow(port: int, delay: float) -> Seen:
    """Follow one question's stream to its end, beginning after `delay` seconds."""
    await asyncio.sleep(delay)
    began = time.perf_counter()
    ids: list[int] = []
    first = float("inf")
    with contextlib.suppress(OSError):
        async for id_ in events_of_question(port):
            if not ids:
                first = (time.perf_counter() - began) * 1000
            ids.append(id_)
    return Seen(ids, first)


async def first_event_alone(port: int) -> float:
    """Return the milliseconds to the first event of a stream that is alone, and leave it there."""
    began = time.perf_counter()
    async with contextlib.aclosing(events_of_question(port)) as ids:  # type: ignore[type-var]
        await anext(ids)
        return (time.perf_counter() - began) * 1000


async def write_finished(run_log: RunLog) -> str:
    """Write a run that is finished; return its id."""
    asked = QuestionAsked(question="Hva er avtalt?")
    cursor = Cursor()
    for event in (RunAccepted(run_id=asked.run_id, question=asked.question), RunCompleted(run_id=asked.run_id)):
        _, cursor = await run_log.append(event, cursor)
    return asked.run_id


async def read_finished(port: int, run_id: str, reads: list[float]) -> None:
    """Read a finished answer once in half a second; keep in `reads` the milliseconds, infinite when it was refused."""
    async with httpx2.AsyncClient(base_url=f"http://{HOST}:{port}", timeout=10) as client:
        while True:
            began = time.perf_counter()
            try:
                answer = await client.get(f"/v1/questions/{run_id}")
                read = answer.status_code == httpx2.codes.OK
            except httpx2.HTTPError:
                read = False
            reads.append((time.perf_counter() - began) * 1000 if read else float("inf"))
            await asyncio.sleep(0.5)


async def watch_consumers(jetstream: JetStreamContext, counts: list[int]) -> None:
    """Keep in `counts` how many consumers of all streams the server has."""
    while True:
        with contextlib.suppress(NatsError):
            counts.append((await jetstream.account_info()).consumers)
        await asyncio.sleep(1)


async def measure(port: int, gateway: psutil.Process, load: Load, nats_url: str) -> Report:
    """Measure one stream after another, then all of `load`."""
    before = os.getloadavg()[0] / (os.cpu_count() or 1)
    alone = [await first_event_alone(port) for _ in range(50)]
    rss_before = gateway.memory_info().rss / 2**20
    reads: list[float] = []
    consumers: list[int] = [0]
    async with make_broker(ServiceSettings(nats_url=nats_url), "benchmark") as broker:
        finished = await write_finished(RunLog(EventPublisher(broker)))
        watching = asyncio.gather(
            peak_rss(gateway),
            read_finished(port, finished, reads),
            watch_consumers(broker.connection.jetstream(), consumers),
        )
        cpu, began = sum(gateway.cpu_times()[:2]), time.perf_counter()
        seen = await asyncio.gather(*(follow(port, load.ramp * n / load.streams) for n in range(load.streams)))
        seconds = time.perf_counter() - began
        watching.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await watching
    await asyncio.sleep(AFTER_SECONDS)
    whole = list(range(1, load.events + 1))
    firsts = percentiles([s.first_event_ms for s in seen])
    firsts_alone = percentiles(alone)
    return Report(
        streams=load.streams,
        events_per_run=load.events,
        complete=sum(s.ids == whole for s in seen),
        lost=sum(len(set(whole) - set(s.ids)) for s in seen),
        doubled=sum(len(s.ids) - len(set(s.ids)) for s in seen),
        first_event_p50_ms=firsts[0],
        first_event_p99_ms=firsts[1],
        alone_post_to_first_event_p50_ms=firsts_alone[0],
        alone_post_to_first_event_p99_ms=firsts_alone[1],
        seconds=round(seconds, 1),
        finished_read=sum(ms < float("inf") for ms in reads),
        finished_refused=sum(ms == float("inf") for ms in reads),
        finished_read_p99_ms=percentiles(reads)[1],
        consumers_peak=max(consumers),
        gateway_rss_before_mb=round(rss_before, 1),
        gateway_rss_after_mb=round(gateway.memory_info().rss / 2**20, 1),
        gateway_peak_rss_mb=round(PEAK[0], 1),
        gateway_cpu_seconds=round(sum(gateway.cpu_times()[:2]) - cpu, 1),
        load_before=round(before, 1),
    )


PEAK = [0.0]


async def peak_rss(process: psutil.Process) -> None:
    """Keep the largest resident size of `process`, in megabytes, in `PEAK`."""
    while True:
        PEAK[0] = max(PEAK[0], process.memory_info().rss / 2**20)
        await asyncio.sleep(0.1)


def percentiles(times: list[float]) -> tuple[float, float]:
    """Return the 50th and 99th percentile."""
    cuts = statistics.quantiles(times, n=100, method="inclusive")
    return round(cuts[49], 1), round(cuts[98], 1)


async def play_agents(nats_url: str, load: Load) -> None:
    """Write a run for each question that is asked."""
    broker = make_broker(ServiceSettings(nats_url=nats_url), "benchmark")
    await connect(broker)
    run_log = RunLog(EventPublisher(broker))
    asked = await broker.connection.jetstream().pull_subscribe(
        "", durable=subjects.CONSUMER_QUESTIONS, stream=subjects.STREAM_QUESTIONS
    )
    print("listening", flush=True)
    async with asyncio.TaskGroup() as runs:
        while True:
            with contextlib.suppress(TimeoutError):
                for message in await asked.fetch(AT_ONCE, timeout=1):
                    await message.ack()
                    run_id = QuestionAsked.model_validate_json(message.data).run_id
                    runs.create_task(write_run(run_log, run_id, load))


async def write_run(run_log: RunLog, run_id: str, load: Load) -> None:
    """Write a run's events after the first, which the gateway wrote."""
    _, cursor = await run_log.end(run_id)
    rest: list[RunEvent] = [AnswerDelta(run_id=run_id, text=TEXT) for _ in range(load.events - 2)]
    for event in (*rest, RunCompleted(run_id=run_id)):
        await asyncio.sleep(load.pace)
        _, cursor = await run_log.append(event, cursor)


@contextlib.contextmanager
def agents(nats_url: str) -> Iterator[None]:
    """Run this program as the agents, with the same arguments."""
    environment = {**os.environ, "BENCHMARK_AGENTS_ON": nats_url}
    process = subprocess.Popen([sys.executable, *sys.argv], env=environment, stdout=subprocess.PIPE)
    try:
        assert process.stdout is not None
        process.stdout.readline()
        yield
    finally:
        process.terminate()
        process.wait()


@contextlib.contextmanager
def gateway(nats_url: str, folder: Path) -> Iterator[tuple[int, psutil.Process]]:
    """Run a gateway; yield its port and process once it listens."""
    port = free_port()
    environment = {"LOVSVAR_NATS_URL": nats_url, "LOVSVAR_HOST": HOST, "LOVSVAR_PORT": str(port), **NO_QUEUE}
    process = ServiceProcess("gateway", environment, folder / "gateway.log", alone=True)
    process.start()
    try:
        while '"started"' not in process.log.read_text():
            time.sleep(0.05)
        time.sleep(0.5)
        yield port, psutil.Process(process.process.pid)
    finally:
        process.stop()


def main() -> None:
    """Measure and print, or play the agents."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--streams", type=int, default=500)
    parser.add_argument("--events", type=int, default=30)
    parser.add_argument("--ramp", type=float, default=5.0, help="seconds over which streams open")
    parser.add_argument("--pace", type=float, default=0.5, help="seconds between a run's events")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))  # the gateway inherits it
    load = Load(arguments.streams, arguments.events, arguments.ramp, arguments.pace)
    if nats_url := os.environ.get("BENCHMARK_AGENTS_ON"):
        asyncio.run(play_agents(nats_url, load))
        return
    with (
        tempfile.TemporaryDirectory() as folder,
        servers.nats() as nats_url,
        gateway(nats_url, Path(folder)) as (port, process),
        agents(nats_url),
    ):
        report = asyncio.run(measure(port, process, load, nats_url))
    if arguments.json:
        print(json.dumps(asdict(report)))
    else:
        for name, value in asdict(report).items():
            print(f"{name:34} {value}")
    sys.exit(report.complete != report.streams or report.finished_refused > 0)


if __name__ == "__main__":
    main()
