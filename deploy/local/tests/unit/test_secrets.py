"""`lovsvar setup`: keys and passwords in files."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from lovsvar_gateway.adapters.key_file import read_keys
from lovsvar_gateway.core.access import Scope
from lovsvar_local import exits
from lovsvar_local.cli import app
from lovsvar_local.nats_permissions import users


def setup(folder: Path, *options: str) -> Result:
    return CliRunner().invoke(app, ["setup", str(folder), *options])


def contents(folder: Path) -> dict[str, str]:
    return {str(path.relative_to(folder)): path.read_text() for path in folder.rglob("*") if path.is_file()}


def test_one_command_makes_all_and_again_it_changes_nothing(tmp_path: Path, capfdbinary) -> None:
    folder = tmp_path / "secrets"
    made = setup(folder)
    assert made.exit_code == exits.OK, made.output
    key = made.output.split()[-1]
    found = read_keys(folder / "keys" / "keys.json").find(key)
    assert found is not None
    assert found.scopes == frozenset(Scope)
    before = contents(folder)
    assert {f"nats_{user.name}" for user in users()} < before.keys()
    assert not any(key in text for text in before.values())
    assert len({text for text in before.values() if text}) == len([text for text in before.values() if text])
    again = setup(folder, "--json")
    assert json.loads(again.output or capfdbinary.readouterr().out)["made"] == []
    assert contents(folder) == before


def test_nobody_else_enters_the_folder_whose_files_containers_read(tmp_path: Path) -> None:
    folder = tmp_path / "secrets"
    folder.mkdir(mode=0o755)
    setup(folder)
    assert folder.stat().st_mode & 0o777 == 0o700
    assert {path.stat().st_mode & 0o777 for path in folder.rglob("*") if path.is_file()} == {0o644}


@pytest.mark.parametrize("password", ["lovsvar", "postgres", ""])
def test_a_password_that_could_be_guessed_is_refused(tmp_path: Path, password: str) -> None:
    (tmp_path / "postgres_ingest").write_text(password)
    refused = setup(tmp_path)
    assert refused.exit_code == exits.USAGE


def test_a_seed_that_is_none_is_refused(tmp_path: Path) -> None:
    (tmp_path / "nats_search").write_text("SUAA")
    assert setup(tmp_path).exit_code == exits.USAGE


def test_a_seed_that_is_made_anew_gets_its_public_key_and_the_operators_lines_stay(tmp_path: Path) -> None:
    setup(tmp_path)
    local = tmp_path / "nats" / "local.conf"
    before = local.read_text()
    local.write_text(before + "tls {}\n")
    (tmp_path / "nats_search").unlink()
    setup(tmp_path)
    after = local.read_text().splitlines()
    changed = set(after) - set(before.splitlines())
    assert len(changed) == 2
    assert "tls {}" in changed
