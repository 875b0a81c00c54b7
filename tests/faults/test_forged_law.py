"""Law that somebody else brings, or that lacks most of the law, does not take the place of what is stored."""

import hashlib
import socket
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import httpx2
import pytest

from lovsvar_testkit import sse
from lovsvar_testkit.law_archives import law, write_archive
from lovsvar_testkit.processes import System, running_system

LAWS = 60
TEXT = "Kravet foreldes etter seks måneder."
FORGED = "Kravet foreldes etter seksti måneder."


class Web:
    """A server on the loopback interface: it answers with `body`, or leads to `location`."""

    def __init__(self) -> None:
        self.body = b""
        self.location = ""
        self.asked: list[str] = []
        web = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                web.asked.append(self.path)
                self.send_response(302 if web.location else 200)
                if web.location:
                    self.send_header("Location", web.location)
                self.send_header("Content-Length", "0" if web.location else str(len(web.body)))
                self.end_headers()
                self.wfile.write(b"" if web.location else web.body)

            def log_message(self, *_: Any) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.port = self.server.server_port
        self.address = f"http://127.0.0.1:{self.port}"
        threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True).start()

    def close(self) -> None:
        self.server.shutdown()
        self.server.server_close()


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that the operator's archives lie in."""
    return tmp_path_factory.mktemp("source")


@pytest.fixture(scope="module")
def mirror() -> Iterator[Web]:
    """A server that the operator lists."""
    web = Web()
    yield web
    web.close()


@pytest.fixture
def stranger() -> Iterator[Web]:
    """A server that nobody lists."""
    web = Web()
    yield web
    web.close()


@pytest.fixture(scope="module")
def system(tmp_path_factory: pytest.TempPathFactory, source: Path, mirror: Web) -> Iterator[System]:
    """The whole system, with law stored."""
    listed = f"{mirror.address}/lov"
    environment = {"LOVSVAR_SOURCE": str(source), "LOVSVAR_SOURCES": listed, "LOVSVAR_EMBEDDING": "off"}
    with running_system(tmp_path_factory.mktemp("forged"), environment) as system:
        write_archive(source, {f"nl/{n}.xml": law(n, TEXT) for n in range(1, LAWS + 1)})
        with httpx2.Client(base_url=system.url, timeout=60) as client:
            stored = sync(client)
            assert stored["type"] == "sync.completed", stored
            system.wait_version(stored["corpus_version"])
        yield system


@pytest.fixture
def door(system: System) -> Iterator[httpx2.Client]:
    with httpx2.Client(base_url=system.url, timeout=60) as client:
        yield client


def sync(client: httpx2.Client, **wish: str) -> dict[str, Any]:
    """Sync the laws and return the event that ended it."""
    accepted = client.post("/v1/ingest", json={"dataset": "gjeldende-lover", **wish})
    assert accepted.status_code == 202, accepted.text
    *_, last = sse.events(client, f"/v1/ingest/{accepted.json()['syncs'][0]['sync_id']}/events", timeout=60)
    return last


def text_of(client: httpx2.Client, number: int) -> str:
    answer = client.get(f"/v1/documents/lov/2998-01-01-{number}/provisions/%C2%A71")
    return str(answer.json()["text"]) if answer.status_code == 200 else ""


def unharmed(client: httpx2.Client) -> bool:
    status = client.get("/v1/status").json()
    return (status["documents"], status["ready"]) == (LAWS, True) and text_of(client, 7) == TEXT


def test_an_archive_from_a_server_that_nobody_lists_is_not_even_fetched(
    door: httpx2.Client, stranger: Web, tmp_path: Path
) -> None:
    stranger.body = write_archive(tmp_path, {"nl/7.xml": law(7, FORGED)})
    for address in (stranger.address, str(tmp_path), f"http://localhost:{stranger.port}/"):
        end = sync(door, source=address)
        assert (end["type"], end["problem"], end["retryable"]) == ("sync.failed", "invalid-request", False), end
        assert address in end["detail"]
        assert "LOVSVAR_SOURCES" in end["detail"]
    assert stranger.asked == []
    assert unharmed(door)


def test_a_listed_server_cannot_lead_into_a_private_network(
    door: httpx2.Client, mirror: Web, stranger: Web, tmp_path: Path
) -> None:
    stranger.body = write_archive(tmp_path, {"nl/7.xml": law(7, FORGED)})
    targets = [
        *(stranger.address, f"http://localhost:{stranger.port}/x", f"http://[::ffff:127.0.0.1]:{stranger.port}/"),
        *("http://169.254.169.254/latest/meta-data/", "http://10.0.0.1/", "http://2130706433/", "file:///etc/passwd"),
        *("http://[::1]:1/", "http://100.64.0.1/", "http://224.0.0.1/", f"http://0.0.0.0:{stranger.port}/"),
    ]
    for target in targets:
        mirror.location = target
        end = sync(door, source=f"{mirror.address}/lov")
        assert (end["type"], end["problem"]) == ("sync.failed", "invalid-request"), (target, end)
    assert stranger.asked == []
    assert unharmed(door)


