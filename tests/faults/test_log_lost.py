"""The streams of JetStream are deleted while event streams are open, which end with the reason; the system goes on."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
import pytest_asyncio

from lovsvar_contracts import subjects
from lovsvar_testkit.storage import RoomyNats, gateway_process, has_status, roomy_nats
from lovsvar_testkit.waiting import until


@pytest_asyncio.fixture
async def nats_server(tmp_path: Path) -> AsyncIterator[RoomyNats]:
    async with roomy_nats(tmp_path) as server:
        yield server


async def ask(client: httpx2.AsyncClient) -> str:
    asked = await client.post("/v1/questions", json={"question": "Hva er depositum?"})
    assert asked.status_code == 202, asked.text
    return str(asked.json()["run_id"])


async def lines_of(response: httpx2.Response) -> list[str]:
    async with asyncio.timeout(30):
        return [line async for line in response.aiter_lines()]


async def lose(server: RoomyNats, *, wiped: bool) -> None:
    if wiped:
        server.stop(wipe=True)
        await server.start()
        return
    async with server.jetstream() as jetstream:
        for name in (subjects.STREAM_ANSWERS, subjects.STREAM_QUESTIONS, subjects.STREAM_AUDIT):
            await jetstream.delete_stream(name)


@pytest.mark.parametrize("wiped", [False, True], ids=["streams deleted", "store wiped"])
async def test_open_streams_end_with_the_reason_and_new_questions_are_taken(
    nats_server: RoomyNats, tmp_path: Path, wiped: bool
) -> None:
    async with gateway_process(nats_server.url, tmp_path) as client, contextlib.AsyncExitStack() as stack:
        runs = [await ask(client) for _ in range(3)]
        streams: list[Any] = []
        for run_id in runs:
            stream = await stack.enter_async_context(client.stream("GET", f"/v1/questions/{run_id}/events"))
            streams.append(stream)
        waiting = [asyncio.create_task(lines_of(stream)) for stream in streams]
        await until(lambda: has_status(client, f"/v1/questions/{runs[0]}", 200))
        await lose(nats_server, wiped=wiped)
        for lines in await asyncio.gather(*waiting):
            at = lines.index("event: dropped")
            assert '"reason":"log_lost"' in lines[at + 1]
            assert not lines[at - 1].startswith("id:")
        await until(lambda: has_status(client, f"/v1/questions/{runs[0]}", 404))
        gone = await client.get(f"/v1/questions/{runs[0]}")
        assert gone.json()["detail"].startswith(f"Fant ikke spørsmålet {runs[0]}.")
        await until(lambda: has_status(client, "/readyz", 200))
        again = await ask(client)
        assert (await client.get(f"/v1/questions/{again}")).json()["status"] == "running"
