"""A backup is taken while everything runs, and restored whole or not at all."""

import asyncio
import contextlib
import json
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import asyncpg
import httpx2
import psutil
import pytest
import yaml

from lovsvar_chassis.broker import make_broker
from lovsvar_chassis.manifest import kept_streams
from lovsvar_chassis.publisher import EventPublisher
from lovsvar_chassis.run_log import RunLog
from lovsvar_chassis.settings import ServiceSettings
from lovsvar_contracts import subjects
from lovsvar_local import exits
from lovsvar_local.archive import unpack
from lovsvar_local.commands.session import Where, open_session
from lovsvar_local.commands.stores import open_stores
from lovsvar_local.progress import Progress
from lovsvar_testkit import sse
from lovsvar_testkit.command import run_command
from lovsvar_testkit.locked import LockedSystem, locked_system

ROOT = Path(__file__).parents[2]
COMPOSE = yaml.safe_load((ROOT / "docker-compose.yml").read_text(encoding="utf-8"))
QUESTION = {"question": "Hvor mye kan utleier kreve i depositum?"}
OFF = {"LOVSVAR_EMBEDDING": "off"}


@pytest.fixture(scope="module")
def system(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LockedSystem]:
    """The containers' services, with the sample corpus stored and one question answered."""
    folder = tmp_path_factory.mktemp("locked")
    with locked_system(ROOT, COMPOSE, folder, {"LOVSVAR_SOURCE": str(folder), **OFF}) as system:
        system.wait_until(lambda answer: answer.status_code == httpx2.codes.OK, "/healthz")
        with system.client() as client:
            sync = client.post("/v1/ingest", json={"dataset": "eksempel"}).json()["syncs"][0]
            *_, last = sse.events(client, f"/v1/ingest/{sync['sync_id']}/events")
            assert last["type"] == "sync.completed", last
        system.wait_until(lambda answer: answer.status_code == httpx2.codes.OK, "/readyz")
        yield system


def operator(system: LockedSystem) -> dict[str, str]:
    """What the operator's container is told."""
    return {
        "LOVSVAR_NATS_URL": system.nats.url,
        "LOVSVAR_NATS_SEED": system.seed("operator"),
        "LOVSVAR_AUDIT_NATS_SEED": system.seed("audit_operator"),
        "LOVSVAR_DATABASE_URL": system.postgres.url(),
    }


def command(*arguments: str | Path) -> list[str]:
    return [sys.executable, "-c", "from lovsvar_local.cli import main; main()", *map(str, arguments), "--json"]


def told(environment: dict[str, str] | None = None) -> dict[str, str]:
    return {**psutil.Process().environ(), **OFF, **(environment or {})}


def lovsvar(*arguments: str | Path, environment: dict[str, str] | None = None) -> tuple[int, Any, str]:
    """Run the command; return its exit code, its JSON and its words."""
    done = run_command(*arguments, "--json", environment=told(environment))
    return done.returncode, json.loads(done.stdout) if done.stdout.strip() else None, done.stderr


async def started(restoring: asyncio.subprocess.Process) -> None:
    """Return when a restore has put everything in place and starts the system."""
    assert restoring.stderr is not None
    words = b""
    async with asyncio.timeout(120):
        while b"Starter Lovsvar" not in words:
            line = await restoring.stderr.readline()
            assert line, words.decode()
            words += line


@contextlib.contextmanager
def held(system: LockedSystem, service: str) -> Iterator[None]:
    """Let a service stand still."""
    system.services[service].signal(signal.SIGSTOP)
    try:
        yield
    finally:
        system.services[service].signal(signal.SIGCONT)


@pytest.fixture(scope="module")
def running_question(system: LockedSystem, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str, str]:
    """A backup that was taken while a question was being answered, the run that was done, and the one that was not."""
    file = tmp_path_factory.mktemp("backups") / "lovsvar.tar"
    with system.client() as client:
        done = str(client.post("/v1/questions", json=QUESTION).json()["run_id"])
        *_, last = sse.events(client, f"/v1/questions/{done}/events")
        assert last["type"] == "run.completed"
        with held(system, "search"):
            asked = str(client.post("/v1/questions", json=QUESTION).json()["run_id"])
            for event in sse.events(client, f"/v1/questions/{asked}/events"):
                if event["type"] == "tool.called":
                    break
            code, said, words = lovsvar("backup", file, environment=operator(system))
            assert code == exits.OK, words
        assert said["messages"][subjects.STREAM_QUESTIONS] == 1
        *_, last = sse.events(client, f"/v1/questions/{asked}/events")
        assert last["type"] == "run.completed"
    return file, done, asked


