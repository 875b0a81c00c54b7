"""Running services as processes of their own, as they run in production, and doing harm to them.

They are forked from a process that has imported them (`fork_server`), unless they are to be measured.
"""

import contextlib
import itertools
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx2

from lovsvar_chassis.manifest import processes, service_names
from lovsvar_testkit import servers
from lovsvar_testkit.fork_server import ForkedProcess

START_SECONDS = 180.0
"""How long all services together may take to start, on a machine that does much else."""


PORTS = range(20_000, 32_000)
"""Below those that connections going out are given: such a one may take a port before who was to listen on it does."""

# Test processes that run side by side begin at different ports.
_ports = itertools.count(os.getpid() * 1_009)


class NotReady(Exception):
    """A service did not become ready in time. The message holds the end of its log."""


@dataclass
class ServiceProcess:
    """One service in a process of its own. With `alone` it also shares no memory with another: for measuring."""

    name: str
    environment: Mapping[str, str]
    log: Path
    alone: bool = False
    _process: subprocess.Popen[bytes] | ForkedProcess | None = None

    @property
    def process(self) -> "subprocess.Popen[bytes] | ForkedProcess":
        """The process that was started last."""
        if self._process is None:
            raise RuntimeError(f"{self.name} was not started")
        return self._process

    def start(self) -> None:
        """Start it; whether it is ready is seen from outside."""
        module, environment = processes()[self.name].module, {**os.environ, **self.environment}
        with self.log.open("ab") as log:
            if not self.alone:
                self._process = ForkedProcess(module, environment, log)
                return
            command = [sys.executable, "-c", f"from {module} import main; main()"]
            self._process = subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log)

    def signal(self, number: signal.Signals) -> None:
        """Send it a signal: SIGKILL, SIGSTOP, SIGCONT."""
        self.process.send_signal(number)

    def kill(self) -> None:
        """End it as a crash would: no word of farewell."""
        self.process.kill()
        self.process.wait()

    def stop(self, grace: float = 8.0) -> int | None:
        """Ask it to stop and return its exit code; None when it had to be killed."""
        if self._process is None or self._process.poll() is not None:
            return self._process.returncode if self._process else None
        self.process.send_signal(signal.SIGCONT)
        self.process.terminate()
        try:
            return self.process.wait(grace)
        except subprocess.TimeoutExpired:
            self.kill()
            return None


@dataclass
class System:
    """All services on one nats-server and one PostgreSQL, with the gateway's door."""

    url: str
    nats_url: str
    database_url: str
    services: dict[str, ServiceProcess] = field(default_factory=dict)

    def wait_ready(self, timeout: float = 60.0, path: str = "/healthz") -> None:
        """Wait until the gateway answers `path` with 200."""
        self.wait_until(lambda answer: answer.status_code == httpx2.codes.OK, path, timeout)

    def wait_version(self, version: int, timeout: float = 60.0) -> None:
        """Wait until search serves corpus `version`."""
        self.wait_until(lambda answer: answer.json().get("corpus_version", 0) >= version, "/v1/status", timeout)

    def wait_until(self, wanted: Callable[[httpx2.Response], bool], path: str, timeout: float) -> None:
        """Ask the gateway for `path` until the answer is `wanted`. Raises `NotReady` with the logs."""
        with httpx2.Client(base_url=self.url, timeout=5) as client:
            wait_until(client, wanted, path, timeout, self.services.values())


def wait_until(
    client: httpx2.Client,
    wanted: Callable[[httpx2.Response], bool],
    path: str,
    timeout: float,
    services: Iterable[Any],
    pause: float = 0.1,
) -> None:
    """Ask for `path` every `pause` seconds until the answer is `wanted`. Raises `NotReady` with the services' logs."""
    deadline, words = time.monotonic() + timeout, "no answer"
    while time.monotonic() < deadline:
        with contextlib.suppress(httpx2.HTTPError):
            answer = client.get(path)
            if wanted(answer):
                return
            words = answer.text
        time.sleep(pause)
    logs = "\n".join(f"--- {service.name}\n{service.log.read_text()[-1500:]}" for service in services)
    raise NotReady(f"{path}: {words}\n{logs}")


def free_port() -> int:
    """Return a TCP port on the loopback interface that nobody listens on now, and that no connection will be given."""
    while True:
        port = PORTS[next(_ports) % len(PORTS)]
        with socket.socket() as listener, contextlib.suppress(OSError):
            listener.bind(("127.0.0.1", port))
            return port


@contextlib.contextmanager
def running_system(
    folder: Path,
    environment: Mapping[str, str] | None = None,
    *,
    database_url: str = "",
    alone: bool = False,
    by_service: Mapping[str, Mapping[str, str]] | None = None,
) -> Iterator[System]:
    """Run all services with fresh servers; all logs and indexes are in `folder`. Without vectors, which take long.

    With `database_url` they use that database. `by_service` is what single services are told besides.
    """
    own = servers.postgres(folder / "postgres.log")
    database = contextlib.nullcontext(database_url) if database_url else own
    with servers.nats(folder / "nats.log") as nats_url, database as its_url:
        port = free_port()
        shared = {
            "LOVSVAR_NATS_URL": nats_url,
            "LOVSVAR_DATABASE_URL": its_url,
            "LOVSVAR_HOST": "127.0.0.1",
            "LOVSVAR_PORT": str(port),
            "LOVSVAR_INDEX_DIR": str(folder / "index"),
            # Nothing that a test does may reach the world outside.
            "LOVSVAR_SOURCE": str(folder / "no-source"),
            "LOVSVAR_CATALOGUES": "none",
            "LOVSVAR_EMBEDDING": "off",
            **(environment or {}),
        }
        shared = {k: v for k, v in shared.items() if v}
        system = System(f"http://127.0.0.1:{port}", nats_url, its_url)
        try:
            for name in service_names():
                told = {**shared, **(by_service or {}).get(name, {})}
                system.services[name] = ServiceProcess(name, told, folder / f"{name}.log", alone)
                system.services[name].start()
            system.wait_ready(START_SECONDS)
            yield system
        finally:
            for service in reversed(system.services.values()):
                service.stop()
