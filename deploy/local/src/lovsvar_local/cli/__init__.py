"""The `lovsvar` command: options in, exit code out. What each command does is in `lovsvar_local.commands`.

What is imported here is all that the help needs; a command loads the rest when it is run.
"""

import os
import sys
from functools import partial
from pathlib import Path
from typing import Annotated, Literal

import typer

from lovsvar_local import exits, signals
from lovsvar_local.cli import case_documents, case_drafts, case_operation, options
from lovsvar_local.cli.cases import case_app
from lovsvar_local.cli.keys import key_app
from lovsvar_local.cli.options import AnswerMode, LawType, Ministry, SearchMode, Year

HELP = f"""Svar på spørsmål om norsk rett, med kontrollerte henvisninger til lover og forskrifter.

Kommandoene starter det som ikke kjører, og stopper det de selv startet. «lovsvar up» holder systemet i gang.

{exits.IN_WORDS}
"""

app = typer.Typer(name="lovsvar", help=HELP, no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False)
app.add_typer(key_app, name="keys")
case_drafts.add_to(case_app)
case_documents.add_to(case_app)
case_operation.add_to(case_app)
app.add_typer(case_app, name="case")
command = partial(options.command, app)


@app.callback(invoke_without_command=True)
def lovsvar(
    version: Annotated[bool, typer.Option("--version", help="Vis versjonen.", is_eager=True)] = False,
) -> None:
    """Say the version when asked; see `HELP`."""
    if version:
        from importlib.metadata import version as installed

        typer.echo(f"lovsvar {installed('lovsvar-local')}")
        raise typer.Exit


@command("ask", "data_dir", "source", "url", "as_json")
def ask(
    question: Annotated[str, typer.Argument(metavar="SPØRSMÅL", help="Spørsmålet, i anførselstegn.")],
    *,
    mode: Annotated[
        AnswerMode | None,
        typer.Option(
            "--mode",
            help="Med språkmodell som søker selv (agent) eller får ett søk (direct), eller med sitater (extractive).",
            show_default=False,
        ),
    ] = None,
    law_type: LawType = None,
    year: Year = None,
    ministry: Ministry = None,
    follows: Annotated[
        str | None,
        typer.Option("--follows", metavar="RUN_ID", help="Spørsmålet som dette følger opp («run_id» i --json)."),
    ] = None,
) -> None:
    """Svar på et spørsmål. Henter lovene først når det trengs."""


@command("up", "data_dir", "source", "as_json")
def up(
    port: Annotated[
        int, typer.Option("--port", min=1, max=65_535, envvar="LOVSVAR_PORT", help="Porten som Lovsvar svarer på.")
    ] = 8080,
) -> None:
    """Kjør hele systemet i forgrunnen til Ctrl-C."""


