"""Load of event streams: many runs at once, each asked, streamed and ended, through real HTTP and a real broker.

    uv run python benchmarks/sse.py [--streams 500] [--events 30] [--json]

It starts a nats-server and a gateway of its own, and plays the agent: it takes each question and writes the
events of a run at a steady pace. For every stream it checks that each event came exactly once and in order.
"""

import argparse
import asyncio
import json
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass, field
from pathlib import Path

import httpx2
import psutil
from faststream.nats import NatsBroker

from lovsvar_chassis.broker import make_broker
from lovsvar_chassis.events import EventPublisher
from lovsvar_chassis.run_log import RunLog
from lovsvar_chassis.settings import ServiceSettings
from lovsvar_contracts import subjects
from lovsvar_contracts.questions import QuestionAsked
from lovsvar_contracts.run_events import AnswerDelta, RunCompleted, RunEvent
from lovsvar_testkit import servers
from lovsvar_testkit.processes import free_port

TEXT = "Utleieren kan ikke kreve mer enn det som er avtalt. " * 4


@dataclass
class Report:
    """What was measured. Times are in milliseconds, from the moment the request was sent."""

    streams: int
    events_per_run: int
    complete: int = 0
    lost: int = 0
    doubled: int = 0
    failed: int = 0
    first_event_p50: float = 0.0
    first_event_p99: float = 0.0
    post_to_first_event_p50: float = 0.0
    post_to_first_event_p99: float = 0.0
    seconds: float = 0.0
    gateway_rss_mb: float = 0.0
    gateway_cpu_seconds: float = 0.0
    first_events: list[float] = field(default_factory=list, repr=False)


class Gateway:
    """A gateway in a process of its own."""

    def __init__(self, nats_url: str, log: Path) -> None:
        port = free_port()
        self.url = f"http://127.0.0.1:{port}"
        environment = {**os.environ, "LOVSVAR_NATS_URL": nats_url, "LOVSVAR_PORT": str(port)}
        with log.open("wb") as out:
            command = [sys.executable, "-c", "from lovsvar_gateway.app import main; main()"]
            self._process = subprocess.Popen(command, env=environment, stderr=out)
        self.usage = psutil.Process(self._process.pid)

    async def ready(self) -> None:
        """Wait until it answers."""
        async with asyncio.timeout(60), httpx2.AsyncClient() as client:
            while True:
                try:
                    await client.get(f"{self.url}/healthz")
                except httpx2.ConnectError:
                    await asyncio.sleep(0.05)
                else:
                    return

    def stop(self) -> None:
        """Stop it."""
        self._process.send_signal(signal.SIGTERM)
        self._process.wait(10)


async def answer(broker: NatsBroker, events: int, pace: float) -> None:
    """Play the agents: write the rest of each run whose question is asked, `pace` seconds between events."""
    run_log = RunLog(EventPublisher(broker))
    asked = await broker.connection.subscribe(subjects.QUESTION_ASKED)
    async with asyncio.TaskGroup() as runs:
        async for message in asked.messages:
            runs.create_task(write_run(run_log, QuestionAsked.model_validate_json(message.data).run_id, events, pace))


async def write_run(run_log: RunLog, run_id: str, events: int, pace: float) -> None:
    """Write a run's events behind the first, which the gateway wrote."""
    _, cursor = await run_log.end(run_id)
    rest: list[RunEvent] = [AnswerDelta(run_id=run_id, text=TEXT) for _ in range(events - 2)]
    for event in (*rest, RunCompleted(run_id=run_id)):
        _, cursor = await run_log.append(event, cursor)
        await asyncio.sleep(pace)


