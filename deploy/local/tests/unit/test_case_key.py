"""The key that the launcher makes for cases."""

import base64
from pathlib import Path

from lovsvar_local.folder import make_key


def test_a_key_is_made_once_and_read_by_its_owner_alone(tmp_path: Path) -> None:
    file = tmp_path / "cases.key"
    make_key(file)
    first = file.read_bytes()
    make_key(file)
    assert file.read_bytes() == first
    assert len(base64.b64decode(first)) == 32
    assert file.stat().st_mode & 0o777 == 0o600
    assert list(tmp_path.iterdir()) == [file]
