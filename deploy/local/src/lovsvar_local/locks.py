"""Locks between processes on one machine: `flock` on files, which the system releases when a process ends."""

import fcntl
import os
from pathlib import Path


class FileLock:
    """A lock on a file, held by this object until released: shared by many, or exclusive."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: int | None = None

    def try_alone(self) -> bool:
        """Take it exclusively; False when another holder has it."""
        return self._take(fcntl.LOCK_EX)

    def try_shared(self) -> bool:
        """Share it with other holders; False when one has it exclusively."""
        return self._take(fcntl.LOCK_SH)

    def release(self) -> None:
        """Release it; a lock that is not held, too."""
        if self._file is not None:
            file, self._file = self._file, None
            os.close(file)

    def _take(self, how: int) -> bool:
        if self._file is None:
            self._file = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(self._file, how | fcntl.LOCK_NB)
        except BlockingIOError:
            self.release()
            return False
        return True
