"""Several addresses of NATS: any that answers will do, and when none does the sentence says which were tried."""

import asyncio
import sys
from pathlib import Path
from typing import Any

import pytest

from lovsvar_chassis import broker as connecting
from lovsvar_chassis.addresses import Unreachable
from lovsvar_chassis.broker import connect, make_broker
from lovsvar_chassis.service import disconnect
from lovsvar_chassis.settings import ServiceSettings
from lovsvar_testkit import servers
from lovsvar_testkit.processes import ServiceProcess, free_port
from lovsvar_testkit.proxy import Proxy
from lovsvar_testkit.waiting import until

START = """
import sys
from lovsvar_chassis import broker, database
broker.CONNECT_SECONDS = database.WAIT_SECONDS = 3.0
from lovsvar_{name}.app import main
main()
"""


def dead() -> str:
    return f"nats://someone:secret@127.0.0.1:{free_port()}"


async def test_a_service_starts_when_the_first_of_two_addresses_is_dead(
    nats_url: str, asking: Any, tmp_path: Path
) -> None:
    environment = {"LOVSVAR_NATS_URL": f"{dead()}, {nats_url}", "LOVSVAR_LOG_LEVEL": "DEBUG"}
    process = ServiceProcess("practice", environment, tmp_path / "log")
    process.start()
    try:

        async def answers() -> bool:
            try:
                return bool((await asking.health("practice", timeout=0.5)).service)
            except Exception:
                return False

        await until(answers, 30)
    finally:
        await asyncio.to_thread(process.stop)
    assert "secret" not in (tmp_path / "log").read_text()


async def test_a_service_goes_on_at_the_other_address_when_its_server_goes(nats_url: str) -> None:
    with servers.nats() as other:
        async with Proxy(other) as first:
            broker = make_broker(ServiceSettings(nats_url=f"{first.url},{nats_url}"), "test")
            await connect(broker)
            try:
                at = str(broker.connection.connected_url.netloc)
                if at in first.url:
                    await first.cut()

                async def elsewhere() -> bool:
                    url = broker.connection.connected_url
                    return broker.connection.is_connected and url is not None and url.netloc in nats_url

                await until(elsewhere)
            finally:
                await disconnect(broker)


@pytest.mark.parametrize("name", ["search", "gateway"])
async def test_when_no_address_answers_the_sentence_names_them_without_passwords(name: str) -> None:
    urls = [dead(), dead()]
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", START.format(name=name)),
        env={"LOVSVAR_NATS_URL": ",".join(urls), "LOVSVAR_PORT": "0", "PATH": ""},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    words = (await asyncio.wait_for(process.communicate(), 40))[0].decode()
    assert process.returncode == 1
    assert all(f"nats://{url.rpartition('@')[2]}" in words for url in urls)
    assert "LOVSVAR_NATS_URL" in words
    assert "Connection refused" in words or "Connect call failed" in words
    assert "secret" not in words
    assert "Traceback" not in words


async def test_an_address_that_says_nothing_is_given_up_with_a_reason(
    nats_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connecting, "CONNECT_SECONDS", 4.0)
    async with Proxy(nats_url) as silent:
        silent.swallow()
        broker = make_broker(ServiceSettings(nats_url=silent.url), "test")
        with pytest.raises(Unreachable, match="TimeoutError"):
            await connect(broker)


async def test_without_a_database_ingest_says_where_it_looked(nats_url: str) -> None:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", START.format(name="ingest")),
        env={
            "LOVSVAR_NATS_URL": nats_url,
            "LOVSVAR_DATABASE_URL": f"postgresql://someone:secret@127.0.0.1:{free_port()}/law",
            "PATH": "",
        },
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    words = (await asyncio.wait_for(process.communicate(), 40))[0].decode()
    assert process.returncode == 1
    assert "Får ikke kontakt med PostgreSQL på postgresql://127.0.0.1:" in words
    assert "LOVSVAR_DATABASE_URL" in words
    assert "secret" not in words
