"""Everything that is stored in a case as one zip file, sent as it is made: a piece of it at a time is in memory."""

import asyncio
import base64
import hashlib
import io
import json
import re
import zipfile
from collections.abc import AsyncGenerator, AsyncIterator, Iterable
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Any

from lovsvar_contracts import case_accesses, case_documents, case_drafts, cases, subjects
from lovsvar_contracts.message import Message, utc_now
from lovsvar_contracts.problems import ProblemError, ProblemType
from lovsvar_gateway.adapters.cases import CaseDesk
from lovsvar_gateway.adapters.runs import CallerRuns
from lovsvar_gateway.core.errors import UnknownRun

CONTENTS = "innhold.json"
"""The last file: the name, the size and the SHA-256 of every other, and what could not be had."""

_UNSAFE = re.compile(r"[^\w .,()@+-]+|^\.+")


@dataclass(frozen=True)
class Entry:
    """A file of the archive; `packed` is one whose content is compressed already."""

    name: str
    pieces: AsyncIterator[bytes]
    packed: bool = False


@dataclass
class CaseExport:
    """The archive of one case, as one caller may have it. Everything raises `ProblemError`."""

    desk: CaseDesk
    runs: CallerRuns
    case: cases.Case
    missing: list[dict[str, str]] = field(default_factory=list)

    async def stream(self) -> AsyncGenerator[bytes, None]:
        """Yield the archive. What fails midway ends it, so that its reader does not take it for whole."""
        outlet = _Outlet()
        listed: list[dict[str, Any]] = []
        with zipfile.ZipFile(outlet, "w", zipfile.ZIP_DEFLATED) as archive:
            async with aclosing(self._entries()) as entries:
                async for entry in entries:
                    size, digest = 0, hashlib.sha256()
                    with archive.open(_info(entry), "w") as file:
                        async for piece in entry.pieces:
                            await asyncio.to_thread(file.write, piece)
                            size += len(piece)
                            digest.update(piece)
                            yield outlet.taken()
                    listed.append({"name": entry.name, "bytes": size, "sha256": digest.hexdigest()})
                    yield outlet.taken()
            contents = {
                "case_id": self.case.case_id,
                "version": self.case.version,
                "made_at": utc_now().isoformat(),
                "files": listed,
                "missing": self.missing,
            }
            archive.writestr(_info(Entry(CONTENTS, _whole(b""))), json.dumps(contents, ensure_ascii=False, indent=1))
        yield outlet.taken()

    async def _entries(self) -> AsyncGenerator[Entry, None]:
        yield _json("sak.json", self.case)
        yield _json("parter.json", await self._ask(subjects.CASES_PARTIES, cases.ReadParties, cases.Parties))
        yield Entry("historikk.jsonl", self._history())
        yield Entry("innsyn.jsonl", self._accesses())
        tickets = await self._ask(subjects.CASES_TICKETS, cases.ListTickets, cases.Tickets)
        yield _json("henvendelser.json", cases.Tickets.model_validate(await self._shown(tickets)))
        for entries in (self._answers(), self._drafts(), self._documents()):
            async with aclosing(entries):
                async for entry in entries:
                    yield entry

    async def _history(self) -> AsyncIterator[bytes]:
        """Yield all changes, a line each: a version of the case is made of those up to it."""
        after: int | None = 0
        while after is not None:
            page = await self._ask(subjects.CASES_HISTORY, cases.ReadHistory, cases.History, after=after)
            yield _lines((await self._shown(page))["changes"])
            after = page.next if page.next is not None and page.next > after else None

    async def _accesses(self) -> AsyncIterator[bytes]:
        """Yield who looked at the case, a line each, newest first."""
        kinds = (case_accesses.ReadAccesses, case_accesses.Accesses)
        page = await self._ask(subjects.CASES_ACCESSES, *kinds)
        yield _lines(page.model_dump(mode="json")["accesses"])
        while page.next is not None:
            page = await self._ask(subjects.CASES_ACCESSES, *kinds, before=page.next)
            yield _lines(page.model_dump(mode="json")["accesses"])

    async def _answers(self) -> AsyncGenerator[Entry, None]:
        """Yield the answers that are kept with their sources; the words of all are in the log of the case."""
        for run_id in dict.fromkeys(one.run_id for one in self.case.state.details.agent_interactions.log if one.run_id):
            try:
                answer = await self.runs.snapshot(run_id)
            except UnknownRun:
                self._miss(f"svar/{run_id}.json", "Svaret med kildene er ikke lagret lenger.")
                continue
            shown = await self._shown(answer)
            yield Entry(f"svar/{run_id}.json", _whole(json.dumps(shown, ensure_ascii=False, indent=1).encode()))

    async def _drafts(self) -> AsyncGenerator[Entry, None]:
        """Yield every revision of every draft: with its sources, as Markdown, as PDF and as DOCX."""
        for status in self.case.state.details.draft_status:
            for revision in range(1, status.revision + 1):
                about: dict[str, Any] = {"draft_id": status.draft_id, "revision": revision}
                place = f"utkast/{status.draft_id}/{revision}"
                kinds = (case_drafts.ReadDraft, case_drafts.Draft)
                try:
                    draft = await self._ask(subjects.CASES_READ_DRAFT, *kinds, **about)
                except ProblemError as exc:
                    if exc.problem.type is not ProblemType.NOT_FOUND:
                        raise
                    # Whoever writes in the details of a case may name drafts that there are not.
                    self._miss(f"{place}.json", exc.problem.detail)
                    break
                yield _json(f"{place}.json", draft)
                yield Entry(f"{place}.md", _whole(draft.markdown.encode()))
                for kind in case_drafts.DraftFormat:
                    if (content := await self._rendered(f"{place}.{kind}", kind, about)) is not None:
                        yield Entry(f"{place}.{kind}", _whole(content), packed=True)

    async def _rendered(self, name: str, kind: case_drafts.DraftFormat, about: dict[str, Any]) -> bytes | None:
        kinds = (case_drafts.RenderDraft, case_drafts.RenderedDraft)
        try:
            made = await self._ask(subjects.CASES_RENDER_DRAFT, *kinds, **about, format=kind)
        except ProblemError as exc:
            if exc.problem.retryable:
                raise
            # As when a party of it was forgotten.
            self._miss(name, exc.problem.detail)
            return None
        return base64.b64decode(made.content)

    async def _documents(self) -> AsyncGenerator[Entry, None]:
        """Yield every document as it was handed in, and the text that was read of it."""
        kinds = (case_documents.ListCaseDocuments, case_documents.CaseDocuments)
        found = await self._ask(subjects.CASES_DOCUMENTS, *kinds)
        yield _json("dokumenter.json", found)
        for one in found.documents:
            name = f"dokumenter/{one.document_id}/{_safe(one.name)}"
            if one.state is case_documents.DocumentState.REFUSED:
                self._miss(name, one.problem)
                continue
            yield Entry(name, self._content(one.document_id), packed=True)
            if one.state is case_documents.DocumentState.READY:
                yield Entry(f"dokumenter/{one.document_id}.sider.jsonl", self._pages(one.document_id))

    async def _content(self, document_id: str) -> AsyncIterator[bytes]:
        number, last = 0, False
        while not last:
            kinds = (case_documents.ReadDocumentPart, case_documents.DocumentPart)
            part = await self._ask(subjects.CASES_READ_DOCUMENT_PART, *kinds, document_id=document_id, number=number)
            yield base64.b64decode(part.content)
            number, last = number + 1, part.last

    async def _pages(self, document_id: str) -> AsyncIterator[bytes]:
        first: int | None = 1
        while first is not None:
            kinds = (case_documents.ReadPages, case_documents.DocumentPages)
            page = await self._ask(subjects.CASES_READ_PAGES, *kinds, document_id=document_id, first=first)
            yield _lines(page.model_dump(mode="json")["pages"])
            first = page.next

    def _miss(self, name: str, why: str) -> None:
        self.missing.append({"name": name, "why": why})

    async def _ask(self, subject: str, kind: type[Any], reply: type[Any], **fields: Any) -> Any:
        return await self.desk.ask(subject, kind, reply, case_id=self.case.case_id, **fields)

    async def _shown(self, message: Message) -> dict[str, Any]:
        return await self.desk.shown(self.case.case_id, message.model_dump(mode="json"))


class _Outlet(io.RawIOBase):
    """What the archive is written to, until it is taken."""

    def __init__(self) -> None:
        self._held = bytearray()

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        self._held += data
        return len(data)

    def taken(self) -> bytes:
        """Return what was written since this was last called."""
        held, self._held = bytes(self._held), bytearray()
        return held


def _info(entry: Entry) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(entry.name, utc_now().timetuple()[:6])
    info.compress_type = zipfile.ZIP_STORED if entry.packed else zipfile.ZIP_DEFLATED
    return info


def _json(name: str, message: Message) -> Entry:
    return Entry(name, _whole(message.model_dump_json(indent=1).encode()))


def _lines(rows: Iterable[Any]) -> bytes:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode()


def _safe(name: str) -> str:
    """Return a name that is no path, whatever the document was called."""
    return _UNSAFE.sub("_", name).strip() or "dokument"


async def _whole(content: bytes) -> AsyncIterator[bytes]:
    yield content
