"""What Ctrl-C, SIGTERM and SIGHUP do.

The first cancels the command, which then cleans up; the second ends everything at once.
"""

import asyncio
import os
import signal
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

from lovsvar_local import exits

_at_once: list[Callable[[], None]] = []


@contextmanager
def ended_at_once(kill: Callable[[], None]) -> Iterator[None]:
    """Call `kill` on the second signal while the block runs."""
    _at_once.append(kill)
    try:
        yield
    finally:
        _at_once.remove(kill)


def end_quietly() -> None:
    """Make a signal end this process without a traceback. For the time before `run`, when nothing is started."""

    def end(number: int, _: FrameType | None) -> None:
        os._exit(exits.SIGNALLED + number)

    for number in _heeded():
        signal.signal(number, end)


def run(command: Callable[[], Coroutine[Any, Any, int]]) -> int:
    """Run `command` and return its exit code, or 128 and the signal's number when a signal ended it."""
    received: list[int] = []

    async def main() -> int:
        loop = asyncio.get_running_loop()
        task = asyncio.current_task()

        def interrupt(number: int) -> None:
            received.append(number)
            if len(received) > 1:
                for kill in _at_once:
                    kill()
                os._exit(exits.SIGNALLED + number)
            if task is not None:
                task.cancel()

        for number in _heeded():
            loop.add_signal_handler(number, interrupt, number)
        return await command()

    try:
        return asyncio.run(main())
    except asyncio.CancelledError:
        return exits.SIGNALLED + (received[0] if received else signal.SIGINT)


def _heeded() -> list[signal.Signals]:
    hang_up = [] if signal.getsignal(signal.SIGHUP) is signal.SIG_IGN else [signal.SIGHUP]  # `nohup` ignores it
    return [signal.SIGINT, signal.SIGTERM, *hang_up]
