"""The folder that an index lives in: one process at a time, and what the index in it was built from.

Processes that are given the same folder share it by slots, each with a lock file, so that a start finds the index of a
process that ended, however it ended. A lock ends with its process.
"""

import contextlib
import fcntl
import json
import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

import structlog

log = structlog.get_logger()

LOCK = "lock"
MOST_SLOTS = 1_000

TEMPORARY = "lovsvar-index-"
UNFINISHED = "lovsvar-new-index-"

UNUSED = "unused"
"""A file that says since when a slot is known to be nobody's."""

UNUSED_SECONDS = 24 * 3600.0
"""How long a slot is kept for a process that may come back."""


@dataclass(frozen=True, slots=True)
class Stamp:
    """What an index was built from. `layout` names the collection and how it is indexed, `items` how many there are."""

    layout: str
    identity: str
    version: int
    items: int


class IndexFolder:
    """A folder for one process, locked while it lives: the first free slot of the wanted one, or a temporary one."""

    def __init__(self, wanted: Path | None) -> None:
        """`wanted` is made when missing; None asks for a temporary folder. Nothing is touched before `take`."""
        self._wanted = wanted
        self._lock: int | None = None
        self._temporary: Path | None = None
        self._taken: Path | None = None

    def take(self) -> None:
        """Make a folder this process's own, unless it has one, and delete those of processes that are gone.

        Temporary ones go at once, slots when nobody has taken them for a day.
        """
        if self._taken is None:
            self._taken = (self._take_slot(self._wanted) if self._wanted else None) or self._make_temporary()
            log.info("index folder taken", folder=str(self._taken))

    @property
    def path(self) -> Path:
        """Where the index's own files go; made by `clear`."""
        return self._folder / "tantivy"

    def clear(self) -> None:
        """Remove the index and its stamp."""
        self._stamp_file.unlink(missing_ok=True)
        shutil.rmtree(self.path, ignore_errors=True)
        self.path.mkdir(parents=True)

    def read_stamp(self) -> Stamp | None:
        """Return what the index was built from; None when there is none, or none that can be read."""
        try:
            return Stamp(**json.loads(self._stamp_file.read_text(encoding="utf-8")))
        except (OSError, ValueError, TypeError):
            return None

    def write_stamp(self, stamp: Stamp) -> None:
        """Remember what the index was built from; after a crash the old stamp or the new one is there."""
        new = self._stamp_file.with_suffix(".new")
        new.write_text(json.dumps(asdict(stamp)), encoding="utf-8")
        new.replace(self._stamp_file)

    def release(self) -> None:
        """Release the folder; a temporary one is removed."""
        self._taken = None
        if self._temporary is not None:
            shutil.rmtree(self._temporary, ignore_errors=True)
            self._temporary = None
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def _take_slot(self, wanted: Path) -> Path | None:
        """Take the first slot that is free; None where there can be none."""
        try:
            wanted.mkdir(parents=True, exist_ok=True)
            with _alone(wanted):
                for number in range(MOST_SLOTS):
                    slot = wanted / f"slot-{number}"
                    slot.mkdir(exist_ok=True)
                    if (lock := _lock(slot)) is not None:
                        self._lock = lock
                        (slot / UNUSED).unlink(missing_ok=True)
                        _delete_unused(wanted)
                        return slot
        except OSError as exc:
            log.warning("index folder cannot be used, a temporary one is", folder=str(wanted), error=str(exc))
        return None

    def _make_temporary(self) -> Path:
        _delete_temporary()
        unfinished = Path(tempfile.mkdtemp(prefix=UNFINISHED))
        self._lock = _lock(unfinished)
        # It is found by its name only once it is locked.
        self._temporary = unfinished.rename(unfinished.with_name(unfinished.name.replace(UNFINISHED, TEMPORARY)))
        return self._temporary

    @property
    def _folder(self) -> Path:
        if self._taken is None:
            raise RuntimeError("the folder is used before it is taken")
        return self._taken

    @property
    def _stamp_file(self) -> Path:
        return self._folder / "stamp.json"


def _lock(folder: Path) -> int | None:
    """Lock `folder` until the returned file is closed; None while another process has it."""
    file = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(file)
        return None
    return file


@contextlib.contextmanager
def _alone(wanted: Path) -> Iterator[None]:
    """Keep others from looking through the slots: one that is only looked at would seem to be taken."""
    file = os.open(wanted / "slots.lock", os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
    finally:
        os.close(file)


def _delete_unused(wanted: Path) -> None:
    """Delete the slots that nobody has taken since they were found free a day ago, and an index outside of slots.

    When a machine starts, its processes come one after the other: what is free now is not yet nobody's.
    """
    for slot in wanted.glob("slot-*"):
        unused = slot / UNUSED
        if (lock := _lock(slot)) is None:
            continue
        try:
            if not unused.exists():
                unused.touch()
            elif time.time() - unused.stat().st_mtime > UNUSED_SECONDS:
                shutil.rmtree(slot, ignore_errors=True)
        finally:
            os.close(lock)
    # Earlier versions had one index, locked in the same way.
    if (wanted / "tantivy").exists() and (lock := _lock(wanted)) is not None:
        shutil.rmtree(wanted / "tantivy", ignore_errors=True)
        (wanted / "stamp.json").unlink(missing_ok=True)
        os.close(lock)


def _delete_temporary() -> None:
    """Delete the temporary folders of processes of this user that are gone."""
    for folder in Path(tempfile.gettempdir()).glob(f"{TEMPORARY}*"):
        with contextlib.suppress(OSError):
            # One without a lock is another's to judge; a link could lead anywhere.
            if folder.is_symlink() or folder.stat().st_uid != os.geteuid() or not (folder / LOCK).is_file():
                continue
            if (lock := _lock(folder)) is not None:
                shutil.rmtree(folder, ignore_errors=True)
                os.close(lock)
