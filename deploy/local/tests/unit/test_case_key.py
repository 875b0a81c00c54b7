"""The key that the launcher makes for cases."""

import base64
from pathlib import Path

from lovsvar_local.folder import is_renewed, make_key, renew_key


def test_a_key_is_made_once_and_read_by_its_owner_alone(tmp_path: Path) -> None:
    file = tmp_path / "cases.key"
    make_key(file)
    first = file.read_bytes()
    make_key(file)
    assert file.read_bytes() == first
    assert len(base64.b64decode(first)) == 32
    assert file.stat().st_mode & 0o777 == 0o600
    assert list(tmp_path.iterdir()) == [file]


def test_a_key_is_renewed_once_and_who_was_cut_off_can_go_on(tmp_path: Path) -> None:
    file, old = tmp_path / "cases.key", tmp_path / "cases.key.old"
    make_key(file)
    first = file.read_bytes()
    # Cut off between the two steps: the old key is kept, and the new one not made yet.
    old.hardlink_to(file)
    assert not is_renewed(file, old)
    renew_key(file, old)
    second = file.read_bytes()
    assert (old.read_bytes(), second != first, is_renewed(file, old)) == (first, True, True)
    renew_key(file, old)
    assert (old.read_bytes(), file.read_bytes()) == (first, second)
    assert {one.stat().st_mode & 0o777 for one in tmp_path.iterdir()} == {0o600}
    assert set(tmp_path.iterdir()) == {file, old}
