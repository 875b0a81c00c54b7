"""`lovsvar keys`: the keys of the gateway's callers."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from lovsvar_local.cli.execution import run_now
from lovsvar_local.cli.options import Json

KeysFile = Annotated[
    Path,
    typer.Option("--file", metavar="FIL", envvar="LOVSVAR_API_KEYS_FILE", help="Fila som nøklene ligger i."),
]


class KeyScope(StrEnum):
    """`Scope` of the gateway, which is too slow to load for the help."""

    ASK = "ask"
    READ = "read"
    OPERATE = "operate"


def add_key(
    name: Annotated[str, typer.Argument(metavar="NAVN", help="Hvem nøkkelen er for. Spørsmål hører til navnet.")],
    *,
    scope: Annotated[
        list[KeyScope],
        typer.Option("--scope", help="Spørre (ask), søke og lese (read), oppdatere lovene (operate). Flere ganger."),
    ],
    file: KeysFile,
    per_minute: Annotated[
        int, typer.Option("--per-minute", min=1, max=1_000_000, help="Forespørsler i minuttet.")
    ] = 120,
    concurrent: Annotated[
        int, typer.Option("--concurrent", min=1, max=100_000, help="Åpne forespørsler og strømmer.")
    ] = 20,
    questions_per_minute: Annotated[
        int | None,
        typer.Option(
            "--questions-per-minute",
            min=1,
            max=1_000_000,
            help="Spørsmål i minuttet; uten den så mange som forespørsler.",
        ),
    ] = None,
    queued: Annotated[
        int | None,
        typer.Option("--queued", min=1, max=5_000, help="Spørsmål i køen samtidig; ellers som tjenesten er satt til."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Lag en nøkkel, og skriv den ut. Den vises bare denne ene gangen."""
    from lovsvar_gateway.core.access import Limits, Scope
    from lovsvar_local.commands import keys as command

    limits = Limits(
        per_minute=per_minute, concurrent=concurrent, questions_per_minute=questions_per_minute, queued=queued
    )
    run_now(lambda: command.add(file, name, [*map(Scope, scope)], limits, as_json=as_json), as_json=as_json)


def list_keys(file: KeysFile, as_json: Json = False) -> None:
    """Vis nøklene, uten det hemmelige."""
    from lovsvar_local.commands import keys as command

    run_now(lambda: command.list_all(file, as_json=as_json), as_json=as_json)


def revoke_key(
    name: Annotated[str, typer.Argument(metavar="NAVN", help="Nøkkelen som ikke skal gjelde lenger.")], file: KeysFile
) -> None:
    """Trekk tilbake en nøkkel. Det gjelder innen ett sekund, og det den har åpent avsluttes straks etter."""
    from lovsvar_local.commands import keys as command

    run_now(lambda: command.revoke(file, name))
