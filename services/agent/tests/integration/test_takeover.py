"""What happens to a run whose agent is stopped, killed, or told to cancel."""

import asyncio
import contextlib
import os
import sys
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from lovsvar_agent.adapters.memory_search import MemorySearch
from lovsvar_agent.app import build
from lovsvar_agent.core.evidence import EvidenceRegistry
from lovsvar_agent.core.source_kinds.law import LAW
from lovsvar_agent.settings import Settings
from lovsvar_chassis.run_log import Cursor, RunTaken, snapshot
from lovsvar_contracts import subjects
from lovsvar_contracts.health import ReadHealth, ServiceHealth
from lovsvar_contracts.questions import CancelQuestion, RunStatus
from lovsvar_contracts.run_events import (
    CLOSING,
    RunAccepted,
    RunCancelled,
    RunEvent,
    RunLimits,
    RunStarted,
    SourcesFound,
)
from lovsvar_contracts.search import FindProvisions
from lovsvar_testkit.running import running

pytestmark = pytest.mark.usefixtures("search_service")

LONG_AGO = datetime(2020, 1, 1, tzinfo=UTC)
LIMITS = RunLimits(rounds=1, tool_calls=1, seconds=1.0)
AGENT = Path(sys.executable).with_name("lovsvar-agent")


@contextlib.asynccontextmanager
async def agent_process(settings: Settings) -> AsyncIterator[asyncio.subprocess.Process]:
    """Run the agent as a process of its own; it is killed at the end if it still lives."""
    variables = {
        "LOVSVAR_NATS_URL": settings.nats_url,
        "LOVSVAR_AGENT_ACK_WAIT": str(settings.agent_ack_wait),
        "LOVSVAR_LOG_LEVEL": "ERROR",
    }
    process = await asyncio.create_subprocess_exec(AGENT, env={**os.environ, **variables})
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


def assert_taken_over(events: list[RunEvent]) -> None:
    assert [e.id for e in events] == list(range(1, len(events) + 1))
    assert [e.attempt for e in events if isinstance(e, RunStarted)] == [1, 2]
    assert [e.type for e in events if e.type in CLOSING] == ["run.completed"]
    answer = snapshot(events)
    assert answer.citations
    assert len({e.evidence_id for e in answer.evidence}) == len({(e.refid, e.section) for e in answer.evidence})


async def test_an_agent_that_is_stopped_hands_its_run_to_another(client, settings, asked, gate) -> None:
    gate.close()
    async with running(build(settings)):
        await client.publish(asked)
        await gate.waiting.wait()
    gate.open.set()
    async with running(build(settings)):
        assert_taken_over(await client.follow(asked.run_id))


async def test_an_agent_that_is_killed_has_its_run_finished_by_another(client, settings, asked, gate) -> None:
    gate.close()
    async with agent_process(settings) as first:
        await client.publish(asked)
        await gate.waiting.wait()
        first.kill()
        await first.wait()
        gate.open.set()
        async with agent_process(settings):
            assert_taken_over(await client.follow(asked.run_id))


async def test_evidence_keeps_its_ids_over_attempts(client, settings, asked, gate, corpus) -> None:
    hits = await MemorySearch(corpus).find(FindProvisions(query="skader på båten"))
    found = EvidenceRegistry().add(LAW, hits.hits)
    cursor = Cursor()
    for event in (
        RunAccepted(run_id=asked.run_id, question=asked.question),
        RunStarted(run_id=asked.run_id, limits=LIMITS, model="x"),
        SourcesFound(run_id=asked.run_id, evidence=found),
    ):
        _, cursor = await client.log.append(event.model_copy(update={"occurred_at": LONG_AGO}), cursor)
    async with running(build(settings)):
        await client.publish(asked)
        events = await client.follow(asked.run_id)
    known = {(e.refid, e.section): e.evidence_id for e in found}
    answer = snapshot(events)
    assert {(e.refid, e.section): e.evidence_id for e in answer.evidence}.items() >= known.items()
    assert {c.evidence_id for c in answer.citations} <= {e.evidence_id for e in answer.evidence}


