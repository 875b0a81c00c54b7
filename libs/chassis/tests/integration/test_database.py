"""The pool of connections, on a real PostgreSQL."""

import asyncio
import socket
import time
from urllib.parse import urlsplit, urlunsplit

import asyncpg
import pytest

from lovsvar_chassis import metrics
from lovsvar_chassis.database import Database, connect
from lovsvar_testkit.measured import Measured
from lovsvar_testkit.proxy import Proxy


async def test_a_started_database_answers(database_url: str) -> None:
    database = Database(database_url)
    await database.start()
    assert await database.pool.fetchval("SELECT 1") == 1
    await database.stop()


async def test_settings_of_the_server_hold_on_every_connection(database_url: str) -> None:
    database = Database(database_url, size=3, server_settings={"application_name": "lovsvar-test"})
    await database.start()
    async with database.pool.acquire() as one, database.pool.acquire() as two:
        for connection in (one, two):
            assert await connection.fetchval("SHOW application_name") == "lovsvar-test"
    await database.stop()


async def test_each_connection_is_prepared_once(database_url: str) -> None:
    async def prepare(connection: "asyncpg.Connection[asyncpg.Record]") -> None:
        await connection.execute("CREATE TEMPORARY TABLE prepared ()")

    database = Database(database_url, size=1, init=prepare)
    await database.start()
    for _ in range(2):
        assert await database.pool.fetchval("SELECT count(*) FROM prepared") == 0
    await database.stop()


async def test_it_waits_for_a_database_that_does_not_exist_yet(database_url: str) -> None:
    parts = urlsplit(database_url)
    later = f"{parts.path.strip('/')}_later"
    database = Database(urlunsplit(parts._replace(path=f"/{later}")))
    starting = asyncio.create_task(database.start())
    admin = await asyncpg.connect(database_url)
    try:
        await admin.execute(f"CREATE DATABASE {later}")
        await asyncio.wait_for(starting, 20)
        assert await database.pool.fetchval("SELECT current_database()") == later
        await database.stop()
    finally:
        await admin.execute(f"DROP DATABASE IF EXISTS {later} WITH (FORCE)")
        await admin.close()


async def test_before_the_start_and_after_the_stop_there_is_no_pool(database_url: str) -> None:
    database = Database(database_url)
    with pytest.raises(RuntimeError):
        _ = database.pool
    await database.start()
    await database.stop()
    with pytest.raises(RuntimeError):
        _ = database.pool
    await database.stop()


async def test_stopping_cuts_a_query_that_does_not_end(database_url: str) -> None:
    database = Database(database_url)
    await database.start()
    pid = asyncio.get_running_loop().create_future()

    async def query() -> None:
        async with database.pool.acquire() as connection:
            pid.set_result(await connection.fetchval("SELECT pg_backend_pid()"))
            await connection.execute("SELECT pg_sleep(600)")

    querying = asyncio.create_task(query())
    await pid
    began = time.monotonic()
    await database.stop()
    assert time.monotonic() - began < 20
    with pytest.raises((asyncpg.PostgresError, asyncpg.InterfaceError, OSError)):
        await querying


async def test_a_connection_over_tcp_notices_that_the_other_side_is_gone(database_url: str) -> None:
    async with Proxy(database_url) as proxy:
        connection = await connect(proxy.url)
        taken = connection._transport.get_extra_info("socket")  # type: ignore[attr-defined]
        assert taken.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE)
        await connection.close()


async def test_a_query_that_fails_is_counted_by_the_kind_of_its_error(database_url: str, measured: Measured) -> None:
    database = Database(database_url, size=1)
    await database.start()
    for _ in range(2):
        with pytest.raises(asyncpg.UndefinedTableError):
            await database.fetch("SELECT * FROM nowhere")
    await database.stop()
    assert measured.value(metrics.DATABASE_FAILURES) == 2
    assert measured.labels(metrics.DATABASE_FAILURES) == [{"error": "UndefinedTableError"}]
