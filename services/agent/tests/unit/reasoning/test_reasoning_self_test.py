"""Whether a model can search by itself, and what is chosen by it."""

import asyncio
import json

import pytest

from lovsvar_agent.adapters.mode_choice import ModeChoice
from lovsvar_agent.core.reasoning.self_test import SOURCE, can_search
from lovsvar_agent.core.tools.answer_form import ANSWER
from lovsvar_agent.core.tools.law_search import LAW_SEARCH
from lovsvar_contracts.problems import Problem, ProblemError, ProblemType
from lovsvar_contracts.questions import Mode

QUOTE = "Pantet kan være på høyst fire ukers båtleie."
GONE = Problem(type=ProblemType.UNAVAILABLE, title="x", detail="Borte.", retryable=True)


def words(text: str) -> dict:
    return {"choices": [{"delta": {"content": text}, "finish_reason": "stop"}]}


def call(name: str, **arguments: object) -> dict:
    part = {"index": 0, "function": {"name": name, "arguments": json.dumps(arguments)}}
    return {"choices": [{"delta": {"tool_calls": [part]}, "finish_reason": "tool_calls"}]}


def answer(quote: str, id_: str = "lovdata-1") -> dict:
    return {"answer": "Høyst fire uker.", "citations": [{"evidenceId": id_, "quote": quote}]}


FIND = call(LAW_SEARCH.name, query="båtpant")
GOOD = words(json.dumps(answer(QUOTE)))


class SaidModel:
    """Replies from a list; a `Problem` is raised."""

    name = "said"

    def __init__(self, *replies) -> None:
        self.requests: list = []
        self._replies = iter(replies)

    async def reply(self, request):
        self.requests.append(request)
        said = next(self._replies)
        if isinstance(said, Problem):
            raise ProblemError(said)
        yield said


@pytest.mark.parametrize(
    "replies",
    [
        (FIND, GOOD),
        (FIND, call(ANSWER, **answer(QUOTE))),
        (words(json.dumps({"name": LAW_SEARCH.name, "arguments": {"query": "pant"}})), GOOD),
    ],
    ids=["calls and JSON", "calls alone", "a call as text"],
)
async def test_a_model_that_calls_and_quotes_can(replies) -> None:
    model = SaidModel(*replies)
    assert await can_search(model)
    assert SOURCE in model.requests[1].messages[-1]["content"]


@pytest.mark.parametrize(
    "replies",
    [
        (words("Pant er gratis."),),
        (call("les_tanker", query="x"),),
        (call(LAW_SEARCH.name),),
        (FIND, words("Høyst fire ukers båtleie.")),
        (FIND, words(json.dumps(answer("Pantet er på høyst fire ukers båtleie")))),
        (FIND, words(json.dumps(answer("Båteieren kan kreve at låntakeren stiller pant.")))),
        (FIND, words(json.dumps(answer(QUOTE, "lovdata-7")))),
        (FIND, words(json.dumps(answer(QUOTE))[:-20])),
    ],
    ids=["words", "another tool", "no query", "no JSON", "not verbatim", "beside the point", "another id", "cut off"],
)
async def test_a_model_that_does_not_cannot(replies) -> None:
    assert not await can_search(SaidModel(*replies))


@pytest.mark.parametrize(("replies", "mode"), [((FIND, GOOD), Mode.AGENT), ((words("Nei."),), Mode.DIRECT)])
async def test_the_mode_is_chosen_in_the_background_when_the_server_is_there(replies, mode: Mode) -> None:
    choice = ModeChoice(SaidModel(GONE, GONE, *replies), pause=0.001)
    assert choice.mode is Mode.DIRECT
    await choice.start()
    async with asyncio.timeout(5):
        await choice.tested.wait()
    await choice.stop()
    assert choice.mode is mode
