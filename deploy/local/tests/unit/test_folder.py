"""The data folder: locks, the state file, and folders that cannot be used."""

import errno
import subprocess
import sys
from pathlib import Path

import pytest

from lovsvar_local import folder as folders
from lovsvar_local.errors import FolderUnusable
from lovsvar_local.folder import DataFolder, open_folder, unusable
from lovsvar_local.locks import FileLock
from lovsvar_local.state import RunningSystem, Started, read_state, write_state

HOLDER = """
import sys
from pathlib import Path
from lovsvar_local.locks import FileLock
lock = FileLock(Path(sys.argv[1]))
print(lock.try_alone(), flush=True)
sys.stdin.read()
"""


def test_one_process_alone_holds_a_lock_and_its_death_lets_it_go(folder: DataFolder) -> None:
    command = [sys.executable, "-c", HOLDER, str(folder.launcher_lock)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == b"True\n"
        lock = FileLock(folder.launcher_lock)
        assert not lock.try_alone()
        other.kill()
        other.wait()
        assert lock.try_alone()
        lock.release()


def test_many_share_a_lock_and_nobody_has_it_alone_meanwhile(folder: DataFolder) -> None:
    first, second, alone = (FileLock(folder.users_lock) for _ in range(3))
    assert first.try_shared()
    assert second.try_shared()
    assert not alone.try_alone()
    first.release()
    second.release()
    assert alone.try_alone()
    assert not first.try_shared()
    alone.release()


def test_the_state_file_is_read_as_it_was_written(folder: DataFolder) -> None:
    state = RunningSystem(Started(1, 2.0), "up", "http://127.0.0.1:8080", "ready", {"agent": Started(3, 4.0)})
    write_state(folder.state, state)
    assert read_state(folder.state) == state


@pytest.mark.parametrize("text", ["", "{", "[]", '{"launcher": 1}', '{"launcher": {"pid": 1}}'])
def test_a_state_file_that_cannot_be_read_says_nothing(folder: DataFolder, text: str) -> None:
    folder.state.write_text(text)
    assert read_state(folder.state) is None


def test_a_folder_below_a_file_cannot_be_used_and_the_sentence_says_why(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(FolderUnusable, match="går gjennom en fil"):
        open_folder(tmp_path / "file" / "data")


def test_a_file_in_the_folders_place_cannot_be_used(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("")
    with pytest.raises(FolderUnusable, match="Velg en annen med --data-dir"):
        open_folder(tmp_path / "data")


def test_too_little_room_is_said_before_anything_is_started(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(folders, "NEEDED_BYTES", 10**18)
    with pytest.raises(FolderUnusable, match="for lite ledig plass"):
        open_folder(tmp_path / "data")


@pytest.mark.parametrize(
    ("number", "words"),
    [(errno.EACCES, "ikke skrivetilgang"), (errno.EROFS, "skrivebeskyttet"), (errno.ENOSPC, "full")],
)
def test_each_reason_has_its_words(number: int, words: str) -> None:
    assert words in str(unusable(Path("/data"), OSError(number, "x")))
