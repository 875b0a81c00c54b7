"""A run with a model whose agent goes away in the middle of it."""

import asyncio

import pytest

from lovsvar_agent.app import build
from lovsvar_agent.settings import Settings
from lovsvar_chassis.run_log import snapshot
from lovsvar_contracts.run_events import CLOSING, AnswerDelta, RunStarted, SourcesFound
from lovsvar_testkit.running import running

pytestmark = pytest.mark.usefixtures("search_service")

FIRST = {"calls": [{"search_lovdata_legal_documents": {"query": "melde skader"}}]}
SECOND = {"calls": [{"search_lovdata_legal_documents": {"query": "pant båteieren"}}]}
HOLDS = "Pantet kan være på høyst fire ukers båtleie"


@pytest.fixture
def with_model():
    def make(settings: Settings, url: str) -> Settings:
        model = {"OPENAI_API_KEY": "k", "OPENAI_BASE_URL": url, "model": "scripted"}
        return Settings(**{**settings.model_dump(exclude_none=True), **model})

    return make


async def test_a_run_that_is_taken_over_in_mid_answer_keeps_its_ids_and_ends_once(
    client, settings, with_model, scripted, asked
) -> None:
    answer = {"answer": "Først et langt utkast om pant og båter. " * 5, "citations": [["lovdata-1", "x"]]}
    dying = [FIRST, {"final": answer, "stall": 1500}]
    async with scripted.ScriptedModel(dying).serving() as server, running(build(with_model(settings, server.url))):
        await client.publish(asked)
        await client.wait_for(asked.run_id, "answer.delta")

    def by_turn(body: dict, _: int) -> dict:
        if not any(m["role"] == "tool" for m in body["messages"]):
            return SECOND
        told = "\n".join(m["content"] or "" for m in body["messages"])
        mine = next(line.split('"')[1] for line in told.split("\n") if "<kilde" in line and "§ 3-2" in line)
        return {"final": {"answer": f"Høyst fire uker [{mine}].", "citations": [[mine, HOLDS]]}}

    async with scripted.ScriptedModel(by_turn).serving() as server, running(build(with_model(settings, server.url))):
        async with asyncio.timeout(30):
            events = await client.follow(asked.run_id)
    assert [e.id for e in events] == list(range(1, len(events) + 1))
    assert [e.attempt for e in events if isinstance(e, RunStarted)] == [1, 2]
    assert [e.type for e in events if e.type in CLOSING] == ["run.completed"]
    found = [e for event in events if isinstance(event, SourcesFound) for e in event.evidence]
    assert len({e.evidence_id for e in found}) == len({(e.refid, e.section) for e in found}) == len(found)
    assert [(c.section, c.quote) for c in snapshot(events).citations] == [("§3-2", HOLDS)]
    second = next(n for n, e in enumerate(events) if isinstance(e, RunStarted) and e.attempt == 2)
    assert "langt utkast" not in "".join(e.text for e in events[second:] if isinstance(e, AnswerDelta))
