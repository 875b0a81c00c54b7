"""There is no lock file: what makes an installation repeatable are the pins in `pyproject.toml`."""

import tomllib
from collections.abc import Iterator
from importlib.metadata import distribution, distributions
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PINS = dict(pin.split("==") for pin in PROJECT["tool"]["uv"]["constraint-dependencies"])


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
