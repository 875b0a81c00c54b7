"""The two states, with a model that speaks from memory."""

import asyncio
import json
from collections.abc import Iterable
from itertools import pairwise

import pytest

from lovsvar_agent.core.errors import LimitReached
from lovsvar_agent.core.reasoning import prompts
from lovsvar_agent.core.reasoning.conversation import Conversation
from lovsvar_agent.core.reasoning.loop import Loop
from lovsvar_agent.core.reasoning.model_call import Speaker
from lovsvar_agent.core.reasoning.toolkit import Toolkit
from lovsvar_agent.core.tools.answer_form import ANSWER
from lovsvar_agent.core.tools.law_search import LAW_SEARCH
from lovsvar_contracts.problems import Problem, ProblemError, ProblemType
from lovsvar_contracts.run_events import ToolCalled, UsageUpdated

GONE = Problem(type=ProblemType.UNAVAILABLE, title="x", detail="Borte.", retryable=True)
REFUSED = Problem(type=ProblemType.NOT_CONFIGURED, title="x", detail="Feil nøkkel.")


def calls(name: str, **arguments: object) -> dict:
    part = {"index": 0, "function": {"name": name, "arguments": json.dumps(arguments)}}
    return {"choices": [{"delta": {"tool_calls": [part]}, "finish_reason": "tool_calls"}]}


FIND = [calls(LAW_SEARCH.name, query="pant")]
FINAL = [calls(ANSWER, answer="Høyst fire ukers båtleie.", citations=[])]


HALF = {"choices": [{"delta": {"content": '{"answer": "Høyst'}}]}


class SpokenModel:
    """`LanguageModel` that replies from a list; a `Problem` in a reply is raised there, None waits for ever."""

    name = "spoken"

    def __init__(self, replies: Iterable[list]) -> None:
        self.requests: list = []
        self._replies = iter(replies)

    def cost(self, input_tokens: int, output_tokens: int) -> float:
        return (input_tokens + output_tokens) / 1_000_000

    async def reply(self, request):
        self.requests.append(request)
        for piece in next(self._replies):
            if isinstance(piece, Problem):
                raise ProblemError(piece)
            if piece is None:
                await asyncio.Event().wait()
            yield piece


@pytest.fixture
def make_loop(make_run, make_tools, make_registry):
    def make(*replies: list, **limits) -> tuple[Loop, SpokenModel]:
        model, run = SpokenModel(replies), make_run(**limits)
        conversation = Conversation(prompts.system("nb"), "Hvor mye pant?")
        loop = Loop(
            run,
            Speaker(run, model),
            Toolkit(run, make_tools(sources=run.evidence, **limits), make_registry()),
            conversation,
        )
        return loop, model

    return make


async def test_it_goes_from_model_to_tools_and_back_until_there_is_an_answer(make_loop, sink, types) -> None:
    loop, model = make_loop(FIND, FINAL)
    assert (await loop.investigate("Hvor mye pant?")).answer == "Høyst fire ukers båtleie."
    steps = [e.name for e in sink.events if e.type == "step.started"]
    assert steps == ["tools", "model", "tools", "model"]
    assert types(sink.events).count("step.finished") == 4
    begun = ["system", "user", "assistant", "user"]
    assert [m["role"] for m in model.requests[0].messages] == begun
    assert [m["role"] for m in model.requests[1].messages] == [*begun, "assistant", "tool"]


async def test_the_first_search_is_for_the_question_itself_which_stands_behind_the_sources_again(
    make_loop, sink
) -> None:
    loop, model = make_loop(FINAL)
    await loop.investigate("Hvor mye pant?")
    (made,) = [e for e in sink.events if isinstance(e, ToolCalled)]
    assert (made.name, made.arguments) == (LAW_SEARCH.name, {"query": "Hvor mye pant?"})
    last = model.requests[0].messages[-1]["content"]
    assert last.index("fire ukers båtleie") < last.index("Hvor mye pant?")


async def test_what_was_sent_once_is_sent_again_as_it_was(make_loop) -> None:
    more = [calls(LAW_SEARCH.name, query="skader"), FIND[0]]
    loop, model = make_loop(more[:1], more[1:], FINAL, [])
    await loop.investigate("Hvor mye pant?")
    await loop.again("Rett sitatene.")
    sent = [list(request.messages) for request in model.requests]
    for before, after in pairwise(sent):
        assert after[: len(before)] == before
    assert len({str(request.tools) for request in model.requests}) == 1


async def test_in_direct_mode_nothing_tells_of_tools(make_loop, make_provision) -> None:
    loop, model = make_loop(FINAL, result_tokens=200)
    await loop.search_and_ask("Hvor mye pant kan båteieren kreve, og hvilke skader skal låntakeren melde?")
    said = " ".join(m["content"] for m in model.requests[0].messages[1:])
    assert "(ikke vist)" in said or "utdrag" in said
    assert not any(word in said for word in ("hent_lovtekst", "page=", "søk videre"))


