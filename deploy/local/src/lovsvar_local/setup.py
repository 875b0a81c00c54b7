"""How the system of a data folder is to be started."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from lovsvar_chassis.manifest import service_names
from lovsvar_local.children import Command, service_command

CommandOf = Callable[[str, Mapping[str, str], Path], Command]


@dataclass(frozen=True)
class Setup:
    """How the system is to be started, and what its owner is called (`command`).

    Without `port` the gateway takes a free one; without `nats_url` and `database_url` our own servers are started.
    `embed_corpus` says whether ingest asks for vectors of what it stores, which takes hours.
    """

    command: str
    host: str = "127.0.0.1"
    port: int | None = None
    source: str | None = None
    nats_url: str | None = None
    database_url: str | None = None
    embed_corpus: bool = False
    services: tuple[str, ...] = field(default_factory=service_names)
    command_of: CommandOf = service_command
