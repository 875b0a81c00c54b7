"""Steps of a load: requests that come, what became of each, and what the processes took for them."""

import asyncio
import random
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

import psutil
from load_system import System

from lovsvar_contracts.problems import Problem, ProblemType

CALLERS = 16
SAMPLE_SECONDS = 0.25


class Outcome(StrEnum):
    """What became of a request."""

    ANSWERED = "answered"
    REFUSED = "refused"
    LATE = "late"
    FAILED = "failed"


Ask = Callable[[str], Awaitable[Outcome]]
"""Asks one question."""


def outcome_of(status: int, headers: Mapping[str, str]) -> Outcome:
    """Return what a response says of its request."""
    if status < 300:
        return Outcome.ANSWERED
    if status in (429, 503) and "retry-after" in headers:
        return Outcome.REFUSED
    return Outcome.LATE if status in (408, 504) else Outcome.FAILED


def outcome_of_problem(told: Problem) -> Outcome:
    """Return what a reply over NATS says of its request when it is none of the wanted."""
    if told.type is ProblemType.UNAVAILABLE and told.retry_after is not None:
        return Outcome.REFUSED
    return Outcome.LATE if told.type is ProblemType.TIMEOUT else Outcome.FAILED


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
