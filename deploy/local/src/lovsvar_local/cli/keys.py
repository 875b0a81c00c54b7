"""`lovsvar keys`: the keys of the gateway's callers."""

from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from lovsvar_local.cli import options

KeyScope = StrEnum("KeyScope", ["ASK", "READ", "CASES", "OPERATE"])
"""`Scope` of the gateway, which is too slow to load for the help."""

KeysFile = Annotated[
    Path,
    typer.Option("--file", metavar="FIL", envvar="LOVSVAR_API_KEYS_FILE", help="Fila som nøklene ligger i."),
]

key_app = typer.Typer(help="Lag, vis og trekk tilbake nøkler til Lovsvar.", no_args_is_help=True)
command = partial(options.command, key_app)


@command("add", "as_json", work="keys.add")
def add_key(
    name: Annotated[str, typer.Argument(metavar="NAVN", help="Hvem nøkkelen er for. Spørsmål hører til navnet.")],
    *,
    scope: Annotated[
        list[KeyScope],
        typer.Option(
            "--scope",
            help="Spørre (ask), søke og lese (read), arbeide med saker (cases), drifte (operate). Flere ganger.",
        ),
    ],
    file: KeysFile,
    organisation: Annotated[
        str | None,
        typer.Option("--organisation", metavar="NAVN", help="Hvem sine felles saker nøkkelen ser, i tillegg til egne."),
    ] = None,
    catalogue: Annotated[
        list[str] | None,
        typer.Option("--catalogue", metavar="ID", help="Bare denne katalogen; ellers alle åpne. Kan gis flere ganger."),
    ] = None,
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
) -> None:
    """Lag en nøkkel, og skriv den ut. Den vises bare denne ene gangen."""


@command("list", "as_json", work="keys.list_all")
def list_keys(file: KeysFile) -> None:
    """Vis nøklene, uten det hemmelige."""


@command("revoke", work="keys.revoke")
def revoke_key(
    name: Annotated[str, typer.Argument(metavar="NAVN", help="Nøkkelen som ikke skal gjelde lenger.")], file: KeysFile
) -> None:
    """Trekk tilbake en nøkkel. Det gjelder innen ett sekund, og det den har åpent avsluttes straks etter."""
