"""How fast the MCP tools answer over HTTP, on the real law.

    uv run python benchmarks/mcp_tools.py --source FOLDER_WITH_ARCHIVES
    uv run python benchmarks/mcp_tools.py --url http://127.0.0.1:8080

Each call is one POST on a connection that is kept, by the current protocol and the one before it; then once more
by the official client, whose own work is counted with it. Times are in milliseconds.
"""

import argparse
import asyncio
import contextlib
import json
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import httpx2
from mcp import Client

from lovsvar_testkit import sse
from lovsvar_testkit.processes import running_system

CALLS: dict[str, tuple[str, dict[str, Any], float]] = {
    "lov with a §": ("lov", {"lov_id": "husleieloven", "paragraf": "3-5"}, 8),
    "hent_flere of three": (
        "hent_flere",
        {"lov_id": "personopplysningsloven", "paragrafer": ["Artikkel 5", "Artikkel 6", "Artikkel 35"]},
        10,
    ),
    "contents of arbeidsmiljøloven": ("lov", {"lov_id": "arbeidsmiljøloven"}, 20),
    "sok": ("sok", {"query": "oppsigelse prøvetid"}, 20),
}
"""What is called, and the p50 that it must stay within."""

CURRENT, BEFORE = "2026-07-28", "2025-11-25"

Call = Callable[[str, dict[str, Any]], Awaitable[None]]


@contextlib.contextmanager
def system(source: Path) -> Iterator[str]:
    """Run all services with the laws of `source` stored, and return the gateway's address."""
    listed = {"LOVSVAR_SOURCES": str(source)}
    with tempfile.TemporaryDirectory() as folder, running_system(Path(folder), listed, alone=True) as running:
        with httpx2.Client(base_url=running.url, timeout=600) as client:
            for dataset in ("gjeldende-lover", "gjeldende-sentrale-forskrifter"):
                asked = {"dataset": dataset, "source": str(source)}
                sync = client.post("/v1/ingest", json=asked).json()["syncs"][0]
                *_, last = sse.events(client, f"/v1/ingest/{sync['sync_id']}/events", timeout=600)
                running.wait_version(last["corpus_version"])
        running.wait_ready(path="/readyz")
        yield running.url


def posting(http: httpx2.AsyncClient, protocol: str) -> Call:
    """Return a call that is one POST by `protocol`."""
    headers = {"Accept": "application/json, text/event-stream", "MCP-Protocol-Version": protocol}
    meta = {
        "io.modelcontextprotocol/protocolVersion": CURRENT,
        "io.modelcontextprotocol/clientInfo": {"name": "benchmark", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    }

    async def call(tool: str, arguments: dict[str, Any]) -> None:
        params: dict[str, Any] = {"name": tool, "arguments": arguments}
        more = {}
        if protocol == CURRENT:
            params["_meta"] = meta
            more = {"Mcp-Method": "tools/call", "Mcp-Name": tool}
        body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
        answer = await http.post("/mcp", json=body, headers={**headers, **more})
        assert answer.status_code == 200, answer.text
        assert '"isError":false' in answer.text.replace(": ", ":"), answer.text[:500]

    return call


async def measure(call: Call, rounds: int) -> dict[str, dict[str, float]]:
    """Return p50 and p95 of each call."""
    found = {}
    for name, (tool, arguments, limit) in CALLS.items():
        times = []
        for _ in range(rounds + 5):
            begun = time.perf_counter()
            await call(tool, arguments)
            times.append((time.perf_counter() - begun) * 1e3)
        warm = sorted(times[5:])
        found[name] = {
            "p50": round(statistics.median(warm), 2),
            "p95": round(warm[int(len(warm) * 0.95)], 2),
            "limit": limit,
        }
    return found


async def run(url: str, rounds: int) -> dict[str, Any]:
    """Measure everything."""
    report: dict[str, Any] = {}
    async with httpx2.AsyncClient(base_url=url, timeout=30, trust_env=False) as http:
        for protocol in (CURRENT, BEFORE):
            report[f"POST, {protocol}"] = await measure(posting(http, protocol), rounds)
    async with Client(f"{url}/mcp") as client:
        await client.list_tools()

        async def call(tool: str, arguments: dict[str, Any]) -> None:
            assert not (await client.call_tool(tool, arguments)).is_error

        report["official client"] = await measure(call, rounds)
    return report


def main() -> None:
    """Print the report as JSON."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    where = parser.add_mutually_exclusive_group(required=True)
    where.add_argument("--source", type=Path, help="folder with Lovdata's archives")
    where.add_argument("--url", help="a system that runs, with the laws stored")
    parser.add_argument("--rounds", type=int, default=200)
    given = parser.parse_args()
    with contextlib.nullcontext(given.url) if given.url else system(given.source.absolute()) as url:
        print(json.dumps(asyncio.run(run(url, given.rounds)), indent=2, ensure_ascii=False))


if __name__ == "__main__":
    main()
