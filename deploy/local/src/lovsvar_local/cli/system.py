"""`lovsvar up`, `mcp`, `status` and `doctor`: the system that runs, or is started."""

from functools import partial
from typing import Annotated

import typer

from lovsvar_local.cli.execution import run
from lovsvar_local.cli.options import DataDir, Json, Source, Url


def up(
    port: Annotated[
        int, typer.Option("--port", min=1, max=65_535, envvar="LOVSVAR_PORT", help="Porten som Lovsvar svarer på.")
    ] = 8080,
    data_dir: DataDir = None,
    source: Source = None,
    as_json: Json = False,
) -> None:
    """Kjør hele systemet i forgrunnen til Ctrl-C."""
    from lovsvar_local.commands import up as command

    run(partial(command.up, port), data_dir, source, as_json=as_json)


def mcp(data_dir: DataDir = None, source: Source = None, url: Url = None) -> None:
    """Gi språkmodeller norsk lov over MCP, på standard inn og ut."""
    from lovsvar_local.commands import mcp as command

    run(lambda where, progress, **_: command.mcp(where, progress), data_dir, source, url)


def status(data_dir: DataDir = None, source: Source = None, url: Url = None, as_json: Json = False) -> None:
    """Vis hva som er lagret, og hvordan tjenestene har det."""
    from lovsvar_local.commands import status as command

    run(command.status, data_dir, source, url, as_json=as_json)


def doctor(
    online: Annotated[bool, typer.Option("--online", help="Prøv også språkmodellen, med ett kall.")] = False,
    data_dir: DataDir = None,
    url: Url = None,
    as_json: Json = False,
) -> None:
    """Undersøk systemet, og si hva som er galt og hva du kan gjøre. Starter ingenting."""
    from lovsvar_local.commands import doctor as command

    run(partial(command.doctor, online=online), data_dir, url=url, as_json=as_json)
