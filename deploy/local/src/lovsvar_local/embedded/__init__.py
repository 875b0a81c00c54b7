"""The servers that the wheels bring: nats-server and PostgreSQL, kept in folders."""

from lovsvar_local.embedded.nats_server import NatsServer
from lovsvar_local.embedded.postgres_server import PostgresServer
from lovsvar_local.embedded.server import EmbeddedServer, tail

__all__ = ["EmbeddedServer", "NatsServer", "PostgresServer", "tail"]
