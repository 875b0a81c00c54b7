"""The tables of modules, in packages and in READMEs, name what there is, and all of it."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ROW = re.compile(r"^\| `([a-z_]+)(?:\.py)?` *\|", re.MULTILINE)

PACKAGES = [
    file
    for pattern in ("libs/*/src", "services/*/src", "deploy/local/src")
    for folder in ROOT.glob(pattern)
    for file in folder.rglob("__init__.py")
    if ROW.search(file.read_text(encoding="utf-8"))
]


@pytest.mark.parametrize("file", PACKAGES, ids=lambda file: str(file.parent.relative_to(ROOT)))
def test_a_packages_table_names_every_module_of_it(file: Path) -> None:
    modules = {one.stem for one in file.parent.glob("*.py")}
    modules |= {one.parent.name for one in file.parent.glob("*/__init__.py")}
    assert set(ROW.findall(file.read_text(encoding="utf-8"))) == modules - {"__init__"}


def test_the_chassis_readme_names_modules_that_exist() -> None:
    folder = ROOT / "libs" / "chassis"
    named = set(ROW.findall((folder / "README.md").read_text(encoding="utf-8")))
    assert named == {one.stem for one in (folder / "src" / "lovsvar_chassis").glob("*.py")} - {"__init__"}
