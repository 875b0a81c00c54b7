"""Whether search is as fast as that of another checkout: both run on the same machine at once, and are asked in turn.

    git worktree add ../before COMMIT
    uv run python benchmarks/side_by_side.py --before ../before --source ARCHIVES

A machine may be twice as fast one minute as the next, so that only ratios of what was measured one after the other say
anything. Each round asks both for every kind of request that `search.py` measures, with that checkout's own
functions. Whichever is started last is faster, by a twentieth where a checkout was compared with itself; so each is
started last once, and a ratio is the geometric mean of the medians of both. A ratio above 1 is slower now. Ends with 1
when one is above `--limit`. What is stored is kept in `--keep`, and used again.
"""

import argparse
import asyncio
import importlib
import itertools
import json
import operator
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from lovsvar_local.embedded import NatsServer, PostgresServer

CALLS = {"words": 80, "hybrid": 12, "read one": 80, "read fifty": 20, "contents": 20}
"""How often each kind of request is made in a round."""

ROUNDS = 10
"""Rounds for each order in which both are started."""

SIDES = BEFORE, NOW = ("before", "now")

SAYS = "side: "
"""What a line of a side begins with: the services that it runs write to the same output."""


class Side:
    """A checkout whose search runs, with the law stored in `kept`."""

    def __init__(self, checkout: Path, kept: Path, source: Path) -> None:
        command = ["uv", "run", "python", str(Path(__file__).resolve()), "--serve", str(kept), "--source", str(source)]
        self._process = subprocess.Popen(
            command, cwd=checkout, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )

    def ready(self) -> str:
        """Wait until it is, and return what it serves."""
        return self._said()

    def median(self, kind: str) -> float:
        """Return the median of a round of a kind, in milliseconds."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{kind}\n")
        return float(self._said())

    def stop(self) -> None:
        """End it."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait(60)

    def _said(self) -> str:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            if line.startswith(SAYS):
                return line.removeprefix(SAYS).strip()
        raise SystemExit("a side has ended")


async def serve(search: Any, kept: Path, source: Path, *, stored: bool) -> None:
    """Be a side, by `search.py` of its checkout: store the law unless it is, then read kinds and write medians."""
    server, postgres = NatsServer(kept / "nats"), PostgresServer(kept / "postgres")
    try:
        nats_url, database_url = server.start(), postgres.start()
        if not stored:
            with search.service_process("ingest", nats_url, database_url, LOVSVAR_SOURCE=str(source)):
                await search.ingest(nats_url)
        async with search.search_process(nats_url, database_url, kept / "index") as (_, requester):
            rounds = await kinds(search, requester)
            status = await requester.ask(search.subjects.SEARCH_STATUS, search.ReadStatus(), search.CorpusStatus)
            print(f"{SAYS}{status.provisions} provisions, {status.embedded} with vectors", flush=True)
            loop = asyncio.get_running_loop()
            while kind := (await loop.run_in_executor(None, sys.stdin.readline)).strip():
                print(SAYS, statistics.median(await search.timed(CALLS[kind], rounds[kind], 3)), flush=True)
    finally:
        postgres.stop()
        server.stop()


async def kinds(search: Any, requester: Any) -> dict[str, Callable[[], Awaitable[object]]]:
    """Return how each kind of request is made, with the functions of the checkout's `search.py`."""
    queries = itertools.cycle(search.QUERIES)
    # Each is asked once: the vector of a question is remembered.
    questions = iter(search.read_everyday(names=search.ASKED_FILES)[:: search.HYBRID_STRIDE])
    act = search.ReadOutline(refid=search.ARBEIDSMILJOLOVEN)
    outline = await requester.ask(search.subjects.SEARCH_OUTLINE, act, search.Outline)
    sections = [entry.section for node in outline.children for entry in node.provisions][:50]
    refs = tuple(search.ProvisionRef(refid=act.refid, section=section) for section in sections)

    def read(count: int) -> Awaitable[object]:
        request = search.ReadProvisions(refs=refs[:count])
        return requester.ask(search.subjects.SEARCH_READ, request, search.Provisions)  # type: ignore[no-any-return]

    return {
        "words": lambda: search.find(requester, next(queries), search.SearchMode.LEXICAL),
        "hybrid": lambda: search.find(requester, next(questions).question, search.SearchMode.HYBRID),
        "read one": lambda: read(1),
        "read fifty": lambda: read(50),
        "contents": lambda: requester.ask(search.subjects.SEARCH_OUTLINE, act, search.Outline),
    }


def compare(sides: Mapping[str, Side], rounds: int) -> dict[str, dict[str, list[float]]]:
    """Ask both sides in turn, and return the medians of the rounds, in milliseconds, by kind and side."""
    ms: dict[str, dict[str, list[float]]] = {kind: {name: [] for name in sides} for kind in CALLS}
    for number in range(rounds + 1):
        for kind, name in itertools.product(CALLS, sorted(sides, reverse=bool(number % 2))):
            median = sides[name].median(kind)
            if number:  # the first warms both up
                ms[kind][name].append(median)
    return ms


def report(measured: Sequence[dict[str, dict[str, list[float]]]]) -> dict[str, dict[str, float]]:
    """Return the median of each side and the ratio, by kind, from what was measured in each order."""
    found = {}
    for kind in CALLS:
        sides = {name: statistics.median(ms for one in measured for ms in one[kind][name]) for name in SIDES}
        ratios = [statistics.median(map(operator.truediv, one[kind][NOW], one[kind][BEFORE])) for one in measured]
        found[kind] = {**sides, "ratio": statistics.geometric_mean(ratios)}
    return found


def main() -> int:
    """Measure and print; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--before", type=Path, help="the other checkout")
    parser.add_argument("--source", type=Path, required=True, help="folder of the archives")
    parser.add_argument("--keep", type=Path, help="folder for what is stored")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--limit", type=float, default=1.10)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--serve", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve:
        sys.path.insert(0, str(Path("benchmarks").resolve()))
        stored = (options.serve / "index").exists()
        options.serve.mkdir(parents=True, exist_ok=True)
        asyncio.run(serve(importlib.import_module("search"), options.serve, options.source, stored=stored))
        return 0
    if options.before is None:
        parser.error("--before names the other checkout")
    with tempfile.TemporaryDirectory(prefix="lovsvar-bench-", ignore_cleanup_errors=True) as folder:
        keep, source = (options.keep or Path(folder)).resolve(), options.source.resolve()
        checkouts = {BEFORE: options.before, NOW: Path(__file__).parents[1]}
        measured, serves = [], {}
        for order in (SIDES, SIDES[::-1]):
            sides = {}
            for name in order:
                sides[name] = Side(checkouts[name], keep / name, source)
                serves[name] = sides[name].ready()
            measured.append(compare(sides, options.rounds))
            for side in sides.values():
                side.stop()
    found = report(measured)
    if options.json:
        print(json.dumps({"serves": serves, "ms": found}))
    else:
        print(f"before: {serves[BEFORE]}; now: {serves[NOW]}")
        print(f"{'milliseconds':12} {BEFORE:>8} {NOW:>8} {'ratio':>6}")
        for kind, one in found.items():
            print(f"{kind:12} {one[BEFORE]:8.2f} {one[NOW]:8.2f} {one['ratio']:6.2f}")
    return int(any(one["ratio"] > options.limit for one in found.values()))


if __name__ == "__main__":
    sys.exit(main())
