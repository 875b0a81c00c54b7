"""A run that is taken over goes on counting where the agent before it was."""

import asyncio
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from lovsvar_agent.app import build
from lovsvar_agent.settings import Settings
from lovsvar_chassis.run_log import snapshot
from lovsvar_contracts import subjects
from lovsvar_contracts.questions import QuestionAsked
from lovsvar_contracts.run_events import RunLimitReached, RunStarted, UsageUpdated
from lovsvar_testkit.model_replies import Reply
from lovsvar_testkit.questions import Search, Wire, searching, wired
from lovsvar_testkit.running import running
from lovsvar_testkit.scripted_model import ScriptedModel
from lovsvar_testkit.waiting import until

SEARCH = {"calls": [{"search_lovdata_legal_documents": {"query": "depositum"}}], "usage": [1_000, 100]}


@pytest_asyncio.fixture
async def wire(nats_url: str) -> AsyncIterator[Wire]:
    async with wired(nats_url) as wire:
        yield wire


@pytest_asyncio.fixture
async def search(nats_url: str) -> AsyncIterator[Search]:
    async with searching(nats_url) as search:
        yield search


def with_model(nats_url: str, url: str, **limits: float) -> Settings:
    model = {"OPENAI_API_KEY": "k", "OPENAI_BASE_URL": url, "model": "scripted"}
    prices = {"agent_input_price": 100.0, "agent_output_price": 1_000.0}
    return Settings(**{"nats_url": nats_url, "agent_ack_wait": 1.0, **model, **prices, **limits})


async def begun(nats_url: str, wire: Wire, search: Search, asked: QuestionAsked) -> None:
    """Have an agent ask its model once, and go away while it searches as the model wants."""

    def wanted(_body: dict, _number: int) -> Reply:
        search.open.clear()
        search.waiting.clear()
        asking.set()
        return SEARCH

    asking = asyncio.Event()
    async with ScriptedModel(wanted).serving() as server, running(build(with_model(nats_url, server.url))):
        await wire.events.publish(subjects.QUESTION_ASKED, asked)
        await asking.wait()
        await search.waiting.wait()

        async def told() -> bool:
            return any(isinstance(e, UsageUpdated) for e in await wire.log.read(asked.run_id))

        await until(told)
    search.open.set()


async def test_tokens_and_money_of_the_agent_before_are_in_the_answer(
    nats_url: str, wire: Wire, search: Search
) -> None:
    asked = QuestionAsked(question="Hva er depositum?")
    await begun(nats_url, wire, search, asked)
    last = {"final": {"answer": "Vet ikke.", "insufficient": True}, "usage": [2_000, 200], "repeat": True}
    async with ScriptedModel([SEARCH, last]).serving() as server, running(build(with_model(nats_url, server.url))):
        events = await wire.ended(asked.run_id)
    assert [e.attempt for e in events if isinstance(e, RunStarted)] == [1, 2]
    usage = snapshot(events).usage
    finals = len(server.requests) - 1
    assert usage.model_calls == 1 + 1 + finals
    assert (usage.input_tokens, usage.output_tokens) == (2_000 + finals * 2_000, 200 + finals * 200)
    assert usage.cost_usd == pytest.approx(2 * usage.input_tokens / 10_000)
    sums = [e.usage.cost_usd for e in events if isinstance(e, UsageUpdated)]
    assert sums == sorted(sums)


async def test_a_run_that_is_taken_over_again_and_again_ends_at_its_limit_of_tokens(
    nats_url: str, wire: Wire, search: Search
) -> None:
    asked = QuestionAsked(question="Hva er depositum?")
    await begun(nats_url, wire, search, asked)
    async with (
        ScriptedModel([{**SEARCH, "repeat": True}]).serving() as server,
        running(build(with_model(nats_url, server.url, agent_tokens=1_500))),
    ):
        events = await wire.ended(asked.run_id)
    assert isinstance(events[-1], RunLimitReached)
    assert events[-1].limit == "tokens"
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    ("limit", "name"), [({"agent_tokens": 1_000}, "tokens"), ({"agent_cost": 0.1}, "cost")], ids=["tokens", "cost"]
)
async def test_an_agent_that_finds_the_budget_used_up_asks_the_model_nothing(
    nats_url: str, wire: Wire, search: Search, limit: dict[str, float], name: str
) -> None:
    asked = QuestionAsked(question="Hva er depositum?")
    await begun(nats_url, wire, search, asked)
    async with (
        ScriptedModel([{**SEARCH, "repeat": True}]).serving() as server,
        running(build(with_model(nats_url, server.url, **limit))),
    ):
        events = await wire.ended(asked.run_id)
    assert isinstance(events[-1], RunLimitReached) and events[-1].limit == name
    assert not server.requests
