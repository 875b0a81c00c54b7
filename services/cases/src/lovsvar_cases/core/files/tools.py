"""The tools by which a model reads documents. What it is shown has passed the gate; what was not read is not shown."""

import asyncio
from collections.abc import Mapping
from typing import Any

from lovsvar_cases.core.case_tools import CaseTool, Desk, Result, not_found, success, text, tool
from lovsvar_cases.core.files import documents as work
from lovsvar_cases.core.files.errors import UnknownDocument
from lovsvar_cases.core.files.ports import DocumentDesk
from lovsvar_contracts import case_documents as wire
from lovsvar_contracts.case_documents import DocumentState, PageSource

MOST_SHOWN = 24_000
"""Characters of pages in one result: placeholders may be longer than what they stand for."""


MOST_HITS = 10
"""Pages that a search shows a model: each is pseudonymised whole."""


class DocumentWork:
    """Carries the tools out, with the documents of all cases."""

    def __init__(self, documents: DocumentDesk) -> None:
        self._documents = documents

    async def read_case_document(self, desk: Desk, given: Mapping[str, Any]) -> Result:
        """Return pages of a document without names and numbers."""
        about = {**desk.about, "document_id": given["document_id"]}
        try:
            found = (await work.read_document(wire.ReadCaseDocument(**about), self._documents)).document
            pages = await work.read_pages(wire.ReadPages(**about, first=given.get("first_page", 1)), self._documents)
        except UnknownDocument as exc:
            return not_found(str(exc))
        if found.state is not DocumentState.READY:
            return not_found(found.problem or "Dokumentet leses ennå. Prøv igjen om litt.")
        shown = work.fitting(pages.pages, MOST_SHOWN)
        last = shown[-1].number if shown else found.pages
        async with desk.store.gate(desk.granted.actor, desk.granted.case_id) as (_, gate):
            return success(
                name=gate.hidden(found.name),
                pages=[
                    {"page": one.number, "source": str(one.source), "text": gate.hidden(one.text)[:MOST_SHOWN]}
                    for one in shown
                    if one.source is not PageSource.NONE
                ],
                unread_pages=list(found.unread),
                notes=[gate.hidden(note) for note in found.notes],
                next_page=last + 1 if last < found.pages else None,
            )

    async def search_case_documents(self, desk: Desk, given: Mapping[str, Any]) -> Result:
        """Return pieces of pages that have the words, without names and numbers."""
        async with desk.store.gate(desk.granted.actor, desk.granted.case_id) as (_, gate):
            query = gate.shown(str(given["query"]))[:500]
        pages, forms = await work.find_pages(wire.SearchDocuments(**desk.about, query=query), self._documents)
        if not pages:
            return not_found("Ingen av ordene står i dokumentene i saken.")
        async with desk.store.gate(desk.granted.actor, desk.granted.case_id) as (_, gate):
            hits = await asyncio.to_thread(work.hits_of, pages[:MOST_HITS], forms, gate.hidden)
        return success(
            hits=[
                {"document_id": hit.document_id, "name": hit.name, "page": hit.page, "text": hit.snippet}
                for hit in hits
            ]
        )

    async def verify_document_quote(self, desk: Desk, given: Mapping[str, Any]) -> Result:
        """Return the pages on which a quote is, word for word; its placeholders stand for what they stand for."""
        async with desk.store.gate(desk.granted.actor, desk.granted.case_id) as (_, gate):
            quote = gate.shown(str(given["quote"]))[:2_000]
        found = await work.verify_quote(wire.VerifyQuote(**desk.about, quote=quote), self._documents)
        if not found.verified:
            return not_found("Sitatet står ikke ordrett i noe dokument i saken.")
        places = [{"document_id": one.document_id, "page": one.page, "source": str(one.source)} for one in found.places]
        return success(places=places)


def document_tools(documents: DocumentDesk) -> tuple[CaseTool, ...]:
    """Return the tools of documents."""
    does = DocumentWork(documents)
    return (
        tool(
            "read_case_document",
            "Leser et dokument",
            "Les sider i et dokument som er lagt ved saken. Id-ene står under `documents` i get_case_details. Sider "
            "med `source` «ocr» er lest av maskin fra bilder og kan ha feil; `unread_pages` kunne ikke leses.",
            does.read_case_document,
            ("case_id", "document_id"),
            document_id=text("Dokumentets id.", minLength=1, maxLength=64),
            first_page={"type": "integer", "minimum": 1, "description": "Første side; 1 om ikke annet."},
        ),
        tool(
            "search_case_documents",
            "Søker i dokumentene",
            "Søk med ord i dokumentene som er lagt ved saken. Du får utdrag med sidetall.",
            does.search_case_documents,
            ("case_id", "query"),
            query=text("Ordene.", minLength=1, maxLength=500),
        ),
        tool(
            "verify_document_quote",
            "Kontrollerer et sitat",
            "Kontroller at et sitat står ordrett i et dokument i saken, og få siden det står på. Gjør det før du "
            "siterer fra et dokument.",
            does.verify_document_quote,
            ("case_id", "quote"),
            quote=text("Sitatet, ordrett.", minLength=1, maxLength=2_000),
        ),
    )
