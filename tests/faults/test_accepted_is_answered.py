"""A question that was accepted is answered, or its run is closed, whatever died in between."""

import asyncio
import contextlib
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
from lovsvar_gateway.adapters.key_file import write_keys
from lovsvar_gateway.core.access import KeyRing, Limits, Scope, new_key
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


async def test_no_run_is_left_open_and_none_is_asked_twice_when_a_gateway_is_killed_under_load(
    wire: Wire, search: Search, settings: Settings, nats_url: str, tmp_path: Path
) -> None:
    # Many callers, since those of one caller are accepted one by one.
    made = [new_key(f"caller-{n}", [Scope.ASK], Limits(concurrent=1_000)) for n in range(30)]
    write_keys(tmp_path / "keys.json", KeyRing(keys=tuple(key for _, key in made)))
    told: dict[str, str] = {}
    roomy = {"LOVSVAR_API_KEYS_FILE": str(tmp_path / "keys.json"), "LOVSVAR_QUEUE_SECONDS": "100000"}
    async with gateway_process(nats_url, tmp_path, roomy) as gateway:

        async def ask(secret: str, key: str) -> None:
            headers = {"Authorization": f"Bearer {secret}", "Idempotency-Key": key}
            reply = await gateway.client.post("/v1/questions", json={"question": "Hva?"}, headers=headers)
            assert reply.status_code == 202, reply.text
            told[key] = reply.json()["run_id"]

        async def ask_until_told(secret: str, key: str) -> None:
            while key not in told:
                with contextlib.suppress(httpx2.TransportError):
                    await ask(secret, key)

        async def ask_once(secret: str, key: str) -> None:
            with contextlib.suppress(httpx2.TransportError):
                await ask(secret, key)

        async def some_told() -> bool:
            return len(told) >= 1

        patient, hasty = {new_id(): s for s, _ in made}, {new_id(): s for s, _ in made}
        asking = [asyncio.create_task(ask_once(secret, key)) for key, secret in hasty.items()]
        asking += [asyncio.create_task(ask_until_told(secret, key)) for key, secret in patient.items()]
        await until(some_told, 30)
        gateway.process.kill()
        gateway.process.start()
        async with asyncio.timeout(40):
            await asyncio.gather(*asking)
        async with running(build(settings)):

            async def all_closed() -> bool:
                return not await wire.unclosed()

            await until(all_closed, 30)
        runs = await wire.runs()
    assert len({told[key] for key in patient}) == len(patient)
    assert set(told.values()) <= set(runs)
    assert len(runs) <= len(patient) + len(hasty)
    assert {last.type for last in runs.values()} == {"run.completed"}
