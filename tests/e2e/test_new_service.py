"""A service that only its manifest announces, with the gateway: its health, its stream, its schema."""

import asyncio
import sys
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import asyncpg
import httpx2
import nats
import pytest

from lovsvar_chassis.manifest import manifests
from lovsvar_chassis.migrations import migrate, missing_migrations
from lovsvar_testkit.processes import ServiceProcess, System, free_port
from lovsvar_testkit.schema_contents import schema_contents

FOLDER = Path(__file__).parents[1] / "deploy" / "new_service"


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The notices service is installed beside the others."""
    monkeypatch.syspath_prepend(str(FOLDER))
    monkeypatch.setenv("PYTHONPATH", str(FOLDER))
    manifests.cache_clear()
    yield
    manifests.cache_clear()
    for name in [name for name in sys.modules if name.startswith("lovsvar_notices")]:
        del sys.modules[name]


@pytest.mark.usefixtures("installed")
async def test_its_health_is_in_the_status_and_what_it_sends_is_kept(
    nats_url: str, database_url: str, tmp_path: Path
) -> None:
    system = System(f"http://127.0.0.1:{free_port()}", nats_url, database_url)
    told = {"LOVSVAR_NATS_URL": nats_url, "LOVSVAR_DATABASE_URL": database_url, "LOVSVAR_PORT": system.url[-5:]}
    for name in ("gateway", "notices"):
        # Not forked: it is to find the notices service when it starts.
        system.services[name] = ServiceProcess(name, told, tmp_path / f"{name}.log", alone=True)
        system.services[name].start()
    try:

        def is_ready(answer: httpx2.Response) -> bool:
            return answer.json().get("services", {}).get("notices") == "ready"

        await asyncio.to_thread(system.wait_until, is_ready, "/v1/status", 30)
        connection = await nats.connect(nats_url)
        reply = await connection.request("lovsvar.notice.read", b'{"kind": "read_notices"}', timeout=5)
        assert b'"notices"' in reply.data
        assert (await connection.jetstream().stream_info("NOTICES")).state.messages == 1
        await connection.close()
    finally:
        for service in system.services.values():
            service.stop()


@pytest.mark.usefixtures("installed")
async def test_its_migrations_make_its_schema_next_to_that_of_ingest(empty_database_url: str) -> None:
    by_name = {manifest.name: manifest.migrations for manifest in manifests()}
    ingest, notices = by_name["ingest"], by_name["notices"]
    assert ingest is not None
    assert notices is not None
    database: Any = await asyncpg.connect(empty_database_url)
    try:
        await database.execute(files("lovsvar_notices").joinpath("schema.sql").read_text(encoding="utf-8"))
        written = await schema_contents(database, "notices")
        await database.execute("DROP SCHEMA notices CASCADE")
        assert [one.name for one in await missing_migrations(database, notices)] == ["notices", "posted_at"]
        await migrate(database, notices)
        assert await schema_contents(database, "notices") == written
        assert await missing_migrations(database, notices) == []
        assert await missing_migrations(database, ingest)
    finally:
        await database.close()
