"""Reading named queries from `.sql` files."""

import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from lovsvar_chassis.database import load_queries


@pytest.fixture
def load(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Mapping[str, str]]:
    """Load the queries of a package whose folder `sql` holds these files."""

    def load(**files: str) -> Mapping[str, str]:
        package = tmp_path / "package_with_sql"
        (package / "sql").mkdir(parents=True)
        (package / "__init__.py").touch()
        for name, text in files.items():
            (package / "sql" / name.replace("_", ".")).write_text(text, encoding="utf-8")
        monkeypatch.syspath_prepend(tmp_path)
        sys.modules.pop(package.name, None)
        return load_queries(package.name)

    return load


def test_each_query_reaches_to_the_next_name(load: Callable[..., Mapping[str, str]]) -> None:
    queries = load(read_sql="-- name: one\nSELECT 1\n-- Why.\n;\n\n-- name: two\nSELECT 'ø';\n")
    assert queries == {"one": "SELECT 1\n-- Why.\n;", "two": "SELECT 'ø';"}


def test_a_query_begins_with_its_verb_which_traces_call_it_by(load: Callable[..., Mapping[str, str]]) -> None:
    queries = load(
        read_sql="-- name: one\n-- Purpose.\n-- $1 refid\nSELECT $1;\n\n-- name: two\n-- Purpose.\nSELECT 2;\n"
    )
    assert queries == {"one": "SELECT $1;", "two": "SELECT 2;"}


def test_queries_of_all_files_are_found_and_other_files_are_not(load: Callable[..., Mapping[str, str]]) -> None:
    queries = load(a_sql="-- name: one\nSELECT 1", b_sql="-- name: two\nSELECT 2", c_txt="-- name: three\nSELECT 3")
    assert set(queries) == {"one", "two"}


@pytest.mark.parametrize(
    "files",
    [
        {"a_sql": "-- name: one\nSELECT 1\n-- name: one\nSELECT 2"},
        {"a_sql": "-- name: one\nSELECT 1", "b_sql": "-- name: one\nSELECT 2"},
    ],
    ids=["in one file", "in two files"],
)
def test_two_queries_of_one_name_are_refused(load: Callable[..., Mapping[str, str]], files: dict[str, str]) -> None:
    with pytest.raises(ValueError, match="'one'"):
        load(**files)


def test_queries_cannot_be_changed_by_whoever_got_them(load: Callable[..., Mapping[str, str]]) -> None:
    queries = load(a_sql="-- name: one\nSELECT 1")
    with pytest.raises(TypeError):
        queries["one"] = "DROP TABLE documents"
