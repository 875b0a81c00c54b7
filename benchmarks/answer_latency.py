"""How long an answer without a language model takes a caller of the gateway, on the real law.

    uv run python benchmarks/answer_latency.py --source FOLDER_WITH_ARCHIVES
    uv run python benchmarks/answer_latency.py --url http://127.0.0.1:8080

The citizens' questions of `questions/answers.jsonl`, one after another: from the POST until the event of the completed
answer has been read, on connections that are kept. Times are in milliseconds.
"""

import argparse
import contextlib
import json
import statistics
import time
from pathlib import Path

import httpx2
from mcp_tools import system

from lovsvar_testkit import sse

QUESTIONS = Path(__file__).parent / "questions" / "answers.jsonl"
WARM = 10
"""The first questions, which are not counted."""


def answer_time(client: httpx2.Client, question: str, address: str) -> float:
    """Ask from `address`, and return the milliseconds until the answer is there.

    Raises `AssertionError` when the run has none.
    """
    begun = time.perf_counter()
    asked = client.post("/v1/questions", json={"question": question}, headers={"X-Forwarded-For": address})
    asked.raise_for_status()
    for event in sse.events(client, f"/v1/questions/{asked.json()['run_id']}/events"):
        if event["type"] == "answer.completed":
            return (time.perf_counter() - begun) * 1e3
    raise AssertionError(f"no answer: {question}")


def measure(url: str) -> dict[str, float]:
    """Return the percentiles over all questions but the first."""
    questions = [json.loads(line)["question"] for line in QUESTIONS.read_text(encoding="utf-8").splitlines()]
    with httpx2.Client(base_url=url, timeout=60, trust_env=False) as client:
        asked = enumerate(questions)
        # Each from another address: what one address may ask in a minute is limited.
        times = [answer_time(client, question, f"10.0.{n // 250}.{n % 250 + 1}") for n, question in asked]
    times = sorted(times[WARM:])
    return {
        "questions": len(times),
        "p50": round(statistics.median(times), 1),
        "p95": round(times[int(len(times) * 0.95)], 1),
        "most": round(times[-1], 1),
    }


def main() -> None:
    """Print the times as JSON."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    where = parser.add_mutually_exclusive_group(required=True)
    where.add_argument("--source", type=Path, help="folder with Lovdata's archives")
    where.add_argument("--url", help="a system that runs, with the laws stored")
    given = parser.parse_args()
    with contextlib.nullcontext(given.url) if given.url else system(given.source.absolute()) as url:
        print(json.dumps(measure(url)))


if __name__ == "__main__":
    main()
