"""`lovsvar case` about tiers, credit, help, and the master key."""

from typing import Annotated, Literal

import typer

from lovsvar_local.cli import options
from lovsvar_local.cli.cases import SHARED, CaseId


def tiers(
    locale: Annotated[
        Literal["nb", "nn", "en"], typer.Option("--locale", help="Bokmål, nynorsk eller engelsk.")
    ] = "nb",
) -> None:
    """Vis nivåene som saker kan ha, og hva de er for."""


def quota(
    tier: Annotated[int, typer.Argument(metavar="NIVÅ", min=1, max=3, help="1, 2 eller 3.")],
    *,
    for_organisation: Annotated[
        bool, typer.Option("--for-organisation", help="Organisasjonens, ikke din egen.")
    ] = False,
) -> None:
    """Vis om det er kreditt til en sak til på et nivå."""


def subscribe(
    account: Annotated[str, typer.Argument(metavar="KONTO", help="key:<nøkkelens navn> eller org:<organisasjon>.")],
    cases: Annotated[list[str], typer.Argument(metavar="NIVÅ=ANTALL", help="Som 1=20 2=5.")],
    *,
    starts: Annotated[str, typer.Option("--from", metavar="DATO", help="Første dag, som 2026-01-01.")],
    ends: Annotated[str, typer.Option("--to", metavar="DATO", help="Siste dag.")],
) -> None:
    """Bestem hvor mange saker en konto får i en periode (for den som drifter)."""


def ask_for_help(
    case_id: CaseId, issue: Annotated[str, typer.Argument(metavar="TEKST", help="Hva som er galt.")]
) -> None:
    """Be brukerstøtten om hjelp. Saken stanses til noen har sett på den."""


def tickets(
    case_id: Annotated[
        str | None, typer.Argument(metavar="SAK", help="Sakens id; uten den vises alle åpne (for den som drifter).")
    ] = None,
) -> None:
    """Vis henvendelser til brukerstøtten."""


def resolve(
    ticket_id: Annotated[str, typer.Argument(metavar="HENVENDELSE", help="Id-en; «lovsvar case tickets» viser dem.")],
) -> None:
    """Si at en henvendelse er løst (for den som drifter). Saken går videre der den ble stanset."""


def rotate_key() -> None:
    """Bytt hovednøkkelen som sakene er låst med (for den som drifter). Kan avbrytes, og kjøres igjen."""


def add_to(app: typer.Typer) -> None:
    """Add the commands to `lovsvar case`."""
    for name, does, work in (
        ("tiers", tiers, "tiers"),
        ("quota", quota, "quota"),
        ("subscribe", subscribe, "subscribe"),
        ("ticket", ask_for_help, "ask_for_help"),
        ("tickets", tickets, "tickets"),
        ("resolve", resolve, "resolve"),
        ("rotate-key", rotate_key, "rotate_key"),
    ):
        options.command(app, name, *SHARED, work=f"case_operation.{work}")(does)
