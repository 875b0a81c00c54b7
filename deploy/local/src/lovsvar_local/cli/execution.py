"""From options to an exit code. What runs a command is loaded when one is run, not for the help."""

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import NoReturn

import typer


def run(
    command: Callable[..., Awaitable[int]],
    data_dir: Path | None = None,
    source: str | None = None,
    url: str | None = None,
    *,
    as_json: bool = False,
) -> NoReturn:
    """Run `command` with where the system is, what shows its progress, and `as_json`; end with its exit code."""
    from lovsvar_local.commands import session

    where = session.Where(data_dir, source, url)
    raise typer.Exit(session.run(lambda progress: command(where, progress, as_json=as_json), as_json=as_json))


def run_now(command: Callable[[], int], *, as_json: bool = False) -> NoReturn:
    """Run a `command` that waits for nothing, and end with its exit code."""
    from lovsvar_local.commands import session

    raise typer.Exit(session.run_now(command, as_json=as_json))
