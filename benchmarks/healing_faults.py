"""A system under the launcher, and the faults that are made in it."""

import contextlib
import os
import signal
import tempfile
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from lovsvar_local.children import Command, service_command
from lovsvar_local.folder import DataFolder, open_folder
from lovsvar_local.setup import Setup
from lovsvar_local.state import read_state
from lovsvar_local.supervisor import Supervisor
from lovsvar_testkit.proxy import Proxy

NATS = "LOVSVAR_NATS_URL"
DATABASE = "LOVSVAR_DATABASE_URL"
PROCESSES = ("search", "agent", "gateway", "ingest", "nats-server", "PostgreSQL")
BY_QUOTES = {"OPENAI_API_KEY": "", "OPENAI_BASE_URL": "", "LOVSVAR_MODE": "extractive"}


@dataclass(frozen=True)
class Fault:
    """A signal to a process, or with `server`, the variable that names it, a link to that server that swallows."""

    process: str
    number: signal.Signals | None = None
    server: str = ""


FAULTS: Mapping[str, Fault] = {
    **{f"kill-{name.lower()}": Fault(name, signal.SIGKILL) for name in PROCESSES},
    **{f"stop-{name.lower()}": Fault(name, signal.SIGSTOP) for name in PROCESSES},
    "link-search-postgresql": Fault("search", server=DATABASE),
    **{f"link-{name}-nats": Fault(name, server=NATS) for name in ("search", "agent", "gateway")},
}


@dataclass
class Launched:
    """A system that runs. `links` has the proxies that lead services to servers."""

    folder: DataFolder
    links: Mapping[tuple[str, str], Proxy]
    url: str = ""
    nats_url: str = ""
    told: list[str] = field(default_factory=list)

    def command_of(self, name: str, environment: Mapping[str, str], log: Path) -> Command:
        """Return the command of a service, which finds its servers by its links."""
        self.nats_url = environment[NATS]
        changed = {**environment, **BY_QUOTES}
        for (service, server), proxy in self.links.items():
            if service == name:
                proxy.server = environment[server]
                changed[server] = proxy.url
        return service_command(name, changed, log)

    def pid(self, process: str) -> int | None:
        """Return the id of a process, None while it does not run."""
        state = read_state(self.folder.state)
        child = state.children.get(process) if state else None
        return child.pid if child else None

    def signal(self, fault: Fault) -> None:
        """Send the signal."""
        pid = self.pid(fault.process)
        assert pid is not None
        assert fault.number is not None
        os.kill(pid, fault.number)

    @contextlib.asynccontextmanager
    async def swallowing(self, fault: Fault) -> AsyncIterator[None]:
        """Let nothing through on a link until the block ends; connections made by then stay dead."""
        proxy = self.links[fault.process, fault.server]
        proxy.swallow()
        try:
            yield
        finally:
            proxy.heal()


@contextlib.asynccontextmanager
async def launched(linked: bool) -> AsyncIterator[Launched]:
    """Run a system with the bundled sample; with `linked`, services find servers by proxies."""
    async with contextlib.AsyncExitStack() as stack:
        path = stack.enter_context(tempfile.TemporaryDirectory(prefix="lovsvar-", ignore_cleanup_errors=True))
        folder = open_folder(Path(path) / "data")
        ways = {(fault.process, fault.server) for fault in FAULTS.values() if fault.server and linked}
        links = {way: await stack.enter_async_context(Proxy("")) for way in ways}
        system = Launched(folder, links)
        # Nothing may reach the world outside.
        setup = Setup("benchmark", source=str(folder.path / "no-source"), command_of=system.command_of)
        supervisor = Supervisor(folder, setup, system.told.append)
        stack.push_async_callback(supervisor.stop)
        system.url = await supervisor.start()
        yield system
