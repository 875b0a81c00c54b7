"""Options that several commands take."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

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


class SearchMode(StrEnum):
    """`SearchMode` of the contracts, which are too slow to load for the help."""

    LEXICAL = "lexical"
    VECTOR = "vector"
    HYBRID = "hybrid"
