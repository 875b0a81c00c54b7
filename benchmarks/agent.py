"""What the agent adds to its model: a run with three tool calls, alone, and fifty runs at once.

    uv run python benchmarks/agent.py [--runs 100] [--at-once 50] [--json]

It starts a nats-server and one agent of its own. A scripted model answers at once, and a stand-in for search answers
from memory; how long the model took is taken off a run's time, from the question's publication to the closing event.
For comparison it measures the raw floor: the same events published one after the other, and the same requests echoed,
by nats-py.

    rounds      three tool calls, one a reply: four calls of the model
    parallel    three tool calls in one reply: two calls of the model

It ends with 1 when an event of the runs at once is missing, or when the median overhead is above the goal.
"""

import argparse
import asyncio
import contextlib
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import nats
import psutil
from nats.aio.msg import Msg

from lovsvar_agent.adapters.memory_search import MemorySearch
from lovsvar_chassis.broker import make_broker
from lovsvar_chassis.publisher import EventPublisher
from lovsvar_chassis.request_router import RequestRouter
from lovsvar_chassis.requester import Requester
from lovsvar_chassis.run_log import RunLog
from lovsvar_chassis.service import connect
from lovsvar_chassis.settings import ServiceSettings
from lovsvar_chassis.streams import declare_streams
from lovsvar_contracts import subjects
from lovsvar_contracts.identifiers import lovdata_url, viewer_path
from lovsvar_contracts.law import Block, BlockKind, LawType, Provision
from lovsvar_contracts.questions import QuestionAsked
from lovsvar_contracts.run_events import RunEvent
from lovsvar_contracts.search import (
    CorpusStatus,
    FindProvisions,
    ProvisionHits,
    ReadStatus,
)
from lovsvar_testkit import servers
from lovsvar_testkit.processes import ServiceProcess
from lovsvar_testkit.scripted_model import Reply, ScriptedModel

GOAL_MS = 40.0
QUESTION = "Hvor mye kan båteieren kreve i pant, og når skal skader meldes?"
QUOTE = "Båteieren kan kreve at låntakeren stiller pant."
TEXT = (
    f"{QUOTE} Pantet kan være på høyst fire ukers båtleie. " + "Det settes på en konto som ingen av dem rår over. " * 6
)
CALLS: Sequence[dict[str, Any]] = (
    {"search_lovdata_legal_documents": {"query": "pant båteier"}},
    {"search_lovdata_legal_documents": {"query": "skader melde"}},
    {"hent_lovtekst": {"document": "båtleieloven", "section": "§ 1-3"}},
)
ANSWER = {"final": {"answer": "Høyst fire ukers båtleie [lovdata-1].", "citations": [["lovdata-1", QUOTE]]}}
SCRIPTS: dict[str, list[Reply]] = {
    "rounds": [*({"calls": [call]} for call in CALLS), ANSWER],
    "parallel": [{"calls": list(CALLS)}, ANSWER],
}


@dataclass(frozen=True)
class Alone:
    """Runs one after the other. Times are in milliseconds of one run, without the model's own."""

    overhead_p50_ms: float
    overhead_p99_ms: float
    model_p50_ms: float
    raw_nats_p50_ms: float
    raw_nats_p99_ms: float
    events_per_run: int
    requests_per_run: int


@dataclass(frozen=True)
class AtOnce:
    """Runs at once on one agent."""

    runs: int
    complete: int
    lost_events: int
    doubled_events: int
    seconds: float
    events_per_second: float
    agent_cpu_seconds: float


@dataclass(frozen=True)
class Report:
    """What was measured."""

    rounds: Alone
    parallel: Alone
    at_once: AtOnce


