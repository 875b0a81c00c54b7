"""The case of a run, by request/reply with the service that keeps cases."""

from collections.abc import Mapping
from typing import Any

from pydantic_core import from_json

from lovsvar_agent.core.ports import CaseDesk
from lovsvar_agent.core.tools.tool import event_of_call
from lovsvar_chassis.requester import Requester
from lovsvar_contracts import subjects
from lovsvar_contracts.questions import QuestionAsked
from lovsvar_contracts.tools import CallTool, ToolReply

SERVICE = "cases"
SECONDS = 10.0
UNKNOWN_FORM = "Et svar hadde ukjent form."


class NatsCase(CaseDesk):
    """Asks the service `cases` with the grant of the run's question, which opens one case alone."""

    def __init__(self, requester: Requester) -> None:
        self._requester = requester

    async def call(
        self, asked: QuestionAsked, name: str, arguments: Mapping[str, Any], call_id: str
    ) -> Mapping[str, Any]:
        request = CallTool(
            event_id=event_of_call((asked.run_id, call_id)),
            correlation_id=asked.correlation_id,
            name=name,
            arguments=dict(arguments),
            run_id=asked.run_id,
            grant=asked.grant,
        )
        reply = await self._requester.ask(subjects.tool_call(SERVICE), request, ToolReply, timeout=SECONDS)
        try:
            result = from_json(reply.text)
        except ValueError:
            result = None
        return result if isinstance(result, dict) else {"status": "error", "error_message": UNKNOWN_FORM}