@command("ingest", "data_dir", "source", "url", "as_json")
def ingest(
    dataset: Annotated[
        list[str] | None,
        typer.Option("--dataset", metavar="NAVN", help="Bare dette datasettet. Kan gis flere ganger."),
    ] = None,
    catalogue: Annotated[
        list[str] | None,
        typer.Option(
            "--catalogue", metavar="ID|MAPPE", help="Denne katalogen, som må være listet opp. Kan gis flere ganger."
        ),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Lagre også det som ikke er endret.")] = False,
    accept: Annotated[
        str | None,
        typer.Option("--accept", metavar="SHA256", help="Godta akkurat dette arkivet, selv om det fjerner mye."),
    ] = None,
) -> None:
    """Hent lover og forskrifter, eller en katalog, og vis hva som er endret."""


@command("search", "data_dir", "source", "url", "as_json")
def search(
    query: Annotated[str, typer.Argument(metavar="SØK", help="Ordene du leter etter.")],
    *,
    law_type: LawType = None,
    year: Year = None,
    ministry: Ministry = None,
    legal_area: Annotated[
        str | None, typer.Option("--legal-area", metavar="NAVN", help="Del av navnet på et rettsområde.")
    ] = None,
    dataset: Annotated[
        str | None, typer.Option("--dataset", metavar="NAVN", help="Bare dette datasettet, som gjeldende-lover.")
    ] = None,
    document: Annotated[
        str | None, typer.Option("--document", metavar="REFID", help="Bare i dette dokumentet, som lov/1999-03-26-17.")
    ] = None,
    in_force_on: Annotated[
        str | None,
        typer.Option("--in-force-on", metavar="DATO", help="Bare det som gjaldt eller vil gjelde da: 2026-01-31."),
    ] = None,
    mode: Annotated[
        SearchMode | None,
        typer.Option("--mode", help="Ranger etter ord, etter mening (vektorer) eller begge deler.", show_default=False),
    ] = None,
    explain: Annotated[bool, typer.Option("--explain", help="Vis hva poengene er satt sammen av.")] = False,
    page: Annotated[int, typer.Option("--page", min=1, help="Side.")] = 1,
    page_size: Annotated[int, typer.Option("--page-size", min=1, max=20, help="Treff på hver side.")] = 10,
) -> None:
    """Søk etter bestemmelser.

    Skriv som i et nettsøk: "ord i anførselstegn" må stå samlet, -ord skal ikke være med, OR skiller alternativer.
    """


@command("products", "data_dir", "source", "url", "as_json")
def products(
    query: Annotated[str, typer.Argument(metavar="SØK", help="Hva du trenger hjelp til.")],
    *,
    catalogue: Annotated[
        str | None, typer.Option("--catalogue", metavar="ID", help="Bare denne katalogen, som hjelpetilbud.")
    ] = None,
    category: Annotated[str | None, typer.Option("--category", metavar="NAVN", help="Bare denne kategorien.")] = None,
    min_price: Annotated[float | None, typer.Option("--min-price", min=0, help="Pris fra.")] = None,
    max_price: Annotated[float | None, typer.Option("--max-price", min=0, help="Pris til.")] = None,
    limit: Annotated[int, typer.Option("--limit", min=1, max=10, help="Antall treff.")] = 5,
) -> None:
    """Søk etter tilbud som kan hjelpe, i katalogene som er lagt inn."""


@command("show", "data_dir", "source", "url", "as_json")
def show(
    reference: Annotated[str, typer.Argument(metavar="HENVISNING", help="For eksempel «husleieloven § 3-5».")],
) -> None:
    """Vis en bestemmelse, eller innholdet i en lov."""


@command("mcp", "data_dir", "source", "url")
def mcp() -> None:
    """Gi språkmodeller norsk lov over MCP, på standard inn og ut."""


@command("eval", "data_dir", "source", "url", "as_json")
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
) -> None:
    """Mål hvor ofte søket finner bestemmelsene som svarer på spørsmål."""


@command("status", "data_dir", "source", "url", "as_json")
def status() -> None:
    """Vis hva som er lagret, og hvordan tjenestene har det."""


@command("doctor", "data_dir", "url", "as_json")
def doctor(
    online: Annotated[bool, typer.Option("--online", help="Prøv også språkmodellen, med ett kall.")] = False,
) -> None:
    """Undersøk systemet, og si hva som er galt og hva du kan gjøre. Starter ingenting."""


@command("backup", "data_dir", "as_json")
def backup(
    file: Annotated[Path, typer.Argument(metavar="FIL", help="Fila som lages; den må ikke finnes.")],
) -> None:
    """Lag en sikkerhetskopi av loven, svarene, spørsmålene i kø og revisjonsloggen, også mens alt kjører."""


@command("restore", "data_dir", "as_json")
def restore(
    file: Annotated[Path, typer.Argument(metavar="FIL", help="Sikkerhetskopien.")],
    force: Annotated[bool, typer.Option("--force", help="Erstatt det som er lagret fra før.")] = False,
) -> None:
    """Gjenopprett en sikkerhetskopi, og si fra når loven kan søkes i."""


@command("setup", "as_json")
def setup(
    folder: Annotated[Path, typer.Argument(metavar="MAPPE", help="Mappa som hemmelighetene skal ligge i.")] = Path(
        "secrets"
    ),
) -> None:
    """Lag nøklene og passordene som containerne trenger. Det som finnes fra før, beholdes."""


def main() -> None:
    """Run the command that was typed."""
    signals.end_quietly()
    # Looking for pydantic's plugins reads every installed package's metadata; none is used here.
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "1")
    sys.exit(app())
