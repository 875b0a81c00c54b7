"""How much memory each process of a load takes as time goes by."""

import asyncio
import json
import time
from collections.abc import Mapping
from typing import Any

import psutil

EVERY_SECONDS = 30.0
SETTLED_SECONDS = 60.0
"""From when on growth counts: what was begun is in memory by then."""

Memory = dict[str, float]


async def watch_memory(
    processes: Mapping[str, psutil.Process], samples: list[tuple[float, Memory]], tell: bool
) -> None:
    """Add the seconds passed and the memory of each process (MB) to `samples`, and print it, until cancelled."""
    began = time.perf_counter()
    while True:
        passed = round(time.perf_counter() - began)
        samples.append((passed, {name: memory_of(process) for name, process in processes.items()}))
        if tell:
            print(json.dumps({"seconds": passed, "memory_mb": samples[-1][1]}), flush=True)
        await asyncio.sleep(began + EVERY_SECONDS * len(samples) - time.perf_counter())


def memory_of(process: psutil.Process) -> float:
    """Return the resident memory of a process in MB; of one with children, what no two of them share."""
    children = process.children()
    if not children:
        return round(process.memory_info().rss / 1e6, 1)
    total = 0
    for one in (process, *children):
        try:
            total += one.memory_full_info().uss
        except psutil.NoSuchProcess:
            continue
    return round(total / 1e6, 1)


def growth(samples: list[tuple[float, Memory]]) -> dict[str, Any]:
    """Return how much more memory each process has at the end than after a minute, or at first if there was none."""
    settled = next((memory for passed, memory in samples if passed >= SETTLED_SECONDS), samples[0][1])
    return {
        name: {"from_mb": settled[name], "to_mb": end, "grown_mb": round(end - settled[name], 1)}
        for name, end in samples[-1][1].items()
        if name != "load"
    }
