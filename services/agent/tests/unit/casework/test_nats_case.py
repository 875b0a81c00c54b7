"""What the service of cases replies, as the agent reads it."""

from typing import Any, cast

import pytest

from lovsvar_agent.adapters.nats_case import NatsCase
from lovsvar_chassis.requester import Requester
from lovsvar_contracts.questions import QuestionAsked
from lovsvar_contracts.tools import CallTool, ToolReply


class Replies:
    """Answers each call with `text`, and keeps the calls."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.calls: list[CallTool] = []

    async def ask(self, subject: str, request: CallTool, *_: Any, **__: Any) -> ToolReply:
        self.calls.append(request)
        return ToolReply(status="success", text=self.text, correlation_id=request.correlation_id)


async def call(replies: Replies) -> Any:
    case = NatsCase(cast(Requester, replies))
    return await case.call(QuestionAsked(question="Hva nå?", run_id="run1"), "read_case_work", {}, "call-1-1")


@pytest.mark.parametrize("text", ["ikke JSON", "[1]", '{"status": "succ'])
async def test_a_reply_of_another_form_is_an_error_of_the_tool(text: str) -> None:
    assert (await call(Replies(text)))["status"] == "error"


async def test_a_call_that_is_sent_again_is_the_same_message() -> None:
    replies = Replies('{"status": "success"}')
    assert [await call(replies), await call(replies)] == [{"status": "success"}] * 2
    assert len({one.event_id for one in replies.calls}) == 1
