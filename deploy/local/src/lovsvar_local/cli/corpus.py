"""`lovsvar ingest` and `eval`: the law that is stored, and how well it is found."""

from functools import partial
from pathlib import Path
from typing import Annotated, Literal

import typer

from lovsvar_local.cli.execution import run
from lovsvar_local.cli.options import DataDir, Json, SearchMode, Source, Url


def ingest(
    dataset: Annotated[
        list[str] | None,
        typer.Option("--dataset", metavar="NAVN", help="Bare dette datasettet. Kan gis flere ganger."),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Lagre også det som ikke er endret.")] = False,
    accept: Annotated[
        str | None,
        typer.Option("--accept", metavar="SHA256", help="Godta akkurat dette arkivet, selv om det fjerner mye."),
    ] = None,
    data_dir: DataDir = None,
    source: Source = None,
    url: Url = None,
    as_json: Json = False,
) -> None:
    """Hent lover og forskrifter, og vis hva som er endret."""
    from lovsvar_local.commands import ingest as command

    options = command.IngestOptions(dataset or (), force, accept)
    run(partial(command.ingest, options), data_dir, source, url, as_json=as_json)


def evaluate(
    file: Annotated[Path, typer.Argument(metavar="FIL", help="Spørsmål med fasit, ett JSON-objekt på hver linje.")],
    *,
    mode: Annotated[
        list[SearchMode] | None,
        typer.Option("--mode", help="Mål bare denne måten å søke på. Kan gis flere ganger.", show_default=False),
    ] = None,
    part: Annotated[
        Literal["tune", "held-out", "all"],
        typer.Option("--part", help="Alle spørsmålene, den tredelen som holdes utenfor, eller resten."),
    ] = "all",
    misses: Annotated[
        bool, typer.Option("--misses", help="Vis hva som ble funnet i stedet, når svaret ikke er blant de fem første.")
    ] = False,
    data_dir: DataDir = None,
    source: Source = None,
    url: Url = None,
    as_json: Json = False,
) -> None:
    """Mål hvor ofte søket finner bestemmelsene som svarer på spørsmål."""
    from lovsvar_contracts import search
    from lovsvar_local.commands import evaluate as command
    from lovsvar_local.evaluation import Split

    split = Split(part)
    modes = [search.SearchMode(name) for name in dict.fromkeys(mode or ())] or list(search.SearchMode)

    run(partial(command.evaluate, file, modes, split, misses=misses), data_dir, source, url, as_json=as_json)
