"""The `lovsvar` command: options in, exit code out. What each command does is in `lovsvar_local.commands`."""

import os
import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from lovsvar_local import exits, signals

if TYPE_CHECKING:
    from lovsvar_local.progress import Progress

HELP = f"""Svar på spørsmål om norsk rett, med kontrollerte henvisninger til lover og forskrifter.

Kommandoene starter det som ikke kjører, og stopper det de selv startet. «lovsvar up» holder systemet i gang.

{exits.IN_WORDS}
"""

app = typer.Typer(name="lovsvar", help=HELP, no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False)

DataDir = Annotated[
    Path | None,
    typer.Option("--data-dir", metavar="MAPPE", help="Mappa som data ligger i. Ellers brukerens egen datamappe."),
]
Source = Annotated[
    str | None,
    typer.Option(
        "--source",
        metavar="KILDE",
        help="Mappe eller http(s)-adresse som lovene hentes fra. Ellers Lovdatas åpne data.",
    ),
]
Url = Annotated[
    str | None, typer.Option("--url", metavar="ADRESSE", help="Bruk Lovsvar på denne adressen, og start ingenting.")
]
Json = Annotated[
    bool, typer.Option("--json", help="Skriv ett JSON-objekt til standard ut og alt annet til standard feil.")
]
LawType = Annotated[
    str | None, typer.Option("--law-type", metavar="TYPE", help="Bare lov, forskrift, vedtak, instruks …")
]
Year = Annotated[int | None, typer.Option("--year", metavar="ÅR", help="Bare dokumenter fra dette året.")]
Ministry = Annotated[str | None, typer.Option("--ministry", metavar="NAVN", help="Del av navnet på et departement.")]

KeysFile = Annotated[
    Path,
    typer.Option("--file", metavar="FIL", envvar="LOVSVAR_API_KEYS_FILE", help="Fila som nøklene ligger i."),
]
keys = typer.Typer(help="Lag, vis og trekk tilbake nøkler til Lovsvar.", no_args_is_help=True)
app.add_typer(keys, name="keys")


class KeyScope(StrEnum):
    """`Scope` of the gateway, which is too slow to load for the help."""

    ASK = "ask"
    READ = "read"
    OPERATE = "operate"


class Mode(StrEnum):
    """`SearchMode` of the contracts, which are too slow to load for the help."""

    LEXICAL = "lexical"
    VECTOR = "vector"
    HYBRID = "hybrid"


class AnswerMode(StrEnum):
    """`Mode` of the contracts."""

    AGENT = "agent"
    EXTRACTIVE = "extractive"
    DIRECT = "direct"


@app.callback(invoke_without_command=True)
def lovsvar(
    version: Annotated[bool, typer.Option("--version", help="Vis versjonen.", is_eager=True)] = False,
) -> None:
    """Say the version when asked; see `HELP`."""
    if version:
        from importlib.metadata import version as installed

        typer.echo(f"lovsvar {installed('lovsvar-local')}")
        raise typer.Exit


@app.command(epilog=exits.IN_WORDS)
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
    data_dir: DataDir = None,
    source: Source = None,
    url: Url = None,
    as_json: Json = False,
) -> None:
    """Svar på et spørsmål. Henter lovene først når det trengs."""
    from lovsvar_contracts.questions import Mode as Answering
    from lovsvar_local.commands import ask as command
    from lovsvar_local.commands.session import Where, run

    where, answering = Where(data_dir, source, url), Answering(mode) if mode else None

    async def answer(progress: "Progress") -> int:
        wish = command.Wish(answering, command.checked_filters(law_type, year, ministry), follows)
        return await command.ask(question, where, progress, wish, as_json=as_json)

    raise typer.Exit(run(answer, as_json=as_json))


@app.command(epilog=exits.IN_WORDS)
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
    from lovsvar_local.commands.session import Where, run

    where = Where(data_dir, source)
    raise typer.Exit(run(lambda progress: command.up(where, port, progress, as_json=as_json), as_json=as_json))


