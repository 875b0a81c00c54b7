"""The system as its containers run it, by what the compose file says of each but for addresses and folders."""

import contextlib
import os
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx2

from lovsvar_chassis.manifest import processes
from lovsvar_local.commands.setup import make_secrets
from lovsvar_local.embedded import NatsServer, PostgresServer
from lovsvar_local.embedded.postgres_server import postgres_binary
from lovsvar_testkit.processes import ServiceProcess, free_port, wait_until

Compose = Mapping[str, Any]

HBA = """\
local all postgres trust
local all all scram-sha-256
"""


@dataclass
class LockedSystem:
    """A system whose parts know each other by what is in `secrets`; `key` is the gateway's."""

    url: str
    key: str
    secrets: Path
    nats: NatsServer
    postgres: PostgresServer
    services: dict[str, ServiceProcess] = field(default_factory=dict)

    def client(self) -> httpx2.Client:
        """Return a client of the gateway that has its key."""
        return httpx2.Client(base_url=self.url, timeout=60, headers={"Authorization": f"Bearer {self.key}"})

    def seed(self, user: str) -> str:
        """Return the nkey seed of a user of NATS."""
        return (self.secrets / f"nats_{user}").read_text()

    def login(self, user: str) -> str:
        """Return the URL of the database for `ingest` or `search`."""
        password = (self.secrets / f"postgres_{user}").read_text()
        return self.postgres.url().replace("//postgres@", f"//lovsvar_{user}:{password}@")

    def refused(self) -> list[str]:
        """Return what nats-server says it refused."""
        return [line for line in self.nats.log.read_text().splitlines() if "Violation" in line]

    def wait_until(self, wanted: Callable[[httpx2.Response], bool], path: str, timeout: float = 60.0) -> None:
        """Ask the gateway for `path` until the answer is `wanted`. Raises `NotReady` with the logs."""
        with self.client() as client:
            # A key has its limits, so that it asks seldom.
            wait_until(client, wanted, path, timeout, (*self.services.values(), self.nats), pause=0.5)


@contextlib.contextmanager
def locked_system(root: Path, compose: Compose, folder: Path, environment: Mapping[str, str]) -> Iterator[LockedSystem]:
    """Run the services of `compose`, of the project at `root`, with secrets in `folder`. `environment` comes first."""
    made = make_secrets(folder / "secrets")
    secrets, port = Path(made.folder), free_port()
    nats = NatsServer(folder / "nats", config=nats_configuration(root, folder))
    postgres = PostgresServer(folder / "postgres")
    system = LockedSystem(f"http://127.0.0.1:{port}", made.key or "", secrets, nats, postgres)
    try:
        nats.start()
        postgres.start()
        make_logins(root, system)
        addresses = {
            "LOVSVAR_NATS_URL": nats.url,
            "LOVSVAR_HOST": "127.0.0.1",
            "LOVSVAR_PORT": str(port),
            "LOVSVAR_API_KEYS_FILE": str(secrets / "keys" / "keys.json"),
            "LOVSVAR_INDEX_DIR": str(folder / "index"),
        }
        for name, container in compose["services"].items():
            if "profiles" in container or "services/" not in str(container.get("build")):
                continue
            told = {key: _default(str(value)) for key, value in container["environment"].items()}
            mounted = mount_secrets(folder / "run" / name, compose, container, secrets)
            own = {"LOVSVAR_SECRETS_DIR": str(mounted)}
            if "LOVSVAR_DATABASE_URL" in told:
                own["LOVSVAR_DATABASE_URL"] = postgres.url().replace("//postgres@", f"//{processes()[name].login}@")
            variables = {**processes()[name].environment, **told, **addresses, **own, **environment}
            system.services[name] = ServiceProcess(name, variables, folder / f"{name}.log")
            system.services[name].start()
        yield system
    finally:
        for service in system.services.values():
            service.process.terminate()
        for service in system.services.values():
            service.stop()
        nats.stop()
        postgres.stop()


def nats_configuration(root: Path, folder: Path) -> Path:
    """Return nats.conf as it lies in the container, with the public keys of `folder`/secrets."""
    place = folder / "etc-nats"
    shutil.copytree(folder / "secrets" / "nats", place / "local")
    return Path(shutil.copy(root / "deploy" / "nats" / "nats.conf", place / "nats.conf"))


def make_logins(root: Path, system: LockedSystem) -> None:
    """Make the services' logins, and let none of them in without its password."""
    environment = {
        **os.environ,
        "LOVSVAR_INGEST_PASSWORD_FILE": str(system.secrets / "postgres_ingest"),
        "LOVSVAR_SEARCH_PASSWORD_FILE": str(system.secrets / "postgres_search"),
        "LOVSVAR_CASES_PASSWORD_FILE": str(system.secrets / "postgres_cases"),
        "LOVSVAR_SQL_PASSWORD_FILE": str(system.secrets / "postgres_sql"),
    }
    psql: list[str | Path] = [postgres_binary("psql"), "-X", "-q", system.postgres.url(), "-f"]
    subprocess.run([*psql, root / "deploy" / "postgres" / "logins.sql"], env=environment, check=True)
    hba = system.secrets.parent / "postgres" / "pg_hba.conf"
    hba.write_text(HBA)
    subprocess.run([*psql[:-1], "-c", "SELECT pg_reload_conf()"], check=True, stdout=subprocess.DEVNULL)


def mount_secrets(place: Path, compose: Compose, service: Mapping[str, Any], secrets: Path) -> Path:
    """Put the files of `service` in `place` under the names that its container sees. Return `place`."""
    place.mkdir(parents=True)
    for secret in service["secrets"]:
        file = str(compose["secrets"][secret["source"]]["file"]).rpartition("/")[2]
        shutil.copy(secrets / file, place / secret["target"])
    return place


def _default(written: str) -> str:
    match = re.fullmatch(r"\$\{\w+:-(.*)\}", written)
    return match[1] if match else written
