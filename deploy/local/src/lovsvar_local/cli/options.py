"""Options that several commands take, and from options to an exit code.

What runs a command is loaded when one is run, not for the help.
"""

import functools
import inspect
from collections.abc import Callable, Coroutine
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, NoReturn

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

# The contracts, which hold these names too, are too slow to load for the help.
AnswerMode = StrEnum("AnswerMode", ["AGENT", "EXTRACTIVE", "DIRECT"])
SearchMode = StrEnum("SearchMode", ["LEXICAL", "VECTOR", "HYBRID"])

SHARED = {"data_dir": DataDir, "source": Source, "url": Url, "as_json": Json}

Work = Callable[..., Coroutine[Any, Any, int]]
"""What a command does, called with where the system is, its progress and, where it has that option, `as_json`."""


def located(choose: Callable[..., Work], *names: str) -> Callable[..., None]:
    """Return a command with the options of `choose` and those of `SHARED` by `names`, that runs what `choose` returns.

    It ends with the exit code of that.
    """

    @functools.wraps(choose)
    def command(**given: Any) -> None:
        from lovsvar_local import signals
        from lovsvar_local.commands import session

        shared = {name: given.pop(name) for name in names}
        with_json = {name: shared.pop(name) for name in names if name == "as_json"}
        where, work = session.Where(**shared), functools.partial(choose(**given), **with_json)
        raise typer.Exit(session.run(lambda progress: signals.run(lambda: work(where, progress)), **with_json))

    own = inspect.signature(choose).parameters.values()
    more = (
        inspect.Parameter(
            name, inspect.Parameter.KEYWORD_ONLY, default=False if name == "as_json" else None, annotation=SHARED[name]
        )
        for name in names
    )
    command.__signature__ = inspect.Signature([*own, *more])  # type: ignore[attr-defined]
    return command


def run_now(work: Callable[[], int], *, as_json: bool = False) -> NoReturn:
    """Run `work`, which waits for nothing, and end with its exit code."""
    from lovsvar_local.commands import session

    raise typer.Exit(session.run(lambda _: work(), as_json=as_json))