@app.command(epilog=exits.IN_WORDS)
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
    from lovsvar_local.commands.session import Where, run

    where, wish = Where(data_dir, source, url), command.Wish(dataset or (), force, accept)
    raise typer.Exit(run(lambda progress: command.ingest(wish, where, progress, as_json=as_json), as_json=as_json))


@app.command(epilog=exits.IN_WORDS)
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
        Mode | None,
        typer.Option("--mode", help="Ranger etter ord, etter mening (vektorer) eller begge deler.", show_default=False),
    ] = None,
    explain: Annotated[bool, typer.Option("--explain", help="Vis hva poengene er satt sammen av.")] = False,
    page: Annotated[int, typer.Option("--page", min=1, help="Side.")] = 1,
    page_size: Annotated[int, typer.Option("--page-size", min=1, max=20, help="Treff på hver side.")] = 10,
    data_dir: DataDir = None,
    source: Source = None,
    url: Url = None,
    as_json: Json = False,
) -> None:
    """Søk etter bestemmelser.

    Skriv som i et nettsøk: "ord i anførselstegn" må stå samlet, -ord skal ikke være med, OR skiller alternativer.
    """
    from lovsvar.client import Filter
    from lovsvar_local.commands import search as command
    from lovsvar_local.commands.session import Where, run

    where = Where(data_dir, source, url)
    filters: dict[str, Filter] = {
        "law_type": law_type,
        "year": year,
        "ministry": ministry,
        "legal_area": legal_area,
        "dataset": dataset,
        "document": document,
        "in_force_on": in_force_on,
        "mode": mode,
        "explain": explain or None,
        "page": page,
        "page_size": page_size,
    }
    raise typer.Exit(
        run(lambda progress: command.search(query, filters, where, progress, as_json=as_json), as_json=as_json)
    )


@app.command(epilog=exits.IN_WORDS)
def show(
    reference: Annotated[str, typer.Argument(metavar="HENVISNING", help="For eksempel «husleieloven § 3-5».")],
    data_dir: DataDir = None,
    source: Source = None,
    url: Url = None,
    as_json: Json = False,
) -> None:
    """Vis en bestemmelse, eller innholdet i en lov."""
    from lovsvar_local.commands import show as command
    from lovsvar_local.commands.session import Where, run

    where = Where(data_dir, source, url)
    raise typer.Exit(run(lambda progress: command.show(reference, where, progress, as_json=as_json), as_json=as_json))


@app.command(epilog=exits.IN_WORDS)
def mcp(data_dir: DataDir = None, source: Source = None, url: Url = None) -> None:
    """Gi språkmodeller norsk lov over MCP, på standard inn og ut."""
    from lovsvar_local.commands import mcp as command
    from lovsvar_local.commands.session import Where, run

    where = Where(data_dir, source, url)
    raise typer.Exit(run(lambda progress: command.mcp(where, progress), as_json=False))


