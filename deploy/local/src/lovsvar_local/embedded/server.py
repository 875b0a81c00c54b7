"""What the embedded servers have in common.

`start` blocks until the server takes connections; `stop`, from another thread, makes it give up. A server that died may
be started again; one that was stopped may not.
"""

import signal
import subprocess
import threading
import time
from abc import abstractmethod
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from lovsvar_local.children import Child
from lovsvar_local.errors import ServerDidNotStart

POLL = 0.01
ANSWER_SECONDS = 2.0


class EmbeddedServer(Child):
    """A server that runs as our child process. Subclasses say how it is started."""

    stop_signal = signal.SIGTERM
    kill_signal = signal.SIGKILL

    def __init__(self, log: Path) -> None:
        super().__init__(log)
        self._gate = threading.Lock()
        self._given_up = False
        self._answers = 0

    @abstractmethod
    def start(self) -> str:
        """Start it, again where it was before, and return its URL. Raises `ServerDidNotStart`."""

    def terminate(self) -> None:
        """Ask it to end, and make a `start` under way give up."""
        with self._gate:
            self._given_up = True
            self._signal(self.stop_signal)

    def kill(self) -> None:
        """End it at once; asked again, by force."""
        with self._gate:
            self._given_up = True
            self._signal(self.kill_signal)
            self.kill_signal = signal.SIGKILL

    def end_hung(self) -> None:
        """End it by force, to be started again: one that does not answer ignores a request to end too."""
        with self._gate:
            self._signal(signal.SIGKILL)

    def sign(self) -> object:
        """Return how often it has answered, which rises when it answers now; None before its first answer. Blocks."""
        with suppress(OSError):
            self._answers += self._answered()
        return self._answers or None

    @abstractmethod
    def _answered(self) -> bool:
        """Return whether it answers within `ANSWER_SECONDS`. Raises `OSError` when it does not."""

    def stop(self, grace: float = 3.0) -> None:
        """Stop it; end it at once when it has not stopped within `grace` seconds."""
        with self._gate:
            self._given_up = True
        self._end((self.stop_signal, grace), (self.kill_signal, 1.0))

    def _end(self, *steps: tuple[signal.Signals, float]) -> None:
        """End the process: send each signal and wait for its seconds, then end it by force."""
        for number, seconds in steps:
            self._signal(number)
            with suppress(subprocess.TimeoutExpired):
                if self._process is None or self._process.wait(seconds) is not None:
                    return
        if self._process is not None:
            self._process.kill()
            self._process.wait()

    def _spawn(self, command: Sequence[str | Path], **more: Any) -> subprocess.Popen[bytes]:
        with self._gate:
            if self._given_up:
                raise ServerDidNotStart(f"{self.name} ble stoppet før den var klar.")
            self._answers = 0
            self.log.parent.mkdir(parents=True, exist_ok=True)
            return self._open(command, subprocess.DEVNULL, **more)

    def _wait_until(self, ready: Callable[[], bool], timeout: float) -> None:
        deadline = time.monotonic() + timeout
        while time.monotonic() < deadline:
            # Before `ready`, since a process may do its work and end between the two.
            alive = self.alive()
            if ready():
                return
            if not alive:
                break
            time.sleep(POLL)
        self._end((self.kill_signal, 1.0))
        raise ServerDidNotStart(f"{self.name} startet ikke.\n{tail(self.log)}".rstrip())


def tail(log: Path, lines: int = 5) -> str:
    """Return the last lines of `log`, or "" when there is none."""
    try:
        with log.open("rb") as file:
            file.seek(max(0, log.stat().st_size - 16_384))
            text = file.read().decode(errors="replace")
    except OSError:
        return ""
    return "\n".join(text.splitlines()[-lines:])
