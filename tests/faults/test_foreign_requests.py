"""A page of another site, opened in the browser of somebody who reaches the gateway, cannot make use of it."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest

from lovsvar_testkit import servers
from lovsvar_testkit.processes import ServiceProcess, System, free_port

REBOUND = {"Host": "rebound.example", "Origin": "http://rebound.example"}
"""What a browser sends for a page whose own name leads here."""

REQUESTS: tuple[tuple[str, str, Any], ...] = (
    ("POST", "/v1/ingest", {"source": "http://127.0.0.1:1/"}),
    ("GET", "/v1/ingest", None),
    ("POST", "/v1/questions", {"question": "Hva?"}),
    ("GET", "/v1/search?q=a", None),
    ("POST", "/mcp", {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}),
    ("GET", "/", None),
)


@pytest.fixture(scope="module", params=["true", "false"])
def gateway(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx2.Client]:
    """A gateway without keys that was told to take everybody, and one that was not; both with a listed name."""
    folder: Path = tmp_path_factory.mktemp("gateway")
    with servers.nats() as nats_url:
        environment = {
            "LOVSVAR_NATS_URL": nats_url,
            "LOVSVAR_PORT": str(free_port()),
            "LOVSVAR_WITHOUT_KEYS": request.param,
            "LOVSVAR_ALLOWED_HOSTS": "lov.example.no",
        }
        url = f"http://127.0.0.1:{environment['LOVSVAR_PORT']}"
        service = ServiceProcess("gateway", environment, folder / "gateway.log")
        service.start()
        try:
            System(url, nats_url, "", {"gateway": service}).wait_ready()
            with httpx2.Client(base_url=url, timeout=20) as client:
                yield client
        finally:
            service.stop()


@pytest.mark.parametrize(("method", "path", "body"), REQUESTS)
def test_a_page_whose_name_leads_here_is_refused(gateway: httpx2.Client, method: str, path: str, body: Any) -> None:
    answer = gateway.request(method, path, json=body, headers=REBOUND)
    assert (answer.status_code, answer.json()["type"]) == (403, "urn:lovsvar:problem:foreign-host")
    assert "LOVSVAR_ALLOWED_HOSTS" in answer.json()["detail"]


@pytest.mark.parametrize("host", ["lov.example.no", "lov.example.no:8080", "localhost"])
def test_a_listed_name_is_answered_to_and_a_page_of_another_site_is_still_refused(
    gateway: httpx2.Client, host: str
) -> None:
    body = {"dataset": "eksempel"}
    foreign = gateway.post("/v1/ingest", json=body, headers={"Host": host, "Origin": "http://evil.example"})
    assert (foreign.status_code, foreign.json()["type"]) == (403, "urn:lovsvar:problem:foreign-origin")
    assert gateway.post("/v1/ingest", json=body, headers={"Host": host, "Origin": f"http://{host}"}).status_code == 202


def test_probes_are_answered_under_every_name(gateway: httpx2.Client) -> None:
    assert gateway.get("/healthz", headers=REBOUND).status_code == 200
