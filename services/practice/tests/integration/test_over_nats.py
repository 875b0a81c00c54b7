"""The practice service as others meet it: over a real nats-server."""

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from faststream.nats import NatsBroker

from lovsvar_chassis.requester import Requester
from lovsvar_contracts import subjects
from lovsvar_contracts.health import ReadHealth, ServiceHealth
from lovsvar_contracts.practice import FindPractice, PracticeHits
from lovsvar_contracts.problems import ProblemError, ProblemType
from lovsvar_practice import manifest
from lovsvar_practice.app import build
from lovsvar_practice.settings import Settings
from lovsvar_testkit.running import running
from lovsvar_testkit.serper import Serper

if TYPE_CHECKING:
    from conftest import Meters

REPLIES = Path(__file__).parent / "replies"
ADDRESS = "https://lovdata.no/trygderetten/2019-7"
FOUND = {"title": "Kjennelse", "link": ADDRESS, "snippet": "Om uføretrygd"}


def settings(nats_url: str, serper: Serper, **more: object) -> Settings:
    return Settings.model_validate(
        {"nats_url": nats_url, "serper_url": serper.url, "SERPER_API_KEY": "k", **more}, by_name=True, by_alias=True
    )


async def ask(requester: Requester, query: str, num: int = 10) -> PracticeHits:
    return await requester.ask(subjects.PRACTICE_SEARCH, FindPractice(query=query, num=num), PracticeHits)


async def test_without_a_key_a_search_is_answered_with_the_problem_not_configured(
    nats_url: str, requester: Requester
) -> None:
    async with running(build(Settings(nats_url=nats_url, SERPER_API_KEY=None))):
        with pytest.raises(ProblemError) as caught:
            await ask(requester, "mangel")
    assert caught.value.problem.type is ProblemType.NOT_CONFIGURED
    assert "SERPER_API_KEY" in caught.value.problem.detail
    assert not caught.value.problem.retryable


async def test_with_a_key_a_search_is_answered_with_practice_alone(
    nats_url: str, requester: Requester, serper: Serper
) -> None:
    serper.plays(REPLIES / "depositum.json")
    async with running(build(settings(nats_url, serper))):
        reply = await ask(requester, "depositum")
    assert [(h.title, h.url, h.snippet) for h in reply.hits] == [
        (
            "Oppdiktet sak om depositum & husleie",
            "https://lovdata.no/husleietvistutvalget/avgjorelse/htu-2000-1",
            "Leieren krevde depositum tilbake. Utvalget ga medhold ...",
        ),
        ("Oppdiktet dom om leie", "https://lovdata.no/avgj%C3%B8relser/hr-2000-1-a", ""),
    ]
    assert serper.requests[0].body["q"] == (
        "depositum site:lovdata.no (inurl:/avgjørelser/ OR inurl:/lovtidend/ OR inurl:/husleietvistutvalget/"
        " OR inurl:/trygderetten/ OR inurl:/sph2025/)"
    )


async def test_a_search_made_before_is_answered_from_what_was_found_by_another_process_too(
    nats_url: str, requester: Requester, serper: Serper, meters: "Meters"
) -> None:
    serper.finds(FOUND)
    async with running(build(settings(nats_url, serper), meters.provider)):
        first = await ask(requester, "Uføretrygd og  inntekt")
        second = await ask(requester, "uføretrygd og inntekt")
        assert meters.values("search.duration") == {"found": 2}
        assert meters.values("budget.left") == {"": 999}
    async with running(build(settings(nats_url, serper))):
        third = await ask(requester, "UFØRETRYGD og inntekt")
    assert (first.cached, second.cached, third.cached) == (False, True, True)
    assert first.hits == second.hits == third.hits
    assert len(serper.requests) == 1
    assert meters.values("cache") == {"hit": 1, "miss": 1}


async def test_another_number_of_hits_is_another_search(nats_url: str, requester: Requester, serper: Serper) -> None:
    serper.finds(FOUND)
    async with running(build(settings(nats_url, serper))):
        await ask(requester, "uføretrygd", 5)
        assert not (await ask(requester, "uføretrygd", 6)).cached
    assert [request.body["num"] for request in serper.requests] == [5, 6]


