"""A small process that ends the embedded servers when the launcher was killed.

It reads `<process id> <signal>` for each server from a pipe. When the pipe ends without the word `done`, it gives the
services a moment to finish, and ends the servers. It is run by path, with only the standard library.
"""

import os
import signal
import sys
import time
from collections.abc import Iterable
from contextlib import suppress

DONE = "done"
FOR_SERVICES = 1.0
FOR_SERVERS = 3.0


def alive(pid: int) -> bool:
    """Whether process `pid` runs."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def guard(lines: Iterable[str]) -> None:
    """Read what to guard until the pipe ends; then end what is left, unless the last line is `done`."""
    servers: dict[int, int] = {}
    for line in lines:
        if line.strip() == DONE:
            return
        pid, number = line.split()
        servers[int(pid)] = int(number)
    time.sleep(FOR_SERVICES)
    for server, asked in servers.items():
        with suppress(ProcessLookupError):
            os.kill(server, asked)
    deadline = time.monotonic() + FOR_SERVERS
    while any(alive(server) for server in servers) and time.monotonic() < deadline:
        time.sleep(0.05)
    for server in servers:
        with suppress(ProcessLookupError):
            os.kill(server, signal.SIGKILL)


if __name__ == "__main__":
    for quiet in (signal.SIGINT, signal.SIGHUP):
        signal.signal(quiet, signal.SIG_IGN)
    guard(sys.stdin)
