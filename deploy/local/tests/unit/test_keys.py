"""`lovsvar keys`: a file of keys, made, listed and revoked."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from lovsvar.client import GatewayProblem
from lovsvar_gateway.adapters.key_file import read_keys
from lovsvar_gateway.core import access
from lovsvar_local import exits
from lovsvar_local.cli import app
from lovsvar_local.cli.keys import KeyScope
from lovsvar_local.commands.session import Where, open_session
from lovsvar_local.progress import Progress


def keys(path: Path, *arguments: str) -> Result:
    return CliRunner().invoke(app, ["keys", *arguments, "--file", str(path)])


def test_scopes_are_those_of_the_gateway() -> None:
    assert [s.value for s in KeyScope] == [s.value for s in access.Scope]


def test_a_key_is_shown_once_listed_without_its_secret_and_revoked(tmp_path: Path, capfdbinary) -> None:
    path = tmp_path / "keys.json"
    made = keys(
        path, "add", "kari", "--scope", "ask", "--scope", "read", "--per-minute", "7", "--questions-per-minute", "3"
    )
    assert made.exit_code == exits.OK, made.output
    secret = made.output.strip()
    found = read_keys(path).find(secret)
    assert found is not None
    assert (found.name, sorted(found.scopes), found.limits.per_minute) == ("kari", ["ask", "read"], 7)
    assert found.limits.questions_per_minute == 3
    assert secret not in path.read_text()
    listed = keys(path, "list")
    assert "kari" in listed.output
    assert "ask,read" in listed.output
    assert "7/min, 20 samtidige, 3 spørsmål/min" in listed.output
    assert secret not in listed.output
    assert keys(path, "revoke", "kari").exit_code == exits.OK
    assert read_keys(path).find(secret) is None


def test_keys_are_objects_for_programs(tmp_path: Path, capfdbinary) -> None:
    path = tmp_path / "keys.json"
    made = json.loads(keys(path, "add", "kari", "--scope", "operate", "--json").stdout_bytes)
    found = read_keys(path).find(made["key"])
    assert found is not None
    assert made["scopes"] == ["operate"]
    listed = json.loads(keys(path, "list", "--json").stdout_bytes)
    assert [key["name"] for key in listed["keys"]] == ["kari"]


def test_a_key_can_be_kept_to_catalogues(tmp_path: Path, capfdbinary) -> None:
    path = tmp_path / "keys.json"
    few = ["--catalogue", "hjelpetilbud", "--catalogue", "intern"]
    made = json.loads(keys(path, "add", "kari", "--scope", "read", *few, "--json").stdout_bytes)
    assert made["catalogues"] == ["hjelpetilbud", "intern"]
    assert read_keys(path).find(made["key"]).catalogues == {"hjelpetilbud", "intern"}
    assert "kataloger: hjelpetilbud,intern" in keys(path, "list").output
    wrong = keys(path, "add", "ola", "--scope", "read", "--catalogue", "Min katalog")
    assert wrong.exit_code == exits.USAGE
    assert "2–40 tegn" in wrong.output


def test_what_cannot_be_done_is_a_sentence(tmp_path: Path) -> None:
    path = tmp_path / "keys.json"
    assert keys(path, "add", "kari", "--scope", "ask").exit_code == exits.OK
    broken = tmp_path / "broken.json"
    broken.write_text("nei")
    for file, *arguments in (
        (path, "add", "kari", "--scope", "ask"),
        (path, "add", "to ord", "--scope", "ask"),
        (path, "revoke", "ola"),
        (tmp_path / "none.json", "list"),
        (tmp_path / "none.json", "revoke", "ola"),
        (broken, "list"),
        (broken, "add", "ola", "--scope", "ask"),
        (path, "add", "ola"),
        (path, "add", "ola", "--scope", "alt"),
    ):
        result = keys(file, *arguments)
        assert result.exit_code == exits.USAGE, arguments
        assert "Traceback" not in result.output
    assert broken.read_text() == "nei"


async def test_every_command_shows_the_key_of_its_environment(stand_in, monkeypatch) -> None:
    monkeypatch.setenv("LOVSVAR_API_KEY", "hemmelig")
    with pytest.raises(GatewayProblem):
        async with open_session(Where(url=stand_in.url), "status", Progress()) as session:
            await session.gateway.status()
    assert stand_in.seen[0].headers["authorization"] == "Bearer hemmelig"
