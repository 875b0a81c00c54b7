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


LINK = re.compile(r"\]\(((?!https?:|#)[^)#\s]+)[^)]*\)")


@pytest.mark.parametrize(
    "file",
    [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))],
    ids=lambda file: file.name,
)
def test_links_of_the_docs_lead_to_what_exists(file: Path) -> None:
    links = LINK.findall(file.read_text(encoding="utf-8"))
    assert [link for link in links if not (file.parent / link).exists()] == []


def test_the_modules_of_the_glossary_exist() -> None:
    folders = [
        folder for pattern in ("libs/*/src", "services/*/src", "deploy/local/src") for folder in ROOT.glob(pattern)
    ]
    named = re.findall(r"`(lovsvar_[a-z_.]+)`", (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8"))
    assert len(named) > 40
    paths = {name: name.replace(".", "/") for name in named}
    missing = {
        name
        for name, path in paths.items()
        if not any((folder / f"{path}.py").exists() or (folder / path / "__init__.py").exists() for folder in folders)
    }
    assert missing == set()
