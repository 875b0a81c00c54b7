"""The work on the documents of a case: taking them in, having them read, searching them and finding quotes."""

import asyncio
import base64
import binascii
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any

from lovsvar_cases.core.casefile import CaseFile, ChangeBody, Step
from lovsvar_cases.core.casework import check_open
from lovsvar_cases.core.files.errors import DocumentRefused, DocumentTooLarge, UnknownDocument
from lovsvar_cases.core.files.kinds import FileKind, kind_of
from lovsvar_cases.core.files.pages import ReadText, places_of
from lovsvar_cases.core.files.ports import Claimed, DocumentDesk
from lovsvar_cases.core.files.word_search import SearchedPage, search_pages, snippet
from lovsvar_cases.core.ports import Books
from lovsvar_contracts import case_documents as wire
from lovsvar_contracts.case_documents import PART_BYTES, CaseDocument, DocumentPage, DocumentState
from lovsvar_contracts.cases import Actor, ActorKind, CaseAction
from lovsvar_contracts.message import utc_now

MOST_ATTEMPTS = 3
MOST_LETTERS = 600_000
"""Bytes of pages in one reply; one page is always in it."""

MOST_PLACES = 10
READER = Actor(name="", kind=ActorKind.SYSTEM)


async def add_part(request: wire.AddDocumentPart, documents: DocumentDesk) -> wire.PartAdded:
    """Store a part of a document. Raises `DocumentTooLarge`."""
    check_open(await documents.cases.read(request.actor, request.case_id))
    try:
        content = base64.b64decode(request.content, validate=True)
    except (binascii.Error, ValueError) as exc:
        raise DocumentRefused("Delen er ikke skrevet i base64.") from exc
    if len(content) > PART_BYTES or request.number * PART_BYTES + len(content) > documents.limits.size:
        raise DocumentTooLarge(f"Dokumentet er større enn {documents.limits.size // 2**20} MB.")
    await documents.store.add_part(request.case_id, request.document_id, request.number, content)
    return wire.PartAdded(document_id=request.document_id, number=request.number)


async def finish_document(request: wire.FinishDocument, documents: DocumentDesk) -> wire.DocumentReply:
    """Take a document in that has come whole, and leave it to be read. Raises `DocumentRefused`."""
    case_id, document_id = request.case_id, request.document_id
    check_open(await documents.cases.read(request.actor, case_id))
    if not (found := await documents.store.documents(case_id, document_id)):
        parts = await documents.store.parts(case_id, document_id)
        if len(parts) != request.parts or any(len(part) != PART_BYTES for part in parts[:-1]):
            raise DocumentRefused("Dokumentet kom ikke helt fram. Send det på nytt.")
        content = b"".join(parts)
        try:
            kind = await asyncio.to_thread(kind_of, content)
        except DocumentRefused:
            await documents.store.remove(case_id, document_id)
            raise
        document = CaseDocument(
            document_id=document_id,
            name=request.name,
            state=DocumentState.READING,
            kind=str(kind),
            size=len(content),
            added_at=utc_now(),
        )
        await documents.store.add(case_id, document)
        found = (document,)
    await _note(request, documents, found[0])
    return wire.DocumentReply(case_id=case_id, document=found[0])


async def _note(request: wire.FinishDocument, documents: DocumentDesk, document: CaseDocument) -> None:
    note = {"document_id": document.document_id, "name": document.name}

    async def decide(_: CaseFile, __: Books) -> Step:
        return Step(CaseAction.DOCUMENT_ADDED, ChangeBody(updates={"documents": [note]}, about=document.document_id))

    await documents.cases.change(request.actor, request.case_id, f"add-{document.document_id}"[:64], decide)


async def read_claimed(claimed: Claimed, documents: DocumentDesk) -> None:
    """Read a document that waits, and store what it says or why it was refused."""
    found = await documents.store.documents(claimed.case_id, claimed.document_id)
    if not found:
        return
    document, changed = found[0], dict[str, Any]()
    try:
        if claimed.attempts > MOST_ATTEMPTS:
            raise DocumentRefused("Dokumentet kunne ikke leses: lesingen ble avbrutt flere ganger.")
        content = b"".join(await documents.store.parts(claimed.case_id, claimed.document_id))
        read = await documents.reader.read(FileKind(document.kind), content)
    except DocumentRefused as exc:
        read, changed = ReadText(), {"state": DocumentState.REFUSED, "problem": str(exc)}
    else:
        changed = {"state": DocumentState.READY, "pages": len(read.pages), "unread": read.unread, "notes": read.notes}
    document = document.model_copy(update=changed)
    if await documents.store.store_read(claimed.case_id, document, read.pages):
        await _note_read(claimed.case_id, documents, document)


async def _note_read(case_id: str, documents: DocumentDesk, document: CaseDocument) -> None:
    async def decide(file: CaseFile, _: Books) -> Step | None:
        if (at := _place(file, document.document_id)) is None:
            return None
        path = f"documents.{at}"
        updates = {f"{path}.summary": document.problem} if document.problem else {f"{path}.pages": document.pages}
        return Step(CaseAction.DOCUMENT_READ, ChangeBody(updates=updates, about=document.document_id))

    await documents.cases.change(READER, case_id, f"read-{document.document_id}"[:64], decide, official=True)


def _place(file: CaseFile, document_id: str) -> int | None:
    ids = [one.document_id for one in file.state.details.documents]
    return ids.index(document_id) if document_id in ids else None


async def read_document(request: wire.ReadCaseDocument, documents: DocumentDesk) -> wire.DocumentReply:
    """Return what a document is, and how far its reading is. Raises `UnknownDocument`."""
    await documents.cases.read(request.actor, request.case_id)
    return wire.DocumentReply(case_id=request.case_id, document=await _known(documents, request))


