"""`lovsvar` with a language model and a search provider in its environment: real services, stand-ins for both."""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from lovsvar_contracts.questions import Answer, Mode
from lovsvar_local import exits
from lovsvar_local.folder import DataFolder
from lovsvar_local.state import read_state
from lovsvar_testkit.processes import free_port
from lovsvar_testkit.scripted_model import ByQuestion, ScriptedModel, question_of, standing_in_for_model
from lovsvar_testkit.serper import Serper, standing_in_for_serper

COMMAND_SECONDS = 120
PRACTISED = "Hvor mye kan utleier kreve i depositum, også i praksis?"
ONE_SEARCH = "Hvor mye kan utleier kreve i depositum?"
REFUSED = "Godtas nøkkelen?"
QUOTE = "Utleieren kan kreve et depositum på høyst fire måneders leie."
DECISION = {
    "title": "HTUOV-2998-1",
    "link": "https://lovdata.no/husleietvistutvalget/1",
    "snippet": "Seks ble for mye.",
}
SCRIPTS = {
    PRACTISED: [
        {
            "calls": [
                {"search_lovdata_legal_documents": {"query": "depositum utleier", "pageSize": 1}},
                {"search_lovdata_legal_practice": {"query": "depositum"}},
            ]
        },
        {
            "final": {
                "answer": "Fire måneder [lovdata-1]. I praksis ble seks for mye [serper-1].",
                "citations": [["lovdata-1", QUOTE], ["serper-1", "Seks ble for mye."]],
            }
        },
    ],
    ONE_SEARCH: [{"json": {"answer": "Fire måneder [lovdata-1].", "citations": [["lovdata-1", QUOTE]]}}],
    REFUSED: [{"status": 401, "repeat": True}],
}


@pytest.fixture(scope="module")
def model() -> Iterator[ScriptedModel]:
    with standing_in_for_model(ByQuestion(SCRIPTS)) as model:
        yield model


@pytest.fixture(scope="module")
def serper() -> Iterator[Serper]:
    with standing_in_for_serper() as serper:
        serper.finds(DECISION)
        yield serper


@pytest.fixture(scope="module")
def folder(model: ScriptedModel, serper: Serper) -> Iterator[Path]:
    """The data folder of a system that runs, with the model and the provider in its environment."""
    given = {
        "OPENAI_API_KEY": "sk-secret",
        "OPENAI_BASE_URL": model.url,
        "LOVSVAR_MODEL": "scripted-mini",
        "SERPER_API_KEY": "serper-secret",
        "LOVSVAR_SERPER_URL": serper.url,
        "LOVSVAR_EMBEDDING": "off",
    }
    with tempfile.TemporaryDirectory(prefix="lovsvar-local-", ignore_cleanup_errors=True) as path:
        folder = Path(path) / "data"
        process = start("up", "--port", str(free_port()), folder=folder, given=given)
        deadline = time.monotonic() + COMMAND_SECONDS
        while process.poll() is None and phase(folder) != "ready":
            assert time.monotonic() < deadline
            time.sleep(0.02)
        assert process.poll() is None
        yield folder
        process.terminate()
        process.communicate(timeout=COMMAND_SECONDS)


def start(*arguments: str, folder: Path, given: dict[str, str] | None = None) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", "from lovsvar_local.cli import main; main()", *arguments]
    inherited = {k: v for k, v in os.environ.items() if not k.startswith(("LOVSVAR_", "OPENAI_", "SERPER_"))}
    return subprocess.Popen(
        [*command, "--data-dir", str(folder), "--source", "http://127.0.0.1:9/"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**inherited, **(given or {})},
    )


def run(*arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    process = start(*arguments, folder=folder)
    out, err = process.communicate(timeout=COMMAND_SECONDS)
    return subprocess.CompletedProcess(process.args, process.returncode, out, err)


def phase(folder: Path) -> str:
    state = read_state(DataFolder(folder).state)
    return state.phase if state else ""


def test_the_model_and_the_provider_of_the_environment_are_asked(
    folder: Path, model: ScriptedModel, serper: Serper
) -> None:
    asked = run("ask", PRACTISED, folder=folder)
    assert asked.returncode == exits.OK, asked.stderr
    assert "Fire måneder [1]. I praksis ble seks for mye [2]." in asked.stdout
    assert asked.stdout.count(QUOTE) == 1
    assert "Søker i lover og forskrifter\n  «depositum utleier»\n" in asked.stderr
    assert {r["model"] for r in model.requests} == {"scripted-mini"}
    assert {h["authorization"] for h in model.headers} == {"Bearer sk-secret"}
    assert [r.key for r in serper.requests] == ["serper-secret"]


@pytest.mark.parametrize(("mode", "calls"), [(Mode.DIRECT, 1), (Mode.EXTRACTIVE, 0)])
def test_a_way_of_answering_can_be_chosen(folder: Path, model: ScriptedModel, mode: Mode, calls: int) -> None:
    before = sum(question_of(r) == ONE_SEARCH for r in model.requests)
    asked = run("ask", ONE_SEARCH, "--mode", mode.value, "--json", folder=folder)
    assert asked.returncode == exits.OK, asked.stderr
    answer = Answer.model_validate_json(asked.stdout)
    assert answer.mode == mode
    assert answer.citations[0].section == "§3-2"
    assert sum(question_of(r) == ONE_SEARCH for r in model.requests) - before == calls


def test_a_key_that_is_refused_is_told_once_and_the_law_is_quoted_all_the_same(folder: Path) -> None:
    asked = run("ask", REFUSED, folder=folder)
    assert asked.returncode == exits.OK
    assert "Språkmodellen svarte ikke" in asked.stdout
    told = [line for line in asked.stderr.splitlines() if "godtar ikke nøkkelen" in line]
    assert len(told) == 1
    assert "sk-secret" not in asked.stderr + asked.stdout