def test_a_listed_server_of_a_private_network_leads_to_no_other_place_than_the_listed_one(
    door: httpx2.Client, mirror: Web
) -> None:
    mirror.asked.clear()
    for target in ("/hemmelig", "/lover/a", "/lov/%2e%2e/hemmelig", "/lov/..%5chemmelig"):
        mirror.location = mirror.address + target
        end = sync(door, source=f"{mirror.address}/lov")
        assert (end["type"], end["problem"]) == ("sync.failed", "invalid-request"), (target, end)
        assert "LOVSVAR_SOURCES" in end["detail"]
    assert set(mirror.asked) == {"/lov/gjeldende-lover.tar.bz2"}
    assert unharmed(door)


def test_an_archive_that_lacks_much_of_the_law_stops_and_is_accepted_by_its_checksum_alone(
    system: System, door: httpx2.Client, source: Path
) -> None:
    before = door.get("/v1/status").json()["stored_version"]
    short = write_archive(source, {"nl/7.xml": law(7, FORGED)})
    checksum = hashlib.sha256(short).hexdigest()
    for wish in ({}, {"accept": "0" * 64}, {"source": str(source)}):
        end = sync(door, **wish)
        assert (end["type"], end["problem"], end["retryable"]) == ("sync.failed", "conflict", False), end
        assert f"fjerne {LAWS - 1}, tømme 0 og endre 1 av {LAWS}" in end["detail"]
        assert f"--accept {checksum}" in end["detail"]
    assert unharmed(door)
    assert door.get("/v1/status").json()["stored_version"] == before
    assert door.post("/v1/ingest", json={"accept": "ja"}).status_code == 422

    accepted = sync(door, accept=checksum)
    assert (accepted["type"], accepted["report"]["removed"]) == ("sync.completed", LAWS - 1)
    system.wait_version(accepted["corpus_version"])
    assert text_of(door, 7) == FORGED
    assert text_of(door, 8) == ""


def test_an_answer_says_which_archive_it_is_from_and_that_it_is_not_from_lovdata(
    system: System, door: httpx2.Client, source: Path
) -> None:
    archive = source / "gjeldende-lover.tar.bz2"
    write_archive(source, {f"nl/{n}.xml": law(n, TEXT) for n in range(1, 4)})
    checksum = hashlib.sha256(archive.read_bytes()).hexdigest()
    stored = sync(door, accept=checksum)
    assert stored["archive"]["checksum"] == checksum
    system.wait_version(stored["corpus_version"])
    system.wait_ready(path="/readyz")
    [origin] = door.get("/v1/status").json()["archives"]
    assert (origin["dataset"], origin["source"], origin["checksum"]) == ("gjeldende-lover", archive.name, checksum)
    assert origin["stored_at"]

    run = door.post("/v1/questions", json={"question": "Når foreldes kravet?", "mode": "extractive"}).json()["run_id"]
    events = list(sse.events(door, f"/v1/questions/{run}/events", timeout=60))
    *_, completed, end = events
    assert (completed["type"], end["type"]) == ("answer.completed", "run.completed"), events
    assert [a["checksum"] for a in completed["answer"]["archives"]] == [checksum]
    assert {c["dataset"] for c in completed["answer"]["citations"]} <= {"gjeldende-lover"}
    page = door.get(f"/?run={run}", headers={"Accept": "text/html"}).text
    assert f"hentet fra {archive.name}, ikke fra Lovdatas egen adresse" in page


def test_a_name_is_connected_to_at_the_address_that_was_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    """A name that leads elsewhere the second time it is asked for (DNS rebinding) is not asked for a second time."""
    import asyncio

    from lovsvar_ingest.adapters import sources
    from lovsvar_ingest.core.errors import SourceRefused

    web, looked_up = Web(), []
    web.body = b"lov"

    async def look_up(self: Any, host: str, port: int, **_: Any) -> list[Any]:
        looked_up.append(host)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", port))]

    async def fetch() -> httpx2.Response:
        listed = {("lov.example", web.port): frozenset({"/speil"})}
        async with sources.make_client(listed, httpx2.Timeout(5)) as client:
            return await client.get(f"http://lov.example:{web.port}/")

    with monkeypatch.context() as patched:
        patched.setattr(asyncio.base_events.BaseEventLoop, "getaddrinfo", look_up)
        with pytest.raises(SourceRefused, match=r"127\.0\.0\.1"):
            asyncio.run(fetch())
        assert (looked_up, web.asked) == (["lov.example"], [])
        patched.setattr(sources, "is_public", lambda _: True)
        answer = asyncio.run(fetch())
    assert (answer.text, str(answer.url)) == ("lov", f"http://lov.example:{web.port}/")
    assert looked_up == ["lov.example", "lov.example"]
    web.close()
