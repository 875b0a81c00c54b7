"""What the commands share: where the system is, and how a failure is shown."""

import os
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from lovsvar.client import ClientError, Gateway
from lovsvar_chassis.manifest import manifests, service_names
from lovsvar_contracts.problems import Problem, ProblemType
from lovsvar_local import exits, signals
from lovsvar_local.errors import FAILURES, BadArgument, CommandError
from lovsvar_local.folder import DataFolder, default_path, open_folder, unusable
from lovsvar_local.initial_corpus import Filler, RequestedSyncs
from lovsvar_local.json_output import show_json
from lovsvar_local.progress import Progress, make_progress
from lovsvar_local.setup import Setup
from lovsvar_local.system import use_system


@dataclass(frozen=True)
class Where:
    """Where the system is, and where the law comes from."""

    data_dir: Path | None = None
    source: str | None = None
    url: str | None = None


@dataclass(frozen=True)
class Session:
    """A running system that a command works with. `folder` is None for a gateway elsewhere."""

    gateway: Gateway
    progress: Progress
    source: str | None
    folder: DataFolder | None = None
    owned: bool = False

    @cached_property
    def filler(self) -> Filler:
        """Fetches law into this system."""
        return Filler(self.gateway, RequestedSyncs(self.folder), self.source, self.progress)


def run(command: Callable[[Progress], int | Coroutine[Any, Any, int]], *, as_json: bool = False) -> int:
    """Run `command`, print what went wrong in one sentence, and return the exit code."""
    progress = make_progress(as_json=as_json)
    try:
        done = command(progress)
        return done if isinstance(done, int) else signals.run(lambda: done)
    except FAILURES as error:
        return fail(error, progress)
    except OSError as error:
        return fail(unusable(Path(error.filename or "datamappa"), error), progress)
    finally:
        progress.close()


def fail(error: CommandError | ClientError, progress: Progress) -> int:
    """Print `error` and return its exit code."""
    progress.close()
    Progress().say(str(error))
    if progress.as_json:
        name = error.problem_type if isinstance(error, CommandError) else getattr(error, "type", "unavailable")
        type_ = ProblemType(name) if name in set(ProblemType) else ProblemType.INTERNAL
        show_json(Problem(type=type_, title="Mislyktes", detail=str(error)))
    return error.exit_code if isinstance(error, CommandError) else exits.PROBLEM


def api_key() -> str | None:
    """Return the key to show a gateway that needs one."""
    return os.environ.get("LOVSVAR_API_KEY") or None


@asynccontextmanager
async def open_session(where: Where, command: str, progress: Progress) -> AsyncIterator[Session]:
    """Yield the running system that `where` names; it is started when it does not run, and then stopped at the end."""
    source = checked_source(where.source)
    if where.url:
        async with Gateway(where.url, key=api_key()) as gateway:
            yield Session(gateway, progress, source)
        return
    folder = open_folder(where.data_dir or default_path())
    async with (
        use_system(folder, setup(command, source), progress) as system,
        Gateway(system.url, key=api_key()) as gateway,
    ):
        yield Session(gateway, progress, source, folder, system.owned)


def setup(command: str, source: str | None, port: int | None = None, *, embed_corpus: bool = False) -> Setup:
    """Return how to start the system, by the options and the environment."""
    workers = [worker for manifest in manifests() for worker in manifest.workers] if embed_corpus else []
    wanted = [one.name for one in workers if not any(os.environ.get(name) == at for name, at in one.unless.items())]
    return Setup(
        command=command,
        host=os.environ.get("LOVSVAR_HOST") or "127.0.0.1",
        port=port,
        source=source,
        nats_url=os.environ.get("LOVSVAR_NATS_URL") or None,
        database_url=os.environ.get("LOVSVAR_DATABASE_URL") or None,
        embed_corpus=embed_corpus,
        services=(*service_names(), *wanted),
    )


def checked_source(source: str | None) -> str | None:
    """Return where the law comes from as every process can find it. Raises `BadArgument`."""
    if source is None or source.startswith(("http://", "https://")):
        return source
    path = Path(source).expanduser().absolute()
    if not path.is_dir():
        raise BadArgument(f"Kilden {source} finnes ikke. Oppgi en mappe, eller en adresse som begynner med http(s)://.")
    return str(path)
