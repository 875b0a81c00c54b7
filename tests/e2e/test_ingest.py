"""Bringing law into the system, by the gateway's door: good archives and bad ones."""

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest

from lovsvar_testkit import sse
from lovsvar_testkit.law_archives import law, write_archive
from lovsvar_testkit.processes import System, running_system


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that tests put archives into."""
    return tmp_path_factory.mktemp("source")


@pytest.fixture(scope="module")
def system(tmp_path_factory: pytest.TempPathFactory, source: Path) -> Iterator[System]:
    environment = {"LOVSVAR_SOURCES": f"{source},http://127.0.0.1:9/"}
    with running_system(tmp_path_factory.mktemp("ingest"), environment) as system:
        yield system


@pytest.fixture
def door(system: System) -> Iterator[httpx2.Client]:
    with httpx2.Client(base_url=system.url, timeout=60) as client:
        yield client


def sync(
    client: httpx2.Client, source: Path | str, dataset: str = "gjeldende-lover", *, accept: bool = False
) -> dict[str, Any]:
    """Sync and return the event that ended it. `accept` has the archive stored though it takes much away."""
    wish = {"dataset": dataset, "source": str(source)}
    if accept:
        wish["accept"] = hashlib.sha256((Path(source) / f"{dataset}.tar.bz2").read_bytes()).hexdigest()
    accepted = client.post("/v1/ingest", json=wish)
    assert accepted.status_code == 202, accepted.text
    *_, last = sse.events(client, f"/v1/ingest/{accepted.json()['syncs'][0]['sync_id']}/events", timeout=300)
    return last


def sync_and_serve(system: System, client: httpx2.Client, source: Path, dataset: str = "gjeldende-lover") -> Any:
    """Sync, and wait until search serves what was stored."""
    last = sync(client, source, dataset, accept=True)
    system.wait_version(last["corpus_version"])
    return last


def stored_text(client: httpx2.Client, number: int) -> str:
    answer = client.get(f"/v1/documents/lov/2998-01-01-{number}/provisions/%C2%A71")
    return str(answer.json()["text"]) if answer.status_code == 200 else ""


def test_an_archive_is_stored_and_found_and_a_second_sync_changes_nothing(
    system: System, door: httpx2.Client, source: Path
) -> None:
    write_archive(source, {"nl/nl-29980101-001.xml": law(1, "Første tekst."), "nl/nl-29980101-002.xml": law(2, "To.")})
    first = sync_and_serve(system, door, source)
    second = sync_and_serve(system, door, source)
    assert (first["type"], first["report"]["added"]) == ("sync.completed", 2)
    assert (second["report"]["added"], second["report"]["changed"], second["report"]["unchanged"]) == (0, 0, 2)
    assert second["corpus_version"] == first["corpus_version"]
    assert stored_text(door, 1) == "Første tekst."


def test_one_malformed_document_is_reported_and_the_rest_is_stored(
    system: System, door: httpx2.Client, source: Path
) -> None:
    files = {"nl/nl-29980101-001.xml": law(1, "A."), "nl/nl-29980101-002.xml": law(2, "B.")}
    write_archive(source, files)
    sync_and_serve(system, door, source)
    files |= {"nl/nl-29980101-002.xml": b"<html><body><p>uferdig", "nl/nl-29980101-003.xml": law(3, "C.")}
    write_archive(source, files)
    done = sync_and_serve(system, door, source)
    assert done["type"] == "sync.completed"
    assert [s["file"] for s in done["report"]["skipped"]] == ["nl/nl-29980101-002.xml"]
    assert done["report"]["skipped"][0]["reason"]
    assert [stored_text(door, n) for n in (1, 2, 3)] == ["A.", "B.", "C."]


def test_an_unreadable_archive_fails_with_a_reason_and_the_store_keeps_what_it_had(
    system: System, door: httpx2.Client, source: Path
) -> None:
    whole = write_archive(source, {f"nl/nl-29980101-{n:03}.xml": law(n, f"Tekst {n}.") for n in range(1, 60)})
    sync_and_serve(system, door, source)
    before = door.get("/v1/status").json()
    for broken in (whole[: len(whole) // 2], b"this is no archive", b""):
        source.joinpath("gjeldende-lover.tar.bz2").write_bytes(broken)
        failed = sync(door, source)
        assert (failed["type"], failed["problem"]) == ("sync.failed", "source-unreadable")
        assert failed["detail"]
    after = door.get("/v1/status").json()
    assert (after["documents"], after["provisions"]) == (before["documents"], before["provisions"])
    assert stored_text(door, 59) == "Tekst 59."


def test_a_document_that_left_the_archive_leaves_the_corpus(system: System, door: httpx2.Client, source: Path) -> None:
    write_archive(source, {f"nl/nl-29980101-{n:03}.xml": law(n, "Tekst.") for n in (1, 2)})
    sync_and_serve(system, door, source)
    write_archive(source, {"nl/nl-29980101-001.xml": law(1, "Tekst.")})
    assert sync_and_serve(system, door, source)["report"]["removed"] == 1
    assert door.get("/v1/documents/lov/2998-01-01-2").status_code == 404


def test_a_source_that_cannot_be_reached_fails_and_may_be_tried_again(door: httpx2.Client) -> None:
    failed = sync(door, "http://127.0.0.1:9/")
    assert (failed["type"], failed["problem"], failed["retryable"]) == ("sync.failed", "source-unreachable", True)
