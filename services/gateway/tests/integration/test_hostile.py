"""Thousands of requests that nobody in their right mind sends: no fault of our own, no trace of one, no growth."""

import asyncio
import json
import random
from collections import Counter
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

import httpx2
import psutil
import pytest
import pytest_asyncio

from lovsvar_testkit.processes import ServiceProcess, free_port

REQUESTS = 500
MANY_REQUESTS = 10_000
AT_ONCE = 16
GROWTH_MB = 80
"""What a gateway may grow by over the many; a leak of a few kilobytes a request would show, also over fewer."""

METHODS = [b"GET", b"POST", b"DELETE", b"PUT", b"PATCH", b"HEAD", b"OPTIONS", b"TRACE", b"FOO", b"get"]
PATHS = [
    "/v1/questions",
    "/v1/questions/{}",
    "/v1/questions/{}/events",
    "/v1/search",
    "/v1/resolve",
    "/v1/practice",
    "/v1/documents",
    "/v1/documents/{}",
    "/v1/documents/{}/outline",
    "/v1/documents/{}/provisions/{}",
    "/v1/provisions:batch",
    "/v1/ingest",
    "/v1/ingest/{}/events",
    "/v1/audit",
    "/v1/status",
    "/readyz",
    "/openapi.json",
    "/static/{}",
    "/{}",
    "/lov/{}",
    "/sok",
    "/stopp",
    "/svar/{}",
    "/",
]
TAKERS = {"/v1/questions", "/v1/provisions:batch", "/v1/ingest", "/stopp", "/"}
NAMES = [
    "q",
    "ref",
    "law_type",
    "year",
    "ministry",
    "page",
    "page_size",
    "after",
    "count",
    "in_force_on",
    "mode",
    "run",
    "question",
    "follows",
    "act",
    "sitat",
]
WORDS = [
    "depositum",
    "lov/2999-01-01-1",
    "§3-5",
    "",
    " ",
    "0",
    "-1",
    "1e309",
    "9" * 40,
    "NaN",
    "true",
    "null",
    "2026-02-30",
    "../../etc/passwd",
    "..%2f..%2f",
    "%",
    "%zz",
    "\x00",
    "\x1b[31m",
    "æøå" * 50,
    "\u202e\ufeff\u0000",
    "𝕊" * 100,
    "02000" + "0" * 4_500,
    "*",
    "' OR 1=1 --",
    '"(((' * 30,
    "{{7*7}}",
    "<script>alert(1)</script>",
    "x" * 5_000,
    "*.>",
    "lovsvar.answer.>",
]
HEADERS = [
    "Accept",
    "Content-Type",
    "Last-Event-ID",
    "Origin",
    "Authorization",
    "traceparent",
    "Cookie",
    "Range",
    "Expect",
]
VALUES = [b"text/event-stream", b"text/html", b"application/json", b"*/*", b"-1", b"9" * 30, b"Bearer x", b"\xff\xfe"]


@dataclass
class Door:
    """A gateway in a process of its own."""

    port: int
    process: psutil.Process


@pytest_asyncio.fixture
async def door(nats_url: str, behind: Any, tmp_path: Path) -> AsyncIterator[Door]:
    port = free_port()
    environment = {"LOVSVAR_NATS_URL": nats_url, "LOVSVAR_HOST": "127.0.0.1", "LOVSVAR_PORT": str(port)}
    environment["LOVSVAR_REQUEST_SECONDS"] = "1"
    gateway = ServiceProcess("gateway", environment, tmp_path / "log")
    gateway.start()
    async with httpx2.AsyncClient(base_url=f"http://127.0.0.1:{port}") as client, asyncio.timeout(30):
        while True:
            try:
                await client.get("/healthz")
                break
            except httpx2.ConnectError:
                await asyncio.sleep(0.05)
    yield Door(port, psutil.Process(gateway.process.pid))
    assert await asyncio.to_thread(gateway.stop) == 0
    assert "request failed" not in (tmp_path / "log").read_text()


