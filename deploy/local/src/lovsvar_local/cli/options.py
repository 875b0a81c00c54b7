"""Options that several commands take, and from options to an exit code.

What runs a command is loaded when one is run, not for the help.
"""

import functools
import inspect
from collections.abc import Callable
from enum import StrEnum
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any

import typer

from lovsvar_local import exits

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

# The contracts, which hold these names too, are too slow to load for the help.
AnswerMode = StrEnum("AnswerMode", ["AGENT", "EXTRACTIVE", "DIRECT"])
SearchMode = StrEnum("SearchMode", ["LEXICAL", "VECTOR", "HYBRID"])

SHARED = {"data_dir": DataDir, "source": Source, "url": Url, "as_json": Json}


def command(app: typer.Typer, name: str, *shared: str, work: str = "") -> Callable[[Callable[..., None]], None]:
    """Add a command with the options of the function below and the `shared` ones, in this order.

    It runs the function `work` ("module.function", both named like the function below when empty) of
    `lovsvar_local.commands` with where the system is, its progress and these options, and ends with its exit code.
    """

    def add(options: Callable[..., None]) -> None:
        @functools.wraps(options)
        def run(**given: Any) -> None:
            from lovsvar_local.commands import session

            module, _, function = (work or f"{options.__name__}.{options.__name__}").partition(".")
            does = getattr(import_module(f"lovsvar_local.commands.{module}"), function)
            common = {name: given.pop(name) for name in shared}
            as_json = common.pop("as_json", False)
            where = session.Where(**common)
            raise typer.Exit(session.run(lambda progress: does(where, progress, **given), as_json=as_json))

        keyword, own = inspect.Parameter.KEYWORD_ONLY, inspect.signature(options).parameters.values()
        unset = {"as_json": False}
        more = (inspect.Parameter(n, keyword, default=unset.get(n), annotation=SHARED[n]) for n in shared)
        run.__signature__ = inspect.Signature([*own, *more])  # type: ignore[attr-defined]
        app.command(name, epilog=exits.IN_WORDS)(run)

    return add
