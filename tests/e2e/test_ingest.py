"""Bringing law into the system, by the gateway's door: good archives and bad ones."""

import io
import tarfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest

from lovsvar_testkit import sse
from lovsvar_testkit.processes import System, running_system

LAW = """<!DOCTYPE html><html lang="no"><head><title>{title}</title></head><body>
<header class="documentHeader" id="hode"><dl class="data-document-key-info">
<dt class="legacyID">Datokode</dt><dd class="legacyID">{legacy}</dd>
<dt class="dokid">DokumentID</dt><dd class="dokid">NL/{refid}</dd>
<dt class="ministry">Departement</dt><dd class="ministry"><ul><li>Prøvedepartementet</li></ul></dd>
<dt class="dateInForce">I kraft fra</dt><dd class="dateInForce">2001-01-01</dd>
<dt class="titleShort">Korttittel</dt><dd class="titleShort">{short}</dd>
<dt class="title">Tittel</dt><dd class="title">{title}</dd>
<dt class="refid">RefID</dt><dd class="refid">{refid}</dd></dl></header>
<main class="documentBody" data-lovdata-URL="NL/{refid}" id="dokument"><h1>{title}</h1>
<article class="legalArticle" data-lovdata-URL="NL/{refid}/§1" data-name="§1" id="paragraf-1">
<h2 class="legalArticleHeader"><span class="legalArticleValue">§ 1</span>.
<span class="legalArticleTitle">Formål</span></h2>
<article class="legalP" id="paragraf-1-ledd-1">{text}</article></article></main></body></html>"""


def law(number: int, text: str) -> bytes:
    refid = f"lov/2998-01-01-{number}"
    return LAW.format(
        refid=refid,
        legacy=f"LOV-2998-01-01-{number}",
        title=f"Lov om prøve {number}",
        short=f"Prøveloven {number}",
        text=text,
    ).encode()


def write_archive(folder: Path, files: dict[str, bytes], dataset: str = "gjeldende-lover") -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:bz2") as archive:
        for name, content in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    folder.joinpath(f"{dataset}.tar.bz2").write_bytes(buffer.getvalue())
    return buffer.getvalue()


@pytest.fixture(scope="module")
def system(tmp_path_factory: pytest.TempPathFactory) -> Iterator[System]:
    with running_system(tmp_path_factory.mktemp("ingest")) as system:
        yield system


@pytest.fixture
def door(system: System) -> Iterator[httpx2.Client]:
    with httpx2.Client(base_url=system.url, timeout=60) as client:
        yield client


def sync(client: httpx2.Client, source: Path | str, dataset: str = "gjeldende-lover") -> dict[str, Any]:
    """Sync and return the event that ended it."""
    accepted = client.post("/v1/ingest", json={"dataset": dataset, "source": str(source)})
    assert accepted.status_code == 202, accepted.text
    *_, last = sse.events(client, f"/v1/ingest/{accepted.json()['syncs'][0]['sync_id']}/events", timeout=300)
    return last


def sync_and_serve(system: System, client: httpx2.Client, source: Path, dataset: str = "gjeldende-lover") -> Any:
    """Sync, and wait until search serves what was stored."""
    last = sync(client, source, dataset)
    system.wait_version(last["corpus_version"])
    return last


def stored_text(client: httpx2.Client, number: int) -> str:
    answer = client.get(f"/v1/documents/lov/2998-01-01-{number}/provisions/%C2%A71")
    return str(answer.json()["text"]) if answer.status_code == 200 else ""


def test_an_archive_is_stored_and_found_and_a_second_sync_changes_nothing(
    system: System, door: httpx2.Client, tmp_path: Path
) -> None:
    write_archive(
        tmp_path, {"nl/nl-29980101-001.xml": law(1, "Første tekst."), "nl/nl-29980101-002.xml": law(2, "To.")}
    )
    first = sync_and_serve(system, door, tmp_path)
    second = sync_and_serve(system, door, tmp_path)
    assert (first["type"], first["report"]["added"]) == ("sync.completed", 2)
    assert (second["report"]["added"], second["report"]["changed"], second["report"]["unchanged"]) == (0, 0, 2)
    assert second["corpus_version"] == first["corpus_version"]
    assert stored_text(door, 1) == "Første tekst."


