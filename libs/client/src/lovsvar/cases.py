"""The cases of a gateway: a typed client of its routes `/v1/cases`."""

from collections.abc import AsyncGenerator
from datetime import date, datetime
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import quote

from lovsvar_contracts import case_accesses, case_credit, case_documents, case_drafts, case_keys, cases
from lovsvar_contracts.case_events import CaseStreamEvent
from lovsvar_contracts.message import Frozen, new_id
from lovsvar_contracts.questions import Answer
from lovsvar_contracts.run_events import RunEvent

if TYPE_CHECKING:
    from lovsvar.client import Gateway

Reply = TypeVar("Reply", bound=Frozen)


class AcceptedMessage(Frozen):
    """A message that is kept and will be answered: the run that does."""

    run_id: str


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

    async def reopen(self, case_id: str, reason: str = "") -> cases.Case:
        """Open a closed case again."""
        return await self._send("POST", f"{case_id}/reopen", cases.Case, {"reason": reason})

    async def accesses(self, case_id: str, before: datetime | None = None) -> case_accesses.Accesses:
        """Read a page of who looked at a case, newest first."""
        path = f"{_path(case_id)}/accesses"
        return await self._gateway.get(path, case_accesses.Accesses, before=before.isoformat() if before else None)

    async def say(self, case_id: str, message: str) -> str:
        """Say something in a case, and return the id of the run that answers it."""
        reply = await self._send("POST", f"{case_id}/messages", AcceptedMessage, {"message": message})
        return reply.run_id

    def reply_events(self, case_id: str, run_id: str, after: int = 0) -> AsyncGenerator[RunEvent, None]:
        """Yield the events of the run that answers a message, as `Gateway.run_events` does, with the names put back."""
        return self._gateway.run_events_at(f"{_path(case_id)}/messages/{quote(run_id)}/events", after)

    def events(self, case_id: str, after: int = 0) -> AsyncGenerator[CaseStreamEvent, None]:
        """Yield what happens in a case behind the version `after`, each thing once, until the case is erased.

        Changes are `case.changed`; between them are the events of the runs of its messages, with the names put back.
        """
        return self._gateway.case_events_at(f"{_path(case_id)}/events?after={after}")

    async def reply(self, case_id: str, run_id: str) -> Answer:
        """Return the answer to a message as it is now."""
        return await self._gateway.get(f"{_path(case_id)}/messages/{quote(run_id)}", Answer)

    async def ask_for_help(self, case_id: str, issue: str) -> cases.Ticket:
        """Ask the support for help, which pauses the case."""
        return await self._send("POST", f"{case_id}/tickets", cases.Ticket, {"issue_description": issue})

    async def tickets(self, case_id: str | None = None) -> cases.Tickets:
        """List the tickets of a case; without one, for an operator, those of all that nobody has resolved."""
        return await self._gateway.get(f"{_path(case_id)}/tickets" if case_id else "/v1/tickets", cases.Tickets)

    async def resolve(self, ticket_id: str) -> cases.Ticket:
        """Say, as an operator, that a ticket is resolved."""
        return await self._gateway.send("POST", f"/v1/tickets/{quote(ticket_id, safe='')}/resolved", cases.Ticket)

    async def texts(self, locale: str = "nb") -> case_credit.CaseTexts:
        """Read the greeting and the tiers."""
        return await self._gateway.get("/v1/case-texts", case_credit.CaseTexts, locale=locale)

    async def quota(self, tier: int, *, for_organisation: bool = False) -> case_credit.Quota:
        """Read whether there is credit for one more case of a tier."""
        params = {"tier": tier, "for_organisation": for_organisation}
        return await self._gateway.get("/v1/quota", case_credit.Quota, **params)

    async def subscribe(
        self, account: str, starts: date, ends: date, given: dict[str, int]
    ) -> case_credit.Subscription:
        """Set, as an operator, what an account (`key:kari`, `org:huset`) gets in a period, by tiers."""
        body = {"starts": starts.isoformat(), "ends": ends.isoformat(), "credits": given}
        path = f"/v1/subscriptions/{quote(account, safe=':')}"
        return await self._gateway.send("PUT", path, case_credit.Subscription, json=body)

    async def rotate_keys(self, after: str | None = None) -> case_keys.KeyRotation:
        """Have, as an operator, the keys of a page of cases wrapped by the master key that is set now."""
        params = {"after": after} if after else {}
        return await self._gateway.send("POST", "/v1/cases:rotate-keys", case_keys.KeyRotation, params=params)

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

    async def read_draft(self, case_id: str, draft_id: str, revision: int) -> case_drafts.Draft:
        """Read a revision of a draft."""
        path = f"{_path(case_id)}/drafts/{quote(draft_id)}/revisions/{revision}"
        return await self._gateway.get(path, case_drafts.Draft)

    async def template(self, template_id: str) -> case_drafts.DraftTemplate:
        """Read a template with its text."""
        return await self._gateway.get(f"/v1/templates/{quote(template_id, safe='')}", case_drafts.DraftTemplate)

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

    def export(self, case_id: str) -> AsyncGenerator[bytes, None]:
        """Yield a zip file of everything in a case, as it is made. Raises `GatewayLost` when it is cut off."""
        return self._gateway.pieces(f"{_path(case_id)}/export")

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
