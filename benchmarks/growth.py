"""What a larger corpus costs search: memory, latency and the time of a rebuild at 1, 4 and 10 times the corpus.

    uv run python benchmarks/growth.py --source FOLDER [--times 1 4 10] [--json]

The text is replicated inside a temporary database: every document again under another refid. Searches are by
words. Each row has the time of a raw NATS echo for comparison.
"""

import argparse
import asyncio
import itertools
import json
import statistics
import tempfile
import time
from pathlib import Path

import asyncpg
from search import QUERIES, corpus, echo_times, find, search_process, timed

from lovsvar_contracts.search import SearchMode

COPY_DOCUMENTS = """
INSERT INTO documents SELECT (jsonb_populate_record(d, jsonb_build_object('refid', d.refid || '-copy' || $1::text))).*
FROM documents AS d WHERE d.refid NOT LIKE '%-copy%'
"""
COPY_SECTIONS = """
INSERT INTO sections SELECT (jsonb_populate_record(s, jsonb_build_object('refid', s.refid || '-copy' || $1::text))).*
FROM sections AS s WHERE s.refid NOT LIKE '%-copy%'
"""
RAISE = "UPDATE corpus SET version = version + 1"
STAMP = "UPDATE documents SET corpus_version = (SELECT version FROM corpus) WHERE refid LIKE '%-copy' || $1::text"


async def grow(database_url: str, copies: range) -> None:
    """Add whole copies of the corpus."""
    connection = await asyncpg.connect(database_url)
    for number in copies:
        async with connection.transaction():
            await connection.execute(COPY_DOCUMENTS, str(number))
            await connection.execute(COPY_SECTIONS, str(number))
            await connection.execute(RAISE)
            await connection.execute(STAMP, str(number))
    await connection.execute("ANALYZE")
    await connection.close()


def megabytes(folder: Path) -> float:
    """Return how much the files in a folder take, in MB (10^6 bytes)."""
    return sum(file.stat().st_size for file in folder.rglob("*")) / 1e6


async def measure(nats_url: str, database_url: str, times: int) -> dict[str, float]:
    """Return what search costs on the corpus as it is."""
    queries = itertools.cycle(QUERIES)
    with tempfile.TemporaryDirectory(prefix="lovsvar-bench-index-") as index:
        async with search_process(nats_url, database_url, Path(index)) as (search, _):
            built = search.ready_seconds
        began = time.perf_counter()
        async with search_process(nats_url, database_url, Path(index)) as (search, requester):
            restarted = time.perf_counter() - began
            found = await timed(300, lambda: find(requester, next(queries), SearchMode.LEXICAL))
            echo = await echo_times(nats_url)
            rss, size = search.rss_mb, megabytes(Path(index))
    return {
        "times": times,
        "rebuild_s": round(built, 1),
        "restart_s": round(restarted, 1),
        "index_mb": round(size),
        "rss_mb": round(rss),
        "lexical_p50_ms": round(statistics.median(found), 2),
        "lexical_p99_ms": round(found[int(len(found) * 0.99)], 2),
        "echo_p50_ms": round(statistics.median(echo), 2),
    }


async def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--source", required=True, help="folder or address of the archives")
    parser.add_argument("--times", type=int, nargs="+", default=[1, 4, 10])
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    arguments.database_url = None  # Copies are never put into a database that is somebody's.
    rows, size = [], 1
    async with corpus(arguments) as (nats_url, database_url):
        for times in sorted(arguments.times):
            await grow(database_url, range(size, times))
            size = max(size, times)
            rows.append(await measure(nats_url, database_url, times))
    if arguments.json:
        print(json.dumps(rows))
        return
    print("".join(f"{name:>16}" for name in rows[0]))
    for row in rows:
        print("".join(f"{value:>16}" for value in row.values()))


if __name__ == "__main__":
    asyncio.run(main())
