"""How long search takes for hostile queries, through NATS on a given store.

    uv run python benchmarks/hostile.py --source FOLDER           # fills a temporary database first
    uv run python benchmarks/hostile.py --database-url URL        # uses one that is filled

The list is that of search's tests. Prints the slowest, and a raw NATS echo of the same run; `--json` prints
one object instead. Ends with 1 when a query is answered with an error, or, the best of three, later than the
bound. A query that a request cannot hold must be refused as an invalid request.
"""

import argparse
import asyncio
import importlib.util
import json
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from search import add_corpus_arguments, corpus, echo_times, search_process

from lovsvar_chassis.requester import Requester
from lovsvar_contracts import subjects
from lovsvar_contracts.problems import ProblemError, ProblemType
from lovsvar_contracts.search import FindProvisions, ProvisionHits

LIST = Path(__file__).parents[1] / "services/search/tests/unit/hostile_queries.py"
BOUND_MS = 200.0
TRIES = 3
SHOWN = 10
FIELDS = FindProvisions(query="x").model_dump(exclude={"query"})


def hostile_queries() -> Sequence[str]:
    """Return the list; tests are no package, so that it is loaded by its place."""
    spec = importlib.util.spec_from_file_location(LIST.stem, LIST)
    if spec is None or spec.loader is None:
        raise SystemExit(f"{LIST} cannot be loaded")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    queries: Sequence[str] = module.QUERIES
    return queries


def sendable(query: str) -> str:
    """Return `query` as a message can carry it: without lone surrogates."""
    return query.encode(errors="replace").decode()


async def ask(requester: Requester, query: str) -> tuple[float, bool]:
    """Return the milliseconds until the answer, and whether it is one that this query may have."""
    # Sent without the client's check, so that the service's own is measured too.
    request = FindProvisions.model_construct(**FIELDS, query=sendable(query))
    refusable = not 1 <= len(request.query.strip()) <= 4_000
    began = time.perf_counter()
    try:
        await requester.ask(subjects.SEARCH_PROVISIONS, request, ProvisionHits, timeout=60)
        fine = True
    except ProblemError as exc:
        fine = refusable and exc.problem.type is ProblemType.INVALID_REQUEST
    return (time.perf_counter() - began) * 1000, fine


async def main() -> int:
    """Measure and print; return what the process ends with."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    add_corpus_arguments(parser)
    arguments = parser.parse_args()
    queries = hostile_queries()
    times: dict[str, float] = {}
    failed: list[str] = []
    async with corpus(arguments) as (nats_url, database_url):
        with tempfile.TemporaryDirectory(prefix="lovsvar-bench-index-") as index:
            async with search_process(nats_url, database_url, Path(index)) as (_, requester):
                echo = await echo_times(nats_url)
                for query in queries:
                    tries = [await ask(requester, query) for _ in range(TRIES)]
                    times[query] = min(milliseconds for milliseconds, _ in tries)
                    if not all(fine for _, fine in tries):
                        failed.append(query)
    slowest = sorted(times, key=lambda query: -times[query])
    ordered = sorted(times.values())
    report = {
        "queries": len(queries),
        "failed": len(failed),
        "late": sum(milliseconds > BOUND_MS for milliseconds in times.values()),
        "first failed": [query[:60] for query in failed[:SHOWN]],
        "ms": {
            "nats echo p50": round(echo[len(echo) // 2], 2),
            "p50": round(ordered[len(ordered) // 2], 2),
            "p99": round(ordered[int(len(ordered) * 0.99)], 2),
            "max": round(ordered[-1], 2),
        },
        "slowest": [
            {"ms": round(times[query], 2), "characters": len(query), "query": query[:60]} for query in slowest[:SHOWN]
        ],
    }
    if arguments.json:
        print(json.dumps(report))
    else:
        for name, value in report.items():
            print(f"{name:14} {value if not isinstance(value, list) else ''}")
            for line in value if isinstance(value, list) else ():
                print(f"    {line!r}")
    return 1 if report["failed"] or report["late"] else 0


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