class Bench:
    """A client that asks questions over NATS and reads what comes of them."""

    def __init__(self, nats_url: str, model: ScriptedModel) -> None:
        self.script = "rounds"
        self._nats_url = nats_url
        self._model = model
        self._broker = make_broker(ServiceSettings(nats_url=nats_url), "benchmark")

    async def __aenter__(self) -> "Bench":
        await connect(self._broker)
        await declare_streams(self._broker.connection.jetstream())
        self._events = EventPublisher(self._broker)
        self._log = RunLog(self._events)
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._broker.stop()

    async def ready(self) -> None:
        """Return when search and the agent answer."""
        requester = Requester(self._broker)
        async with asyncio.timeout(60):
            await _answered(lambda: requester.ask(subjects.SEARCH_STATUS, ReadStatus(), CorpusStatus))
            await self.run()

    async def run(self) -> list[RunEvent]:
        """Ask, and return the run's events."""
        asked = QuestionAsked(question=QUESTION)
        await self._events.publish(subjects.QUESTION_ASKED, asked)
        return [event async for event in self._log.follow(asked.run_id)]

    async def alone(self, script: str, runs: int) -> Alone:
        """Measure runs one after the other, each next to its raw floor."""
        self.script = script
        for _ in range(5):
            await self.run()
        overhead, model = [], []
        for _ in range(runs):
            before, began = self._model.seconds, time.perf_counter()
            events = await self.run()
            took, told = time.perf_counter() - began, self._model.seconds - before
            assert events[-1].type == "run.completed", events[-1]
            overhead.append((took - told) * 1000)
            model.append(told * 1000)
        requests = await self._requests_of_a_run()
        async with contextlib.aclosing(self._raw(events, requests)) as floors:  # type: ignore[type-var]
            raw = [await anext(floors) for _ in range(runs)]
        (p50, p99), (raw_p50, raw_p99) = percentiles(overhead), percentiles(raw)
        return Alone(p50, p99, percentiles(model)[0], raw_p50, raw_p99, len(events), requests)

    async def at_once(self, runs: int, agent: psutil.Process) -> AtOnce:
        """Measure runs at once."""
        self.script = "rounds"
        cpu, began = sum(agent.cpu_times()[:2]), time.perf_counter()
        logs = await asyncio.gather(*(self.run() for _ in range(runs)))
        seconds = time.perf_counter() - began
        ids = [[event.id for event in log] for log in logs]
        whole = max(len(i) for i in ids)
        return AtOnce(
            runs=runs,
            complete=sum(log[-1].type == "run.completed" for log in logs),
            lost_events=sum(whole - len(set(i)) for i in ids),
            doubled_events=sum(len(i) - len(set(i)) for i in ids),
            seconds=round(seconds, 2),
            events_per_second=round(sum(map(len, logs)) / seconds, 1),
            agent_cpu_seconds=round(sum(agent.cpu_times()[:2]) - cpu, 2),
        )

    async def _requests_of_a_run(self) -> int:
        """Return how often a run asks search."""
        heard = 0

        async def hear(_: object) -> None:
            nonlocal heard
            heard += 1

        async with await nats.connect(self._nats_url) as listening:
            await listening.subscribe("lovsvar.search.*", cb=hear)
            await listening.flush()
            await self.run()
            await listening.flush()
        return heard

    async def _raw(self, events: Sequence[RunEvent], requests: int) -> AsyncIterator[float]:
        """Yield the milliseconds that publishing `events` and making `requests` takes, by nats-py alone."""
        payloads = [event.encode() for event in events]
        asking, answering = await nats.connect(self._nats_url), await nats.connect(self._nats_url)
        body = (await SEARCH.find(FindProvisions(query="pant"))).encode()

        async def echo(message: Msg) -> None:
            await message.respond(body)

        await answering.subscribe("benchmark.echo", cb=echo)
        await answering.flush()
        stream, number = asking.jetstream(), 0
        try:
            while True:
                number += 1
                began = time.perf_counter()
                for payload in payloads:
                    await stream.publish(subjects.answer(f"raw-{number}"), payload)
                for _ in range(requests):
                    await asking.request("benchmark.echo", body)
                yield (time.perf_counter() - began) * 1000
        finally:
            await asking.close()
            await answering.close()


def percentiles(times: list[float]) -> tuple[float, float]:
    """Return the 50th and 99th percentile."""
    cuts = statistics.quantiles(times, n=100, method="inclusive")
    return round(cuts[49], 1), round(cuts[98], 1)


async def _answered(ask: Any) -> None:
    while True:
        with contextlib.suppress(Exception):
            await ask()
            return
        await asyncio.sleep(0.05)


