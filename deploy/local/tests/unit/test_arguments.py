"""What is refused before anything is started."""

import inspect
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest
from typer.testing import CliRunner

from lovsvar_contracts import questions, search
from lovsvar_local import exits
from lovsvar_local.cli import app
from lovsvar_local.cli.keys import key_app
from lovsvar_local.cli.options import SHARED, AnswerMode, SearchMode
from lovsvar_local.commands.ask import checked_question
from lovsvar_local.commands.ingest import checked_checksum, dataset_of_catalogue
from lovsvar_local.commands.session import checked_source
from lovsvar_local.errors import BadArgument


@pytest.mark.parametrize("question", ["", "  \n\t", "x" * 4_001, "x" * 20_000])
def test_an_empty_or_endless_question_is_refused(question: str) -> None:
    with pytest.raises(BadArgument, match="Spørsmålet er"):
        checked_question(question)


def test_a_question_of_the_greatest_length_is_asked_without_the_space_around_it() -> None:
    assert checked_question(" " + "x" * 4_000 + "\n") == "x" * 4_000


def test_a_source_is_an_address_or_an_existing_folder(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "kilde").mkdir()
    assert checked_source(None) is None
    assert checked_source("https://example.org/x/") == "https://example.org/x/"
    assert checked_source("kilde") == str(tmp_path / "kilde"), "services run elsewhere"
    for wrong in ("finnes-ikke", "ftp://example.org"):
        with pytest.raises(BadArgument, match="finnes ikke"):
            checked_source(wrong)


def test_an_archive_is_accepted_by_a_checksum_alone() -> None:
    assert checked_checksum(None) is None
    assert checked_checksum(f" {'AB' * 32} ") == "ab" * 32
    for wrong in ("", "ja", "g" * 64, "a" * 63):
        with pytest.raises(BadArgument, match="64 tegn"):
            checked_checksum(wrong)


def test_a_catalogue_is_named_by_its_id_or_by_its_folder(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "min"
    folder.mkdir()
    assert dataset_of_catalogue("hjelpetilbud") == ("katalog-hjelpetilbud", None)
    with pytest.raises(BadArgument, match="id-en til en katalog"):
        dataset_of_catalogue("./min")
    (folder / "catalogue.toml").write_text('name = "Min"', encoding="utf-8")
    with pytest.raises(BadArgument, match="mangler en id"):
        dataset_of_catalogue("./min")
    (folder / "catalogue.toml").write_text('id = "min-egen"', encoding="utf-8")
    assert dataset_of_catalogue("./min") == ("katalog-min-egen", str(folder))
    (folder / "catalogue.toml").write_text("id =", encoding="utf-8")
    with pytest.raises(BadArgument, match="kan ikke leses"):
        dataset_of_catalogue("min")


def test_refusals_are_one_sentence_and_start_nothing(tmp_path: Path) -> None:
    data = tmp_path / "data"
    for arguments in (
        ["ask", ""],
        ["ask", "x" * 20_000],
        ["search", " "],
        ["show", ""],
        ["ask", "x", "--source", "/nei"],
        ["eval", str(tmp_path / "finnes-ikke.jsonl")],
        ["eval", str(tmp_path)],
    ):
        result = CliRunner().invoke(app, [*arguments, "--data-dir", str(data)])
        assert result.exit_code == exits.USAGE, arguments
        assert len(result.stderr.strip().splitlines()) == 1
    assert not data.exists()


def test_the_modes_that_can_be_typed_are_those_that_search_knows() -> None:
    assert [*map(str, SearchMode)] == [*map(str, search.SearchMode)]


def test_the_ways_of_answering_that_can_be_typed_are_those_that_the_agent_knows() -> None:
    assert {*map(str, AnswerMode)} == {*map(str, questions.Mode)}


@pytest.mark.parametrize(
    ("typed", "module", "function"),
    [(one, one.callback.__name__, one.callback.__name__) for one in app.registered_commands]
    + [
        (one, "keys", name)
        for one, name in zip(key_app.registered_commands, ("add", "list_all", "revoke"), strict=True)
    ],
)
def test_a_command_is_run_by_a_function_that_takes_its_options(typed, module: str, function: str) -> None:
    runs = inspect.signature(getattr(import_module(f"lovsvar_local.commands.{module}"), function))
    options = [name for name in inspect.signature(typed.callback).parameters if name not in SHARED]
    runs.bind("where", "progress", **dict.fromkeys(options))


def test_a_refusal_with_json_is_a_problem_on_standard_output() -> None:
    result = CliRunner().invoke(app, ["ask", "", "--json"])
    assert '"type":"invalid-request"' in result.stdout
    assert "tomt" in result.stderr


def test_a_data_folder_that_cannot_be_used_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    result = CliRunner().invoke(app, ["status", "--data-dir", str(tmp_path / "file" / "x")])
    assert result.exit_code == exits.CANNOT_START
    assert "kan ikke brukes" in result.stderr


def test_the_help_names_the_exit_codes_and_the_version_is_told() -> None:
    assert "130" in CliRunner().invoke(app, ["ask", "--help"]).stdout
    assert CliRunner().invoke(app, ["--version"]).stdout.startswith("lovsvar ")


def test_the_help_loads_none_of_the_libraries_that_commands_need() -> None:
    slow = {"asyncpg", "httpx2", "lovsvar", "lovsvar_contracts", "lovsvar_gateway", "mcp", "nats", "pydantic"}
    code = f"import sys, lovsvar_local.cli; print(sorted({slow} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.strip() == "[]"