async def test_what_the_cache_holds_is_trusted_no_more_than_what_the_provider_says(
    nats_url: str, requester: Requester, serper: Serper, broker: NatsBroker
) -> None:
    serper.finds(FOUND)
    async with running(build(settings(nats_url, serper))):
        await ask(requester, "uføretrygd")
        store = await broker.connection.jetstream().key_value(manifest.CACHE)
        (key,) = await store.keys()
        await store.put(key, b'[{"title": "<b>x</b>", "url": "https://evil.example/trygderetten/1", "snippet": ""}]')
        reply = await ask(requester, "uføretrygd")
    assert (reply.cached, reply.hits) == (True, ())


async def test_a_failure_is_not_kept(nats_url: str, requester: Requester, serper: Serper) -> None:
    serper.says(400)
    serper.finds(FOUND)
    async with running(build(settings(nats_url, serper))):
        with pytest.raises(ProblemError):
            await ask(requester, "uføretrygd")
        assert len((await ask(requester, "uføretrygd")).hits) == 1


async def test_a_spent_budget_is_said_and_what_was_found_before_is_still_given(
    nats_url: str, requester: Requester, serper: Serper, meters: "Meters"
) -> None:
    serper.finds(FOUND)
    async with running(build(settings(nats_url, serper, practice_daily_budget=1), meters.provider)):
        await ask(requester, "uføretrygd")
        with pytest.raises(ProblemError) as caught:
            await ask(requester, "depositum")
        again = await ask(requester, "uføretrygd")
        assert meters.values("budget.left") == {"": 0}
    assert caught.value.problem.type is ProblemType.UNAVAILABLE
    assert "Dagens kvote på 1 søk i rettspraksis er brukt opp" in caught.value.problem.detail
    assert again.cached
    assert len(again.hits) == 1
    assert len(serper.requests) == 1
    assert meters.values("search.duration") == {"found": 2, "BudgetSpent": 1}


async def test_a_search_succeeds_though_its_buckets_were_deleted(
    nats_url: str, requester: Requester, serper: Serper, broker: NatsBroker
) -> None:
    serper.finds(FOUND)
    async with running(build(settings(nats_url, serper))):
        await ask(requester, "uføretrygd")
        for bucket in (manifest.CACHE, manifest.BUDGET):
            await broker.connection.jetstream().delete_key_value(bucket)
        reply = await ask(requester, "uføretrygd")
    assert (len(reply.hits), reply.cached) == (1, False)


async def test_a_provider_that_keeps_failing_is_not_asked_for_a_while(
    nats_url: str, requester: Requester, serper: Serper, meters: "Meters"
) -> None:
    serper.says(429, headers={"Retry-After": "3600"})
    async with running(build(settings(nats_url, serper, practice_breaker_failures=2), meters.provider)):
        details = []
        for query in ("en", "to", "tre"):
            with pytest.raises(ProblemError) as caught:
                await ask(requester, query)
            details.append(caught.value.problem.detail)
            assert caught.value.problem.retryable
        assert meters.values("breaker.state") == {"": 2}
    assert "får hvile" in details[-1]
    assert len(serper.requests) == 2


async def test_a_search_without_words_is_an_invalid_request(
    nats_url: str, requester: Requester, serper: Serper
) -> None:
    async with running(build(settings(nats_url, serper))):
        with pytest.raises(ProblemError) as caught:
            await ask(requester, "site: §")
    assert caught.value.problem.type is ProblemType.INVALID_REQUEST
    assert serper.requests == []


@pytest.mark.parametrize(
    ("status", "type_", "retryable"),
    [(403, ProblemType.NOT_CONFIGURED, False), (400, ProblemType.UNAVAILABLE, True)],
)
async def test_a_failing_provider_is_answered_with_a_problem_at_once(
    nats_url: str, requester: Requester, serper: Serper, status: int, type_: ProblemType, retryable: bool
) -> None:
    serper.says(status)
    async with running(build(settings(nats_url, serper))):
        with pytest.raises(ProblemError) as caught:
            await ask(requester, "mangel")
    assert (caught.value.problem.type, caught.value.problem.retryable) == (type_, retryable)


async def test_it_says_that_it_is_ready(nats_url: str, requester: Requester) -> None:
    async with running(build(Settings(nats_url=nats_url))):
        health = await requester.ask(subjects.health("practice"), ReadHealth(), ServiceHealth)
    assert health.ready
    assert health.service == "practice"
