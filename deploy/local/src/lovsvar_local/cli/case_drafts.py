"""`lovsvar case draft`, `drafts` and `templates`: letters, pleadings and agreements of a case."""

from pathlib import Path
from typing import Annotated

import typer

from lovsvar_local.cli import options
from lovsvar_local.cli.cases import SHARED, CaseId

Target = Annotated[Path | None, typer.Option(metavar="FIL", help="Lagre dokumentet her.", show_default=False)]


def draft(
    case_id: CaseId,
    values: Annotated[
        list[str] | None, typer.Argument(metavar="FELT=VERDI", help="Det malen spør om, som frist=1.10.2026.")
    ] = None,
    *,
    template: Annotated[
        str | None, typer.Option("--template", metavar="MAL", help="Malen; «lovsvar case templates» viser dem.")
    ] = None,
    text: Annotated[
        Path | None, typer.Option("--text", metavar="FIL", help="Markdown med plassholdere som {{party0.name}}.")
    ] = None,
    draft_id: Annotated[
        str | None, typer.Option("--draft", metavar="UTKAST", help="Lag neste revisjon av dette utkastet.")
    ] = None,
    name: Annotated[str | None, typer.Option("--name", metavar="NAVN", help="Navnet på utkastet.")] = None,
    pdf: Target = None,
    docx: Target = None,
) -> None:
    """Skriv et utkast fra en mal eller en tekst, og lagre det som PDF eller DOCX."""


def drafts(
    case_id: CaseId,
    *,
    draft_id: Annotated[
        str | None, typer.Option("--draft", metavar="UTKAST", help="Vis teksten i dette utkastet.")
    ] = None,
    revision: Annotated[int, typer.Option("--revision", min=1, help="Revisjonen av det.")] = 1,
    pdf: Target = None,
    docx: Target = None,
) -> None:
    """Vis utkastene i saken, det nyeste først, eller vis eller lagre ett av dem."""


def templates(
    template_id: Annotated[str | None, typer.Argument(metavar="MAL", help="Vis denne malen med teksten.")] = None,
) -> None:
    """Vis malene, hva de spør om, og hvilke som er trukket tilbake."""


def add_to(app: typer.Typer) -> None:
    """Add the commands to `lovsvar case`."""
    options.command(app, "draft", *SHARED, work="case_drafts.draft")(draft)
    options.command(app, "drafts", *SHARED, work="case_drafts.drafts")(drafts)
    options.command(app, "templates", *SHARED, work="case_drafts.templates")(templates)