async def test_an_agent_that_finds_its_run_taken_stops_and_leaves_it_to_the_other(
    client, settings, asked, gate
) -> None:
    gate.close()
    async with running(build(settings)):
        await client.publish(asked)
        await gate.waiting.wait()
        taken = RunStarted(run_id=asked.run_id, attempt=2, limits=LIMITS, model="x")
        cursor = await append_at_end(client, taken)
        gate.open.set()
        _, cursor = await client.log.append(taken.model_copy(update={"attempt": 3}), cursor)
        await client.log.append(RunCancelled(run_id=asked.run_id), cursor)
    events = await client.follow(asked.run_id)
    assert [e.type for e in events][-3:] == ["run.started", "run.started", "run.cancelled"]


async def test_a_cancelled_run_stops_at_once_and_is_closed_by_the_agent(client, settings, asked, gate, types) -> None:
    gate.close()
    async with running(build(settings)):
        await client.publish(asked)
        await gate.waiting.wait()
        began = asyncio.get_running_loop().time()
        await client.events.notify(subjects.question_cancel(asked.run_id), CancelQuestion(run_id=asked.run_id))
        events = await client.follow(asked.run_id)
        spent = asyncio.get_running_loop().time() - began
        gate.open.set()
        await client.publish(asked.model_copy(update={"event_id": "again"}))
    assert types(events)[-1] == "run.cancelled"
    assert types(events).count("run.cancelled") == 1
    assert events[-1].correlation_id == asked.correlation_id
    assert snapshot(events).status is RunStatus.CANCELLED
    assert spent < 5


async def test_a_run_that_the_gateway_has_closed_is_left_alone(client, settings, asked, gate, types) -> None:
    gate.close()
    async with running(build(settings)):
        await client.publish(asked)
        await gate.waiting.wait()
        await append_at_end(client, RunCancelled(run_id=asked.run_id))
        await client.events.notify(subjects.question_cancel(asked.run_id), CancelQuestion(run_id=asked.run_id))
        gate.open.set()
        info = await wait_until_acknowledged(client)
    events = await client.follow(asked.run_id)
    assert types(events).count("run.cancelled") == 1
    assert info.num_redelivered == 0


async def test_a_question_cancelled_before_it_is_asked_is_not_answered(client, settings, asked, types) -> None:
    async with running(build(settings)):
        await client.events.notify(subjects.question_cancel(asked.run_id), CancelQuestion(run_id=asked.run_id))
        # A request on the same connection is answered after the notice was heard.
        await client.requester.ask(subjects.health("agent"), ReadHealth(), ServiceHealth)
        await client.publish(asked)
        events = await client.follow(asked.run_id)
    assert types(events) == ["run.accepted", "run.cancelled"]


async def test_cancelling_a_run_that_is_done_changes_nothing(client, settings, asked) -> None:
    async with running(build(settings)):
        await client.publish(asked)
        events = await client.follow(asked.run_id)
        await client.events.notify(subjects.question_cancel(asked.run_id), CancelQuestion(run_id=asked.run_id))
    last, _ = await client.log.end(asked.run_id)
    assert last.id == events[-1].id


async def append_at_end(client, event: RunEvent) -> Cursor:
    """Append `event` to its log, whose agent may still be storing what it has done before it waits."""
    while True:
        _, end = await client.log.end(event.run_id)
        with contextlib.suppress(RunTaken):
            _, cursor = await client.log.append(event, end)
            return cursor


async def wait_until_acknowledged(client):
    async with asyncio.timeout(20):
        while True:
            info = await client.events.jetstream.consumer_info(subjects.STREAM_QUESTIONS, "agent")
            if info.num_ack_pending == 0 and info.num_pending == 0:
                return info
            await asyncio.sleep(0.02)
