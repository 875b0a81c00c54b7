"""`lovsvar case document`: the documents of a case."""

from pathlib import Path
from typing import Annotated

import typer

from lovsvar_local.cli import options
from lovsvar_local.cli.cases import SHARED, CaseId


def document(
    case_id: CaseId,
    file: Annotated[
        Path | None, typer.Argument(metavar="FIL", help="Legg ved denne fila. Uten fil vises dokumentene i saken.")
    ] = None,
    *,
    name: Annotated[str | None, typer.Option("--name", metavar="NAVN", help="Navnet; ellers filas.")] = None,
    document_id: Annotated[
        str | None, typer.Option("--id", metavar="DOKUMENT", help="Vis teksten i dette dokumentet, side for side.")
    ] = None,
    save: Annotated[
        Path | None, typer.Option("--save", metavar="FIL", help="Lagre dokumentet som --id nevner, her.")
    ] = None,
    remove: Annotated[bool, typer.Option("--remove", help="Slett dokumentet som --id nevner.")] = False,
    search: Annotated[str | None, typer.Option("--search", metavar="ORD", help="Søk i dokumentene.")] = None,
    quote: Annotated[str | None, typer.Option("--quote", metavar="SITAT", help="Finn siden et sitat står på.")] = None,
) -> None:
    """Legg ved, vis, søk i eller slett dokumentene i en sak."""


def add_to(app: typer.Typer) -> None:
    """Add the command to `lovsvar case`."""
    options.command(app, "document", *SHARED, work="case_documents.document")(document)