async def list_documents(request: wire.ListCaseDocuments, documents: DocumentDesk) -> wire.CaseDocuments:
    """Return the documents of a case, also those that were refused, with the reason."""
    await documents.cases.read(request.actor, request.case_id)
    found = await documents.store.documents(request.case_id)
    return wire.CaseDocuments(case_id=request.case_id, documents=tuple(found))


async def read_pages(request: wire.ReadPages, documents: DocumentDesk) -> wire.DocumentPages:
    """Return the text of pages of a document. Raises `UnknownDocument`."""
    await documents.cases.read(request.actor, request.case_id)
    document = await _known(documents, request)
    rows = await documents.store.pages(request.case_id, request.document_id, request.first, wire.MOST_PAGES)
    pages = fitting([page for _, page in rows], MOST_LETTERS)
    last = pages[-1].number if pages else document.pages
    following = last + 1 if last < document.pages else None
    about = {"case_id": request.case_id, "document_id": request.document_id}
    return wire.DocumentPages(**about, pages=tuple(pages), next=following)


def fitting(pages: Sequence[DocumentPage], most: int) -> Sequence[DocumentPage]:
    """Return as many of `pages`, at least one, as have `most` bytes of text together."""
    size = 0
    for at, page in enumerate(pages):
        size += len(page.text.encode())
        if at and size > most:
            return pages[:at]
    return pages


async def read_part(request: wire.ReadDocumentPart, documents: DocumentDesk) -> wire.DocumentPart:
    """Return a part of a document as it was handed in. Raises `UnknownDocument`."""
    await documents.cases.read(request.actor, request.case_id)
    await _known(documents, request)
    content, last = await documents.store.part(request.case_id, request.document_id, request.number)
    written = base64.b64encode(content).decode()
    return wire.DocumentPart(document_id=request.document_id, number=request.number, content=written, last=last)


async def remove_document(request: wire.RemoveDocument, documents: DocumentDesk) -> wire.CaseDocuments:
    """Forget a document, and return those that are left. Raises `UnknownDocument`."""
    check_open(await documents.cases.read(request.actor, request.case_id))
    await _known(documents, request)

    async def decide(file: CaseFile, _: Books) -> Step | None:
        at = _place(file, request.document_id)
        updates = {} if at is None else {f"documents.{at}": None}
        return Step(CaseAction.DOCUMENT_REMOVED, ChangeBody(updates=updates, about=request.document_id))

    # The note first: whoever is cut off between the two can remove the document again.
    await documents.cases.change(request.actor, request.case_id, f"del-{request.document_id}"[:64], decide)
    await documents.store.remove(request.case_id, request.document_id)
    return await list_documents(wire.ListCaseDocuments(actor=request.actor, case_id=request.case_id), documents)


async def search_documents(request: wire.SearchDocuments, documents: DocumentDesk) -> wire.DocumentHits:
    """Return the pages of this case, and of no other, that have the words of a query."""
    pages, forms = await find_pages(request, documents)
    return wire.DocumentHits(case_id=request.case_id, hits=hits_of(pages, forms))


def hits_of(
    pages: Iterable[SearchedPage], forms: Collection[str], shown: Callable[[str], str] = str
) -> tuple[wire.DocumentHit, ...]:
    """Return pages with the piece of each that has most of the words; `shown` is what is to be seen of a text.

    It is given whole pages: at the ends of a piece, and where its lines are joined, it would not know a name.
    """
    return tuple(
        wire.DocumentHit(
            document_id=one.document_id,
            name=shown(one.name),
            page=one.page.number,
            snippet=snippet(shown(one.page.text), forms),
            source=one.page.source,
        )
        for one in pages
    )


async def find_pages(
    request: wire.SearchDocuments, documents: DocumentDesk
) -> tuple[Sequence[SearchedPage], Collection[str]]:
    """Return the pages of this case that have the words of a query, and the forms in which they have them."""
    await documents.cases.read(request.actor, request.case_id)
    names = {one.document_id: one.name for one in await documents.store.documents(request.case_id)}
    rows = await documents.store.pages(request.case_id)
    pages = [SearchedPage(document_id, names.get(document_id, ""), page) for document_id, page in rows if page.text]
    return await asyncio.to_thread(search_pages, request.query, pages)


async def verify_quote(request: wire.VerifyQuote, documents: DocumentDesk) -> wire.VerifiedQuote:
    """Return where a quote is in the documents of this case, word for word."""
    await documents.cases.read(request.actor, request.case_id)
    found = await documents.store.documents(request.case_id, request.document_id)
    if request.document_id is not None and not found:
        raise UnknownDocument(request.document_id)
    places: list[wire.QuotePlace] = []
    for document in found:
        rows = await documents.store.pages(request.case_id, document.document_id)
        places += await asyncio.to_thread(_places, request.quote, document, [page for _, page in rows])
    return wire.VerifiedQuote(case_id=request.case_id, verified=bool(places), places=tuple(places[:MOST_PLACES]))


def _places(quote: str, document: CaseDocument, pages: Sequence[DocumentPage]) -> list[wire.QuotePlace]:
    return [
        wire.QuotePlace(
            document_id=document.document_id,
            name=document.name,
            page=place.page.number,
            last_page=place.last_page,
            start=place.start,
            text=place.text,
            source=place.page.source,
        )
        for place in places_of(quote, pages, MOST_PLACES)
    ]


OfOne = wire.ReadCaseDocument | wire.ReadPages | wire.ReadDocumentPart | wire.RemoveDocument


async def _known(documents: DocumentDesk, request: OfOne) -> CaseDocument:
    found = await documents.store.documents(request.case_id, request.document_id)
    if not found:
        raise UnknownDocument(request.document_id)
    return found[0]
