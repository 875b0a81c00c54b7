"""What judging a model's SQL costs before PostgreSQL sees it: milliseconds of processor time a query.

    uv run python benchmarks/sql_guard.py [--rounds N] [--json]

The queries are those of the cases service's tests, what is asked and what is refused, each N times.
"""

import argparse
import contextlib
import json
import re
import statistics
import time
from pathlib import Path

from lovsvar_cases.core.sql_guard.guard import SqlRefused, judge

FOLDER = Path(__file__).parents[1] / "services/cases/tests/sql"
LIMIT_MS = 3.0


def main() -> None:
    """Measure, print, and fail above the limit."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=40)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    found = {
        kind: measure(FOLDER / file, given.rounds)
        for kind, file in (("asked", "queries.sql"), ("refused", "attacks.sql"))
    }
    if given.json:
        print(json.dumps(found))
    for kind, figures in () if given.json else found.items():
        print(f"{kind}: " + ", ".join(f"{name} {value:.2f} ms" for name, value in figures.items()))
    if found["asked"]["p95"] > LIMIT_MS:
        raise SystemExit(f"p95 is above {LIMIT_MS} ms")


def measure(file: Path, rounds: int) -> dict[str, float]:
    """Return median, 95th percentile and maximum in milliseconds."""
    queries = re.split(r"^-- \w+: \w+$", file.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]
    taken = []
    for _ in range(rounds):
        for query in queries:
            began = time.process_time()
            with contextlib.suppress(SqlRefused):
                judge(query, "legislation")
            taken.append((time.process_time() - began) * 1000)
    return {"median": statistics.median(taken), "p95": statistics.quantiles(taken, n=20)[-1], "max": max(taken)}


if __name__ == "__main__":
    main()
