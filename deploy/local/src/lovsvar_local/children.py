"""The services as child processes, and restarting whatever dies."""

import os
import signal
import subprocess
import sys
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lovsvar_chassis.manifest import processes

FIRST_DELAY = 0.1
LONGEST_DELAY = 10.0
STEADY_SECONDS = 10.0
QUICK_DEATHS = 3
LOGS_KEPT = 3

PATIENCE = 15.0
"""Seconds that a child may show no sign of life; the manifest of a service may allow another time."""

FIRST_SIGN_SECONDS = 120.0
"""How long a child may take from its start to its first sign of life: it imports much, and the machine may be busy."""

HELD_UP_SECONDS = 8.0


class Child(ABC):
    """A process that the supervisor keeps running: a service or an embedded server. `log` takes what it prints."""

    name: str

    def __init__(self, log: Path) -> None:
        self.log = log
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int | None:
        """The process id, or None when it is not running."""
        return self._process.pid if self._process and self.alive() else None

    @abstractmethod
    def start(self) -> object:
        """Start it, again where it was before. May block; raises `CannotStart`."""

    def alive(self) -> bool:
        """Whether its process runs."""
        return self._process is not None and self._process.poll() is None

    def terminate(self) -> None:
        """Ask it to end. Returns at once."""
        self._signal(signal.SIGTERM)

    def kill(self) -> None:
        """End it at once."""
        self._signal(signal.SIGKILL)

    def end_hung(self) -> None:
        """End it by force, to be started again."""
        self._signal(signal.SIGKILL)

    @abstractmethod
    def sign(self) -> object:
        """Return something that changes whenever it shows that it lives; None before. May block briefly."""

    def _signal(self, number: signal.Signals) -> None:
        if self._process is not None and self.alive():
            self._process.send_signal(number)

    def _open(self, command: Sequence[str | Path], stdin: int, **more: Any) -> subprocess.Popen[bytes]:
        """Start `command`; what it prints is appended to its log."""
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                [str(part) for part in command],
                stdin=stdin,
                stdout=log,
                stderr=subprocess.STDOUT,
                # Ctrl-C in a terminal goes to the whole group; the launcher decides when this one stops.
                start_new_session=True,
                **more,
            )
        return self._process


@dataclass(frozen=True)
class Command:
    """What a service is started by."""

    name: str
    arguments: Sequence[str]
    environment: Mapping[str, str]
    log: Path
    liveness: Path | None = None
    """The file that it touches while its event loop turns."""
    patience: float = PATIENCE


def service_command(name: str, environment: Mapping[str, str], log: Path) -> Command:
    """Return the command of the service's process `name`, in this Python, with `environment` added to our own."""
    process, alive = processes()[name], log.with_suffix(".alive")
    # To look for garbage meanwhile takes a fifth of what an import takes, and finds next to none.
    code = f"import gc; gc.disable(); from {process.module} import main; gc.enable(); main()"
    always = {"LOVSVAR_EXIT_WITH_PARENT": "1", "LOVSVAR_LIVENESS_FILE": str(alive)}
    variables = {**process.environment, **os.environ, **environment, **always}
    return Command(name, [sys.executable, "-P", "-c", code], variables, log, alive, process.patience)


class ServiceProcess(Child):
    """A child process that ends when we do, however we do: its standard input is a pipe that we hold."""

    def __init__(self, command: Command) -> None:
        super().__init__(command.log)
        self.name = command.name
        self._command = command

    def start(self) -> None:
        if self._command.liveness:
            self._command.liveness.unlink(missing_ok=True)
        self._open(self._command.arguments, subprocess.PIPE, env=dict(self._command.environment))

    def sign(self) -> object:
        """Return when it last touched its file, None while there is none."""
        with suppress(OSError):
            return self._command.liveness.stat().st_mtime_ns if self._command.liveness else None
        return None


class Watched:
    """A child with its history. The delay before a new start doubles with each death, until it has run for a while."""

    def __init__(self, child: Child, patience: float = PATIENCE) -> None:
        self.child = child
        self.patience = patience
        self.deaths = 0
        self._started = 0.0
        self._due: float | None = None
        self._sign: object = None
        self._changed: float | None = None
        self._looked = 0.0

    def started(self, now: float) -> None:
        """Note that it was started."""
        self._started = now
        self._due = None
        self._sign, self._changed = None, now

    def hangs(self, now: float, sign: object) -> bool:
        """Return whether it has shown no sign of life for too long; `sign` is what it shows `now`.

        By our own clock from one change to the next, so that setting the machine's clock makes nobody old. When we
        ourselves were held up, as the machine slept or we were stopped, it is given its time again.
        """
        held_up, self._looked = now - self._looked > HELD_UP_SECONDS, now
        if sign != self._sign or self._changed is None or held_up:
            self._sign, self._changed = sign, now
        return now - self._changed > (FIRST_SIGN_SECONDS if sign is None else self.patience)

    def look(self, now: float) -> bool:
        """Return whether it is to be started now. Notes a death when it sees one."""
        if self.child.alive():
            if now - self._started > STEADY_SECONDS:
                self.deaths = 0
            return False
        if self._due is None:
            self._due = now + min(FIRST_DELAY * 2**self.deaths, LONGEST_DELAY)
            self.deaths += 1
        return now >= self._due

    @property
    def keeps_dying(self) -> bool:
        """Whether its last death is the one to report: the third in a row, and only once."""
        return self.deaths == QUICK_DEATHS


def rotate(log: Path) -> None:
    """Set the log of the run before aside, keeping a few."""
    for number in range(LOGS_KEPT - 1, -1, -1):
        older = log.with_name(f"{log.name}.{number}") if number else log
        if older.exists():
            older.replace(log.with_name(f"{log.name}.{number + 1}"))
