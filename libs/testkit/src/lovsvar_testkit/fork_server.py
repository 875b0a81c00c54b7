"""Services, and the `lovsvar` command, forked from one process that has imported them all: importing takes seconds.

A forked service is a process like any other: it has a process id, standard streams and an environment of its own, can
be killed and frozen, and ends as a Python program does.

`python -m lovsvar_testkit.fork_server` is that process. Its standard input is a socket; with each byte come three file
descriptors: where standard output goes, where standard error goes, and a socket that the environment, the name of the
service's module and its arguments are read from, and that its process id and its exit code are written to.
"""

import contextlib
import gc
import importlib
import json
import os
import pkgutil
import signal
import socket
import struct
import subprocess
import sys
from collections.abc import Mapping, Sequence
from functools import cache
from typing import IO

from lovsvar_chassis.manifest import processes
from lovsvar_local import commands

READY = b"r"
NUMBER = struct.Struct("!i")

LOADED_LATE = ("anyio._backends._asyncio", "httpcore2", "h11")
"""What HTTP clients load when they are used first."""


class ForkedProcess:
    """A forked service, with the methods of `subprocess.Popen` that its tests use.

    Its standard error goes into `log` too, unless `errors` are to be apart.
    """

    def __init__(
        self,
        module: str,
        environment: Mapping[str, str],
        log: IO[bytes],
        *,
        errors: IO[bytes] | None = None,
        arguments: Sequence[str] = (),
    ) -> None:
        self._socket, theirs = socket.socketpair()
        with theirs:
            socket.send_fds(_server(), [b"f"], [log.fileno(), (errors or log).fileno(), theirs.fileno()])
        request = {"module": module, "environment": dict(environment), "arguments": list(arguments)}
        self._socket.sendall(json.dumps(request).encode() + b"\n")
        self.pid = self._receive()
        self.returncode: int | None = None

    def poll(self) -> int | None:
        """Return its exit code, minus the number of the signal that ended it; None while it runs."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            return self.wait(0)
        return None

    def wait(self, timeout: float | None = None) -> int:
        """Return its exit code when it has ended. Raises `subprocess.TimeoutExpired` after `timeout` seconds."""
        if self.returncode is None:
            self._socket.settimeout(timeout)
            try:
                self.returncode = self._receive()
            except (TimeoutError, BlockingIOError) as exc:
                raise subprocess.TimeoutExpired(str(self.pid), timeout or 0) from exc
            self._socket.close()
        return self.returncode

    def send_signal(self, number: int) -> None:
        """Send it a signal, unless it has ended."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def terminate(self) -> None:
        """Ask it to end."""
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        """End it at once."""
        self.send_signal(signal.SIGKILL)

    def _receive(self) -> int:
        return int(NUMBER.unpack(self._socket.recv(NUMBER.size, socket.MSG_WAITALL))[0])


@cache
def _server() -> socket.socket:
    """Start the fork server of this process, which ends with it; return the socket to it when it can fork.

    It is waited for, since what a test then waits for is that a service starts.
    """
    ours, theirs = socket.socketpair()
    with theirs:
        subprocess.Popen([sys.executable, "-m", "lovsvar_testkit.fork_server"], stdin=theirs.fileno())
    if not ours.recv(len(READY)):
        raise RuntimeError("the fork server ended: is there a service that cannot be imported?")
    return ours


def main() -> None:
    """Fork until nobody can ask any more. In a fork, run the service that was asked for."""
    for process in processes().values():
        process.load_app()
    for one in pkgutil.iter_modules(commands.__path__, f"{commands.__name__}."):
        importlib.import_module(one.name)
    for name in LOADED_LATE:
        importlib.import_module(name)
    # What there is now is never collected, so that the forks share its memory.
    gc.collect()
    gc.freeze()
    with socket.socket(fileno=os.dup(0)) as asked:
        asked.sendall(READY)
        module = _serve(asked)
    if module:
        importlib.import_module(module).main()


def _serve(asked: socket.socket) -> str:
    """Return the module to run when this is a service's process, and "" when there is nothing more to fork."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # Nobody waits for the processes that wait for services.
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    while True:
        byte, descriptors, *_ = socket.recv_fds(asked, 1, 3)
        if not byte:
            return ""
        log, errors, answers = descriptors
        if os.fork() == 0:
            return _run(log, errors, answers)
        for descriptor in descriptors:
            os.close(descriptor)


def _run(log: int, errors: int, answers: int) -> str:
    """Fork the service's process, and return in it with the module to run.

    The process that this began in waits for it, since an exit code goes to a parent alone, and exits.
    """
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    with socket.socket(fileno=answers) as asking, asking.makefile("rb") as lines:
        request = json.loads(lines.readline())
        if pid := os.fork():
            with contextlib.suppress(BrokenPipeError):
                asking.sendall(NUMBER.pack(pid))
                asking.sendall(NUMBER.pack(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])))
            os._exit(0)
    os.environ.clear()
    os.environ.update(request["environment"])
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    for stream, descriptor in ((1, log), (2, errors)):
        os.dup2(descriptor, stream)
        os.close(descriptor)
    sys.argv = [request["module"], *request["arguments"]]
    return str(request["module"])


if __name__ == "__main__":
    main()
