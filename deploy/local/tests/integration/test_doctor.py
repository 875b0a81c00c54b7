"""`lovsvar doctor` on servers where something is wrong."""

import json
from collections.abc import Callable
from pathlib import Path

import asyncpg
import nats
import pytest

from lovsvar_chassis.manifest import kept_streams
from lovsvar_chassis.streams import declare_streams
from lovsvar_contracts import subjects
from lovsvar_local import exits
from lovsvar_local.check_database import check_database
from lovsvar_local.commands import stores
from lovsvar_local.commands.doctor import doctor
from lovsvar_local.commands.session import Where
from lovsvar_local.findings import Finding, Level, Report
from lovsvar_local.progress import Progress
from lovsvar_testkit.processes import free_port

NOWHERE = "127.0.0.1:9"

Examine = Callable[..., object]


@pytest.fixture
def examine(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]):
    """Run the command with these variables; return its exit code and what it found by area."""
    for name in ("LOVSVAR_NATS_URL", "LOVSVAR_DATABASE_URL", "OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)

    async def run(where: Where | None = None, **environment: str) -> tuple[int, dict[str, Finding]]:
        for name, value in environment.items():
            monkeypatch.setenv(name, value)
        code = await doctor(where or Where(), Progress(as_json=True), online=False)
        found = Report.model_validate(json.loads(capfd.readouterr().out.splitlines()[-1]))
        # Of several of one area, the last.
        return code, {finding.area: finding for finding in found.findings}

    return run


async def test_servers_without_streams_schema_or_services_are_told_with_what_to_do(
    examine, nats_url: str, empty_database_url: str
) -> None:
    code, found = await examine(LOVSVAR_NATS_URL=nats_url, LOVSVAR_DATABASE_URL=empty_database_url)
    assert code == exits.PROBLEM
    assert found["nats"].level is found["postgresql"].level is Level.OK
    wrong = {area for area, finding in found.items() if finding.level is Level.ERROR}
    assert wrong == {"strømmer", "skjema", "ingest", "search", "practice", "cases", "agent", "gateway"}
    assert all(finding.remedy for finding in found.values() if finding.level is not Level.OK)


async def test_of_several_addresses_of_nats_one_that_answers_will_do(examine, nats_url: str) -> None:
    _, found = await examine(LOVSVAR_NATS_URL=f"nats://someone:secret@127.0.0.1:{free_port()},{nats_url}")
    assert found["nats"].level is Level.OK


async def test_an_address_of_nats_that_does_not_answer_is_told_without_its_password(
    examine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stores, "CONNECT_SECONDS", 0.5)
    _, found = await examine(LOVSVAR_NATS_URL=f"nats://someone:secret@127.0.0.1:{free_port()}")
    assert found["nats"].level is Level.ERROR
    assert "nats://127.0.0.1:" in found["nats"].text
    assert "secret" not in found["nats"].text


async def test_dead_letters_work_that_nobody_takes_and_law_that_is_missing_are_told(
    examine, nats_url: str, database_url: str
) -> None:
    connection = await nats.connect(nats_url)
    js = connection.jetstream()
    await declare_streams(js)
    await js.publish(subjects.dead(subjects.STREAM_INGEST), b"{}", headers={"Lovsvar-Reason": "arkivet er tomt"})
    await js.publish(subjects.INGEST_REQUESTED, b"{}")
    await connection.close()
    _, found = await examine(LOVSVAR_NATS_URL=nats_url, LOVSVAR_DATABASE_URL=database_url)
    assert found["strømmer"].text == f"Alle {len(kept_streams())} finnes, med grenser."
    assert found["ubehandlet"].level is Level.WARNING
    assert found["ubehandlet"].text.startswith("INGEST 1. Siste for ")
    assert "arkivet er tomt" in found["ubehandlet"].text
    assert "som har 1 meldinger" in found["kø INGEST"].text
    assert found["skjema"].level is Level.OK
    assert found["lovsamling"].text == "Ingen lover er lagret."


async def test_data_sets_that_were_not_synced_for_two_days_are_told(examine, database_url: str) -> None:
    database = await asyncpg.connect(database_url)
    await database.execute(
        "INSERT INTO documents (refid, legacy_id, dokid, dataset, source_file, law_type, title, short_title,"
        " abbreviation, year, ministries, legal_areas, in_force, in_force_note, content_hash, corpus_version)"
        " VALUES ('lov/1', '', '', 'gjeldende-lover', '', 'lov', '', '', '', 2000, '{}', '{}', 'yes', '', '', 1)"
    )
    await database.execute(
        "INSERT INTO syncs (sync_id, dataset, source, status, finished_at)"
        " VALUES ('a', 'gjeldende-lover', '', 'completed', now() - interval '50 hours')"
    )
    never = next(finding.text for finding in await check_database(database) if finding.area == "henting")
    assert never == "Har aldri hentet forskriftene."
    await database.close()
    code, found = await examine(LOVSVAR_DATABASE_URL=database_url)
    assert (found["henting"].level, found["henting"].text) == (Level.WARNING, "Hentet lovene for 50 timer siden.")
    assert code == exits.OK
    assert "nats" not in found


async def test_servers_that_do_not_answer_are_told_each(examine) -> None:
    code, found = await examine(
        LOVSVAR_NATS_URL=f"nats://127.0.0.1:{free_port()}", LOVSVAR_DATABASE_URL=f"postgresql://a@{NOWHERE}/a"
    )
    assert code == exits.PROBLEM
    assert {area: finding.level for area, finding in found.items()} == {
        "nats": Level.ERROR,
        "postgresql": Level.ERROR,
    }


async def test_a_folder_that_nobody_runs_on_and_one_that_is_not_there_are_no_errors(examine, tmp_path: Path) -> None:
    code, found = await examine(Where(tmp_path / "none"))
    assert (code, found.keys()) == (exits.OK, {"datamappe"})
    assert not (tmp_path / "none").exists()
    code, found = await examine(Where(tmp_path))
    assert (code, found["system"].level) == (exits.OK, Level.WARNING)


async def test_a_gateway_that_does_not_answer_is_an_error(examine) -> None:
    code, found = await examine(Where(url=f"http://127.0.0.1:{free_port()}"))
    assert (code, found["gateway"].level) == (exits.PROBLEM, Level.ERROR)
