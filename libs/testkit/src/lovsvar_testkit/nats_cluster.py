"""Three nats-servers with JetStream that replicate each other's streams, any of which a test can stop."""

import contextlib
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import nats
from nats.errors import Error as NatsError

from lovsvar_testkit.processes import free_port
from lovsvar_testkit.waiting import until

NODES = 3

CONFIGURATION = """\
server_name: "n{number}"
listen: "127.0.0.1:{port}"
jetstream {{ store_dir: "{folder}", max_file_store: 8GB }}
cluster {{
  name: "test"
  listen: "127.0.0.1:{route}"
  routes: [{routes}]
}}
"""


class NatsCluster:
    """A cluster of three nodes; `urls` are their addresses, as `LOVSVAR_NATS_URL` takes them."""

    def __init__(self, folder: Path) -> None:
        ports, routes = ([free_port() for _ in range(NODES)] for _ in range(2))
        self._processes: dict[int, subprocess.Popen[bytes]] = {}
        self._configurations = [folder / f"n{number}.conf" for number in range(NODES)]
        self.urls = ",".join(f"nats://127.0.0.1:{port}" for port in ports)
        listed = ", ".join(f'"nats://127.0.0.1:{route}"' for route in routes)
        for number, file in enumerate(self._configurations):
            node = {"number": number, "port": ports[number], "route": routes[number], "folder": folder / f"n{number}"}
            file.write_text(CONFIGURATION.format(**node, routes=listed))

    def start(self, number: int) -> None:
        """Start a node."""
        binary = Path(sys.executable).parent / "nats-server"
        self._processes[number] = subprocess.Popen(
            [str(binary), "-c", str(self._configurations[number])], stderr=subprocess.DEVNULL
        )

    def kill(self, number: int) -> None:
        """Kill a node."""
        process = self._processes.pop(number)
        process.kill()
        process.wait()

    def stop(self) -> None:
        """Stop what still runs."""
        for number in list(self._processes):
            self.kill(number)

    async def has_a_leader(self) -> bool:
        """Whether streams can be made and changed now."""
        try:
            connection = await nats.connect(self.urls.split(","), max_reconnect_attempts=1, connect_timeout=1)
        except (NatsError, OSError):
            return False
        try:
            await connection.jetstream().account_info()
        except (NatsError, TimeoutError):
            return False
        finally:
            await connection.close()
        return True


@contextlib.asynccontextmanager
async def nats_cluster(folder: Path) -> AsyncIterator[NatsCluster]:
    """Run a cluster that stores in `folder`, and can be used."""
    cluster = NatsCluster(folder)
    try:
        for number in range(NODES):
            cluster.start(number)
        await until(cluster.has_a_leader, 30)
        yield cluster
    finally:
        cluster.stop()
