"""Settings of the cases service."""

import base64
from pathlib import Path

import pytest
from pydantic import ValidationError

from lovsvar_cases.settings import Settings

KEY = bytes(range(32))
WRITTEN = base64.b64encode(KEY).decode()


def test_the_master_key_is_a_variable_or_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert Settings().master_key() is None
    file = tmp_path / "key"
    file.write_text(f"{WRITTEN}\n")
    monkeypatch.setenv("LOVSVAR_CASES_MASTER_KEY_FILE", str(file))
    assert Settings().master_key() == KEY
    monkeypatch.setenv("LOVSVAR_CASES_MASTER_KEY", base64.b64encode(KEY[::-1]).decode())
    assert Settings().master_key() == KEY[::-1]


def test_other_master_keys_are_none_once_their_file_is_deleted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "cases.key.old"
    file.write_text(f"{WRITTEN}\n")
    monkeypatch.setenv("LOVSVAR_CASES_OTHER_MASTER_KEYS_FILE", str(file))
    assert Settings().other_master_keys() == (KEY,)
    file.unlink()
    assert Settings().other_master_keys() == ()


@pytest.mark.parametrize("written", ["kort", WRITTEN[:-4], "å" * 44, WRITTEN + "AAAA"])
def test_a_key_that_is_none_fails_at_the_start_and_is_not_shown(written: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOVSVAR_CASES_MASTER_KEY", written)
    with pytest.raises(ValidationError) as caught:
        Settings()
    assert written not in str(caught.value)


def test_an_empty_variable_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOVSVAR_CASES_MASTER_KEY", "")
    monkeypatch.setenv("LOVSVAR_CASES_CREDITS", "")
    assert Settings().master_key() is None
    assert Settings().monthly_credits is None
    monkeypatch.setenv("LOVSVAR_CASES_CREDITS", "2,1,0")
    assert Settings().monthly_credits == (2, 1, 0)
