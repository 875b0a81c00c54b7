"""Which folder a process gets for its index, and what becomes of the folders of processes that are gone."""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from lovsvar_search.adapters.retrieval.index_folder import UNUSED, UNUSED_SECONDS, IndexFolder

TAKE_AND_DIE = """
import os, sys
from pathlib import Path
from lovsvar_search.adapters.retrieval.index_folder import IndexFolder
folder = IndexFolder(Path(sys.argv[1]) if sys.argv[1:] else None)
folder.take()
folder.clear()
print(folder.path.parent, flush=True)
os._exit(9)
"""


def die_with_a_folder(*wanted: Path) -> Path:
    """Return the folder of a process that took it and ended without letting go."""
    command = [sys.executable, "-c", TAKE_AND_DIE, *map(str, wanted)]
    died = subprocess.run(command, capture_output=True, text=True, check=False)
    assert died.returncode == 9, died.stderr
    return Path(died.stdout.splitlines()[-1])


def taken(wanted: Path | None) -> IndexFolder:
    folder = IndexFolder(wanted)
    folder.take()
    return folder


def slots(wanted: Path) -> list[str]:
    return sorted(slot.name for slot in wanted.glob("slot-*"))


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setenv("TMPDIR", str(folder))
    monkeypatch.setattr(tempfile, "tempdir", None)
    yield folder
    tempfile.tempdir = None


def test_processes_that_are_given_one_folder_take_the_first_slot_that_is_free(tmp_path: Path) -> None:
    first, second = taken(tmp_path), taken(tmp_path)
    assert [folder.path.parent.name for folder in (first, second)] == ["slot-0", "slot-1"]
    first.release()
    third = taken(tmp_path)
    assert third.path.parent.name == "slot-0"
    for folder in (second, third):
        folder.release()


def test_the_slot_of_a_process_that_was_killed_is_taken_by_the_next(tmp_path: Path) -> None:
    died = [die_with_a_folder(tmp_path) for _ in range(3)]
    folder = taken(tmp_path)
    assert {*died, folder.path.parent} == {tmp_path / "slot-0"}
    assert folder.path.exists()
    folder.release()


def test_a_folder_that_cannot_be_made_is_replaced_by_a_temporary_one(tmp_path: Path, temporary: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    folder = taken(tmp_path / "file" / "below")
    assert folder.path.is_relative_to(temporary)
    folder.release()
    assert not list(temporary.iterdir())


def test_temporary_folders_of_processes_that_were_killed_are_removed_and_those_in_use_are_not(temporary: Path) -> None:
    used = taken(None)
    died = die_with_a_folder()
    assert died.parent == temporary
    (temporary / "lovsvar-index-without-a-lock").mkdir()
    (temporary / "lovsvar-index-link").symlink_to(used.path.parent)
    new = taken(None)
    left = {folder.name for folder in temporary.iterdir()}
    assert left == {
        used.path.parent.name,
        new.path.parent.name,
        "lovsvar-index-without-a-lock",
        "lovsvar-index-link",
    }
    for folder in (used, new):
        folder.release()


def test_a_slot_that_nobody_takes_is_removed_after_a_day_and_not_before(tmp_path: Path) -> None:
    first, second = taken(tmp_path), taken(tmp_path)
    for folder in (first, second):
        folder.release()
    for _ in range(2):
        taken(tmp_path).release()
        assert slots(tmp_path) == ["slot-0", "slot-1"]
    yesterday = time.time() - UNUSED_SECONDS - 60
    os.utime(tmp_path / "slot-1" / UNUSED, (yesterday, yesterday))
    taken(tmp_path).release()
    assert slots(tmp_path) == ["slot-0"]


def test_a_slot_that_is_taken_again_is_kept(tmp_path: Path) -> None:
    first, second = taken(tmp_path), taken(tmp_path)
    second.release()
    first.release()
    first.take()
    yesterday = time.time() - UNUSED_SECONDS - 60
    os.utime(tmp_path / "slot-1" / UNUSED, (yesterday, yesterday))
    second.take()
    assert second.path.parent.name == "slot-1"
    first.release()
    first.take()
    assert slots(tmp_path) == ["slot-0", "slot-1"]
    for folder in (first, second):
        folder.release()


def test_an_index_of_a_version_without_slots_is_removed(tmp_path: Path) -> None:
    (tmp_path / "tantivy").mkdir()
    (tmp_path / "stamp.json").write_text("{}")
    taken(tmp_path).release()
    assert not (tmp_path / "tantivy").exists() and not (tmp_path / "stamp.json").exists()
