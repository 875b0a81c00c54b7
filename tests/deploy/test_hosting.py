"""The workflows of the public host and the hooks before a commit: what they run is there, and no more is let in."""

import os
import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from lovsvar_testkit import servers

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
TEXTS = {file.stem: file.read_text(encoding="utf-8") for file in (ROOT / ".github" / "workflows").glob("*.yml")}
# PyYAML's usual loader reads the key `on` as the truth value it is in YAML 1.1.
WORKFLOWS: dict[str, Any] = {name: yaml.load(text, Loader=yaml.BaseLoader) for name, text in TEXTS.items()}
CHECKS = WORKFLOWS["ci"]["jobs"]
JOBS = [job for workflow in WORKFLOWS.values() for job in workflow["jobs"].values()]
HOOKS = [
    hook
    for repository in yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8"))["repos"]
    for hook in repository["hooks"]
]
COMMANDS = [step["run"] for job in JOBS for step in job["steps"] if "run" in step]
TOOLS = {re.split(r"[^\w-]", line)[0] for line in PROJECT["dependency-groups"]["dev"]}


def missing(command: str) -> Iterator[str]:
    """What `command` needs of the project and is not there."""
    words = shlex.split(command)
    if words[:2] == ["uv", "run"]:
        if words[2] not in TOOLS:
            yield words[2]
        yield from (word for word in words[3:] if "/" in word and not (ROOT / word).exists())
        if "-m" in words:
            marks = {line.partition(":")[0] for line in PROJECT["tool"]["pytest"]["ini_options"]["markers"]}
            yield from set(words[words.index("-m") + 1].split()) - marks - {"not", "and"}
    elif not (words[0] == "pipx" or os.access(ROOT / words[0], os.X_OK)):
        yield words[0]


@pytest.mark.parametrize("command", sorted({*COMMANDS, *(h["entry"] for h in HOOKS if h["language"] != "pygrep")}))
def test_what_is_run_is_there(command: str) -> None:
    assert list(missing(command)) == []


def test_a_command_that_is_not_there_is_seen() -> None:
    assert list(missing(".ci/gone")) == [".ci/gone"]
    assert list(missing("uv run flake8")) == ["flake8"]
    assert list(missing('uv run pytest services/gone -m "not quick"')) == ["services/gone", "quick"]


def test_workflows_may_read_and_nothing_more() -> None:
    assert {name: set(workflow["on"]) for name, workflow in WORKFLOWS.items()} == {
        "ci": {"push", "pull_request"},
        "nightly": {"schedule", "workflow_dispatch"},
    }
    assert all(workflow["permissions"] == {"contents": "read"} for workflow in WORKFLOWS.values())
    assert not any("permissions" in job for job in JOBS)
    assert not any("secrets." in text for text in TEXTS.values())
    checkouts = [s for job in JOBS for s in job["steps"] if s.get("uses", "").startswith("actions/checkout@")]
    assert [step["with"]["persist-credentials"] for step in checkouts] == ["false"] * len(JOBS)


def test_actions_are_named_by_their_commit() -> None:
    used = re.findall(r"uses: (\S+)(.*)", "\n".join(TEXTS.values()))
    assert used
    for action, comment in used:
        assert re.fullmatch(r"actions/[a-z-]+@[0-9a-f]{40}", action)
        assert re.fullmatch(r" # v\d+\.\d+\.\d+", comment)


def test_what_is_left_out_for_its_length_runs_each_night() -> None:
    assert any(step.get("run") == "uv run pytest -m slow" for step in WORKFLOWS["nightly"]["jobs"]["slow"]["steps"])


def test_every_job_ends_and_installs_the_uv_that_is_pinned() -> None:
    pins = dict(pin.split("==") for pin in PROJECT["tool"]["uv"]["constraint-dependencies"])
    for job in JOBS:
        assert int(job["timeout-minutes"]) <= 60
        assert f"pipx install uv=={pins['uv']}" in [step.get("run") for step in job["steps"]]


def test_it_runs_on_every_python_and_postgresql_that_is_promised() -> None:
    first = PROJECT["project"]["requires-python"].removeprefix(">=")
    assert [CHECKS["check"]["env"]["UV_PYTHON"], *CHECKS["python"]["strategy"]["matrix"]["python"]] == [
        first,
        "3.12",
        "3.13",
    ]
    images = CHECKS["postgres"]["strategy"]["matrix"]["image"]
    assert [image[-5:] for image in images] == ["-pg16", "-pg17", "-pg18"]
    assert servers.POSTGRES_IMAGE in images
    assert {image[:-5] for image in images} == {servers.POSTGRES_IMAGE[:-5]}


def test_the_image_of_postgresql_is_the_one_that_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    assert CHECKS["postgres"]["env"]["LOVSVAR_TEST_POSTGRES"] == "${{ matrix.image }}"
    assert servers.postgres_image() == servers.POSTGRES_IMAGE
    monkeypatch.setenv("LOVSVAR_TEST_POSTGRES", "pgvector/pgvector:0.8.1-pg16")
    assert servers.postgres_image() == "pgvector/pgvector:0.8.1-pg16"


def test_hooks_are_the_project_s_own_commands() -> None:
    command = [sys.executable, "-m", "pre_commit", "validate-config"]
    subprocess.run(command, cwd=ROOT, check=True, timeout=60)
    repositories = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8"))["repos"]
    assert [repository["repo"] for repository in repositories] == ["local"]
    assert {hook["language"] for hook in HOOKS} == {"unsupported", "pygrep"}