@app.command("eval", epilog=exits.IN_WORDS)
def evaluate(
    file: Annotated[Path, typer.Argument(metavar="FIL", help="Spørsmål med fasit, ett JSON-objekt på hver linje.")],
    *,
    mode: Annotated[
        list[Mode] | None,
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
    from lovsvar_contracts.search import SearchMode
    from lovsvar_local.commands import evaluate as command
    from lovsvar_local.commands.session import Where, run
    from lovsvar_local.evaluation import Part
    from lovsvar_local.progress import Progress

    where, modes = Where(data_dir, source, url), [SearchMode(m) for m in dict.fromkeys(mode or ())] or list(SearchMode)

    async def measured(progress: Progress) -> int:
        questions = command.chosen_questions(file, Part(part))
        return await command.evaluate(questions, modes, Part(part), where, progress, misses=misses, as_json=as_json)

    raise typer.Exit(run(measured, as_json=as_json))


@app.command(epilog=exits.IN_WORDS)
def status(data_dir: DataDir = None, source: Source = None, url: Url = None, as_json: Json = False) -> None:
    """Vis hva som er lagret, og hvordan tjenestene har det."""
    from lovsvar_local.commands import status as command
    from lovsvar_local.commands.session import Where, run

    where = Where(data_dir, source, url)
    raise typer.Exit(run(lambda progress: command.status(where, progress, as_json=as_json), as_json=as_json))


@app.command(epilog=exits.IN_WORDS)
def doctor(
    online: Annotated[bool, typer.Option("--online", help="Prøv også språkmodellen, med ett kall.")] = False,
    data_dir: DataDir = None,
    url: Url = None,
    as_json: Json = False,
) -> None:
    """Undersøk systemet, og si hva som er galt og hva du kan gjøre. Starter ingenting."""
    from lovsvar_local.commands import doctor as command
    from lovsvar_local.commands.session import Where, run

    where = Where(data_dir, url=url)
    raise typer.Exit(
        run(lambda progress: command.doctor(where, progress, online=online, as_json=as_json), as_json=as_json)
    )


@app.command(epilog=exits.IN_WORDS)
def backup(
    file: Annotated[Path, typer.Argument(metavar="FIL", help="Fila som lages; den må ikke finnes.")],
    data_dir: DataDir = None,
    as_json: Json = False,
) -> None:
    """Lag en sikkerhetskopi av loven, svarene, spørsmålene i kø og revisjonsloggen, også mens alt kjører."""
    from lovsvar_local.commands import backup as command
    from lovsvar_local.commands.session import Where, run

    where = Where(data_dir)
    raise typer.Exit(run(lambda progress: command.backup(file, where, progress, as_json=as_json), as_json=as_json))


@app.command(epilog=exits.IN_WORDS)
def restore(
    file: Annotated[Path, typer.Argument(metavar="FIL", help="Sikkerhetskopien.")],
    force: Annotated[bool, typer.Option("--force", help="Erstatt det som er lagret fra før.")] = False,
    data_dir: DataDir = None,
    as_json: Json = False,
) -> None:
    """Gjenopprett en sikkerhetskopi, og si fra når loven kan søkes i."""
    from lovsvar_local.commands import restore as command
    from lovsvar_local.commands.session import Where, run

    where = Where(data_dir)
    raise typer.Exit(
        run(lambda progress: command.restore(file, where, progress, force=force, as_json=as_json), as_json=as_json)
    )


@app.command(epilog=exits.IN_WORDS)
def setup(
    folder: Annotated[Path, typer.Argument(metavar="MAPPE", help="Mappa som hemmelighetene skal ligge i.")] = Path(
        "secrets"
    ),
    as_json: Json = False,
) -> None:
    """Lag nøklene og passordene som containerne trenger. Det som finnes fra før, beholdes."""
    from lovsvar_local.commands import setup as command
    from lovsvar_local.commands.session import run_now

    raise typer.Exit(run_now(lambda: command.setup(folder, as_json=as_json), as_json=as_json))


@keys.command("add", epilog=exits.IN_WORDS)
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
    from lovsvar_local.commands.session import run_now

    limits = Limits(
        per_minute=per_minute, concurrent=concurrent, questions_per_minute=questions_per_minute, queued=queued
    )
    scopes = [Scope(s) for s in scope]
    raise typer.Exit(run_now(lambda: command.add(file, name, scopes, limits, as_json=as_json), as_json=as_json))


@keys.command("list", epilog=exits.IN_WORDS)
def list_keys(file: KeysFile, as_json: Json = False) -> None:
    """Vis nøklene, uten det hemmelige."""
    from lovsvar_local.commands import keys as command
    from lovsvar_local.commands.session import run_now

    raise typer.Exit(run_now(lambda: command.list_all(file, as_json=as_json), as_json=as_json))


@keys.command("revoke", epilog=exits.IN_WORDS)
def revoke_key(
    name: Annotated[str, typer.Argument(metavar="NAVN", help="Nøkkelen som ikke skal gjelde lenger.")], file: KeysFile
) -> None:
    """Trekk tilbake en nøkkel. Det gjelder innen ett sekund, og det den har åpent avsluttes straks etter."""
    from lovsvar_local.commands import keys as command
    from lovsvar_local.commands.session import run_now

    raise typer.Exit(run_now(lambda: command.revoke(file, name), as_json=False))


def main() -> None:
    """Run the command that was typed."""
    signals.end_quietly()
    # Looking for pydantic's plugins reads every installed package's metadata; none is used here.
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "1")
    sys.exit(app())
