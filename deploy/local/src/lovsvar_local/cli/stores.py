"""`lovsvar backup`, `restore` and `setup`: what is kept, and the secrets it is reached with."""

from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from lovsvar_local.cli.execution import run, run_now
from lovsvar_local.cli.options import DataDir, Json


def backup(
    file: Annotated[Path, typer.Argument(metavar="FIL", help="Fila som lages; den må ikke finnes.")],
    data_dir: DataDir = None,
    as_json: Json = False,
) -> None:
    """Lag en sikkerhetskopi av loven, svarene, spørsmålene i kø og revisjonsloggen, også mens alt kjører."""
    from lovsvar_local.commands import backup as command

    run(partial(command.backup, file), data_dir, as_json=as_json)


def restore(
    file: Annotated[Path, typer.Argument(metavar="FIL", help="Sikkerhetskopien.")],
    force: Annotated[bool, typer.Option("--force", help="Erstatt det som er lagret fra før.")] = False,
    data_dir: DataDir = None,
    as_json: Json = False,
) -> None:
    """Gjenopprett en sikkerhetskopi, og si fra når loven kan søkes i."""
    from lovsvar_local.commands import restore as command

    run(partial(command.restore, file, force=force), data_dir, as_json=as_json)


def setup(
    folder: Annotated[Path, typer.Argument(metavar="MAPPE", help="Mappa som hemmelighetene skal ligge i.")] = Path(
        "secrets"
    ),
    as_json: Json = False,
) -> None:
    """Lag nøklene og passordene som containerne trenger. Det som finnes fra før, beholdes."""
    from lovsvar_local.commands import setup as command

    run_now(partial(command.setup, folder, as_json=as_json), as_json=as_json)
