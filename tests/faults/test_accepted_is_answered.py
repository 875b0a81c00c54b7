"""A question that was accepted is answered, or its run is closed, whatever died in between."""

import asyncio
import contextlib
import random
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import httpx2
import pytest
import pytest_asyncio

from lovsvar_agent.app import build
from lovsvar_agent.settings import Settings
from lovsvar_chassis.run_log import Cursor
from lovsvar_contracts import subjects
from lovsvar_contracts.message import new_id, utc_now
from lovsvar_contracts.problems import ProblemType
from lovsvar_contracts.questions import Mode, QuestionAsked, QuestionFilters
from lovsvar_contracts.run_events import CLOSING, RunAccepted, RunFailed, RunLimits, RunStarted
from lovsvar_testkit.questions import Search, Wire, gateway_process, searching, wired
from lovsvar_testkit.running import running
from lovsvar_testkit.waiting import until

LIMITS = RunLimits(rounds=1, tool_calls=1, seconds=1.0)


@pytest_asyncio.fixture
async def wire(nats_url: str) -> AsyncIterator[Wire]:
    async with wired(nats_url) as wire:
        yield wire


@pytest_asyncio.fixture
async def search(nats_url: str) -> AsyncIterator[Search]:
    async with searching(nats_url) as search:
        yield search


@pytest.fixture
def settings(nats_url: str) -> Settings:
    """Settings by which a run that nobody stands for is seen to within a second."""
    return Settings(nats_url=nats_url, agent_oversight=0.5, agent_ack_wait=1.0)


def accepted(**fields: object) -> RunAccepted:
    later = utc_now() + timedelta(minutes=5)
    given = {"run_id": new_id(), "question": "Hva er depositum?", "expires_at": later, **fields}
    return RunAccepted.model_validate(given)


async def test_a_run_that_was_accepted_and_never_queued_is_answered(
    wire: Wire, search: Search, settings: Settings
) -> None:
    filters = QuestionFilters(year=2020)
    event = accepted(mode=Mode.EXTRACTIVE, filters=filters, owner="kari", locale="nn")
    await wire.log.append(event, Cursor())
    async with running(build(settings)), running(build(settings)):
        events = await wire.ended(event.run_id)
    assert [e.type for e in events if e.type in CLOSING] == ["run.completed"]
    assert [e.attempt for e in events if isinstance(e, RunStarted)] == [1]
    assert {e.correlation_id for e in events} == {event.correlation_id}


async def test_a_run_whose_question_is_gone_is_closed(wire: Wire, search: Search, settings: Settings) -> None:
    event = accepted()
    _, end = await wire.log.append(event, Cursor())
    await wire.log.append(RunStarted(run_id=event.run_id, limits=LIMITS, model="extractive"), end)
    async with running(build(settings)), running(build(settings)):
        events = await wire.ended(event.run_id)
    (failed,) = [e for e in events if e.type in CLOSING]
    assert isinstance(failed, RunFailed)
    assert (failed.problem, failed.retryable) == (ProblemType.INTERNAL, True)
    assert failed.detail.endswith("Prøv igjen.")


async def test_a_run_that_is_being_answered_slowly_is_left_alone(
    wire: Wire, search: Search, settings: Settings
) -> None:
    search.open.clear()
    asked, other = QuestionAsked(question="Hva er depositum?"), accepted()
    async with running(build(settings)):
        await wire.events.publish(subjects.QUESTION_ASKED, asked)
        await search.waiting.wait()
        _, end = await wire.log.append(other, Cursor())
        await wire.log.append(RunStarted(run_id=other.run_id, limits=LIMITS, model="extractive"), end)
        await wire.ended(other.run_id)  # Runs have been looked at meanwhile, more than once.
        search.open.set()
        events = await wire.ended(asked.run_id)
    assert events[-1].type == "run.completed"
    assert [e.attempt for e in events if isinstance(e, RunStarted)] == [1]


async def test_no_run_is_left_open_and_none_is_asked_twice_when_gateways_are_killed_under_load(
    wire: Wire, search: Search, settings: Settings, nats_url: str, tmp_path: Path
) -> None:
    keys = [new_id() for _ in range(120)]
    limits = {"LOVSVAR_QUEUE_PER_CALLER": "5000", "LOVSVAR_QUEUE_LENGTH": "5000", "LOVSVAR_QUEUE_SECONDS": "10000"}
    told: dict[str, str] = {}
    async with gateway_process(nats_url, tmp_path, limits) as gateway, running(build(settings)):

        async def ask_until_told(key: str) -> None:
            while key not in told:
                with contextlib.suppress(httpx2.TransportError):
                    reply = await gateway.client.post(
                        "/v1/questions", json={"question": "Hva?"}, headers={"Idempotency-Key": key}
                    )
                    if reply.status_code == 202:
                        told[key] = reply.json()["run_id"]
                        continue
                await asyncio.sleep(0.1)

        async def ask_once() -> None:
            with contextlib.suppress(httpx2.TransportError):
                await gateway.client.post("/v1/questions", json={"question": "Hva?"})

        async def kill_at(count: int) -> None:
            await until(lambda: reached(count), 30)
            gateway.process.kill()
            gateway.process.start()
            await gateway.ready()

        async def reached(count: int) -> bool:
            return len(told) >= count

        asking = [asyncio.create_task(ask()) for key in keys for ask in (lambda k=key: ask_until_told(k), ask_once)]
        for count in (random.randint(5, 30), random.randint(50, 80)):
            await kill_at(count)
        async with asyncio.timeout(60):
            await asyncio.gather(*asking)

        async def all_closed() -> bool:
            return not await wire.unclosed()

        await until(all_closed, 30)
        runs = await wire.runs()
    assert len(set(told.values())) == len(keys)
    assert set(told.values()) <= set(runs)
    assert len(runs) <= 2 * len(keys)
    assert {last.type for last in runs.values()} == {"run.completed"}
