"""What the first and the second signal do to a command that holds what does not end by itself."""

import signal
import subprocess
import sys
import time

import psutil
import pytest

from lovsvar_local import exits

PROGRAM = """
import asyncio, subprocess, sys
from lovsvar_local import signals

async def command():
    stubborn = subprocess.Popen(
        [sys.executable, "-c", "import signal as s; s.signal(2, s.SIG_IGN); print('her', flush=True); s.pause()"],
        start_new_session=True,
    )
    with signals.ended_at_once(stubborn.kill):
        try:
            await asyncio.sleep(600)
        finally:
            print("stopper", stubborn.pid, flush=True)
            await asyncio.sleep(600)

sys.exit(signals.run(command))
"""


SIGNALS = pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])


@SIGNALS
def test_the_first_signal_lets_the_command_clean_up_and_the_second_ends_all_at_once(number: signal.Signals) -> None:
    with subprocess.Popen([sys.executable, "-c", PROGRAM], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "her\n"
        process.send_signal(number)
        word, pid = process.stdout.readline().split()
        assert word == "stopper"
        stubborn = psutil.Process(int(pid))
        assert stubborn.is_running()
        process.send_signal(number)
        assert process.wait(30) == exits.SIGNALLED + number
    deadline = time.monotonic() + 30
    while psutil.pid_exists(stubborn.pid) and stubborn.status() != psutil.STATUS_ZOMBIE:
        assert time.monotonic() < deadline
        time.sleep(0.01)


@SIGNALS
def test_a_signal_before_anything_is_started_ends_the_command_without_a_traceback(number: signal.Signals) -> None:
    code = "from lovsvar_local import signals; signals.end_quietly(); print('her', flush=True); signals.signal.pause()"
    command = [sys.executable, "-c", code]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "her\n"
        process.send_signal(number)
        _, err = process.communicate(timeout=30)
    assert process.returncode == exits.SIGNALLED + number
    assert err == ""
