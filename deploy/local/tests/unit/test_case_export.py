"""The file that a case is exported to while it comes."""

from pathlib import Path

from lovsvar_local.commands.cases import _private


def test_what_somebody_else_may_read_at_that_place_is_not_written_into(tmp_path: Path) -> None:
    file, theirs = tmp_path / "sak.zip.part", tmp_path / "theirs"
    theirs.touch(mode=0o644)
    file.symlink_to(theirs)
    with _private(file) as held:
        held.write(b"en sak")
    assert (theirs.read_bytes(), file.read_bytes()) == (b"", b"en sak")
    assert file.stat().st_mode & 0o777 == 0o600
