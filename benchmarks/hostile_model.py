"""What an agent holds in memory when its model's server is hostile, and how its runs end.

    uv run python benchmarks/hostile_model.py [--json]

It starts a nats-server, a stand-in for search and one agent. A server of models answers each question in another bad
way; the agent's memory is the most it ever held (`VmHWM`). Ends with 1 when that is above the bound, or a run does not
end.
"""

import argparse
import asyncio
import json
import os
import sys
import tempfile
import time
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import psutil
from agent import ANSWER, CALLS, Bench, agent, play_search, search

from lovsvar_testkit import servers
from lovsvar_testkit.scripted_model import Reply, ScriptedModel

BOUND_MB = 200.0
MB = 1024 * 1024
ENDLESS = '{"document": "' + "x" * 4 * MB


def bomb(megabytes: int) -> bytes:
    """Return a line without an end, compressed a thousandfold."""
    packing = zlib.compressobj(9, wbits=31)
    megabyte = b"x" * MB
    return b"".join(packing.compress(megabyte) for _ in range(megabytes)) + packing.flush()


def hostile() -> Mapping[str, list[Reply]]:
    """Return what the server says to one question after the other; what comes last is repeated."""
    gzip = {"headers": {"Content-Encoding": "gzip"}}
    deep = {"bytes": b"data: " + b'{"a":' * 150_000 + b"\n\n"}
    return {
        "good": [ANSWER],
        "a line of 52 MB": [{"bytes": b"data: " + b"x" * MB, "times": 52}],
        "400 MB in gzip": [{"bytes": bomb(400), **gzip}],
        "200 MB of lines in gzip": [{"bytes": zlib.compress((b": " + b"x" * 998 + b"\n") * 200_000, wbits=31), **gzip}],
        "JSON nested 150,000 deep": [deep],
        "words without end": [{"json": {"answer": "Pantet skal betales. " * 200_000}, "size": 4_000}],
        "a call without end": [{"calls": [{"name": "hent_lovtekst", "arguments": ENDLESS}], "size": 4_000}, ANSWER],
        "ten thousand calls": [{"calls": [CALLS[0]] * 10_000, "size": 1_000}, ANSWER],
        "bytes that are no text": [{"bytes": b"data: \xff\xfe\n\n" * 1_000}],
        "no stream": [{**ANSWER, "whole": True}],
        "good again": [ANSWER],
    }


async def measure(nats_url: str, folder: Path) -> list[dict[str, Any]]:
    """Return a line for each way of being hostile."""
    said: list[Reply] = [ANSWER]

    def next_reply(_body: dict[str, Any], _number: int) -> Reply:
        return said.pop(0) if len(said) > 1 else said[0]

    found = []
    async with ScriptedModel(next_reply).serving() as model, Bench(nats_url, model) as bench:
        with search(nats_url), agent(nats_url, model.url, 4, folder) as process:
            await bench.ready()
            for name, replies in hostile().items():
                said[:] = replies
                began = time.perf_counter()
                events = await bench.run()
                seconds = round(time.perf_counter() - began, 2)
                found.append({"server": name, "ends": events[-1].type, "seconds": seconds, "agent_mb": peak(process)})
    return found


def peak(process: psutil.Process) -> float:
    """Return the most megabytes that a process has held."""
    status = Path(f"/proc/{process.pid}/status").read_text(encoding="utf-8")
    (line,) = [line for line in status.splitlines() if line.startswith("VmHWM")]
    return round(int(line.split()[1]) / 1024, 1)


def main() -> None:
    """Measure and print, or play the search service."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    arguments = parser.parse_args()
    if nats_url := os.environ.get("BENCHMARK_SEARCH_ON"):
        asyncio.run(play_search(nats_url))
        return
    with tempfile.TemporaryDirectory() as folder, servers.nats() as nats_url:
        found = asyncio.run(measure(nats_url, Path(folder)))
    if arguments.json:
        print(json.dumps(found, ensure_ascii=False))
    else:
        for line in found:
            print(f"{line['server']:26} {line['ends']:18} {line['seconds']:7.2f} s {line['agent_mb']:8.1f} MB")
    sys.exit(max(line["agent_mb"] for line in found) > BOUND_MB)


if __name__ == "__main__":
    main()
