"""`lovsvar case draft`, `drafts` and `templates`."""

from collections.abc import Coroutine
from pathlib import Path
from typing import Any

from lovsvar.cases import Cases
from lovsvar_contracts.case_drafts import MOST_MARKDOWN, Draft, DraftTemplate
from lovsvar_local import exits
from lovsvar_local.commands.cases import COMMAND
from lovsvar_local.commands.session import Where, open_session
from lovsvar_local.errors import BadArgument
from lovsvar_local.progress import Progress


def draft(
    where: Where,
    progress: Progress,
    *,
    case_id: str,
    values: list[str] | None,
    text: Path | None,
    pdf: Path | None,
    docx: Path | None,
    **about: str | None,
) -> Coroutine[Any, Any, int]:
    """Write a draft, and the files that are asked for. Raises `BadArgument`."""
    if (text is None) == (about["template"] is None):
        raise BadArgument("Si enten hvilken mal (--template) eller hvilken tekst (--text) utkastet skrives av.")
    files = _files(pdf, docx)
    body = {**about, "values": _values(values or []), "markdown": None if text is None else _markdown(text)}
    return _draft(where, progress, case_id, body, files)


async def _draft(where: Where, progress: Progress, case_id: str, body: dict[str, Any], files: dict[str, Path]) -> int:
    async with open_session(where, COMMAND, progress) as session:
        cases = session.gateway.cases
        written = await cases.write_draft(case_id, **body)
        await _save_files(cases, written, files, progress)
    progress.result(written, _shown(written))
    return exits.OK


def drafts(
    where: Where,
    progress: Progress,
    *,
    case_id: str,
    draft_id: str | None,
    revision: int,
    pdf: Path | None,
    docx: Path | None,
) -> Coroutine[Any, Any, int]:
    """Print the revisions of a case's drafts, or one of them; or save it as files. Raises `BadArgument`."""
    files = _files(pdf, docx)
    if files and draft_id is None:
        raise BadArgument("Si hvilket utkast det gjelder, med --draft.")
    if draft_id is None:
        return _list(where, progress, case_id)
    return _revision(where, progress, case_id, draft_id, revision, files)


async def _list(where: Where, progress: Progress, case_id: str) -> int:
    async with open_session(where, COMMAND, progress) as session:
        found = await session.gateway.cases.drafts(case_id)
    lines = (f"{one.draft_id}  {one.revision:3}  {one.made_at:%Y-%m-%d %H:%M}  {one.name}" for one in found.drafts)
    progress.result(found, "\n".join(lines) or "Ingen utkast.")
    return exits.OK


async def _revision(
    where: Where, progress: Progress, case_id: str, draft_id: str, revision: int, files: dict[str, Path]
) -> int:
    async with open_session(where, COMMAND, progress) as session:
        found = await session.gateway.cases.read_draft(case_id, draft_id, revision)
        await _save_files(session.gateway.cases, found, files, progress)
    progress.result(found, found.markdown)
    return exits.OK


def _files(pdf: Path | None, docx: Path | None) -> dict[str, Path]:
    files = {kind: path for kind, path in (("pdf", pdf), ("docx", docx)) if path is not None}
    for path in files.values():
        if path.exists():
            raise BadArgument(f"{path} finnes fra før. Velg et annet navn.")
    return files


async def _save_files(cases: Cases, draft: Draft, files: dict[str, Path], progress: Progress) -> None:
    for kind, path in files.items():
        content = await cases.draft_file(draft.case_id, draft.draft_id, draft.revision, kind)
        _save(path, content)
        progress.say(f"Lagret {path} ({len(content)} byte).")


async def templates(where: Where, progress: Progress, *, template_id: str | None) -> int:
    """Print the templates, or one with its text."""
    async with open_session(where, COMMAND, progress) as session:
        if template_id is not None:
            template = await session.gateway.cases.template(template_id)
            progress.result(template, f"{_template(template)}\n\n{template.markdown}")
            return exits.OK
        found = await session.gateway.cases.templates()
    progress.result(found, "\n".join(map(_template, found.templates)))
    return exits.OK


def _values(written: list[str]) -> dict[str, str]:
    pairs = [one.partition("=") for one in written]
    if wrong := next((name for name, equals, _ in pairs if not equals or not name), None):
        raise BadArgument(f"«{wrong}» er ikke et felt. Skriv for eksempel frist=1.10.2026.")
    return {name: value for name, _, value in pairs}


def _markdown(path: Path) -> str:
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as exc:
        raise BadArgument(f"Kan ikke lese {path} som tekst.") from exc
    if not 0 < len(text) <= MOST_MARKDOWN:
        raise BadArgument(f"{path} har {len(text)} tegn; et utkast har mellom 1 og {MOST_MARKDOWN}.")
    return text


def _save(path: Path, content: bytes) -> None:
    """Write a file that its owner alone may read."""
    try:
        path.touch(mode=0o600)
        path.write_bytes(content)
    except OSError as exc:
        raise BadArgument(f"Kan ikke skrive {path}: {exc.strerror or exc}.") from exc


def _shown(draft: Draft) -> str:
    lines = [f"{draft.draft_id}  {draft.name}, revisjon {draft.revision}"]
    lines += [f"- {one.title}" for one in draft.sources]
    lines += [f"Ikke funnet ordrett: «{quote}»" for quote in draft.unverified]
    return "\n".join(lines)


def _template(template: DraftTemplate) -> str:
    asked = ", ".join(f"[{one.name}]" if one.optional else one.name for one in template.fields)
    line = f"{template.template_id:32} {template.title_nb}\n{'':32} {asked}"
    return line if template.status == "offered" else f"{line}\n{'':32} {template.reason}"
