"""`lovsvar case document`."""

from collections.abc import Coroutine
from pathlib import Path
from typing import Any

from lovsvar.cases import Cases
from lovsvar_contracts import case_documents as wire
from lovsvar_contracts.message import Message
from lovsvar_local import exits
from lovsvar_local.commands.cases import COMMAND
from lovsvar_local.commands.session import Where, open_session
from lovsvar_local.errors import BadArgument
from lovsvar_local.progress import Progress


def document(
    where: Where, progress: Progress, *, case_id: str, file: Path | None, document_id: str | None, **asked: Any
) -> Coroutine[Any, Any, int]:
    """Hand in, print, search, save or remove documents. Raises `BadArgument`."""
    if document_id is None and (asked["save"] or asked["remove"]):
        raise BadArgument("Si hvilket dokument det gjelder, med --id.")
    if asked["save"] is not None and asked["save"].exists():
        raise BadArgument(f"{asked['save']} finnes fra før. Velg et annet navn.")
    content = None if file is None else _content(file)
    name = asked["name"] or (file.name if file else "")
    return _document(where, progress, case_id, (name, content), document_id, asked)


async def _document(
    where: Where,
    progress: Progress,
    case_id: str,
    given: tuple[str, bytes | None],
    document_id: str | None,
    asked: dict[str, Any],
) -> int:
    name, content = given
    async with open_session(where, COMMAND, progress) as session:
        cases = session.gateway.cases
        if document_id is not None and asked["save"] is not None:
            saved = await cases.document_content(case_id, document_id)
            _save(asked["save"], saved)
            progress.say(f"Lagret {asked['save']} ({len(saved)} byte).")
            return exits.OK
        if content is not None:
            await cases.add_document(case_id, name, content)
        result, words = await _result(cases, case_id, document_id, asked)
    progress.result(result, words)
    return exits.OK


async def _result(cases: Cases, case_id: str, document_id: str | None, asked: dict[str, Any]) -> tuple[Message, str]:
    if asked["search"]:
        hits = await cases.search_documents(case_id, asked["search"])
        lines = (f"{hit.name}, side {hit.page}: {hit.snippet}" for hit in hits.hits)
        return hits, "\n".join(lines) or "Ingen dokumenter i saken har disse ordene."
    if asked["quote"]:
        verified = await cases.verify_quote(case_id, asked["quote"], document_id)
        places = (f"{one.name}, side {one.page}" for one in verified.places)
        return verified, "\n".join(places) or "Sitatet står ikke ordrett i noe dokument i saken."
    if document_id is None:
        found = await cases.documents(case_id)
    elif asked["remove"]:
        found = await cases.remove_document(case_id, document_id)
    else:
        pages = await _pages(cases, case_id, document_id)
        return pages, "\n\n".join(f"Side {page.number}\n{page.text or '(ikke lest)'}" for page in pages.pages)
    return found, "\n".join(map(_line, found.documents)) or "Saken har ingen dokumenter."


async def _pages(cases: Cases, case_id: str, document_id: str) -> wire.DocumentPages:
    found: list[wire.DocumentPage] = []
    first: int | None = 1
    while first is not None:
        page = await cases.document_pages(case_id, document_id, first)
        found += page.pages
        first = page.next
    return wire.DocumentPages(case_id=case_id, document_id=document_id, pages=tuple(found))


def _content(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as exc:
        raise BadArgument(f"Kan ikke lese {file}: {exc.strerror or exc}.") from exc


def _save(path: Path, content: bytes) -> None:
    """Write a file that its owner alone may read."""
    try:
        path.touch(mode=0o600)
        path.write_bytes(content)
    except OSError as exc:
        raise BadArgument(f"Kan ikke skrive {path}: {exc.strerror or exc}.") from exc


_STATES = {"reading": "leses", "ready": "lest", "refused": "avvist"}


def _line(document: wire.CaseDocument) -> str:
    said = [f"{document.document_id}  {document.pages:4} sider  {_STATES[document.state]:6}  {document.name}"]
    return "\n  ".join([*said, *document.notes, *([document.problem] if document.problem else [])])
