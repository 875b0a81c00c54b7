"""`lovsvar ask`, `search` and `show`: what the law says."""

from enum import StrEnum
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from lovsvar_local.cli.execution import run
from lovsvar_local.cli.options import DataDir, Json, LawType, Ministry, SearchMode, Source, Url, Year

if TYPE_CHECKING:
    from lovsvar.client import Filter


class AnswerMode(StrEnum):
    """`Mode` of the contracts, which are too slow to load for the help."""

    AGENT = "agent"
    EXTRACTIVE = "extractive"
    DIRECT = "direct"


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
    from lovsvar_contracts.questions import Mode
    from lovsvar_local.commands import ask as command

    options = command.AskOptions(Mode(mode) if mode else None, law_type, year, ministry, follows)
    run(partial(command.ask, question, options), data_dir, source, url, as_json=as_json)


LegalArea = Annotated[str | None, typer.Option("--legal-area", metavar="NAVN", help="Del av navnet på et rettsområde.")]
Dataset = Annotated[
    str | None, typer.Option("--dataset", metavar="NAVN", help="Bare dette datasettet, som gjeldende-lover.")
]
Document = Annotated[
    str | None, typer.Option("--document", metavar="REFID", help="Bare i dette dokumentet, som lov/1999-03-26-17.")
]
InForceOn = Annotated[
    str | None,
    typer.Option("--in-force-on", metavar="DATO", help="Bare det som gjaldt eller vil gjelde da: 2026-01-31."),
]
RankedBy = Annotated[
    SearchMode | None,
    typer.Option("--mode", help="Ranger etter ord, etter mening (vektorer) eller begge deler.", show_default=False),
]


def search(
    query: Annotated[str, typer.Argument(metavar="SØK", help="Ordene du leter etter.")],
    *,
    law_type: LawType = None,
    year: Year = None,
    ministry: Ministry = None,
    legal_area: LegalArea = None,
    dataset: Dataset = None,
    document: Document = None,
    in_force_on: InForceOn = None,
    mode: RankedBy = None,
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
    from lovsvar_local.commands import search as command

    filters: dict[str, Filter] = {"law_type": law_type, "year": year, "ministry": ministry, "legal_area": legal_area}
    filters |= {"dataset": dataset, "document": document, "in_force_on": in_force_on, "mode": mode}
    filters |= {"explain": explain or None, "page": page, "page_size": page_size}
    run(partial(command.search, query, filters), data_dir, source, url, as_json=as_json)


def show(
    reference: Annotated[str, typer.Argument(metavar="HENVISNING", help="For eksempel «husleieloven § 3-5».")],
    data_dir: DataDir = None,
    source: Source = None,
    url: Url = None,
    as_json: Json = False,
) -> None:
    """Vis en bestemmelse, eller innholdet i en lov."""
    from lovsvar_local.commands import show as command

    run(partial(command.show, reference), data_dir, source, url, as_json=as_json)