def provisions() -> Iterator[Provision]:
    """Yield an invented act of ten provisions."""
    for number in range(1, 11):
        section = f"§1-{number}"
        yield Provision(
            refid="lov/2999-01-01-1",
            section=section,
            value=f"§ 1-{number}",
            title="Pant og skader",
            act="Båtleieloven",
            document_title="Lov om leie av båt",
            law_type=LawType.LOV,
            position=number,
            text=f"{TEXT} Skader meldes innen {number} dager.",
            blocks=(Block(kind=BlockKind.LEDD, text=TEXT, ledd=1),),
            content_hash="0",
            tokens=len(TEXT) // 4,
            url=viewer_path("lov/2999-01-01-1", section),
            lovdata_url=lovdata_url("lov/2999-01-01-1", section),
            dataset="benchmark",
        )


SEARCH = MemorySearch(provisions())


async def play_search(nats_url: str) -> None:
    """Answer as search does, each kind of request always the same."""
    broker = make_broker(ServiceSettings(nats_url=nats_url), "search")
    hits = await SEARCH.find(FindProvisions(query="pant skader"))

    async def find(_: FindProvisions) -> ProvisionHits:
        return hits

    router = RequestRouter()
    router.answer(subjects.SEARCH_PROVISIONS, find, at_once=100)
    router.answer(subjects.SEARCH_READ, SEARCH.read, at_once=100)
    router.answer(subjects.SEARCH_RESOLVE, SEARCH.resolve)
    router.answer(subjects.SEARCH_STATUS, SEARCH.status)
    broker.include_router(router)
    async with broker:
        await router.start()
        await asyncio.Event().wait()


@contextlib.contextmanager
def search(nats_url: str) -> Iterator[None]:
    """Run this program as the search service."""
    environment = {**os.environ, "BENCHMARK_SEARCH_ON": nats_url}
    process = subprocess.Popen([sys.executable, *sys.argv], env=environment)
    try:
        yield
    finally:
        process.terminate()
        process.wait()


@contextlib.contextmanager
def agent(nats_url: str, model_url: str, at_once: int, folder: Path) -> Iterator[psutil.Process]:
    """Run an agent that asks the model at `model_url`."""
    environment = {
        "LOVSVAR_NATS_URL": nats_url,
        "LOVSVAR_AGENT_WORKERS": str(at_once),
        "LOVSVAR_LOG_LEVEL": "WARNING",
        "OPENAI_API_KEY": "benchmark",
        "OPENAI_BASE_URL": model_url,
    }
    process = ServiceProcess("agent", environment, folder / "agent.log", alone=True)
    process.start()
    try:
        yield psutil.Process(process.process.pid)
    finally:
        process.stop()


async def measure(nats_url: str, folder: Path, arguments: argparse.Namespace) -> Report:
    """Measure on a nats-server that runs."""

    def next_reply(body: dict[str, Any], _: int) -> Reply:
        # Every call is a message of its own, also of those that came in one reply.
        called = sum(message["role"] == "tool" for message in body["messages"])
        script = SCRIPTS[bench.script]
        return script[called * (len(script) - 1) // len(CALLS)]

    async with ScriptedModel(next_reply).serving() as model, Bench(nats_url, model) as bench:
        with search(nats_url), agent(nats_url, model.url, arguments.at_once, folder) as process:
            await bench.ready()
            return Report(
                rounds=await bench.alone("rounds", arguments.runs),
                parallel=await bench.alone("parallel", arguments.runs),
                at_once=await bench.at_once(arguments.at_once, process),
            )


def main() -> None:
    """Measure and print, or play the search service."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=100, help="runs one after the other")
    parser.add_argument("--at-once", type=int, default=50, help="runs at once")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    if nats_url := os.environ.get("BENCHMARK_SEARCH_ON"):
        asyncio.run(play_search(nats_url))
        return
    with tempfile.TemporaryDirectory() as folder, servers.nats() as nats_url:
        report = asyncio.run(measure(nats_url, Path(folder), arguments))
    if arguments.json:
        print(json.dumps(asdict(report)))
    else:
        for part, measures in asdict(report).items():
            for name, value in measures.items():
                print(f"{part:10} {name:22} {value}")
    late = report.rounds.overhead_p50_ms > GOAL_MS
    sys.exit(late or report.at_once.lost_events > 0 or report.at_once.complete != report.at_once.runs)


if __name__ == "__main__":
    main()