async def follow(client: httpx2.AsyncClient, report: Report) -> None:
    """Ask for a stream and check it against what a run of so many events must be."""
    began = time.perf_counter()
    ids: list[int] = []
    headers = {"Accept": "text/event-stream"}
    try:
        async with client.stream("POST", "/v1/questions", json={"question": "Hva?"}, headers=headers) as response:
            response.raise_for_status()
            async for line in response.aiter_lines():
                if line.startswith("id: "):
                    if not ids:
                        report.first_events.append((time.perf_counter() - began) * 1000)
                    ids.append(int(line[4:]))
    except httpx2.HTTPError as exc:
        report.failed += 1
        print(f"stream failed: {exc!r}", file=sys.stderr)
    report.doubled += len(ids) - len(set(ids))
    report.lost += len(set(range(1, report.events_per_run + 1)) - set(ids))
    report.complete += ids == list(range(1, report.events_per_run + 1))


async def watch(gateway: Gateway, report: Report) -> None:
    """Keep the largest resident size seen."""
    while True:
        report.gateway_rss_mb = max(report.gateway_rss_mb, gateway.usage.memory_info().rss / 2**20)
        await asyncio.sleep(0.1)


async def measure(streams: int, events: int, pace: float) -> Report:
    """Measure one stream after another, then all at once."""
    report = Report(streams, events)
    alone = Report(1, events)
    with servers.nats() as nats_url, tempfile.TemporaryDirectory() as folder:
        gateway = Gateway(nats_url, Path(folder) / "gateway.log")
        broker = make_broker(ServiceSettings(nats_url=nats_url), "benchmark", {})
        await broker.connect()
        try:
            await gateway.ready()
            answering = asyncio.create_task(answer(broker, events, pace))
            watching = asyncio.create_task(watch(gateway, report))
            limits = httpx2.Limits(max_connections=None, max_keepalive_connections=None)
            async with httpx2.AsyncClient(base_url=gateway.url, timeout=120, limits=limits) as client:
                for _ in range(30):
                    alone.first_events.append(await first_event(client))
                before = sum(gateway.usage.cpu_times()[:2])
                began = time.perf_counter()
                await asyncio.gather(*(follow(client, report) for _ in range(streams)))
                report.seconds = time.perf_counter() - began
                report.gateway_cpu_seconds = sum(gateway.usage.cpu_times()[:2]) - before
            for task in (answering, watching):
                task.cancel()
            await asyncio.gather(answering, watching, return_exceptions=True)
        finally:
            await broker.stop()
            gateway.stop()
    report.first_event_p50, report.first_event_p99 = percentiles(report.first_events)
    report.post_to_first_event_p50, report.post_to_first_event_p99 = percentiles(alone.first_events)
    return report


async def first_event(client: httpx2.AsyncClient) -> float:
    """Return the milliseconds from POST to the first event of a stream that is alone; then leave it."""
    began = time.perf_counter()
    headers = {"Accept": "text/event-stream"}
    async with client.stream("POST", "/v1/questions", json={"question": "Hva?"}, headers=headers) as response:
        async for line in response.aiter_lines():
            if line.startswith("id: "):
                return (time.perf_counter() - began) * 1000
    raise RuntimeError("the stream ended without an event")


def percentiles(times: list[float]) -> tuple[float, float]:
    """Return the 50th and 99th percentile."""
    cuts = statistics.quantiles(times, n=100, method="inclusive")
    return round(cuts[49], 1), round(cuts[98], 1)


def main() -> None:
    """Measure, print, and fail when an event was lost or doubled."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--streams", type=int, default=500)
    parser.add_argument("--events", type=int, default=30)
    parser.add_argument("--pace", type=float, default=0.2, help="seconds between a run's events")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    report = asyncio.run(measure(arguments.streams, arguments.events, arguments.pace))
    shown = {k: round(v, 1) if isinstance(v, float) else v for k, v in asdict(report).items() if k != "first_events"}
    if arguments.json:
        print(json.dumps(shown))
    else:
        for name, value in shown.items():
            print(f"{name:24} {value}")
    sys.exit(report.complete != report.streams)


if __name__ == "__main__":
    main()