def test_one_malformed_document_is_reported_and_the_rest_is_stored(
    system: System, door: httpx2.Client, tmp_path: Path
) -> None:
    files = {"nl/nl-29980101-001.xml": law(1, "A."), "nl/nl-29980101-002.xml": law(2, "B.")}
    write_archive(tmp_path, files)
    sync_and_serve(system, door, tmp_path)
    files |= {"nl/nl-29980101-002.xml": b"<html><body><p>uferdig", "nl/nl-29980101-003.xml": law(3, "C.")}
    write_archive(tmp_path, files)
    done = sync_and_serve(system, door, tmp_path)
    assert done["type"] == "sync.completed"
    assert [s["file"] for s in done["report"]["skipped"]] == ["nl/nl-29980101-002.xml"]
    assert done["report"]["skipped"][0]["reason"]
    assert [stored_text(door, n) for n in (1, 2, 3)] == ["A.", "B.", "C."]


def test_an_unreadable_archive_fails_with_a_reason_and_the_store_keeps_what_it_had(
    system: System, door: httpx2.Client, tmp_path: Path
) -> None:
    whole = write_archive(tmp_path, {f"nl/nl-29980101-{n:03}.xml": law(n, f"Tekst {n}.") for n in range(1, 60)})
    sync_and_serve(system, door, tmp_path)
    before = door.get("/v1/status").json()
    for broken in (whole[: len(whole) // 2], b"this is no archive", b""):
        tmp_path.joinpath("gjeldende-lover.tar.bz2").write_bytes(broken)
        failed = sync(door, tmp_path)
        assert (failed["type"], failed["problem"]) == ("sync.failed", "source-unreadable")
        assert failed["detail"]
    after = door.get("/v1/status").json()
    assert (after["documents"], after["provisions"]) == (before["documents"], before["provisions"])
    assert stored_text(door, 59) == "Tekst 59."


def test_a_document_that_left_the_archive_leaves_the_corpus(
    system: System, door: httpx2.Client, tmp_path: Path
) -> None:
    write_archive(tmp_path, {f"nl/nl-29980101-{n:03}.xml": law(n, "Tekst.") for n in (1, 2)})
    sync_and_serve(system, door, tmp_path)
    write_archive(tmp_path, {"nl/nl-29980101-001.xml": law(1, "Tekst.")})
    assert sync_and_serve(system, door, tmp_path)["report"]["removed"] == 1
    assert door.get("/v1/documents/lov/2998-01-01-2").status_code == 404


def test_a_source_that_cannot_be_reached_fails_and_may_be_tried_again(door: httpx2.Client) -> None:
    failed = sync(door, "http://127.0.0.1:9/")
    assert (failed["type"], failed["problem"], failed["retryable"]) == ("sync.failed", "source-unreachable", True)


def test_the_real_archives_are_stored_whole_and_answer_a_real_question(
    system: System, door: httpx2.Client, archives: Path
) -> None:
    for dataset in ("gjeldende-lover", "gjeldende-sentrale-forskrifter"):
        done = sync_and_serve(system, door, archives, dataset)
        assert (done["type"], done["report"]["skipped"]) == ("sync.completed", [])
    status = door.get("/v1/status").json()
    assert status["documents"] == 4241
    assert status["provisions"] >= 93_000

    run = door.post("/v1/questions", json={"question": "Hvor mye kan utleier kreve i depositum?"}).json()
    *_, completed, _ = sse.events(door, f"/v1/questions/{run['run_id']}/events")
    citations = completed["answer"]["citations"]
    assert ("lov/1999-03-26-17", "§3-5") in {(c["refid"], c["section"]) for c in citations}
    assert all(c["verified"] for c in citations)
    assert not completed["answer"]["sample"]


def test_announcements_are_stored_beside_the_law_and_found_when_asked_for(
    system: System, door: httpx2.Client, archives: Path
) -> None:
    done = sync_and_serve(system, door, archives, "lovtidend-avd1-2025")
    assert (done["type"], done["report"]["added"], done["report"]["skipped"]) == ("sync.completed", 1272, [])

    def find(query: str, **filters: bool) -> list[dict[str, Any]]:
        hits: list[dict[str, Any]] = door.get("/v1/search", params={"q": query, **filters}).json()["hits"]
        return hits

    current = find("ikraftsetting av lov om digital sikkerhet")
    announced = find("ikraftsetting AND digital AND sikkerhet", announcements=True)
    assert current
    assert not [h for h in current if h["refid"].startswith("lti/")]
    assert "lti/forskrift/2025-06-20-1088" in {h["refid"] for h in announced}
    assert all(h["refid"].startswith("lti/") for h in announced)
    assert door.get(announced[0]["url"].split("#")[0]).status_code == 200

    filters = {"title": "Forskrift om endring i", "year": 2025, "page_size": 200}
    amending = [
        d for d in door.get("/v1/documents", params=filters).json()["documents"] if d["refid"].startswith("lti/")
    ]
    assert amending
    assert {c.split("/")[0] for d in amending for c in d["changes"]} == {"forskrift"}
