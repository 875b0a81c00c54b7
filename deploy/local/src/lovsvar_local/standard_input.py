"""Standard input that can be ended from here.

Nothing interrupts a thread that reads it, so that a daemon thread copies it into a pipe, which is read and closed.
"""

import contextlib
import os
import threading
from collections.abc import Iterator
from typing import TextIO

CHUNK = 65_536


class StandardInput:
    """What comes in on `descriptor`. `end` ends it for its reader, also while more may come."""

    def __init__(self, descriptor: int) -> None:
        self._from = os.dup(descriptor)
        self._to_read, self._to_write = os.pipe()
        self._ended = threading.Lock()
        self.reader: TextIO = os.fdopen(self._to_read, "r", encoding="utf-8", errors="replace")
        threading.Thread(target=self._copy, name="standard-input", daemon=True).start()

    def end(self) -> None:
        """End the input; any number of times."""
        if self._ended.acquire(blocking=False):
            os.close(self._to_write)

    def _copy(self) -> None:
        with contextlib.suppress(OSError):
            while chunk := os.read(self._from, CHUNK):
                while chunk:
                    chunk = chunk[os.write(self._to_write, chunk) :]
        self.end()


@contextlib.contextmanager
def standard_input(descriptor: int = 0) -> Iterator[StandardInput]:
    """Return the standard input; it has ended when the block does."""
    given = StandardInput(descriptor)
    try:
        yield given
    finally:
        given.end()
