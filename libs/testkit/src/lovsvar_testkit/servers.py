"""Where tests get their nats-server and PostgreSQL from: the wheels, or official images by testcontainers.

`LOVSVAR_TEST_SERVERS` is `wheels` (the default) or `containers`, `LOVSVAR_TEST_POSTGRES` another image of PostgreSQL.
"""

import contextlib
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

from lovsvar_local.embedded import NatsServer, PostgresServer

NATS_IMAGE = "nats:2.12-alpine"
POSTGRES_IMAGE = "pgvector/pgvector:0.8.1-pg18"


def use_containers() -> bool:
    """Whether tests are to start containers."""
    return os.environ.get("LOVSVAR_TEST_SERVERS", "wheels") == "containers"


def postgres_image() -> str:
    """The image of PostgreSQL that containers are started from."""
    return os.environ.get("LOVSVAR_TEST_POSTGRES", POSTGRES_IMAGE)


PATIENT = 'ping_interval: "1h"'


@contextlib.contextmanager
def nats(log: Path | None = None, *, patient: bool = False) -> Iterator[str]:
    """Run a nats-server with JetStream; yield its URL. `log` is where one from the wheels writes.

    A `patient` one keeps the connections of an event loop that stands still, as one that tests share does between them.
    """
    if use_containers():
        from testcontainers.community.nats import NatsContainer

        with NatsContainer(NATS_IMAGE).with_command("-js") as container:
            yield container.nats_uri()
        return
    with tempfile.TemporaryDirectory(prefix="lovsvar-nats-") as folder:
        config = Path(folder) / "patient.conf" if patient else None
        if config:
            config.write_text(PATIENT)
        server = NatsServer(Path(folder), log, config)
        try:
            yield server.start()
        finally:
            server.stop()


@contextlib.contextmanager
def postgres(log: Path | None = None) -> Iterator[str]:
    """Run a PostgreSQL with pgvector; yield the URL of its maintenance database. `log` is as of `nats`."""
    if use_containers():
        from testcontainers.community.postgres import PostgresContainer

        with PostgresContainer(postgres_image(), driver=None) as container:
            yield container.get_connection_url()
        return
    with tempfile.TemporaryDirectory(prefix="lovsvar-pg-", ignore_cleanup_errors=True) as folder:
        server = PostgresServer(Path(folder) / "data", log)
        try:
            yield server.start("postgres")
        finally:
            server.stop()
