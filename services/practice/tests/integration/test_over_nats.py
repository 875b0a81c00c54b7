"""The practice service as others meet it: over a real nats-server."""

from collections.abc import AsyncIterator
from typing import TYPE_CHECKING

import pytest
import pytest_asyncio

from lovsvar_chassis.broker import make_broker
from lovsvar_chassis.requests import Requester
from lovsvar_chassis.settings import ServiceSettings
from lovsvar_contracts import subjects
from lovsvar_contracts.health import ReadHealth, ServiceHealth
from lovsvar_contracts.practice import FindPractice, PracticeHits
from lovsvar_contracts.problems import ProblemError, ProblemType
from lovsvar_practice.app import build
from lovsvar_practice.settings import Settings
from lovsvar_testkit.running import running

if TYPE_CHECKING:
    from conftest import Serper


@pytest_asyncio.fixture
async def requester(nats_url: str) -> AsyncIterator[Requester]:
    async with make_broker(ServiceSettings(nats_url=nats_url), "test", {}) as client:
        yield Requester(client)


async def test_without_a_key_a_search_is_answered_with_the_problem_not_configured(
    nats_url: str, requester: Requester
) -> None:
    async with running(build(Settings(nats_url=nats_url, SERPER_API_KEY=None))):
        with pytest.raises(ProblemError) as caught:
            await requester.ask(subjects.PRACTICE_SEARCH, FindPractice(query="mangel"), PracticeHits)
    assert caught.value.problem.type is ProblemType.NOT_CONFIGURED
    assert "SERPER_API_KEY" in caught.value.problem.detail
    assert not caught.value.problem.retryable


async def test_with_a_key_a_search_is_answered_with_practice_alone(
    nats_url: str, requester: Requester, serper: "Serper"
) -> None:
    address = "https://lovdata.no/trygderetten/2019-7"
    serper.finds(
        {"title": "Annet", "link": "https://evil.example/trygderetten/1", "snippet": ""},
        {"title": "<b>Kjennelse</b>", "link": address, "snippet": "Om &amp; rundt"},
    )
    async with running(build(Settings(nats_url=nats_url, serper_url=serper.url, SERPER_API_KEY="k"))):
        reply = await requester.ask(subjects.PRACTICE_SEARCH, FindPractice(query="uføretrygd"), PracticeHits)
    assert [(h.title, h.url, h.snippet) for h in reply.hits] == [("Kjennelse", address, "Om & rundt")]
    assert "inurl:/husleietvistutvalget/" in serper.requests[0].body["q"]


@pytest.mark.parametrize(
    ("status", "type_", "retryable"),
    [(403, ProblemType.NOT_CONFIGURED, False), (400, ProblemType.UNAVAILABLE, True)],
)
async def test_a_failing_provider_is_answered_with_a_problem_at_once(
    nats_url: str, requester: Requester, serper: "Serper", status: int, type_: ProblemType, retryable: bool
) -> None:
    serper.says(status)
    async with running(build(Settings(nats_url=nats_url, serper_url=serper.url, SERPER_API_KEY="k"))):
        with pytest.raises(ProblemError) as caught:
            await requester.ask(subjects.PRACTICE_SEARCH, FindPractice(query="mangel"), PracticeHits)
    assert (caught.value.problem.type, caught.value.problem.retryable) == (type_, retryable)


async def test_it_says_that_it_is_ready(nats_url: str, requester: Requester) -> None:
    async with running(build(Settings(nats_url=nats_url))):
        health = await requester.ask(subjects.health("practice"), ReadHealth(), ServiceHealth)
    assert health.ready
    assert health.service == "practice"
