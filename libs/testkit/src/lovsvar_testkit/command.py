"""The `lovsvar` command in a process of its own, forked from one that has imported it (`fork_server`)."""

import os
import subprocess
import tempfile
from collections.abc import Mapping
from typing import IO

from lovsvar_testkit.fork_server import ForkedProcess

MODULE = "lovsvar_local.cli"


def run_command(
    *arguments: str | os.PathLike[str], environment: Mapping[str, str], timeout: float = 120
) -> subprocess.CompletedProcess[str]:
    """Run the command in `environment`; return its exit code, its output and its words.

    Raises `subprocess.TimeoutExpired` after `timeout` seconds. A command that is to start a system is rather started
    anew, as people start it: a forked one looks from outside like what it was forked from.
    """
    words = [os.fspath(one) for one in arguments]
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        process = ForkedProcess(MODULE, environment, output, errors=errors, arguments=words)
        try:
            code = process.wait(timeout)
        except subprocess.TimeoutExpired:
            process.kill()
            raise
        return subprocess.CompletedProcess(words, code, _text(output), _text(errors))


def _text(written: IO[bytes]) -> str:
    written.seek(0)
    return written.read().decode()
