"""There is no lock file: what makes an installation repeatable are the pins in `pyproject.toml`."""

import re
import tomllib
from collections.abc import Iterator
from importlib.metadata import distribution, distributions
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
REQUIREMENTS = (ROOT / "deploy" / "requirements.txt").read_text(encoding="utf-8")
BUILD = (ROOT / "deploy" / "build-requirements.txt").read_text(encoding="utf-8")
PINS = dict(pin.split("==") for pin in PROJECT["tool"]["uv"]["constraint-dependencies"])


def hashed(requirements: str) -> dict[str, str]:
    """What the file names with hashes, with its versions."""
    entry = r"^([\w.-]+)==(\S+)(?: ;[^\\\n]*)? \\\n    --hash=sha256:"
    return dict(re.findall(entry, requirements, re.MULTILINE))


HASHED = hashed(REQUIREMENTS)
"""What images are built from, with its versions; each has hashes."""

DOCKERFILES = [*ROOT.glob("services/*/Dockerfile"), ROOT / "deploy" / "local" / "Dockerfile"]


def required() -> dict[str, str]:
    """Every package that the workspace and its development need here, however far down, with its version."""
    found: dict[str, str] = {}
    todo = [Requirement(line) for line in PROJECT["dependency-groups"]["dev"]]
    todo += [Requirement(d.name) for d in distributions() if d.name.startswith("lovsvar-")]
    seen: set[tuple[str, frozenset[str]]] = set()
    while todo:
        requirement = todo.pop()
        name, extras = canonicalize_name(requirement.name), frozenset(requirement.extras)
        if (name, extras) in seen:
            continue
        seen.add((name, extras))
        found[name] = distribution(name).version
        todo += needed_by(name, extras)
    return {name: version for name, version in found.items() if not name.startswith("lovsvar")}


def needed_by(name: str, extras: frozenset[str]) -> Iterator[Requirement]:
    """What `name` with `extras` requires on this machine."""
    for line in distribution(name).requires or ():
        requirement = Requirement(line)
        if not requirement.marker or any(requirement.marker.evaluate({"extra": extra}) for extra in extras | {""}):
            yield requirement


def test_everything_that_is_installed_is_pinned_to_its_version() -> None:
    assert {name: PINS.get(name) for name in required()} == required()


def test_pins_are_in_order() -> None:
    assert list(PINS) == sorted(PINS)


def test_what_images_are_built_from_is_what_is_pinned_and_named_by_its_hashes() -> None:
    run = "uv export --package lovsvar-local --no-dev --no-emit-workspace --no-header --no-annotate"
    entries = [line for line in REQUIREMENTS.splitlines() if line and not line.startswith(" ")]
    assert len(entries) == len(HASHED) > 50
    assert {name: PINS.get(name) for name in HASHED} == HASHED, f"run `{run} > deploy/requirements.txt`"
    assert "://" not in REQUIREMENTS, "it names no host"


def test_what_images_are_built_with_is_pinned_and_named_by_its_hashes() -> None:
    run = "uv export --only-group build --no-emit-workspace --no-header --no-annotate"
    entries = [line for line in BUILD.splitlines() if line and not line.startswith(" ")]
    assert len(entries) == len(hashed(BUILD))
    told = f"run `{run} > deploy/build-requirements.txt`"
    assert {name: PINS.get(name) for name in hashed(BUILD)} == hashed(BUILD), told
    assert set(PROJECT["dependency-groups"]["build"]) <= hashed(BUILD).keys()
    isolated = dict(pin.split("==") for pin in PROJECT["tool"]["uv"]["build-constraint-dependencies"])
    assert isolated == {name: version for name, version in hashed(BUILD).items() if name != "uv"}
    assert "://" not in BUILD, "it names no host"


def test_every_package_of_ours_is_built_by_what_images_have() -> None:
    for file in [*ROOT.glob("libs/*/pyproject.toml"), *ROOT.glob("services/*/pyproject.toml")]:
        assert tomllib.loads(file.read_text(encoding="utf-8"))["build-system"]["requires"] == ["hatchling"]


@pytest.mark.parametrize("file", DOCKERFILES, ids=lambda file: file.parent.name)
def test_images_hold_nothing_that_was_not_checked_by_its_hash(file: Path) -> None:
    lines = re.sub(r"\\\n\s*", "", file.read_text(encoding="utf-8")).splitlines()
    installs = [
        command for line in lines for command in line.split("&& ") if re.search(r"\b(pip|uv) (?!venv)", command)
    ]
    tools, wheels, ours = installs
    for command in (tools, wheels):
        assert {"--no-deps", "--require-hashes", "--only-binary"} <= set(command.split())
    assert tools.endswith(" -r deploy/build-requirements.txt")
    assert " --no-build-isolation " in wheels
    assert wheels.endswith(" --wheel-dir /wheels -r deploy/requirements.txt -r deploy/build-requirements.txt")
    assert ours.endswith(f" --no-index --find-links /wheels ./{file.parent.relative_to(ROOT)}")
    assert "://" not in file.read_text(encoding="utf-8")


def test_all_that_a_service_needs_is_in_it() -> None:
    needed: set[str] = set()
    todo = [Requirement("lovsvar-local")]
    while todo:
        requirement = todo.pop()
        if (name := canonicalize_name(requirement.name)) not in needed:
            needed.add(name)
            todo += needed_by(name, frozenset(requirement.extras))
    assert {name for name in needed if not name.startswith("lovsvar")} <= HASHED.keys()
