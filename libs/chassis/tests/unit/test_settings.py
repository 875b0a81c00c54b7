"""Settings that all services share."""

import pytest
from pydantic import ValidationError

from lovsvar_chassis.settings import DatabaseSettings, ServiceSettings


def test_settings_are_read_from_the_environment_under_their_prefix(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOVSVAR_NATS_URL", "nats://elsewhere:4222")
    monkeypatch.setenv("NATS_URL", "nats://wrong:4222")
    monkeypatch.setenv("LOVSVAR_DATABASE_POOL", "3")
    settings = DatabaseSettings()
    assert (settings.nats_url, settings.database_pool) == ("nats://elsewhere:4222", 3)


def test_settings_cannot_be_changed_once_read() -> None:
    settings = ServiceSettings()
    with pytest.raises(ValidationError):
        settings.nats_url = "nats://elsewhere:4222"


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("LOVSVAR_NATS_REPLICAS", "0"),
        ("LOVSVAR_NATS_REPLICAS", "many"),
        ("LOVSVAR_DATABASE_POOL", "0"),
        ("LOVSVAR_LOG_LEVEL", "LOUD"),
    ],
)
def test_a_value_that_cannot_be_meant_fails_at_the_start(
    variable: str, value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(variable, value)
    with pytest.raises(ValidationError):
        DatabaseSettings()


def test_a_log_level_may_be_written_in_small_letters(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOVSVAR_LOG_LEVEL", "debug")
    assert ServiceSettings().log_level == "DEBUG"
