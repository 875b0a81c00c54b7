"""The cases service, as a caller asks it: every request is sealed, so that nobody between reads it."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from lovsvar_chassis.sealing import SealedRequester
from lovsvar_contracts import cases, subjects
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
