"""Processes that run and do nothing: the launcher starts them again, and one whose loop hangs ends itself."""

import asyncio
import os
import signal
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from lovsvar_chassis.liveness import EXIT_HUNG
from lovsvar_local.folder import DataFolder, open_folder
from lovsvar_local.setup import Setup
from lovsvar_local.state import read_state
from lovsvar_local.supervisor import Supervisor
from lovsvar_testkit.waiting import until

HANGING = """
import asyncio, time
from lovsvar_chassis import liveness

async def main():
    async with liveness.liveness(None, hung_seconds=2.0):
        await asyncio.sleep(0.1)
        time.sleep(60)

asyncio.run(main())
"""

# Backtracking in `re` keeps the interpreter's lock.
LOCKED = """
import asyncio, re
from lovsvar_chassis import liveness

async def main():
    async with liveness.liveness(None, hung_seconds=1.0, locked_seconds=3.0):
        await asyncio.sleep(0.1)
        re.match("(a+)+$", "a" * 64 + "b")

asyncio.run(main())
"""


@pytest.fixture
def folder() -> Iterator[DataFolder]:
    """A fresh data folder. Not in `tmp_path`, into which PostgreSQL's account cannot look."""
    with tempfile.TemporaryDirectory(prefix="lovsvar-faults-", ignore_cleanup_errors=True) as path:
        yield open_folder(Path(path) / "data")


def pids(folder: DataFolder) -> dict[str, int]:
    state = read_state(folder.state)
    return {name: child.pid for name, child in state.children.items()} if state else {}


async def test_what_was_stopped_is_started_again_by_the_launcher(folder: DataFolder) -> None:
    told: list[str] = []
    supervisor = Supervisor(folder, Setup("test", services=("practice", "gateway")), told.append)
    try:
        await supervisor.start()
        stopped = ("practice", "nats-server", "PostgreSQL")

        async def all_seen() -> bool:
            return all(watched._sign is not None for watched in supervisor._watched)

        await until(all_seen)
        for watched in supervisor._watched:
            watched.patience = 5.0
        before = pids(folder)
        for name in stopped:
            os.kill(before[name], signal.SIGSTOP)

        async def started_again() -> bool:
            now = pids(folder)
            return all(now.get(name, before[name]) != before[name] for name in stopped)

        await until(started_again, 40)
        assert pids(folder)["gateway"] == before["gateway"], "what lives is left alone"
        assert {words.split()[0] for words in told} == set(stopped)
    finally:
        await supervisor.stop()


@pytest.mark.parametrize(
    ("program", "code", "said"), [(HANGING, EXIT_HUNG, b"the event loop hangs"), (LOCKED, 1, b"Timeout")]
)
async def test_a_process_whose_loop_hangs_says_where_and_ends(program: str, code: int, said: bytes) -> None:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", program, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT
    )
    words, _ = await asyncio.wait_for(process.communicate(), 60)
    assert process.returncode == code
    assert said in words
    assert b"in main" in words, "the stack shows what it hangs in"
