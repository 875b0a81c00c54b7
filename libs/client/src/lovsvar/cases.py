"""The cases of a gateway: a typed client of its routes `/v1/cases`."""

from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import quote

from lovsvar_contracts import case_documents, case_drafts, cases
from lovsvar_contracts.message import Message, new_id

if TYPE_CHECKING:
    from lovsvar.client import Gateway

Reply = TypeVar("Reply", bound=Message)


class Cases:
    """Cases by one key. Every method raises what the gateway's client raises; 409 says that somebody else was first."""

    def __init__(self, gateway: "Gateway") -> None:
        self._gateway = gateway

    async def open(self, description: str = "", *, title: str = "", for_organisation: bool = False) -> cases.Case:
        """Open a case."""
        body = {"title": title, "description": description, "for_organisation": for_organisation}
        return await self._send("POST", "", cases.Case, body)

    async def list(self, *, phase: str | None = None, after: str | None = None) -> cases.Cases:
        """List cases, the last changed first."""
        return await self._gateway.get("/v1/cases", cases.Cases, phase=phase, after=after)

    async def read(self, case_id: str, version: int | None = None) -> cases.Case:
        """Read a case as it is, or as it was."""
        return await self._gateway.get(_path(case_id), cases.Case, version=version)

    async def history(self, case_id: str, after: int = 0) -> cases.History:
        """Read a page of the changes of a case."""
        return await self._gateway.get(f"{_path(case_id)}/history", cases.History, after=after)

    async def update(self, case_id: str, updates: dict[str, Any], *, expected_version: int | None = None) -> cases.Case:
        """Change the details of a case, by dot notation; what replaces something needs the version that was read."""
        body = {"updates": updates, "expected_version": expected_version}
        return await self._send("PATCH", case_id, cases.Case, body)

    async def set_tier(self, case_id: str, tier: int | None = None) -> cases.Case:
        """Decide the tier of a case; None has the rules propose it."""
        return await self._send("PUT", f"{case_id}/tier", cases.Case, {"tier": tier})

    async def close(self, case_id: str, reason: str = "") -> cases.Case:
        """Close a case."""
        return await self._send("POST", f"{case_id}/close", cases.Case, {"reason": reason})

    async def parties(self, case_id: str) -> cases.Parties:
        """Read the parties of a case."""
        return await self._gateway.get(f"{_path(case_id)}/parties", cases.Parties)

    async def write_party(
        self,
        case_id: str,
        fields: dict[str, str | None],
        *,
        party_id: str | None = None,
        kind: str | None = None,
        role: str | None = None,
    ) -> cases.Parties:
        """Add a party, or change the one that `party_id` names; a field of None is forgotten."""
        method, path = ("PATCH", f"parties/{quote(party_id)}") if party_id else ("POST", "parties")
        body = {"fields": fields, "kind": kind, "role": role}
        return await self._send(method, f"{case_id}/{path}", cases.Parties, body)

    async def remove_party(self, case_id: str, party_id: str) -> cases.Parties:
        """Forget a party."""
        return await self._gateway.send("DELETE", f"{_path(case_id)}/parties/{quote(party_id)}", cases.Parties)

    async def templates(self) -> case_drafts.Templates:
        """List the templates of drafts."""
        return await self._gateway.get("/v1/templates", case_drafts.Templates)

    async def write_draft(self, case_id: str, *, draft_id: str | None = None, **body: Any) -> case_drafts.Draft:
        """Write a draft by `template` and `values` or by `markdown`; with `draft_id` its next revision."""
        path = f"{case_id}/drafts" if draft_id is None else f"{case_id}/drafts/{quote(draft_id)}/revisions"
        return await self._send("POST", path, case_drafts.Draft, body)

    async def drafts(self, case_id: str) -> case_drafts.Drafts:
        """List the revisions of a case's drafts."""
        return await self._gateway.get(f"{_path(case_id)}/drafts", case_drafts.Drafts)

    async def draft_file(self, case_id: str, draft_id: str, revision: int, kind: str = "pdf") -> bytes:
        """Return a revision as a file: `pdf` or `docx`."""
        path = f"{_path(case_id)}/drafts/{quote(draft_id)}/revisions/{revision}/{kind}"
        return await self._gateway.content(path)

    async def add_document(self, case_id: str, name: str, content: bytes) -> case_documents.CaseDocument:
        """Hand in a document; one that takes long to read comes back with `state` `reading`."""
        more = {"params": {"name": name}, "content": content, "headers": {"Idempotency-Key": new_id()}}
        path = f"{_path(case_id)}/documents"
        return (await self._gateway.send("POST", path, case_documents.DocumentReply, **more)).document

    async def documents(self, case_id: str) -> case_documents.CaseDocuments:
        """List the documents of a case."""
        return await self._gateway.get(f"{_path(case_id)}/documents", case_documents.CaseDocuments)

    async def document_pages(self, case_id: str, document_id: str, first: int = 1) -> case_documents.DocumentPages:
        """Read the text of a document, from its page `first`."""
        path = f"{_path(case_id)}/documents/{quote(document_id)}/pages"
        return await self._gateway.get(path, case_documents.DocumentPages, first=first)

    async def document_content(self, case_id: str, document_id: str) -> bytes:
        """Return a document as it was handed in."""
        return await self._gateway.content(f"{_path(case_id)}/documents/{quote(document_id)}/content")

    async def remove_document(self, case_id: str, document_id: str) -> case_documents.CaseDocuments:
        """Remove a document, and list those that are left."""
        path = f"{_path(case_id)}/documents/{quote(document_id)}"
        return await self._gateway.send("DELETE", path, case_documents.CaseDocuments)

    async def search_documents(self, case_id: str, query: str) -> case_documents.DocumentHits:
        """Search the documents of one case."""
        return await self._send("POST", f"{case_id}/documents:search", case_documents.DocumentHits, {"query": query})

    async def verify_quote(
        self, case_id: str, words: str, document_id: str | None = None
    ) -> case_documents.VerifiedQuote:
        """Look for a quote word for word in the documents of a case."""
        body = {"quote": words, "document_id": document_id}
        return await self._send("POST", f"{case_id}/documents:verify", case_documents.VerifiedQuote, body)

    async def export(self, case_id: str) -> bytes:
        """Return everything of a case as a zip file."""
        return await self._gateway.content(f"{_path(case_id)}/export")

    async def erase(self, case_id: str) -> cases.Tombstone:
        """Erase a case for good."""
        return await self._gateway.send("DELETE", _path(case_id), cases.Tombstone)

    async def _send(self, method: str, path: str, model: type[Reply], body: dict[str, Any]) -> Reply:
        given = {name: value for name, value in body.items() if value is not None}
        headers = {"Idempotency-Key": new_id()}
        where = f"/v1/cases/{path}" if path else "/v1/cases"
        return await self._gateway.send(method, where, model, json=given, headers=headers)


def _path(case_id: str) -> str:
    return f"/v1/cases/{quote(case_id, safe='')}"
