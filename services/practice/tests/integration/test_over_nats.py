"""The practice service as others meet it: over a real nats-server."""

import pytest

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


async def test_without_a_key_a_search_is_answered_with_the_problem_not_configured(nats_url: str) -> None:
    client = make_broker(ServiceSettings(nats_url=nats_url), "test", {})
    async with running(build(Settings(nats_url=nats_url, SERPER_API_KEY=None))), client:
        with pytest.raises(ProblemError) as caught:
            await Requester(client).ask(subjects.PRACTICE_SEARCH, FindPractice(query="mangel"), PracticeHits)
    assert caught.value.problem.type is ProblemType.NOT_CONFIGURED
    assert "SERPER_API_KEY" in caught.value.problem.detail
    assert not caught.value.problem.retryable


async def test_it_says_that_it_is_ready(nats_url: str) -> None:
    client = make_broker(ServiceSettings(nats_url=nats_url), "test", {})
    async with running(build(Settings(nats_url=nats_url))), client:
        health = await Requester(client).ask(subjects.health("practice"), ReadHealth(), ServiceHealth)
    assert health.ready
    assert health.service == "practice"
