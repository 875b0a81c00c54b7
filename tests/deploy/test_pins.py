"""There is no lock file: what makes an installation repeatable are the pins in `pyproject.toml`."""

import re
import tomllib
from collections.abc import Iterator
from importlib.metadata import distribution, distributions
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
REQUIREMENTS = (ROOT / "deploy" / "requirements.txt").read_text(encoding="utf-8")
PINS = dict(pin.split("==") for pin in PROJECT["tool"]["uv"]["constraint-dependencies"])


HASHED = dict(re.findall(r"^([\w.-]+)==(\S+)(?: ;[^\\\n]*)? \\\n    --hash=sha256:", REQUIREMENTS, re.MULTILINE))
"""What images are built from, with its versions; each has hashes."""


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


def test_all_that_a_service_needs_is_in_it() -> None:
    needed: set[str] = set()
    todo = [Requirement("lovsvar-local")]
    while todo:
        requirement = todo.pop()
        if (name := canonicalize_name(requirement.name)) not in needed:
            needed.add(name)
            todo += needed_by(name, frozenset(requirement.extras))
    assert {name for name in needed if not name.startswith("lovsvar")} <= HASHED.keys()
