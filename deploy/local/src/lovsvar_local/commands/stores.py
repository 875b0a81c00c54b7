"""The NATS and the PostgreSQL that `lovsvar backup` and `lovsvar restore` work with, without the services."""

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import asyncpg
import nats
from nats.aio.client import Client
from nats.errors import Error as NatsError

from lovsvar_chassis.addresses import shown
from lovsvar_chassis.settings import DatabaseSettings, connect_options
from lovsvar_contracts import subjects
from lovsvar_local.commands.session import Where
from lovsvar_local.embedded import NatsServer, PostgresServer
from lovsvar_local.errors import AlreadyRunning, CannotStart
from lovsvar_local.folder import DataFolder, default_path, open_folder
from lovsvar_local.locks import FileLock
from lovsvar_local.state import read_state

USER = "operator"

CONNECT_SECONDS = 10.0


@dataclass(frozen=True)
class Stores:
    """Both stores. `folder` is None for servers elsewhere, which `LOVSVAR_NATS_URL` and `LOVSVAR_DATABASE_URL` name."""

    settings: DatabaseSettings
    folder: DataFolder | None = None

    @asynccontextmanager
    async def nats(self, stream: str = "") -> AsyncIterator[Client]:
        """Yield a connection to NATS, to the account that keeps `stream`. Raises `CannotStart`."""
        settings = self.settings
        if stream == subjects.STREAM_AUDIT and settings.audit_nats_seed is not None:
            settings = settings.for_audit()
        try:
            # nats-py itself retries for ever.
            async with asyncio.timeout(CONNECT_SECONDS):
                connection = await nats.connect(
                    self.settings.nats_servers,
                    allow_reconnect=False,
                    error_cb=_leave_to_the_exception,
                    **connect_options(settings, USER),
                )
        except (NatsError, OSError, TimeoutError) as exc:
            raise CannotStart(f"Får ikke kontakt med NATS på {shown(self.settings.nats_servers)}: {exc!r}.") from exc
        try:
            yield connection
        finally:
            await connection.close()

    @asynccontextmanager
    async def database(self) -> AsyncIterator["asyncpg.Connection[asyncpg.Record]"]:
        """Yield a connection to PostgreSQL. Raises `CannotStart`."""
        try:
            connection = await asyncpg.connect(self.settings.database_url, timeout=20)
        except (asyncpg.PostgresError, OSError, TimeoutError) as exc:
            raise CannotStart(f"Får ikke kontakt med PostgreSQL: {exc}.") from exc
        try:
            yield connection
        finally:
            await connection.close()


async def _leave_to_the_exception(_: Exception) -> None:
    """Print nothing: what goes wrong is raised where it is awaited."""


@asynccontextmanager
async def open_stores(where: Where, *, alone: bool) -> AsyncIterator[Stores]:
    """Yield the stores of the data folder, started when they do not run, or those that the environment names.

    Raises `AlreadyRunning` when they are needed `alone` and the folder's system runs, and `CannotStart`.
    """
    if os.environ.get("LOVSVAR_NATS_URL") and os.environ.get("LOVSVAR_DATABASE_URL"):
        yield Stores(DatabaseSettings())
        return
    folder = open_folder(where.data_dir or default_path())
    owner = FileLock(folder.launcher_lock)
    if not owner.try_alone():
        if alone:
            raise AlreadyRunning(f"Lovsvar kjører på {folder.path}. Stopp det først.")
        yield Stores(running_settings(folder), folder)
        return
    servers = NatsServer(folder.nats, folder.log("nats")), PostgresServer(folder.postgres, folder.log("postgres"))
    try:
        nats_url, database_url = await asyncio.gather(*(asyncio.to_thread(server.start) for server in servers))
        yield Stores(DatabaseSettings(nats_url=nats_url, database_url=database_url), folder)
    finally:
        await asyncio.gather(*(asyncio.to_thread(server.stop) for server in servers))
        owner.release()


def running_settings(folder: DataFolder) -> DatabaseSettings:
    """Return where the servers of a running system are. Raises `CannotStart`."""
    state = read_state(folder.state)
    server = state.children.get(NatsServer.name) if state else None
    url = NatsServer.url_of(folder.nats, server.pid) if server else None
    if url is None:
        raise CannotStart(f"Systemet i {folder.path} er ikke klart. Prøv igjen om litt.")
    return DatabaseSettings(nats_url=url, database_url=PostgresServer(folder.postgres).url())
