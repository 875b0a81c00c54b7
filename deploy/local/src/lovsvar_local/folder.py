"""The data folder: its layout, and whether it can be used.

launcher.lock    held alone by the launcher that owns the folder
users.lock       shared by the commands that use the running system
ingest.lock      held alone while a sync is requested
running.json     who owns the folder, where its gateway is, which processes it started
syncs.json       syncs that were requested and whose end was not seen yet
nats/            what nats-server stores
postgres/        PostgreSQL's cluster
index/           the search service's index
cases.key        what the keys of cases are wrapped by; without it no case can be opened
cases.key.old    the one before, until the keys of all cases are wrapped by the new one
logs/            one log a process, and those of the runs before
logs/*.alive     touched every second by the process of that name while its event loop turns
"""

import base64
import errno
import os
import shutil
import tempfile
from contextlib import suppress
from pathlib import Path

from lovsvar_local.errors import FolderUnusable

NEEDED_BYTES = 300_000_000
"""Room that is asked for before anything is started; a filled folder holds about a gigabyte."""


class DataFolder:
    """A data folder that exists and can be written to; see `open_folder`. What each path holds is said above."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.launcher_lock = path / "launcher.lock"
        self.users_lock = path / "users.lock"
        self.ingest_lock = path / "ingest.lock"
        self.state = path / "running.json"
        self.syncs = path / "syncs.json"
        self.nats = path / "nats"
        self.postgres = path / "postgres"
        self.index = path / "index"
        self.cases_key = path / "cases.key"
        self.old_cases_key = path / "cases.key.old"

    def log(self, name: str) -> Path:
        """The log of the process `name`."""
        return self.path / "logs" / f"{name}.log"


def make_key(file: Path) -> None:
    """Put 32 random bytes in base64 into `file`, which its owner alone may read; one that is there is kept."""
    part = file.with_name(f"{file.name}.new")
    part.unlink(missing_ok=True)
    handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "wb") as made:
        made.write(base64.b64encode(os.urandom(32)) + b"\n")
    with suppress(FileExistsError):
        os.link(part, file)
    part.unlink()


def renew_key(file: Path, old: Path) -> None:
    """Put other random bytes into `file`, and what it held into `old`, unless that was done: see `is_renewed`."""
    make_key(file)
    with suppress(FileExistsError):
        os.link(file, old)
    if is_renewed(file, old):
        return
    fresh = file.with_name(f"{file.name}.next")
    fresh.unlink(missing_ok=True)
    make_key(fresh)
    fresh.replace(file)


def is_renewed(file: Path, old: Path) -> bool:
    """Return whether `old` holds another key than `file`. Who was cut off between the two has not renewed it."""
    return old.exists() and old.read_bytes() != file.read_bytes()


def write_whole(file: Path, content: str) -> None:
    """Replace `file`; a reader sees the old content or the new, whole."""
    part = file.with_name(f"{file.name}.new")
    part.write_text(content)
    part.replace(file)


def default_path() -> Path:
    """Return the data folder that is used when none is named."""
    import platformdirs

    return platformdirs.user_data_path("lovsvar", appauthor=False)


def open_folder(path: Path) -> DataFolder:
    """Return the data folder at `path`, made when missing. Raises `FolderUnusable`."""
    folder = DataFolder(path.expanduser().absolute())
    try:
        folder.log("").parent.mkdir(parents=True, exist_ok=True)
        free = free_bytes(folder.path)
    except OSError as exc:
        raise unusable(folder.path, exc) from exc
    if free < NEEDED_BYTES:
        raise FolderUnusable(
            f"Det er for lite ledig plass i {folder.path}: {free // 1_000_000} MB, og det trengs minst "
            f"{NEEDED_BYTES // 1_000_000} MB. Frigjør plass, eller velg en annen mappe med --data-dir."
        )
    return folder


def free_bytes(path: Path) -> int:
    """Return the free room of a folder that can be written to. Raises `OSError`."""
    with tempfile.TemporaryFile(dir=path) as probe:
        probe.write(b"lovsvar")
    return shutil.disk_usage(path).free


def unusable(path: Path, error: OSError) -> FolderUnusable:
    """Return what to say about a data folder that `error` came from."""
    reasons = {
        errno.EACCES: "du har ikke skrivetilgang",
        errno.EPERM: "du har ikke skrivetilgang",
        errno.EROFS: "filsystemet er skrivebeskyttet",
        errno.ENOSPC: "disken er full",
        errno.EDQUOT: "diskkvoten er brukt opp",
        errno.ENOTDIR: "stien går gjennom en fil",
        errno.EEXIST: "det ligger en fil der",
    }
    reason = reasons.get(error.errno or 0) or os.strerror(error.errno or errno.EIO)
    return FolderUnusable(f"Datamappa {path} kan ikke brukes: {reason}. Velg en annen med --data-dir.")
