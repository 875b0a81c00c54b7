"""The audit log cannot be written: answers are shown all the same, unless it is required."""

import asyncio
import contextlib
from pathlib import Path

import httpx2
import pytest

from lovsvar_contracts import subjects
from lovsvar_testkit.storage import gateway_process, roomy_nats
from lovsvar_testkit.waiting import until


async def ended_run(client: httpx2.AsyncClient) -> str:
    asked = await client.post("/v1/questions", json={"question": "Hva er depositum?"})
    run_id = str(asked.json()["run_id"])
    assert (await client.delete(f"/v1/questions/{run_id}")).status_code == 204
    return run_id


async def shown(client: httpx2.AsyncClient, run_id: str) -> int:
    """Return how often the audit log says that the run was shown."""
    records = (await client.get("/v1/audit?count=200")).json()["records"]
    return sum(r["run_id"] == run_id and r["action"] == "shown" for r in records)


def logged(folder: Path, words: str) -> list[str]:
    """Return the lines of the gateway's log that have `words`."""
    return [line for log in folder.glob("gateway-*.log") for line in log.read_text().splitlines() if words in line]


async def test_answers_are_shown_and_written_down_when_that_is_possible_again(tmp_path: Path) -> None:
    async with roomy_nats(tmp_path) as server, gateway_process(server.url, tmp_path) as client:
        run_id = await ended_run(client)
        async with server.full():
            for _ in range(3):
                assert (await client.get(f"/v1/questions/{run_id}")).status_code == 200
            assert await shown(client, run_id) == 0

        async def all_written() -> bool:
            return await shown(client, run_id) == 3

        await until(all_written)


@pytest.mark.parametrize("full", [True, False])
async def test_where_it_is_required_nothing_is_shown_that_is_not_written_down(tmp_path: Path, full: bool) -> None:
    required = {"LOVSVAR_AUDIT_REQUIRED": "true"}
    async with roomy_nats(tmp_path) as server, gateway_process(server.url, tmp_path, **required) as client:
        run_id = await ended_run(client)
        if not full:
            assert (await client.get(f"/v1/questions/{run_id}")).status_code == 200
            assert await shown(client, run_id) == 1
            return
        async with server.full():
            refused = await client.get(f"/v1/questions/{run_id}")
            assert (refused.status_code, refused.json()["type"]) == (503, "urn:lovsvar:problem:unavailable")

        async def answered() -> bool:
            return (await client.get(f"/v1/questions/{run_id}")).status_code == 200

        await until(answered)


async def test_what_is_still_kept_when_the_gateway_stops_is_logged_as_lost(tmp_path: Path) -> None:
    async with roomy_nats(tmp_path) as server, contextlib.AsyncExitStack() as outer:
        async with gateway_process(server.url, tmp_path) as client:
            run_id = await ended_run(client)
            await outer.enter_async_context(server.full())
            assert (await client.get(f"/v1/questions/{run_id}")).status_code == 200
        assert [run_id in line for line in logged(tmp_path, "audit record lost")] == [True]


async def test_a_record_that_is_always_refused_is_lost_alone(tmp_path: Path) -> None:
    async with roomy_nats(tmp_path) as server, gateway_process(server.url, tmp_path) as client:
        first, second = await ended_run(client), await ended_run(client)
        await client.get("/metrics")  # from now on they are counted
        async with server.jetstream() as jetstream:
            config = (await jetstream.stream_info(subjects.STREAM_AUDIT)).config
            await jetstream.update_stream(config.evolve(max_msg_size=1))
            assert (await client.get(f"/v1/questions/{first}")).status_code == 200
            await until(lambda: asyncio.sleep(0, bool(logged(tmp_path, "audit record lost"))))
            await jetstream.update_stream(config)
        assert (await client.get(f"/v1/questions/{second}")).status_code == 200

        async def written() -> bool:
            return await shown(client, second) == 1

        await until(written)
        assert await shown(client, first) == 0
        exposed = (await client.get("/metrics")).text
        assert "\nlovsvar_audit_lost_total 1.0" in exposed
        assert "\nlovsvar_audit_kept 0.0" in exposed
