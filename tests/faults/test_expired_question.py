"""A question that nobody began in time is closed, and costs no work."""

from collections.abc import AsyncIterator
from datetime import timedelta

import pytest
import pytest_asyncio

from lovsvar_agent.app import build
from lovsvar_agent.settings import Settings
from lovsvar_contracts import subjects
from lovsvar_contracts.message import utc_now
from lovsvar_contracts.problems import ProblemType
from lovsvar_contracts.questions import QuestionAsked
from lovsvar_contracts.run_events import CLOSING, RunEvent, RunFailed, RunStarted
from lovsvar_testkit.questions import Search, Wire, gateway_process, searching, wired
from lovsvar_testkit.running import running
from lovsvar_testkit.waiting import until


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
    return Settings(nats_url=nats_url, agent_workers=1, agent_oversight=0.3, agent_ack_wait=1.0)


def assert_expired(events: list[RunEvent]) -> None:
    assert not [e for e in events if isinstance(e, RunStarted)]
    (failed,) = [e for e in events if e.type in CLOSING]
    assert isinstance(failed, RunFailed)
    assert (failed.problem, failed.retryable) == (ProblemType.TIMEOUT, True)
    assert "ikke besvart i tide" in failed.detail


async def test_an_agent_that_takes_a_question_too_late_closes_its_run(
    wire: Wire, search: Search, settings: Settings
) -> None:
    late = QuestionAsked(question="Hva er depositum?", expires_at=utc_now() - timedelta(seconds=1))
    await wire.events.publish(subjects.QUESTION_ASKED, late)
    async with running(build(settings.model_copy(update={"agent_oversight": 60.0}))):
        assert_expired(await wire.ended(late.run_id))
    assert not search.waiting.is_set()


async def test_a_question_expires_in_the_queue_though_every_agent_is_busy(
    wire: Wire, search: Search, settings: Settings, nats_url: str, tmp_path
) -> None:
    search.open.clear()
    async with (
        gateway_process(nats_url, tmp_path, {"LOVSVAR_QUESTION_SECONDS": "2"}) as gateway,
        running(build(settings)),
    ):
        body = {"question": "Hva er depositum?"}
        first = (await gateway.client.post("/v1/questions", json=body)).json()["run_id"]
        await search.waiting.wait()
        second = (await gateway.client.post("/v1/questions", json=body)).json()["run_id"]
        assert_expired(await wire.ended(second))
        search.open.set()
        assert (await wire.ended(first))[-1].type == "run.completed"

        async def none_is_left() -> bool:
            return await wire.queued() == 0

        await until(none_is_left)
        assert_expired(await wire.ended(second))
