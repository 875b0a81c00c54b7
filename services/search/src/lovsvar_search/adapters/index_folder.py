"""The folder that an index lives in: one process at a time, and what the index in it was built from."""

import fcntl
import json
import os
import shutil
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path

import structlog

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Stamp:
    """What an index was built from. `layout` names the schema and the analysis, `documents` how many it holds."""

    layout: str
    identity: str
    version: int
    sections: int


class IndexFolder:
    """A folder for one process, locked while it lives; a temporary one when the wanted one is taken."""

    def __init__(self, wanted: Path | None) -> None:
        """`wanted` is made when missing; None asks for a temporary folder. Nothing is touched before `take`."""
        self._wanted = wanted
        self._lock: int | None = None
        self._temporary: tempfile.TemporaryDirectory[str] | None = None
        self._taken: Path | None = None

    def take(self) -> None:
        """Make the folder this process's own, unless it already is."""
        if self._taken is None:
            self._taken = self._locked(self._wanted) if self._wanted else self._make_temporary()

    @property
    def path(self) -> Path:
        """Where the index's own files go; made by `clear`."""
        return self._folder / "tantivy"

    def _locked(self, wanted: Path) -> Path:
        try:
            wanted.mkdir(parents=True, exist_ok=True)
            self._lock = os.open(wanted / "lock", os.O_RDWR | os.O_CREAT, 0o600)
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as exc:
            log.warning("index folder cannot be used, a temporary one is", folder=str(wanted), error=str(exc))
            self._release_lock()
            return self._make_temporary()
        return wanted

    def _make_temporary(self) -> Path:
        self._temporary = tempfile.TemporaryDirectory(prefix="lovsvar-index-", ignore_cleanup_errors=True)
        return Path(self._temporary.name)

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
        """Let go of the folder; a temporary one is removed."""
        self._taken = None
        self._release_lock()
        if self._temporary is not None:
            self._temporary.cleanup()
            self._temporary = None

    def _release_lock(self) -> None:
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    @property
    def _folder(self) -> Path:
        if self._taken is None:
            raise RuntimeError("the folder is used before it is taken")
        return self._taken

    @property
    def _stamp_file(self) -> Path:
        return self._folder / "stamp.json"
