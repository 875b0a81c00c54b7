"""What is answered when far more is asked than can be: goodput against offered load, up to ten times capacity.

    uv run python benchmarks/load.py                                      # searches of the bundled sample
    uv run python benchmarks/load.py --source FOLDER --mode lexical --by nats
    uv run python benchmarks/load.py --kind question                      # questions, answered by quotes
    uv run python benchmarks/load.py --kind question --model 1            # by a model that takes a second for a reply
    uv run python benchmarks/load.py --kind question --by http --minutes 10      # memory as time goes by

Capacity is the throughput of callers that ask again at once, or with a model what its replies leave time for. Then
requests arrive at random moments (Poisson, seeded) at a multiple of capacity, whether earlier ones were answered or
not: over HTTP through the gateway, and over NATS directly to the service. A caller waits `--patience` seconds and
leaves. Goodput is the number of answers within their callers' patience, per second of load. Refused counts requests
that got a time to retry, late those whose callers left or got a timeout. Memory (MB, highest of the step) and
processor time (share of a core) are of each process.

Questions come from a thousand addresses, and have an answer when their run's last event is there. The gateway is
configured with the callers' patience: no question waits longer than `--queue-seconds`, and none that has not begun in
`--patience`. A step's row has, once all its runs have ended: how many were accepted, answered (in time or not),
expired before an agent began, and left open after two minutes, which should be none; the wait that was announced to
callers (`told_wait`), the time until an agent began (`true_wait`), and the median of the difference (`wait_error`),
of 500 runs. Over NATS there is no such estimate. A question takes two replies of the model.

With `--minutes`, one step is kept going (at capacity, or `--times`), and memory is printed each half minute, at the end
with what each process has grown by since the first minute (that of PostgreSQL without what its processes share).
"""

import argparse
import asyncio
import itertools
import json
import random
from collections.abc import Callable, Iterator, Mapping
from typing import Any
from urllib.parse import urlencode

from load_memory import MemoryOverTime
from load_model import QUESTION, REPLIES
from load_questions import question_by_http, question_by_nats
from load_steps import Ask, Outcome, Step, closed, opened, outcome_of, outcome_of_problem
from load_system import System, running
from search import ASKED_FILES

from lovsvar_contracts import subjects
from lovsvar_contracts.problems import ProblemError
from lovsvar_contracts.search import FindProvisions, ProvisionHits, SearchMode
from lovsvar_ingest.adapters.everyday_files import read_everyday

AGENT_WORKERS = 8
"""Questions that an agent answers at once, by default."""


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
            return outcome_of_problem(exc.problem)
        return Outcome.ANSWERED

    return ask


KINDS: Mapping[str, Mapping[str, Callable[[System], Ask]]] = {
    "search": {"http": search_by_http, "nats": search_by_nats},
    "question": {"http": question_by_http, "nats": question_by_nats},
}
"""What may be asked, and of each the ways to ask it."""


async def measure(system: System, arguments: argparse.Namespace) -> dict[str, Any]:
    """Return capacity and steps of each way to ask."""
    chance = random.Random(arguments.seed)
    queries = asked(arguments, chance)
    report: dict[str, Any] = {}
    for by in arguments.by:
        ask = KINDS[arguments.kind][by](system)
        capacity = await capacity_of(system, ask, queries, arguments)
        steps = []
        for times in arguments.times:
            step, grown = await keep_up(system, ask, queries, capacity * times, arguments, chance)
            became = await system.runs.settle() if system.runs else {}
            steps.append({"times": times, **step.report(), **became, **grown})
            if not arguments.json:
                print(by, json.dumps(steps[-1]), flush=True)
        best = max(one["goodput_s"] for one in steps)
        least = min((one["goodput_s"] for one in steps if one["times"] >= 1), default=best)
        report[by] = {"capacity_s": round(capacity, 1), "steps": steps, "kept_%": round(100 * least / max(best, 0.1))}
    return report


def asked(arguments: argparse.Namespace, chance: random.Random) -> Iterator[str]:
    """Return what is asked: everyday questions, or with a model the one that it answers."""
    if arguments.model is not None:
        return itertools.repeat(QUESTION)
    questions = [one.question for one in read_everyday(names=ASKED_FILES)]
    chance.shuffle(questions)
    # Each is asked once in a while only: what was asked lately is remembered.
    return itertools.cycle(questions)


async def capacity_of(system: System, ask: Ask, queries: Iterator[str], arguments: argparse.Namespace) -> float:
    """Return how many requests a second are capacity. The system is warm then, and knows how long questions take."""
    slow = REPLIES * (arguments.model or 0.0)
    await closed(ask, queries, max(1.0, 2 * slow), arguments.patience)
    capacity = arguments.capacity or (AGENT_WORKERS / slow if slow else None)
    if capacity is None:
        capacity = (await closed(ask, queries, arguments.seconds, arguments.patience)).goodput
    if system.runs:
        await system.runs.settle()
    return float(capacity)


async def keep_up(
    system: System,
    ask: Ask,
    queries: Iterator[str],
    rate: float,
    arguments: argparse.Namespace,
    chance: random.Random,
) -> tuple[Step, dict[str, Any]]:
    """Return a step, and with `--minutes` how much memory has grown meanwhile."""
    if not arguments.minutes:
        return await opened(system, ask, queries, rate, arguments.seconds, chance), {}
    memory = MemoryOverTime(system.processes, not arguments.json)
    watching = asyncio.create_task(memory.watch())
    step = await opened(system, ask, queries, rate, 60 * arguments.minutes, chance)
    watching.cancel()
    memory.look()
    return step, {"growth": memory.growth()}


def parse() -> argparse.Namespace:
    """Return the arguments, with what follows from others."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kind", choices=KINDS, default="search")
    parser.add_argument("--source", help="folder or address of the archives; else the bundled sample")
    parser.add_argument(
        "--mode", type=SearchMode, choices=list(SearchMode), default=SearchMode.HYBRID, help="of searches"
    )
    parser.add_argument("--model", type=float, metavar="SECONDS", help="of a model's reply; else questions have none")
    parser.add_argument("--by", nargs="+", choices=("http", "nats"), default=["http", "nats"])
    parser.add_argument("--times", type=float, nargs="+", help="of capacity; 0.5 1 2 5 10, or with --minutes 1")
    parser.add_argument("--capacity", type=float, help="requests a second that count as capacity; else measured")
    parser.add_argument("--seconds", type=float, help="how long each step offers: 5, or as long as patience is")
    parser.add_argument("--minutes", type=float, help="how long each step offers, with memory each half minute")
    parser.add_argument("--patience", type=float, help="seconds that a caller waits: 5, for an answer 10 and 4 replies")
    parser.add_argument("--queue-seconds", type=float, help="that a question may wait; else half of patience")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    arguments = parser.parse_args()
    if arguments.model is not None and (arguments.kind != "question" or arguments.source):
        parser.error("--model answers questions, and knows the bundled sample alone")
    arguments.times = arguments.times or ([1.0] if arguments.minutes else [0.5, 1.0, 2.0, 5.0, 10.0])
    longest = 10.0 + 2 * REPLIES * (arguments.model or 0.0) if arguments.kind == "question" else 5.0
    arguments.patience = arguments.patience or longest
    arguments.seconds = arguments.seconds or longest
    arguments.queue_seconds = arguments.queue_seconds or arguments.patience / 2
    return arguments


async def main() -> None:
    """Measure and print."""
    arguments = parse()
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
