"""A forked service is a process of its own, from its start to its end."""

import os
import signal
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from lovsvar_chassis.broker import make_broker
from lovsvar_chassis.requester import Requester
from lovsvar_chassis.settings import ServiceSettings
from lovsvar_contracts import subjects
from lovsvar_contracts.health import ReadHealth, ServiceHealth
from lovsvar_contracts.problems import ProblemError
from lovsvar_local import exits
from lovsvar_testkit.command import run_command
from lovsvar_testkit.processes import ServiceProcess
from lovsvar_testkit.waiting import until

Start = Callable[..., ServiceProcess]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Starts the practice service."""
    started: list[ServiceProcess] = []

    def start(nats_url: str, name: str = "practice", **environment: str) -> ServiceProcess:
        given = {"LOVSVAR_NATS_URL": nats_url, **environment}
        started.append(ServiceProcess("practice", given, tmp_path / f"{name}.log"))
        started[-1].start()
        return started[-1]

    yield start
    for process in started:
        process.stop()


async def healthy(nats_url: str) -> ServiceHealth:
    """Return what the practice service says of itself when it has started."""
    async with make_broker(ServiceSettings(nats_url=nats_url), "test") as broker:
        found: list[ServiceHealth] = []

        async def answers() -> bool:
            try:
                found.append(
                    await Requester(broker).ask(subjects.health("practice"), ReadHealth(), ServiceHealth, timeout=1)
                )
            except ProblemError:
                return False
            return True

        await until(answers, 30)
        return found[-1]


async def test_it_answers_and_ends_when_it_is_asked_to(nats_url: str, start: Start) -> None:
    process = start(nats_url)
    await healthy(nats_url)
    assert process.process.poll() is None
    assert process.stop() == 0
    assert "stopping" in process.log.read_text()
    assert not psutil.pid_exists(process.process.pid)


async def test_it_is_killed_at_once(nats_url: str, start: Start) -> None:
    process = start(nats_url)
    await healthy(nats_url)
    process.kill()
    assert process.process.returncode == -signal.SIGKILL
    assert "stopping" not in process.log.read_text()


async def test_it_is_frozen_and_goes_on(nats_url: str, start: Start) -> None:
    process = start(nats_url)
    await healthy(nats_url)
    process.signal(signal.SIGSTOP)

    async def stopped() -> bool:
        return psutil.Process(process.process.pid).status() == psutil.STATUS_STOPPED

    await until(stopped)
    with pytest.raises(subprocess.TimeoutExpired):
        process.process.wait(0)
    process.signal(signal.SIGCONT)
    await healthy(nats_url)
    assert process.stop() == 0


async def test_each_start_is_another_instance(nats_url: str, start: Start) -> None:
    first = start(nats_url)
    before = await healthy(nats_url)
    first.stop()
    start(nats_url)
    after = await healthy(nats_url)
    assert before.instance != after.instance


def test_its_environment_is_its_own_and_it_says_how_it_failed(start: Start) -> None:
    process = start("nats://127.0.0.1", LOVSVAR_LOG_LEVEL="nonsense")
    assert process.process.wait(30) == 1
    assert "log_level" in process.log.read_text()
    assert "LOVSVAR_LOG_LEVEL" not in os.environ


def test_a_forked_command_has_its_own_arguments_streams_and_exit_code(tmp_path: Path) -> None:
    told = run_command("--version", environment=os.environ)
    assert (told.returncode, told.stdout.startswith("lovsvar "), told.stderr) == (0, True, "")
    refused = run_command("ask", "", "--json", "--data-dir", tmp_path / "data", environment=os.environ)
    assert refused.returncode == exits.USAGE
    assert '"type":"invalid-request"' in refused.stdout
    assert "tomt" in refused.stderr
    assert not (tmp_path / "data").exists()
