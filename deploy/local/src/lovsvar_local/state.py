"""The state file: who owns a data folder, where its gateway is, and which processes it started."""

import os
import signal
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

import psutil
from pydantic import TypeAdapter

from lovsvar_local.folder import write_whole

Phase = Literal["starting", "ready", "stopping"]

CLOCK_SLACK = 2.0
"""Seconds by which a process's start may seem to move when the machine's clock is set."""


@dataclass(frozen=True)
class Started:
    """A process that was started: its id, and when, since ids are used again."""

    pid: int
    created: float

    @classmethod
    def ourselves(cls) -> "Started":
        """Return this process."""
        return cls(os.getpid(), psutil.Process().create_time())

    @classmethod
    def of(cls, pid: int) -> "Started | None":
        """Return the running process `pid`, or None when there is none."""
        try:
            return cls(pid, psutil.Process(pid).create_time())
        except psutil.NoSuchProcess:
            return None

    def process(self) -> psutil.Process | None:
        """Return the process when it still runs and is the one that was started."""
        try:
            process = psutil.Process(self.pid)
            same = abs(process.create_time() - self.created) < CLOCK_SLACK
            return process if same and process.status() != psutil.STATUS_ZOMBIE else None
        except psutil.NoSuchProcess:
            return None


@dataclass(frozen=True)
class RunningSystem:
    """What the owner of a data folder says of itself."""

    launcher: Started
    command: str
    url: str
    phase: Phase
    children: Mapping[str, Started] = field(default_factory=dict)


_FILE = TypeAdapter(RunningSystem)


def write_state(file: Path, state: RunningSystem) -> None:
    """Replace the state file; a reader sees the old or the new one whole."""
    write_whole(file, _FILE.dump_json(state, indent=1).decode())


def read_state(file: Path) -> RunningSystem | None:
    """Return what the state file says, or None when there is none that can be read."""
    try:
        return _FILE.validate_json(file.read_bytes())
    except (OSError, ValueError):
        return None


def end_leftovers(file: Path, grace: float = 3.0) -> list[str]:
    """End the processes of a launcher that was killed, and return their names. The caller owns the data folder."""
    state = read_state(file)
    if state is None:
        return []
    left = {name: process for name, started in state.children.items() if (process := started.process())}
    stubborn = list(left.values())
    # Every one of them ends well by SIGINT, PostgreSQL too.
    for number, seconds in ((signal.SIGINT, grace), (signal.SIGKILL, 1.0)):
        for process in stubborn:
            with suppress(psutil.NoSuchProcess):
                process.send_signal(number)
        _, stubborn = psutil.wait_procs(stubborn, timeout=seconds)
    file.unlink(missing_ok=True)
    return sorted(left)
