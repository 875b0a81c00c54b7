"""The cases service, as a caller asks it: every request is sealed, so that nobody between reads it."""

import asyncio
import io
import json
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from lovsvar_chassis.sealing import SealedRequester
from lovsvar_contracts import case_accesses, case_drafts, cases, subjects
from lovsvar_contracts.cases import Actor
from lovsvar_contracts.message import Message, utc_now
from lovsvar_contracts.questions import Answer
from lovsvar_gateway.adapters.nats_link import NatsLink
from lovsvar_gateway.adapters.services import Bulkhead
from lovsvar_gateway.core.access import ANYBODY, Caller, Scope
from lovsvar_gateway.trace_headers import correlation_id

Reply = TypeVar("Reply", bound=Message)
Request = TypeVar("Request", bound=Message)

SERVICE = "cases"
MAX_NOTE = 8_000


@dataclass(frozen=True)
class CaseDesk:
    """Cases by request/reply, for `caller`. Every method raises `ProblemError`."""

    sealed: SealedRequester
    link: NatsLink
    bulkheads: Mapping[str, Bulkhead]
    caller: Caller = ANYBODY

    def asked_by(self, caller: Caller) -> "CaseDesk":
        """Return the cases as `caller` asks for them."""
        return replace(self, caller=caller)

    @property
    def actor(self) -> Actor:
        """Who acts, as the cases service knows it."""
        caller = self.caller
        return Actor(name=caller.name, organisation=caller.organisation, operator=Scope.OPERATE in caller.scopes)

    async def ask(self, subject: str, kind: type[Request], reply: type[Reply], **fields: Any) -> Reply:
        """Return the reply to the caller's request of that kind, with these fields."""
        request = kind.model_validate({"actor": self.actor, "correlation_id": correlation_id(), **fields})
        return await self.send(subject, request, reply)

    async def send(self, subject: str, request: Message, reply: type[Reply]) -> Reply:
        """Return the reply to a request that is nobody's, or somebody's already."""
        async with self.bulkheads[SERVICE].place():
            return await self.link.hold(self.sealed.ask(subject, request, reply))

    async def shown(self, case_id: str, data: dict[str, Any]) -> dict[str, Any]:
        """Return JSON data with what placeholders stand for."""
        if "{{" not in json.dumps(data):
            return data
        fields = {"case_id": case_id, "data": data}
        return (await self.ask(subjects.CASES_SHOW, cases.ShowData, cases.ShownData, **fields)).data

    async def note_answer(self, case_id: str, answer: Answer) -> None:
        """Keep the answer of a run in its case, once however often it is seen."""
        said = {
            "by": "assistant",
            "text": answer.answer_text[:MAX_NOTE] or (answer.problem or str(answer.status)),
            "timestamp": utc_now().isoformat(),
            "run_id": answer.run_id,
        }
        request = cases.UpdateCase(
            actor=self.actor.model_copy(update={"kind": cases.ActorKind.AGENT}),
            case_id=case_id,
            request_id=f"answer-{answer.run_id}"[:64],
            updates={"agent_interactions.log": [said]},
        )
        await self.send(subjects.CASES_UPDATE, request, cases.Case)

    async def archive(self, case_id: str) -> bytes:
        """Return a zip file of everything that is stored in a case: as JSON, with its whole history."""
        about = {"case_id": case_id}
        case = await self.ask(subjects.CASES_READ, cases.ReadCase, cases.Case, **about)
        parties = await self.ask(subjects.CASES_PARTIES, cases.ReadParties, cases.Parties, **about)
        accesses = await self.ask(subjects.CASES_ACCESSES, case_accesses.ReadAccesses, case_accesses.Accesses, **about)
        changes: list[cases.CaseChange] = []
        after: int | None = 0
        while after is not None:
            page = await self.ask(subjects.CASES_HISTORY, cases.ReadHistory, cases.History, **about, after=after)
            changes += page.changes
            after = page.next if page.next is not None and page.next > after else None
        history = cases.History(case_id=case_id, version=case.version, changes=tuple(changes))
        held: dict[str, Message] = {
            "sak.json": case,
            "parter.json": parties,
            "historikk.json": history,
            "innsyn.json": accesses,
        }
        held |= await self._drafts(case_id)
        return await asyncio.to_thread(_zipped, held)

    async def _drafts(self, case_id: str) -> Mapping[str, Message]:
        """Return every revision of every draft, by the names of their files."""
        listed = await self.ask(subjects.CASES_DRAFTS, case_drafts.ListDrafts, case_drafts.Drafts, case_id=case_id)
        found: dict[str, Message] = {}
        for one in listed.drafts:
            about = {"case_id": case_id, "draft_id": one.draft_id, "revision": one.revision}
            draft = await self.ask(subjects.CASES_READ_DRAFT, case_drafts.ReadDraft, case_drafts.Draft, **about)
            found[f"utkast/{one.draft_id}-{one.revision}.json"] = draft
        return found


def _zipped(held: Mapping[str, Message]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, message in held.items():
            archive.writestr(name, message.model_dump_json(indent=1))
    return buffer.getvalue()
