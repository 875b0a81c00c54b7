"""Settings of the practice service."""

import pytest
from pydantic import ValidationError

from lovsvar_practice.settings import Settings


def test_an_empty_key_is_no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SERPER_API_KEY", " ")
    assert Settings().serper_api_key is None


def test_the_key_is_not_shown_where_settings_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SERPER_API_KEY", "k3y")
    assert "k3y" not in repr(Settings())


def test_paths_are_written_with_commas_in_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOVSVAR_PRACTICE_PATHS", "/lovtidend/, /rundskriv/")
    assert Settings().practice_paths == ("/lovtidend/", "/rundskriv/")


@pytest.mark.parametrize("paths", ["lovtidend", "/a b/", '/a/" OR site:evil.example "/', "", "/a/,,/b/"])
def test_a_path_that_could_change_the_query_or_is_no_folder_fails_at_the_start(
    paths: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LOVSVAR_PRACTICE_PATHS", paths)
    with pytest.raises(ValidationError):
        Settings()


def test_an_address_that_is_not_http_fails_at_the_start(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOVSVAR_SERPER_URL", "ftp://x")
    with pytest.raises(ValidationError):
        Settings()


@pytest.mark.parametrize("key", ["hemmelig\nX-Other: 1", "hemmelig\x00", "hemmelignøkkel"])
def test_a_key_that_cannot_be_sent_fails_at_the_start_without_being_shown(
    key: str,
) -> None:
    with pytest.raises(ValidationError) as caught:
        Settings(SERPER_API_KEY=key)  # type: ignore[arg-type]
    assert "SERPER_API_KEY" in str(caught.value)
    assert "hemmelig" not in f"{caught.value} {caught.value!r}"


def test_white_space_around_a_key_is_no_part_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SERPER_API_KEY", " k3y\n")
    key = Settings().serper_api_key
    assert key is not None
    assert key.get_secret_value() == "k3y"


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("LOVSVAR_PRACTICE_DAILY_BUDGET", "-1"),
        ("LOVSVAR_PRACTICE_BREAKER_FAILURES", "0"),
        ("LOVSVAR_PRACTICE_BREAKER_SECONDS", "inf"),
    ],
)
def test_a_limit_that_limits_nothing_fails_at_the_start(
    variable: str, value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(variable, value)
    with pytest.raises(ValidationError):
        Settings()
