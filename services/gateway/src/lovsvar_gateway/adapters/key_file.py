"""The file of keys: read by every gateway, written by `lovsvar keys`.

{"keys": [{"name": "…", "sha256": "…", "scopes": ["ask", "read"], "limits": {…}, "created_at": "…"}]}
"""

import os
import tempfile
import time
from pathlib import Path

import structlog
from pydantic import ValidationError

from lovsvar_chassis.repeats import Repeats
from lovsvar_gateway.core.access import KeyRing
from lovsvar_gateway.core.errors import KeysUnusable

log = structlog.get_logger()

LOOK_SECONDS = 1.0

FileVersion = tuple[int, int, int]


def read_keys(path: Path) -> KeyRing:
    """Return the keys in `path`. Raises `KeysUnusable`, whose words hold nothing of the file."""
    try:
        return KeyRing.model_validate_json(path.read_bytes())
    except OSError as exc:
        raise KeysUnusable(f"Kan ikke lese nøkkelfila {path}: {exc.strerror or exc}.") from exc
    except ValidationError as exc:
        wrong = ".".join(str(part) for part in exc.errors(include_input=False)[0]["loc"]) or "JSON"
        raise KeysUnusable(f"Nøkkelfila {path} har feil innhold: {wrong}.") from None


def write_keys(path: Path, ring: KeyRing) -> None:
    """Replace the content of `path` by `ring` atomically. Raises `KeysUnusable`.

    A new file is readable by its owner alone; an existing one keeps its permissions.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, fresh = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(ring.model_dump_json(indent=2) + "\n")
        if path.exists():
            Path(fresh).chmod(path.stat().st_mode & 0o777)
        Path(fresh).replace(path)
    except OSError as exc:
        raise KeysUnusable(f"Kan ikke skrive nøkkelfila {path}: {exc.strerror or exc}.") from exc


class KeyFile:
    """The current keys: the file is checked once a second, and no gateway is restarted for a change.

    A file that can no longer be read lets nobody in, and is read again at each check.
    """

    def __init__(self, path: Path) -> None:
        """Raises `KeysUnusable`."""
        self._path = path
        self._repeats = Repeats()
        self._version = self._file_version()
        self._looked = time.monotonic()
        self._ring = read_keys(path)

    @property
    def ring(self) -> KeyRing:
        """The keys."""
        if time.monotonic() - self._looked >= LOOK_SECONDS:
            self._looked = time.monotonic()
            if (version := self._file_version()) != self._version:
                self._read_again(version)
        return self._ring

    def _file_version(self) -> FileVersion | None:
        try:
            stat = self._path.stat()
        except OSError:
            return None
        return stat.st_mtime_ns, stat.st_size, stat.st_ino

    def _read_again(self, version: FileVersion | None) -> None:
        try:
            self._ring, self._version = read_keys(self._path), version
        except KeysUnusable as exc:
            self._ring, self._version = KeyRing(), None
            if times := self._repeats.count(str(exc)):
                log.error("keys cannot be read, nobody is let in", detail=str(exc), times=times)
        else:
            log.info("read keys", names=[key.name for key in self._ring.keys])
