"""What a connection may do that keeps to no rules, by plain sockets."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from lovsvar_chassis.run_log import RunLog
from lovsvar_contracts.run_events import RunCompleted
from lovsvar_gateway import server
from lovsvar_testkit.processes import ServiceProcess, free_port

HEAD = b"Host: 127.0.0.1\r\n"


@pytest.fixture
def gateway(own_gateway: Any) -> Any:
    """A gateway for each test, since its time-outs are changed."""
    return own_gateway


@asynccontextmanager
async def connected(port: int) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        async with asyncio.timeout(20):
            yield reader, writer
    finally:
        writer.transport.abort()


def port_of(gateway: Any) -> int:
    return int(gateway.url.rpartition(":")[2])


@pytest.mark.parametrize("begun", [b"", b"GET /healthz HTTP/1.1\r\n" + HEAD])
async def test_a_connection_on_which_no_whole_request_comes_is_closed(
    gateway: Any, monkeypatch: Any, begun: bytes
) -> None:
    monkeypatch.setattr(server, "HEAD_SECONDS", 0.2)
    async with connected(port_of(gateway)) as (reader, writer):
        writer.write(begun)
        assert await reader.read() == b""


async def test_a_connection_that_begins_a_second_request_and_does_not_end_it_is_closed(
    gateway: Any, monkeypatch: Any
) -> None:
    monkeypatch.setattr(server, "HEAD_SECONDS", 0.3)
    request = b"GET /healthz HTTP/1.1\r\n" + HEAD
    async with connected(port_of(gateway)) as (reader, writer):
        writer.write(request + b"\r\n" + request)
        assert (await reader.read()).count(b"HTTP/1.1 200 ") == 1


async def test_a_stream_may_last_longer_than_a_head_may_take(gateway: Any, monkeypatch: Any, run_log: RunLog) -> None:
    monkeypatch.setattr(server, "HEAD_SECONDS", 0.1)
    run_id = (await gateway.client.post("/v1/questions", json={"question": "Hva?"})).json()["run_id"]
    async with gateway.stream("GET", f"/v1/questions/{run_id}/events") as stream:
        await stream.next()
        # Longer than a head may take: another connection, opened behind this one, has been closed by then.
        async with connected(port_of(gateway)) as (reader, _):
            assert await reader.read() == b""
        _, end = await run_log.end(run_id)
        await run_log.append(RunCompleted(run_id=run_id), end)
        assert [e["event"] async for e in stream] == ["run.completed"]


async def test_a_body_whose_end_is_told_in_two_ways_is_refused_and_nothing_behind_it_is_read(gateway: Any) -> None:
    hidden = b"GET /healthz HTTP/1.1\r\n" + HEAD + b"\r\n"
    request = b"POST /v1/questions HTTP/1.1\r\n" + HEAD + b"Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n"
    async with connected(port_of(gateway)) as (reader, writer):
        writer.write(request + b"0\r\n\r\n" + hidden)
        answer = await reader.read()
    assert answer.startswith(b"HTTP/1.1 400 ")
    assert answer.count(b"HTTP/1.1 ") == 1


async def test_a_body_without_end_ends_the_stream_it_came_with(gateway: Any, capfd: Any) -> None:
    run_id = (await gateway.client.post("/v1/questions", json={"question": "Hva?"})).json()["run_id"]
    async with connected(port_of(gateway)) as (reader, writer):
        path = f"/v1/questions/{run_id}/events".encode()
        writer.write(b"GET " + path + b" HTTP/1.1\r\n" + HEAD + b"Transfer-Encoding: chunked\r\n\r\n")
        await reader.readuntil(b"run.accepted")
        for _ in range(20):
            writer.write(b"1000\r\n" + b"x" * 4096 + b"\r\n")
        await reader.readuntil(b"\r\n0\r\n\r\n")
    out, err = capfd.readouterr()
    assert "request failed" not in out + err


async def test_on_sigterm_a_request_whose_body_does_not_come_is_not_waited_for(nats_url: str, tmp_path: Path) -> None:
    port = free_port()
    settings = {"LOVSVAR_NATS_URL": nats_url, "LOVSVAR_HOST": "127.0.0.1", "LOVSVAR_PORT": str(port)}
    gateway = ServiceProcess("gateway", settings, tmp_path / "log")
    gateway.start()
    async with asyncio.timeout(30):
        while '"started"' not in gateway.log.read_text():  # noqa: ASYNC110
            await asyncio.sleep(0.05)
    async with connected(port) as (reader, writer):
        head = (
            b"POST /v1/questions HTTP/1.1\r\n"
            + HEAD
            + b"Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{"
        )
        writer.write(head)
        async with connected(port) as (answers, other):  # answered behind it
            other.write(b"GET /healthz HTTP/1.1\r\n" + HEAD + b"\r\n")
            await answers.readuntil(b"alive")
        began = time.monotonic()
        gateway.process.terminate()
        await reader.read()
        assert time.monotonic() - began < 3
    # Not stopped: a second signal would end it as it exits.
    assert await asyncio.to_thread(gateway.process.wait, 8) == 0
