"""Service manifests: what a service owns, needs and may do, for what starts, watches, documents or restricts services.

A service keeps its manifest in a module of its own, which imports nothing else of the service, and registers it as an
entry point of the group `lovsvar.services`. Where not all services are installed, as in a container, a file holds the
manifests of all (`LOVSVAR_SERVICES_FILE`).
"""

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path
from types import ModuleType
from typing import Any

from pydantic import ConfigDict, Field, TypeAdapter

from lovsvar_contracts import subjects
from lovsvar_contracts.message import Frozen

GROUP = "lovsvar.services"

KB = 1024
MB = 1024 * KB
DAY = 24 * 3600.0

STORAGE_MB = 4096
"""Megabytes that all streams may take together, of which the shares in manifests are counted."""

AUDIT_BYTES = 1024 * MB
"""The share of the gateway's audit log, which only the gateway declares."""


class NameTaken(Exception):
    """Two processes of installed services have one name. Remedy: rename one, or uninstall its package."""


class Declared(Frozen):
    """Part of a manifest. A field that there is not is an error."""

    model_config = ConfigDict(extra="forbid")


class Stream(Declared):
    """How a JetStream stream is kept. Sizes are in bytes, times in seconds; `lovsvar_chassis.streams` declares it.

    `max_bytes` is its share where all streams may take 4,096 MB. A stream that is full forgets its oldest messages;
    one with `refuses` takes no new ones instead, and the publisher gets an error.
    """

    name: str
    subjects: tuple[str, ...]
    max_bytes: int
    max_msg_size: int | None = None
    max_msgs: int | None = None
    max_age: float | None = None
    work_queue: bool = False
    refuses: bool = False
    direct: bool = False
    republish: tuple[str, str] | None = None
    """What is stored on the first subject is sent on the second as well."""


DEAD = Stream(
    name=subjects.STREAM_DEAD,
    subjects=(subjects.DEAD_ANY,),
    max_age=30 * DAY,
    max_bytes=240 * MB,
    max_msg_size=MB + 64 * KB,
)
"""Dead letters of all services."""

PROBED = f"{subjects.PREFIX}.storage.probe"
PROBE = Stream(name="STORAGE_PROBE", subjects=(PROBED,), max_msgs=1, max_bytes=4 * KB)
"""Holds one empty message: storing it shows a gateway whether there is room. Nobody reads it."""


class Schema(Declared):
    """A database schema that a service owns: the numbered SQL files in the folder `migrations` of `package`."""

    package: str
    name: str = "public"


class Process(Declared):
    """A program of a service. `package` holds its module `app`, with `main()` and `build(settings)`."""

    name: str
    package: str
    app: str = "app"
    build: str = "build"
    settings: str = "settings:Settings"
    publishes: tuple[str, ...] = ()
    """The NATS subjects that it may publish to; those of its health come in addition."""
    subscribes: tuple[str, ...] = ()
    declares_streams: bool = False
    """Whether it may declare all streams where services have permissions; only one service should."""
    watches_queues: bool = False
    """Whether it may look at what waits in every work queue."""
    login: str = ""
    """Its role in PostgreSQL, "" when it uses no database."""
    patience: float = 15.0
    """Seconds that it may show no sign of life before the launcher restarts it."""
    environment: Mapping[str, str] = Field(default_factory=dict)
    """Variables that the launcher sets unless they are set already."""
    unless: Mapping[str, str] = Field(default_factory=dict)
    """The launcher does not start it where one of these variables has this value."""

    @property
    def distribution(self) -> str:
        """The name of the package as it is installed."""
        return self.package.replace("_", "-")

    @property
    def module(self) -> str:
        """The full name of the module `app`."""
        return f"{self.package}.{self.app}"

    def load_app(self) -> ModuleType:
        """Import the module `app`."""
        return import_module(self.module)

    def load_settings(self) -> Any:
        """Import the class of its settings."""
        module, _, name = self.settings.partition(":")
        return getattr(import_module(f"{self.package}.{module}"), name)


class ServiceManifest(Process):
    """A service: its main process, and what it owns. Services start by `order`, then by name, and stop in reverse."""

    order: int = 50
    needed: bool = False
    """Whether no question is answered without it."""
    streams: tuple[Stream, ...] = ()
    migrations: Schema | None = None
    workers: tuple[Process, ...] = ()
    """Further processes, which only a command that keeps running starts."""

    @property
    def processes(self) -> tuple[Process, ...]:
        """All its processes, the main one first."""
        return (self, *self.workers)


FILE = TypeAdapter(tuple[ServiceManifest, ...])


@cache
def manifests(file: Path | None = None) -> tuple[ServiceManifest, ...]:
    """Return the manifests in `file`, or else of all installed services, in the order of their start.

    Raises `NameTaken`, and `OSError` or pydantic's `ValidationError` for a file that cannot be read.
    """
    found = FILE.validate_json(file.read_bytes()) if file else [e.load() for e in entry_points(group=GROUP)]
    owners: dict[str, str] = {}
    for process in (process for manifest in found for process in manifest.processes):
        if owner := owners.get(process.name):
            raise NameTaken(f"two processes are called {process.name!r}: of {owner} and of {process.package}")
        owners[process.name] = process.package
    return tuple(sorted(found, key=lambda manifest: (manifest.order, manifest.name)))


def processes() -> dict[str, Process]:
    """Return the processes of all installed services by their names, in the order of their start."""
    return {process.name: process for manifest in manifests() for process in manifest.processes}


def service_names() -> tuple[str, ...]:
    """Return the names of all installed services, in the order of their start."""
    return tuple(manifest.name for manifest in manifests())


def kept_streams(file: Path | None = None) -> tuple[Stream, ...]:
    """Return the streams that hold messages: of the services in `file`, or else of those installed, and `DEAD`."""
    return (*(stream for manifest in manifests(file) for stream in manifest.streams), DEAD)


def all_streams(file: Path | None = None) -> tuple[Stream, ...]:
    """Return what `kept_streams` returns, and `PROBE`."""
    return (*kept_streams(file), PROBE)


def stream_of(subject: str) -> str:
    """Return the stream that keeps `subject`, by the contracts or an installed manifest. Raises `KeyError`."""
    try:
        return subjects.stream_of(subject)
    except KeyError:
        patterns = {subject, f"{subject.rpartition('.')[0]}.*"}
        for stream in all_streams():
            if patterns.intersection(stream.subjects):
                return stream.name
        raise