def some_request(chance: random.Random) -> bytes:
    """Return a request that is wrong in some ways and right in others."""
    path = chance.choice(PATHS)
    while "{}" in path:
        word = chance.choice(WORDS)
        path = path.replace("{}", quote(word, safe=chance.choice(["", "/", "/.%"]), errors="replace"), 1)
    parameters = [
        f"{chance.choice(NAMES)}={quote(chance.choice(WORDS), safe=chance.choice(['', '%&=']), errors='replace')}"
        for _ in range(chance.randrange(4))
    ]
    target = (path + ("?" + "&".join(parameters) if parameters else "")).encode("latin-1", "replace")
    if chance.random() < 0.02:
        target = chance.randbytes(20)
    body = some_body(chance)
    fitting = b"POST" if path in TAKERS else b"GET"
    lines = [(fitting if chance.random() < 0.8 else chance.choice(METHODS)) + b" " + target + b" HTTP/1.1"]
    lines += [b"Host: 127.0.0.1", b"Connection: close"]
    if chance.random() < 0.7:
        lines.append(b"Content-Type: application/json")
    for _ in range(chance.randrange(3)):
        lines.append(chance.choice(HEADERS).encode() + b": " + chance.choice(VALUES))
    length = len(body) if chance.random() < 0.97 else chance.randrange(len(body) + 1)
    lines.append(b"Content-Length: " + str(length).encode())
    return b"\r\n".join(lines) + b"\r\n\r\n" + body


def some_body(chance: random.Random) -> bytes:
    """Return a body: JSON of a shape that some route takes, of another, or none."""
    kind = chance.randrange(8)
    if kind == 7:
        return urlencode([(chance.choice(NAMES), chance.choice(WORDS)) for _ in range(chance.randrange(25))]).encode()
    if kind == 0:
        return b""
    if kind == 1:
        return chance.randbytes(chance.randrange(200))
    fields = ["question", "locale", "mode", "dataset", "source", "force", "refs", "refid", "section"]
    values: list[Any] = [*WORDS, 0, -1, 1e300, True, None, [], {}, [[]] * 60, {"a": {"a": {"a": 1}}}]
    document: Any = {chance.choice(fields): chance.choice(values) for _ in range(chance.randrange(5))}
    if kind == 2:
        document = {"refs": [{"refid": chance.choice(values), "section": chance.choice(values)}] * chance.randrange(60)}
    if kind == 3:
        document = chance.choice(values)
    encoded = json.dumps(document, ensure_ascii=chance.random() < 0.5).encode("utf-8", "surrogatepass")
    if kind == 4:
        return encoded[: chance.randrange(len(encoded) + 1)]
    if kind == 5:
        at = chance.randrange(len(encoded))
        return encoded[:at] + chance.randbytes(3) + encoded[at + 1 :]
    return encoded


async def send(port: int, request: bytes) -> bytes:
    """Return the answer; of a stream of events only its beginning."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        async with asyncio.timeout(20):
            writer.write(request)
            answer = await reader.read(65_536)
            while b"text/event-stream" not in answer and (more := await reader.read(65_536)):
                answer += more
            return answer
    except ConnectionError:
        return b""
    finally:
        writer.transport.abort()


@pytest.mark.parametrize("requests", [REQUESTS, pytest.param(MANY_REQUESTS, marks=pytest.mark.slow)])
async def test_hostile_requests_meet_no_fault_and_leave_nothing_behind(door: Door, requests: int) -> None:
    chance = random.Random(20260131)
    statuses: Counter[int] = Counter()
    wrong: list[tuple[bytes, bytes]] = []

    async def worker(count: int) -> None:
        for _ in range(count):
            request = some_request(chance)
            answer = await send(door.port, request)
            status = int(answer[9:12] or 0)
            statuses[status] += 1
            if status in {500, 502, 504} or b"Traceback" in answer or b'File "' in answer:
                wrong.append((request, answer))

    await worker(200)
    before = door.process.memory_info().rss
    await asyncio.gather(*(worker((requests - 200) // AT_ONCE) for _ in range(AT_ONCE)))
    assert not wrong, wrong[:3]
    assert statuses[0] < requests / 50, statuses
    assert sum(statuses[s] for s in (200, 202, 204)) > requests / 100, statuses
    assert sum(statuses[s] for s in (400, 404, 405, 422)) > requests / 10, statuses
    assert (door.process.memory_info().rss - before) / 2**20 < GROWTH_MB * requests / MANY_REQUESTS
