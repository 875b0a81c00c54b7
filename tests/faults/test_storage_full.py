"""JetStream has no room: questions are refused and said to be, answers are read, and it heals when there is room."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import httpx2
import pytest
import pytest_asyncio

from lovsvar_contracts import subjects
from lovsvar_testkit.processes import ServiceProcess
from lovsvar_testkit.storage import RoomyNats, gateway_process, has_status, roomy_nats
from lovsvar_testkit.waiting import until

QUESTION = {"question": "Hva er depositum?"}


@pytest_asyncio.fixture
async def nats_server(tmp_path: Path) -> AsyncIterator[RoomyNats]:
    async with roomy_nats(tmp_path) as server:
        yield server


async def ask(client: httpx2.AsyncClient) -> str:
    asked = await client.post("/v1/questions", json=QUESTION)
    assert asked.status_code == 202, asked.text
    return str(asked.json()["run_id"])


async def test_a_full_store_refuses_questions_shows_answers_and_takes_questions_again_without_a_restart(
    nats_server: RoomyNats, tmp_path: Path
) -> None:
    async with gateway_process(nats_server.url, tmp_path) as client:
        run_id = await ask(client)
        assert (await client.delete(f"/v1/questions/{run_id}")).status_code == 204
        async with nats_server.full():
            await until(lambda: has_status(client, "/readyz", 503))
            assert "lagringen for meldinger er full" in (await client.get("/readyz")).json()["detail"]
            refused = await client.post("/v1/questions", json=QUESTION)
            assert (refused.status_code, refused.json()["retryable"]) == (503, True)
            assert refused.json()["detail"].startswith("Lagringen for meldinger er full.")
            assert int(refused.headers["Retry-After"]) > 0
            assert (await client.get(f"/v1/questions/{run_id}")).json()["status"] == "cancelled"
        await until(lambda: has_status(client, "/readyz", 200))
        await ask(client)


@pytest.mark.slow
async def test_what_starts_while_the_store_is_full_works_when_there_is_room(
    nats_server: RoomyNats, tmp_path: Path
) -> None:
    async with gateway_process(nats_server.url, tmp_path) as client:
        run_id = await ask(client)
        agent = ServiceProcess("agent", {"LOVSVAR_NATS_URL": nats_server.url}, tmp_path / "agent.log")
        try:
            async with client.stream("GET", f"/v1/questions/{run_id}/events") as stream:
                async with nats_server.full():
                    agent.start()
                    await until(lambda: _logged(agent, '"started"'), 30)
                    await until(lambda: _logged(agent, "work failed"), 30)
                async with asyncio.timeout(90):
                    lines = [line async for line in stream.aiter_lines()]
            # There is no search behind this agent, and it says so; what counts is that the run has an end.
            assert [line for line in lines if line.startswith("event: run.")][-1] != "event: run.accepted"
            assert (await client.get(f"/v1/questions/{run_id}")).json()["status"] != "running"
        finally:
            agent.stop()


async def _logged(process: ServiceProcess, words: str) -> bool:
    return words in process.log.read_text()


async def test_a_queue_that_is_full_refuses_a_question_and_ends_its_run_with_the_reason(
    nats_server: RoomyNats, tmp_path: Path
) -> None:
    async with gateway_process(nats_server.url, tmp_path) as client, nats_server.jetstream() as jetstream:
        info = await jetstream.stream_info(subjects.STREAM_QUESTIONS)
        await jetstream.update_stream(info.config.evolve(max_msgs=1))
        await ask(client)
        refused = await client.post("/v1/questions", json=QUESTION)
        assert refused.status_code == 503
        assert refused.json()["detail"].startswith("Lagringen for meldinger er full.")
        last = await jetstream.get_msg(
            subjects.STREAM_ANSWERS, (await jetstream.stream_info(subjects.STREAM_ANSWERS)).state.last_seq
        )
        assert b'"type":"run.failed"' in (last.data or b"")
        await until(lambda: has_status(client, "/readyz", 503))
        assert "lagringen for meldinger er full" in (await client.get("/readyz")).json()["detail"]
        await jetstream.update_stream(info.config)
        await until(lambda: has_status(client, "/readyz", 200))
