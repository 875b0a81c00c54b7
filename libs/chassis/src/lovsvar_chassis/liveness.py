"""Liveness: proof that the event loop turns, independent of NATS.

The loop touches a file every second (`python -m lovsvar_chassis.probe --alive`). A thread ends the process, with every
stack in the log, when the loop has not turned for half a minute. Native code that keeps the interpreter's lock stops
that thread too; then faulthandler, which needs no lock, ends the process after five minutes.
"""

import asyncio
import contextlib
import faulthandler
import os
import sys
import threading
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import structlog

from lovsvar_chassis.tasks import end

log = structlog.get_logger()

TURN_SECONDS = 1.0

ALIVE_SECONDS = 15.0
"""A file older than this says that the loop has stopped; a loaded machine may hold a process up for seconds."""

HUNG_SECONDS = 30.0
EXIT_HUNG = 70

LOCKED_SECONDS = 300.0
"""Long, since it cannot tell a process that was stopped meanwhile, and goes on now, from one that hangs."""

OVERSLEPT_SECONDS = 5.0
"""When the thread itself was held up this long, the process or the machine was stopped, and the loop is given time."""


@contextlib.asynccontextmanager
async def liveness(
    file: Path | None,
    hung_seconds: float = HUNG_SECONDS,
    leave: Callable[[int], object] = os._exit,
    locked_seconds: float = LOCKED_SECONDS,
) -> AsyncIterator[None]:
    """Touch `file`, if one is named, and watch over the running loop until the block ends."""
    watch = _Watch(hung_seconds, leave)
    turning = asyncio.create_task(_turn(file, watch, locked_seconds), name="liveness")
    threading.Thread(target=watch.run, name="liveness", daemon=True).start()
    try:
        yield
    finally:
        watch.stopped.set()
        await end(turning)
        faulthandler.cancel_dump_traceback_later()


def is_alive(file: Path, seconds: float = ALIVE_SECONDS) -> bool:
    """Whether the loop that touches `file` turned within `seconds`."""
    try:
        return time.time() - file.stat().st_mtime < seconds
    except OSError:
        return False


async def _turn(file: Path | None, watch: "_Watch", locked_seconds: float) -> None:
    while True:
        watch.turned = time.monotonic()
        # Without a standard error that it could write to, as in some tests, it cannot be set.
        with contextlib.suppress(OSError, ValueError):
            faulthandler.dump_traceback_later(locked_seconds, exit=True, file=sys.stderr)
        if file is not None:
            # A disk that is full or gone ends nothing: the reader of the file decides.
            with contextlib.suppress(OSError):
                file.touch()  # noqa: ASYNC240 # in the loop: a disk that hangs hangs the service
        await asyncio.sleep(TURN_SECONDS)


class _Watch:
    """Ends the process when the loop does not turn."""

    def __init__(self, hung_seconds: float, leave: Callable[[int], object]) -> None:
        self.turned = time.monotonic()
        self.stopped = threading.Event()
        self._hung_seconds = hung_seconds
        self._leave = leave

    def run(self) -> None:
        looked = time.monotonic()
        while not self.stopped.wait(TURN_SECONDS):
            now = time.monotonic()
            if now - looked > OVERSLEPT_SECONDS:
                self.turned = max(self.turned, now)
            looked = now
            if now - self.turned > self._hung_seconds:
                self._end(now - self.turned)
                return

    def _end(self, seconds: float) -> None:
        log.critical("the event loop hangs; this process ends", seconds=round(seconds, 1))
        with contextlib.suppress(OSError, ValueError):
            faulthandler.dump_traceback(file=sys.stderr, all_threads=True)
        self._leave(EXIT_HUNG)
