"""`lovsvar case`: cases and who is part of them."""

from functools import partial
from pathlib import Path
from typing import Annotated, Literal

import typer

from lovsvar_local.cli import options

CaseId = Annotated[str, typer.Argument(metavar="SAK", help="Sakens id; «lovsvar case list» viser dem.")]

case_app = typer.Typer(
    help="Arbeid med saker: hva som har hendt, hvem som er part, og hva som kom ut av det.", no_args_is_help=True
)
command = partial(options.command, case_app)
SHARED = ("data_dir", "url", "as_json")


@command("new", *SHARED, work="cases.new")
def new_case(
    description: Annotated[str, typer.Argument(metavar="BESKRIVELSE", help="Hva saken gjelder, i anførselstegn.")] = "",
    *,
    title: Annotated[str, typer.Option("--title", metavar="TITTEL", help="Et kort navn på saken.")] = "",
    for_organisation: Annotated[
        bool, typer.Option("--for-organisation", help="Alle nøkler i organisasjonen ser saken.")
    ] = False,
) -> None:
    """Opprett en sak, og vis id-en."""


@command("list", *SHARED, work="cases.list_all")
def list_cases(
    phase: Annotated[
        str | None, typer.Option("--phase", metavar="FASE", help="Bare saker i denne fasen: active, waiting, closed …")
    ] = None,
) -> None:
    """Vis sakene, den sist endrede først."""


@command("show", *SHARED, work="cases.show")
def show_case(
    case_id: CaseId,
    *,
    version: Annotated[int | None, typer.Option("--version", min=1, help="Slik saken var da.")] = None,
    history: Annotated[bool, typer.Option("--history", help="Vis hvem som endret hva, og når.")] = False,
) -> None:
    """Vis en sak."""


@command("tell", *SHARED, work="cases.tell")
def tell_case(
    case_id: CaseId,
    words: Annotated[str, typer.Argument(metavar="TEKST", help="Hva som har hendt.")],
    *,
    when: Annotated[str | None, typer.Option("--when", metavar="NÅR", help="En dato, eller ord som «i mai».")] = None,
) -> None:
    """Legg noe som har hendt, til i saken."""


@command("tier", *SHARED, work="cases.tier")
def set_tier(
    case_id: CaseId,
    tier: Annotated[
        int | None, typer.Argument(metavar="NIVÅ", min=1, max=3, help="1, 2 eller 3; uten det foreslås nivået.")
    ] = None,
) -> None:
    """Bestem hvor krevende saken er, og bruk en kreditt."""


@command("party", *SHARED, work="cases.party")
def write_party(
    case_id: CaseId,
    fields: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="FELT=VERDI", help="Som firstName=Kari. Tom verdi glemmer feltet; uten felt vises alle."
        ),
    ] = None,
    *,
    party_id: Annotated[str | None, typer.Option("--id", metavar="PART", help="Endre denne: party0, party1 …")] = None,
    kind: Annotated[
        Literal["person", "organisation"] | None, typer.Option("--kind", help="Hva parten er.", show_default=False)
    ] = None,
    role: Annotated[str | None, typer.Option("--role", metavar="ROLLE", help="Som utleier eller klager.")] = None,
    remove: Annotated[bool, typer.Option("--remove", help="Glem parten som --id nevner.")] = False,
) -> None:
    """Legg til, endre, vis eller glem parter."""


@command("close", *SHARED, work="cases.close")
def close_case(
    case_id: CaseId,
    reason: Annotated[str, typer.Option("--reason", metavar="GRUNN", help="Hvorfor.")] = "",
) -> None:
    """Avslutt en sak. Den kan fortsatt leses."""


@command("reopen", *SHARED, work="cases.reopen")
def reopen_case(
    case_id: CaseId,
    reason: Annotated[str, typer.Option("--reason", metavar="GRUNN", help="Hvorfor.")] = "",
) -> None:
    """Åpne en avsluttet sak igjen."""


@command("set", *SHARED, work="cases.change")
def change_details(
    case_id: CaseId,
    fields: Annotated[
        list[str],
        typer.Argument(metavar="FELT=VERDI", help="Som summary.current=… eller objectives=…; verdien kan være JSON."),
    ],
    *,
    version: Annotated[
        int | None, typer.Option("--version", min=1, help="Versjonen du har lest; trengs for å erstatte noe.")
    ] = None,
) -> None:
    """Endre opplysninger i saken. En listes navn legger til i lista; annet erstatter."""


@command("say", *SHARED, work="cases.say")
def say_in_case(
    case_id: CaseId, message: Annotated[str, typer.Argument(metavar="MELDING", help="Det du vil si eller spørre om.")]
) -> None:
    """Si noe i saken, og få svar."""


@command("follow", *SHARED, work="cases.follow")
def follow_case(
    case_id: CaseId,
    *,
    after: Annotated[
        int | None, typer.Option("--after", metavar="VERSJON", min=0, help="Vis også alt etter denne versjonen.")
    ] = None,
) -> None:
    """Vis det som skjer i saken, mens det skjer. Ctrl-C avslutter."""


@command("accesses", *SHARED, work="cases.accesses")
def show_accesses(case_id: CaseId) -> None:
    """Vis hvem som har sett på saken, også de som ble avvist."""


@command("export", *SHARED, work="cases.export")
def export_case(
    case_id: CaseId, file: Annotated[Path, typer.Argument(metavar="FIL", help="Zip-fila som lages.")]
) -> None:
    """Lagre alt som er i saken, i én fil."""


@command("delete", *SHARED, work="cases.delete")
def delete_case(
    case_id: CaseId, *, yes: Annotated[bool, typer.Option("--yes", help="Slett uten å spørre.")] = False
) -> None:
    """Slett en sak for godt."""
