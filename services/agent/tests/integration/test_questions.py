"""Whole questions over real NATS: the agent service, a scripted model's server, stand-ins for search and practice."""

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
import yaml

from lovsvar_agent.adapters.memory_search import MemorySearch
from lovsvar_agent.app import build
from lovsvar_agent.settings import Settings
from lovsvar_chassis.request_router import RequestRouter
from lovsvar_chassis.run_log import snapshot
from lovsvar_contracts import subjects
from lovsvar_contracts.law import LawType
from lovsvar_contracts.problems import Problem, ProblemType
from lovsvar_contracts.questions import Answer, CancelQuestion, Mode, QuestionAsked, RunStatus
from lovsvar_contracts.run_events import RunLimitReached, SourcesFound, StepStarted, ToolCalled
from lovsvar_testkit.running import answering, running

pytestmark = pytest.mark.usefixtures("search_service", "practice_service")

QUESTIONS = {
    path.stem: yaml.safe_load(path.read_text(encoding="utf-8"))
    for path in sorted((Path(__file__).parents[1] / "questions").glob("*.yaml"))
}
SIMPLE = QUESTIONS["01-one-search"]["script"]
FIRST = ["search_lovdata_legal_documents"]
"""The question itself is searched for before the model is asked."""

BROKEN = Problem(type=ProblemType.INTERNAL, title="x", detail="Søkeindeksen kan ikke leses.")


@pytest.fixture
def law(corpus, make_provision) -> MemorySearch:
    """The invented acts, and a regulation of the ministry of boats."""
    regulation = make_provision(
        "Pantet skal være betalt før båten hentes.",
        refid="forskrift/2998-05-05-5",
        section="§2",
        title="Betaling",
        act="Båtpantforskriften",
    ).model_copy(update={"law_type": LawType.FORSKRIFT})
    return MemorySearch((*corpus, regulation), ministries={regulation.refid: "Båtdepartementet"})


@pytest_asyncio.fixture
async def practice_service(nats_url: str, decisions, finding) -> AsyncIterator[None]:
    async with answering(nats_url, RequestRouter().answer(subjects.PRACTICE_SEARCH, finding(decisions))):
        yield


def settings_for(settings: Settings, url: str, **more) -> Settings:
    with_model = {"OPENAI_API_KEY": "k", "OPENAI_BASE_URL": url, "model": "scripted"}
    return Settings(**{**settings.model_dump(exclude_none=True), **with_model, **more})


@pytest.mark.parametrize("case", QUESTIONS.values(), ids=QUESTIONS.keys())
async def test_a_scripted_question_ends_as_it_must(case: dict, client, settings, scripted, gate) -> None:
    expected = case["expect"]
    asked = QuestionAsked(question=case["question"], correlation_id="who-asked")
    if case.get("broken"):
        gate.problems.append(BROKEN)
    async with scripted.ScriptedModel(case["script"]).serving() as server:
        async with running(build(settings_for(settings, server.url, **case.get("settings", {})))):
            await client.publish(asked)
            events = await client.follow(asked.run_id)
        assert server.overrun == 0
        assert len(server.requests) == len(case["script"])
    answer = snapshot(events)
    assert [e.id for e in events] == list(range(1, len(events) + 1))
    assert {e.correlation_id for e in events} == {"who-asked"}
    assert answer.status == expected.get("status", RunStatus.COMPLETED)
    assert answer.mode == expected.get("mode", Mode.AGENT)
    assert [e.limit for e in events if isinstance(e, RunLimitReached)] == list(filter(None, [expected.get("limit")]))
    assert [e.name for e in events if isinstance(e, ToolCalled)] == [*FIRST, *expected["tools"]]
    assert [c.section for c in answer.citations] == expected["cites"]
    assert all(c.verified for c in answer.citations)
    assert answer.insufficient is not bool(expected["cites"])
    found = [e.evidence_id for event in events if isinstance(event, SourcesFound) for e in event.evidence]
    assert len(found) == len(set(found))
    told = json.dumps([r["messages"] for r in server.requests], ensure_ascii=False)
    assert [t for t in expected.get("told", []) if t not in told] == []
    assert [t for t in expected.get("has", []) if t not in answer.answer_text] == []
    assert [t for t in expected.get("lacks", []) if t in answer.answer_text] == []


PATIENT = [{"calls": [{"search_lovdata_legal_documents": {"query": "pant"}}]}, {"text": "Et svar", "quiet": 3600}]


async def test_a_cancelled_run_closes_the_models_request_within_half_a_second(
    client, settings, scripted, asked
) -> None:
    async with scripted.ScriptedModel(PATIENT).serving() as server:
        async with running(build(settings_for(settings, server.url))):
            await client.publish(asked)
            await client.wait_for(asked.run_id, "sources.found")
            while len(server.requests) < 2:
                server.asked.clear()
                await server.asked.wait()
            began = asyncio.get_running_loop().time()
            await client.events.notify(subjects.question_cancel(asked.run_id), CancelQuestion(run_id=asked.run_id))
            await server.gone.wait()
            assert asyncio.get_running_loop().time() - began < 0.5
            events = await client.follow(asked.run_id)
        assert len(server.requests) == 2
    assert events[-1].type == "run.cancelled"


async def test_many_runs_at_once_lose_no_event(client, settings, scripted) -> None:
    def by_turn(body: dict, _: int) -> dict:
        return SIMPLE[any(m["role"] == "tool" for m in body["messages"])]

    runs = [QuestionAsked(question="Hvor mye kan båteieren kreve i pant?") for _ in range(50)]
    async with (
        scripted.ScriptedModel(by_turn).serving() as server,
        running(build(settings_for(settings, server.url, agent_workers=50, agent_ack_wait=10.0))),
    ):
        await asyncio.gather(*(client.publish(asked) for asked in runs))
        logs = await asyncio.gather(*(client.follow(asked.run_id) for asked in runs))
    kinds = {tuple(e.type for e in events) for events in logs}
    assert len(kinds) == 1
    assert all([e.id for e in events] == list(range(1, len(events) + 1)) for events in logs)
    assert all(snapshot(events).citations for events in logs)


async def test_a_model_that_refuses_leaves_the_question_to_quotes_and_its_reason_to_a_step(
    client, settings, scripted, asked
) -> None:
    refusing = [{"status": 401, "repeat": True}]
    async with scripted.ScriptedModel(refusing).serving() as server, running(build(settings_for(settings, server.url))):
        await client.publish(asked)
        events = await client.follow(asked.run_id)
    assert [e.id for e in events] == list(range(1, len(events) + 1))
    assert [e.type for e in events][-2:] == ["answer.completed", "run.completed"]
    answer = snapshot(events)
    assert (answer.mode, answer.fallback, answer.status) == (Mode.AGENT, "model_failed", RunStatus.COMPLETED)
    assert answer.citations[0].section == "§3-2"
    (step,) = [e for e in events if isinstance(e, StepStarted) and e.name == "fallback"]
    assert "nøkkelen" in step.title


async def test_an_internal_service_asks_by_request_and_gets_the_answer(client, settings, scripted, asked) -> None:
    async with scripted.ScriptedModel(SIMPLE).serving() as server, running(build(settings_for(settings, server.url))):
        answer = await client.requester.ask(subjects.AGENT_ASK, asked, Answer, timeout=30)
    assert answer.correlation_id == asked.correlation_id
    assert [c.section for c in answer.citations] == ["§3-2"]