async def test_in_direct_mode_a_model_is_not_asked_about_nothing(make_loop) -> None:
    loop, model = make_loop(FINAL)
    final = await loop.search_and_ask("Xyzzy?")
    assert final.insufficient and not model.requests


async def test_an_attempt_that_finds_the_budget_used_up_asks_nothing(make_run, make_tools, make_registry) -> None:
    run = make_run(tokens=10)
    run.usage = run.usage.model_copy(update={"input_tokens": 10})
    model = SpokenModel([FINAL])
    loop = Loop(run, Speaker(run, model), Toolkit(run, make_tools(), make_registry()), Conversation("regler", "?"))
    await loop.search("Hvor mye pant?")
    with pytest.raises(LimitReached) as reached:
        await loop.last_word()
    assert reached.value.limit == "tokens" and not model.requests


async def test_rounds_that_are_used_up_are_a_limit(make_loop) -> None:
    loop, model = make_loop(*[[calls(LAW_SEARCH.name, query=q)] for q in ("pant", "båt", "leie")], rounds=3)
    with pytest.raises(LimitReached) as reached:
        await loop.investigate("Hvor mye pant?")
    assert reached.value.limit == "rounds"
    assert len(model.requests) == 3


@pytest.mark.parametrize(("limit", "name"), [({"tokens": 10}, "tokens"), ({"cost_usd": 0.0001}, "cost")])
async def test_tokens_and_money_that_are_used_up_are_a_limit(make_loop, limit: dict, name: str) -> None:
    loop, model = make_loop(FIND, FIND, **limit)
    with pytest.raises(LimitReached) as reached:
        await loop.investigate("Hvor mye pant?")
    assert reached.value.limit == name
    assert len(model.requests) == 1


async def test_behind_a_limit_the_model_is_asked_for_no_calls(make_loop) -> None:
    loop, model = make_loop(FIND, FINAL, rounds=1)
    with pytest.raises(LimitReached):
        await loop.investigate("Hvor mye pant?")
    final = await loop.last_word()
    assert final is not None and final.answer
    assert [request.calls for request in model.requests] == [True, False]
    assert model.requests[-1].schema
    assert model.requests[-1].messages[-1]["content"] == prompts.LAST_WORD


async def test_a_stream_that_broke_is_begun_again_once(make_loop, sink) -> None:
    loop, _ = make_loop(FIND, [HALF, GONE], FINAL)
    assert (await loop.investigate("Hvor mye pant?")).answer
    assert sum(isinstance(e, UsageUpdated) for e in sink.events) == 3


async def test_a_stream_that_keeps_breaking_ends_the_loop(make_loop, sink) -> None:
    loop, _ = make_loop([GONE], [GONE])
    with pytest.raises(ProblemError):
        await loop.investigate("Hvor mye pant?")
    assert sum(isinstance(e, UsageUpdated) for e in sink.events) == 2


async def test_a_refusal_is_not_repeated_and_costs_nothing(make_loop, sink) -> None:
    loop, model = make_loop([REFUSED])
    with pytest.raises(ProblemError):
        await loop.investigate("Hvor mye pant?")
    (told,) = [e.usage for e in sink.events if isinstance(e, UsageUpdated)]
    assert len(model.requests) == told.model_calls == 1
    assert (told.input_tokens, told.cost_usd, told.estimated) == (0, 0.0, False)


async def test_an_error_behind_the_end_of_a_reply_takes_nothing_from_it(make_loop) -> None:
    loop, model = make_loop(FIND, [*FINAL, GONE])
    assert (await loop.investigate("Hvor mye pant?")).answer
    assert len(model.requests) == 2


async def test_a_call_that_is_cancelled_is_counted_and_told_when_asked_for(
    make_run, make_tools, make_registry, sink
) -> None:
    run = make_run()
    speaker = Speaker(run, SpokenModel([[None]]))
    conversation = Conversation("regler", "?")
    loop = Loop(run, speaker, Toolkit(run, make_tools(), make_registry()), conversation)
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.01):
            await loop.investigate("Hvor mye pant?")
    await speaker.settle()
    await speaker.settle()
    assert [e.usage.model_calls for e in sink.events if isinstance(e, UsageUpdated)] == [1]


def test_every_tool_has_a_schema_that_names_and_describes_its_fields(make_registry) -> None:
    registry = make_registry()
    to_some = {tool.name for tool in registry.tools.values() if tool.offered}
    assert {t["function"]["name"] for t in registry.definitions} == registry.names - to_some
    for tool in registry.definitions:
        function = tool["function"]
        assert len(function["description"]) > 50
        assert set(function["parameters"]["required"]) <= set(function["parameters"]["properties"])
        assert all(p.get("description") for p in function["parameters"]["properties"].values())
