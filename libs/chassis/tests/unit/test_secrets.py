"""Secrets in files, and what is made of them."""

from pathlib import Path

import pytest

from lovsvar_chassis.settings import DatabaseSettings, ServiceSettings, connect_options

URL = "postgresql://lovsvar_search@db/lovsvar?sslmode=verify-full"


def test_a_file_with_a_variables_name_is_its_value(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOVSVAR_SECRETS_DIR", str(tmp_path))
    (tmp_path / "LOVSVAR_NATS_SEED").write_text("SUA\n")
    assert connect_options(ServiceSettings(), "search") == {"inbox_prefix": "_INBOX.search", "nkeys_seed_str": "SUA"}
    assert "SUA" not in repr(ServiceSettings())


def test_the_environment_comes_first_and_an_empty_file_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOVSVAR_SECRETS_DIR", str(tmp_path))
    monkeypatch.setenv("LOVSVAR_LOG_LEVEL", "ERROR")
    (tmp_path / "LOVSVAR_LOG_LEVEL").write_text("DEBUG")
    (tmp_path / "LOVSVAR_NATS_SEED").write_text("\n")
    assert (ServiceSettings().log_level, ServiceSettings().nats_seed) == ("ERROR", None)


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        (URL, "postgresql://lovsvar_search:a%2F%40b@db/lovsvar?sslmode=verify-full"),
        ("postgresql://u:own@db/lovsvar", "postgresql://u:own@db/lovsvar"),
        ("postgresql:///lovsvar", "postgresql:///lovsvar"),
        ("postgresql://u@/lovsvar?host=/run/p", "postgresql://u:a%2F%40b@/lovsvar?host=/run/p"),
    ],
)
def test_a_password_is_written_into_a_url_that_has_none(url: str, expected: str) -> None:
    assert DatabaseSettings(database_url=url, database_password="a/@b\n").database_url == expected
