"""The embedded servers by themselves."""

import asyncio
import threading
import time
from pathlib import Path

import asyncpg
import nats
import psutil
import pytest

from lovsvar_local.embedded import NatsServer, PostgresServer
from lovsvar_local.embedded.postgres_server import LONGEST_SOCKET_PATH
from lovsvar_local.errors import ServerDidNotStart


async def test_what_postgresql_stored_is_there_after_a_restart(fresh: Path) -> None:
    folder = fresh / "et navn med mellomrom & æøå" / "postgres"
    first = PostgresServer(folder)
    try:
        connection = await asyncpg.connect(await asyncio.to_thread(first.start))
        await connection.execute("CREATE EXTENSION vector; CREATE TABLE t AS SELECT 'ÆRE' AS word")
        assert await connection.fetchval("SELECT lower(word) FROM t") == "ære"
    finally:
        first.stop()
    second = PostgresServer(folder)
    try:
        connection = await asyncpg.connect(await asyncio.to_thread(second.start))
        assert await connection.fetchval("SELECT word FROM t") == "ÆRE"
        await connection.close()
    finally:
        second.stop()


def test_a_server_that_hung_is_given_the_time_of_its_start_when_it_is_started_again(
    fresh: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = NatsServer(fresh / "nats")
    try:
        server.start()
        assert [server.sign(), server.sign()] == [1, 2]
        server.end_hung()
        while server.alive():
            time.sleep(0.01)
        with monkeypatch.context() as recovering:
            recovering.setattr(server, "_answered", lambda: False)
            server.start()
            assert server.sign() is None, "what has not answered yet is not taken for what has stopped answering"
        assert server.sign() == 1
    finally:
        server.stop()


async def test_a_folder_too_deep_for_a_socket_works_too(fresh: Path) -> None:
    folder = fresh / ("dyp" * 20) / ("dypere" * 10) / "postgres"
    assert len(str(folder)) > LONGEST_SOCKET_PATH
    server = PostgresServer(folder)
    try:
        connection = await asyncpg.connect(await asyncio.to_thread(server.start))
        assert await connection.fetchval("SELECT 1") == 1
        await connection.close()
    finally:
        server.stop()


def test_a_postgresql_that_was_left_running_gives_way_to_the_next(fresh: Path) -> None:
    first, second = (PostgresServer(fresh / "postgres") for _ in range(2))
    first.start()
    assert first.pid is not None
    left = psutil.Process(first.pid)
    try:
        second.start()
        assert not first.alive()
        assert not left.is_running()
        assert second.alive()
    finally:
        second.stop()
        first.stop()


async def test_a_postgresql_that_was_killed_while_a_statement_ran_starts_again_at_once(fresh: Path) -> None:
    server = PostgresServer(fresh / "postgres")
    running = "DO $$ BEGIN WHILE clock_timestamp() < now() + interval '60 s' LOOP PERFORM 1; END LOOP; END $$"
    active = "SELECT count(*) FROM pg_stat_activity WHERE state = 'active' AND query LIKE 'DO %'"
    try:
        url = await asyncio.to_thread(server.start)
        busy, other = await asyncpg.connect(url), await asyncpg.connect(url)
        statement = asyncio.create_task(busy.execute(running))
        while not await other.fetchval(active):  # noqa: ASYNC110
            await asyncio.sleep(0.01)
        assert server.pid is not None
        killed = psutil.Process(server.pid)
        killed.kill()
        await asyncio.to_thread(killed.wait)
        connection = await asyncpg.connect(await asyncio.to_thread(server.start))
        assert await connection.fetchval("SELECT 1") == 1
        await connection.close()
        with pytest.raises((asyncpg.PostgresError, OSError)):
            await statement
    finally:
        server.stop()


def test_a_mark_left_by_a_dead_postgresql_whose_number_another_has_now_is_no_hindrance(fresh: Path) -> None:
    server = PostgresServer(fresh / "postgres")
    server.start()
    mark = fresh / "postgres" / "postmaster.pid"
    words = mark.read_text().splitlines()
    server.stop()
    with psutil.Popen(["sleep", "600"]) as other:
        mark.write_text("\n".join([str(other.pid), *words[1:]]) + "\n")
        again = PostgresServer(fresh / "postgres")
        try:
            again.start()
            assert other.is_running()
        finally:
            again.stop()
            other.kill()


def test_a_cluster_of_another_version_is_refused_in_plain_words(fresh: Path) -> None:
    (fresh / "postgres").mkdir()
    (fresh / "postgres" / "PG_VERSION").write_text("16\n")
    with pytest.raises(ServerDidNotStart, match="laget av PostgreSQL 16, og denne utgaven bruker 18"):
        PostgresServer(fresh / "postgres").start()


def test_a_folder_with_something_else_in_it_is_left_alone(fresh: Path) -> None:
    (fresh / "postgres").mkdir()
    (fresh / "postgres" / "bilde.png").write_text("")
    with pytest.raises(ServerDidNotStart, match="ikke tom"):
        PostgresServer(fresh / "postgres").start()
    assert (fresh / "postgres" / "bilde.png").exists()


def test_a_server_that_cannot_start_says_why_in_its_own_words(fresh: Path) -> None:
    (fresh / "nats").mkdir()
    (fresh / "nats" / "jetstream").write_text("a file where a folder belongs")
    with pytest.raises(ServerDidNotStart, match="nats-server startet ikke"):
        NatsServer(fresh / "nats").start()


def test_a_stop_from_another_thread_makes_a_start_give_up(fresh: Path) -> None:
    server = PostgresServer(fresh / "postgres")
    threading.Timer(0.1, server.stop).start()
    with pytest.raises(ServerDidNotStart):
        server.start()
    assert not server.alive()


async def test_nats_keeps_its_port_and_its_streams_when_it_is_started_again(fresh: Path) -> None:
    server = NatsServer(fresh / "nats")
    url = await asyncio.to_thread(server.start)
    try:
        connection = await nats.connect(url)
        await connection.jetstream().add_stream(name="S", subjects=["s"])
        await connection.close()
        assert server.pid is not None
        killed = psutil.Process(server.pid)
        killed.kill()
        await asyncio.to_thread(killed.wait)
        assert await asyncio.to_thread(server.start) == url
        connection = await nats.connect(url)
        assert (await connection.jetstream().stream_info("S")).config.name == "S"
        await connection.close()
    finally:
        server.stop()
