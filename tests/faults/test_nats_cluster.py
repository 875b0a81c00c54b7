"""A cluster of three nodes, one of which is gone: services start, take questions, and go on when another goes."""

import asyncio
import sys
from pathlib import Path

import httpx2
import pytest

from lovsvar_testkit.nats_cluster import NODES, nats_cluster
from lovsvar_testkit.processes import free_port
from lovsvar_testkit.storage import gateway_process, has_status
from lovsvar_testkit.waiting import until

IMPATIENT = """
from lovsvar_chassis import streams
streams.READY_SECONDS = 1.0
from lovsvar_practice.app import main
main()
"""

QUESTION = {"question": "Hvor mye kan utleier kreve i depositum?"}


@pytest.mark.slow
async def test_a_gateway_starts_and_takes_questions_with_one_node_of_three_down(tmp_path: Path) -> None:
    async with nats_cluster(tmp_path) as cluster:
        async with gateway_process(cluster.urls, tmp_path, LOVSVAR_NATS_REPLICAS="3"):
            pass  # The streams are there from now on.
        cluster.kill(0)
        await until(cluster.has_a_leader, 30)
        async with gateway_process(cluster.urls, tmp_path, LOVSVAR_NATS_REPLICAS="3") as client:
            await until(lambda: _is_taken(client), 30)


async def test_without_jetstream_the_start_says_so(tmp_path: Path) -> None:
    port = free_port()
    command = (str(Path(sys.executable).parent / "nats-server"), "-a", "127.0.0.1", "-p", str(port))
    server = await asyncio.create_subprocess_exec(*command, stderr=asyncio.subprocess.DEVNULL)
    try:
        started = await asyncio.create_subprocess_exec(
            *(sys.executable, "-c", IMPATIENT),
            env={"LOVSVAR_NATS_URL": f"nats://127.0.0.1:{port}", "PATH": ""},
            stderr=asyncio.subprocess.PIPE,
        )
        _, said = await asyncio.wait_for(started.communicate(), 60)
    finally:
        server.kill()
        await server.wait()
    [words] = [line for line in said.decode().splitlines() if '"cannot start"' in line]
    assert "Er JetStream på" in words
    assert started.returncode == 1


@pytest.mark.slow
async def test_it_goes_on_while_one_node_after_the_other_is_killed_and_comes_back(tmp_path: Path) -> None:
    async with (
        nats_cluster(tmp_path) as cluster,
        gateway_process(cluster.urls, tmp_path, LOVSVAR_NATS_REPLICAS="3") as client,
    ):
        for number in range(NODES):
            cluster.kill(number)
            await until(lambda: _is_taken(client), 30)
            cluster.start(number)
            await until(lambda: has_status(client, "/readyz", 200), 30)


@pytest.mark.slow
async def test_with_two_nodes_down_it_says_so_and_heals_when_one_comes_back(tmp_path: Path) -> None:
    async with (
        nats_cluster(tmp_path) as cluster,
        gateway_process(cluster.urls, tmp_path, LOVSVAR_NATS_REPLICAS="3") as client,
    ):
        cluster.kill(0)
        cluster.kill(1)
        await until(lambda: has_status(client, "/readyz", 503), 30)
        refused = await client.post("/v1/questions", json=QUESTION)
        assert (refused.status_code, refused.json()["retryable"]) == (503, True)
        cluster.start(0)
        await until(lambda: _is_taken(client), 45)


async def _is_taken(client: httpx2.AsyncClient) -> bool:
    return (await client.post("/v1/questions", json=QUESTION)).status_code == 202
