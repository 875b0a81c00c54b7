"""How an agent stores the events of its run while it goes on with it."""

import asyncio

import pytest

from lovsvar_agent.adapters.runs import MOST_WAITING, RunWriter
from lovsvar_agent.app import build
from lovsvar_agent.core.errors import RunStopped
from lovsvar_chassis.run_log import Cursor
from lovsvar_contracts.run_events import RunAccepted, RunCancelled, StepStarted
from lovsvar_testkit.running import running

HOLDS = "Pantet kan være på høyst fire ukers båtleie"


@pytest.fixture
async def writer(client, asked) -> RunWriter:
    _, cursor = await client.log.append(RunAccepted(run_id=asked.run_id, question=asked.question), Cursor())
    return RunWriter(client.log, cursor)


def step(run_id: str, number: int = 1) -> StepStarted:
    return StepStarted(run_id=run_id, step=number, name="tools", title="Søker")


async def test_a_run_does_not_wait_for_its_events_to_be_stored(asked, writer) -> None:
    async def emit() -> None:
        for number in range(MOST_WAITING):
            await writer.emit(step(asked.run_id, number))

    emitting = asyncio.create_task(emit())
    await asyncio.sleep(0)
    assert emitting.done()
    await writer.end()


async def test_more_events_than_may_wait_are_stored_in_order(client, asked, writer) -> None:
    for number in range(2 * MOST_WAITING + 1):
        await writer.emit(step(asked.run_id, number))
    await writer.settle()
    events = await client.log.read(asked.run_id)
    assert [e.id for e in events] == list(range(1, 2 * MOST_WAITING + 3))
    assert [e.step for e in events[1:]] == list(range(2 * MOST_WAITING + 1))


async def test_nothing_is_stored_after_what_another_writer_has_written(client, asked, writer) -> None:
    _, end = await client.log.end(asked.run_id)
    await client.log.append(RunCancelled(run_id=asked.run_id), end)
    await writer.emit(step(asked.run_id))
    await writer.emit(step(asked.run_id))
    with pytest.raises(RunStopped):
        await writer.settle()
    with pytest.raises(RunStopped):
        await writer.emit(step(asked.run_id))
    await writer.end()
    assert [e.type for e in await client.log.read(asked.run_id)] == ["run.accepted", "run.cancelled"]


async def test_who_is_cancelled_while_it_waits_leaves_the_log_without_a_gap(client, asked, writer) -> None:
    for number in range(10):
        await writer.emit(step(asked.run_id, number))
    waiting = asyncio.create_task(writer.settle())
    await asyncio.sleep(0)
    waiting.cancel()
    await writer.end()
    assert [e.id for e in await client.log.read(asked.run_id)] == list(range(1, 12))


async def test_a_run_is_confirmed_by_the_next_event_that_is_stored(client, asked, writer) -> None:
    await writer.confirm()
    for number in range(MOST_WAITING):
        await writer.emit(step(asked.run_id, number))
    await writer.confirm()
    assert len(await client.log.read(asked.run_id)) > 1
    await writer.settle()
    await writer.confirm()


async def test_a_run_that_another_has_taken_is_not_confirmed(client, asked, writer) -> None:
    _, end = await client.log.end(asked.run_id)
    await client.log.append(RunCancelled(run_id=asked.run_id), end)
    await writer.emit(step(asked.run_id))
    for _ in range(2):
        with pytest.raises(RunStopped):
            await writer.confirm()


@pytest.mark.usefixtures("search_service")
async def test_no_model_is_asked_for_a_run_that_was_closed_meanwhile(client, settings, asked, scripted, gate) -> None:
    gate.close()
    async with scripted.ScriptedModel([{"final": {"answer": HOLDS, "citations": []}}]).serving() as server:
        model = {"OPENAI_API_KEY": "k", "OPENAI_BASE_URL": server.url, "model": "scripted"}
        async with running(build(type(settings)(**{**settings.model_dump(exclude_none=True), **model}))):
            await client.publish(asked)
            await gate.waiting.wait()
            await client.wait_for(asked.run_id, "tool.called")
            _, end = await client.log.end(asked.run_id)
            await client.log.append(RunCancelled(run_id=asked.run_id), end)
            gate.open.set()
            events = await client.follow(asked.run_id)
        assert not server.requests
    assert events[-1].type == "run.cancelled"