def test_a_backup_can_be_read_by_its_owner_alone_and_nothing_was_refused(
    system: LockedSystem, running_question: tuple[Path, str, str], tmp_path: Path
) -> None:
    file = running_question[0]
    assert file.stat().st_mode & 0o777 == 0o600
    assert sorted(path.name for path in file.parent.iterdir()) == ["lovsvar.tar"]
    assert unpack(file, tmp_path).corpus_version == 1
    assert system.refused() == []
    code, _, words = lovsvar("backup", file, environment=operator(system))
    assert (code, "finnes alt" in words) == (exits.USAGE, True)


async def test_an_empty_folder_gets_the_law_the_answers_and_the_question_that_was_being_answered(
    running_question: tuple[Path, str, str], tmp_path: Path
) -> None:
    file, done, asked = running_question
    restoring = await asyncio.create_subprocess_exec(
        *command("restore", file, "--data-dir", tmp_path),
        env=told(),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    await started(restoring)
    where = Where(tmp_path)
    # The system that the restore starts runs for as long as somebody uses it.
    async with open_session(where, "test", Progress()), open_stores(where, alone=False) as stores:
        async with make_broker(ServiceSettings(nats_url=stores.settings.nats_url), "test") as broker:
            log = RunLog(EventPublisher(broker))
            assert (await log.read(done))[-1].type == "run.completed"
            *_, last = [event async for event in log.follow(asked)]
            assert last.type == "run.completed"
            audit = await broker.connection.jetstream().get_last_msg(subjects.STREAM_AUDIT, subjects.AUDIT_ANY)
            assert audit.seq
        async with stores.database() as database:
            assert await database.fetchval("SELECT count(*) FROM sections") > 0
            await database.execute("SET ROLE lovsvar_reader")
            assert await database.fetchval("SELECT count(*) FROM documents") > 0
            with pytest.raises(asyncpg.InsufficientPrivilegeError):
                await database.execute("DELETE FROM documents")
    out, words = await restoring.communicate()
    assert restoring.returncode == exits.OK, words
    assert (json.loads(out)["corpus_version"], json.loads(out)["served"]) == (1, True)
    code, _, said = await asyncio.to_thread(lovsvar, "restore", file, "--data-dir", tmp_path)
    assert (code, "--force" in said) == (exits.USAGE, True)


@pytest.mark.parametrize("damage", ["changed", "cut", "no backup"])
def test_a_damaged_backup_changes_nothing(
    system: LockedSystem, running_question: tuple[Path, str, str], tmp_path: Path, damage: str
) -> None:
    whole = running_question[0].read_bytes()
    middle = whole.index(b"PGDMP") + 5_000
    content = {
        "changed": whole[:middle] + bytes([whole[middle] ^ 1]) + whole[middle + 1 :],
        "cut": whole[: len(whole) // 2],
        "no backup": b"law" * 1_000,
    }[damage]
    file = tmp_path / "damaged.tar"
    file.write_bytes(content)
    code, _, words = lovsvar("restore", file, "--force", environment=operator(system))
    assert (code, "er ingen hel sikkerhetskopi" in words) == (exits.USAGE, True)
    with system.client() as client:
        assert client.get("/v1/status").json()["corpus_version"] == 1


async def test_a_forced_restore_leaves_each_login_what_it_may(
    system: LockedSystem, running_question: tuple[Path, str, str]
) -> None:
    owner = await asyncpg.connect(system.login("ingest"))
    await owner.execute("DELETE FROM sections")
    await owner.close()
    file, done, _ = running_question
    code, said, words = await asyncio.to_thread(lovsvar, "restore", file, "--force", environment=operator(system))
    assert code == exits.OK, words
    assert said["served"] is True
    owner, reader = await asyncpg.connect(system.login("ingest")), await asyncpg.connect(system.login("search"))
    try:
        assert await reader.fetchval("SELECT count(*) FROM sections") > 0
        owners = await owner.fetch("SELECT DISTINCT tableowner FROM pg_tables WHERE schemaname = 'public'")
        assert [row["tableowner"] for row in owners] == ["lovsvar_ingest"]
        await owner.execute("CREATE TABLE later (one integer)")
        assert await reader.fetchval("SELECT count(*) FROM later") == 0
        await owner.execute("DROP TABLE later")
    finally:
        await owner.close()
        await reader.close()
    with system.client() as client:
        assert client.get(f"/v1/questions/{done}").json()["status"] == "completed"
        assert done in {record["run_id"] for record in client.get("/v1/audit").json()["records"]}
        again = client.post("/v1/questions", json=QUESTION).json()["run_id"]
        *_, last = sse.events(client, f"/v1/questions/{again}/events")
        assert last["type"] == "run.completed"


def test_every_stream_that_cannot_be_made_again_is_in_it() -> None:
    from lovsvar_local.commands.backup import STREAMS as SAVED

    made_again = {subjects.STREAM_INGEST, subjects.STREAM_INGEST_EVENTS, subjects.STREAM_DOCUMENTS}
    everything = {*(stream.name for stream in kept_streams()), subjects.STREAM_AUDIT}
    assert set(SAVED) == everything - made_again - {subjects.STREAM_EMBEDDING}
