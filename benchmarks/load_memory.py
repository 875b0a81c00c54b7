"""How much memory each process of a load takes as time goes by."""

import asyncio
import contextlib
import json
import time
from collections.abc import Mapping

import psutil

EVERY_SECONDS = 30.0
SETTLED_SECONDS = 60.0
"""From when on growth counts: what was begun is in memory by then."""

Memory = dict[str, float]


class MemoryOverTime:
    """What the processes of a system take, each half minute."""

    def __init__(self, processes: Mapping[str, psutil.Process], tell: bool) -> None:
        """With `tell`, each sample is printed."""
        # A process that makes the load keeps the time that each request took.
        self._processes = {name: process for name, process in processes.items() if name != "load"}
        self._tell = tell
        self._began = time.perf_counter()
        self._samples: list[tuple[float, Memory]] = []

    async def watch(self) -> None:
        """Look again and again, until cancelled."""
        while True:
            self.look()
            await asyncio.sleep(self._began + EVERY_SECONDS * len(self._samples) - time.perf_counter())

    def look(self) -> None:
        """Note what each process takes now."""
        passed = round(time.perf_counter() - self._began)
        memory = {name: memory_of(process) for name, process in self._processes.items()}
        self._samples.append((passed, memory))
        if self._tell:
            print(json.dumps({"seconds": passed, "memory_mb": memory}), flush=True)

    def growth(self) -> dict[str, dict[str, float]]:
        """Return how much more each process takes at the last look than after a minute, else at the first look."""
        settled = next(
            (memory for passed, memory in self._samples[:-1] if passed >= SETTLED_SECONDS), self._samples[0][1]
        )
        return {
            name: {"from_mb": settled[name], "to_mb": end, "grown_mb": round(end - settled[name], 1)}
            for name, end in self._samples[-1][1].items()
        }


def memory_of(process: psutil.Process) -> float:
    """Return the resident memory of a process in MB; of one with children, what no two of them share."""
    children = process.children()
    if not children:
        return round(process.memory_info().rss / 1e6, 1)
    total = 0
    for one in (process, *children):
        with contextlib.suppress(psutil.NoSuchProcess):
            total += one.memory_full_info().uss
    return round(total / 1e6, 1)
