"""The Serper adapter against a server that speaks Serper's format."""

import asyncio
import logging
import socket
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
import pytest_asyncio
from pydantic import SecretStr

from lovsvar_contracts.practice import PracticeHit
from lovsvar_practice.adapters.metrics import PracticeMetrics
from lovsvar_practice.adapters.serper import MAX_BODY, MAX_RESULTS, Pace, SerperIndex
from lovsvar_practice.core.breaker import Breaker, BreakerState
from lovsvar_practice.core.errors import BudgetSpent, KeyRefused, Paused, PracticeError, SearchRefused, Unavailable
from lovsvar_testkit.serper import Serper, standing_in_for_serper

if TYPE_CHECKING:
    from conftest import Meters, Purse

KEY = "n0kkel-som-ingen-skal-se"
FOUND = {"title": "HR-2020-1", "link": "https://lovdata.no/avgjørelser/hr-2020-1", "snippet": "Om mangler"}
QUICK = Pace(first_wait=0.0, longest_wait=0.0, jitter=0.0, search=20.0, each_try=10.0)
NEVER = 1_000_000


class Clock:
    """A clock that a test moves."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def index_at(
    url: str, purse: "Purse", meters: "Meters", pace: Pace = QUICK, breaker: Breaker | None = None
) -> SerperIndex:
    metrics = PracticeMetrics(meters.provider)
    return SerperIndex(url, SecretStr(KEY), purse, breaker or Breaker(NEVER, 30), metrics, pace)


@pytest_asyncio.fixture
async def index(serper: Serper, purse: "Purse", meters: "Meters") -> AsyncIterator[SerperIndex]:
    index = index_at(serper.url, purse, meters)
    await index.start()
    yield index
    await index.stop()


async def test_a_search_is_sent_in_norwegian_with_the_key(serper: Serper, index: SerperIndex) -> None:
    serper.finds()
    await index.search("mangel ved bolig site:lovdata.no (inurl:/avgjørelser/)", 7)
    (request,) = serper.requests
    assert (request.method, request.path, request.key) == ("POST", "/search", KEY)
    assert request.headers["content-type"] == "application/json"
    assert request.body == {
        "q": "mangel ved bolig site:lovdata.no (inurl:/avgjørelser/)",
        "gl": "no",
        "hl": "no",
        "num": 7,
    }


async def test_results_come_back_in_order_and_those_without_an_address_are_left_out(
    serper: Serper, index: SerperIndex
) -> None:
    serper.finds(FOUND, {"title": "uten adresse"}, {"link": "https://lovdata.no/x", "title": None})
    assert await index.search("mangel", 10) == (
        PracticeHit(title="HR-2020-1", url="https://lovdata.no/avgjørelser/hr-2020-1", snippet="Om mangler"),
        PracticeHit(title="", url="https://lovdata.no/x", snippet=""),
    )


async def test_no_more_than_twenty_results_are_asked_for_or_taken(serper: Serper, index: SerperIndex) -> None:
    serper.finds(*[FOUND] * 50)
    assert len(await index.search("mangel", 500)) == MAX_RESULTS
    assert serper.requests[0].body["num"] == MAX_RESULTS


@pytest.mark.parametrize("status", [429, 500, 502, 503])
async def test_a_passing_failure_is_tried_again(
    serper: Serper, index: SerperIndex, meters: "Meters", status: int
) -> None:
    serper.says(status)
    serper.finds(FOUND)
    assert len(await index.search("mangel", 10)) == 1
    assert len(serper.requests) == 2
    assert meters.values("requests") == {str(status): 1, "200": 1}
    assert meters.values("retries") == {"": 1}


async def test_the_provider_is_left_alone_for_as_long_as_it_asks(serper: Serper, index: SerperIndex) -> None:
    serper.says(429, headers={"Retry-After": "1"})
    serper.finds(FOUND)
    assert len(await index.search("mangel", 10)) == 1
    first, second = serper.requests
    assert second.at - first.at >= 1.0


async def test_a_wait_longer_than_a_search_may_take_is_not_begun(serper: Serper, index: SerperIndex) -> None:
    serper.says(429, headers={"Retry-After": "3600"})
    with pytest.raises(Unavailable, match="flere søk"):
        await index.search("mangel", 10)
    assert len(serper.requests) == 1


async def test_a_connection_that_breaks_is_tried_again(serper: Serper, index: SerperIndex) -> None:
    serper.hangs_up()
    serper.finds(FOUND)
    assert len(await index.search("mangel", 10)) == 1


async def test_an_answer_that_breaks_off_is_asked_for_again(serper: Serper, index: SerperIndex) -> None:
    serper.cuts_off()
    serper.finds(FOUND)
    assert len(await index.search("mangel", 10)) == 1


@pytest.mark.parametrize("in_the_body", [False, True])
async def test_a_silent_try_is_given_up_and_made_again(
    serper: Serper, purse: "Purse", meters: "Meters", in_the_body: bool
) -> None:
    serper.stalls_in_the_body() if in_the_body else serper.stalls()
    serper.finds(FOUND)
    index = index_at(serper.url, purse, meters, replace(QUICK, each_try=0.2, tries=20))
    await index.start()
    assert len(await index.search("mangel", 10)) == 1
    await index.stop()
    assert meters.values("requests")["ReadTimeout"] >= 1


@pytest.mark.parametrize("status", [429, 500])
async def test_a_failure_that_does_not_pass_is_given_up_after_the_last_try(
    serper: Serper, index: SerperIndex, status: int
) -> None:
    serper.says(status)
    with pytest.raises(Unavailable):
        await index.search("mangel", 10)
    assert len(serper.requests) == QUICK.tries


@pytest.mark.parametrize("status", [401, 403])
async def test_a_refused_key_is_said_plainly_and_not_tried_again(
    serper: Serper, index: SerperIndex, status: int
) -> None:
    serper.says(status)
    with pytest.raises(KeyRefused, match="SERPER_API_KEY"):
        await index.search("mangel", 10)
    assert len(serper.requests) == 1


@pytest.mark.parametrize("status", [400, 404])
async def test_a_refused_search_is_not_tried_again(serper: Serper, index: SerperIndex, status: int) -> None:
    serper.says(status)
    with pytest.raises(SearchRefused, match=str(status)):
        await index.search("mangel", 10)
    assert len(serper.requests) == 1


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
async def test_a_redirect_is_not_followed_so_that_no_other_host_gets_the_key(
    serper: Serper, index: SerperIndex, status: int
) -> None:
    with standing_in_for_serper() as other:
        other.finds(FOUND)
        serper.says(status, headers={"Location": f"{other.url}/search"})
        with pytest.raises(SearchRefused, match=str(status)):
            await index.search("mangel", 10)
        assert other.requests == []
    assert len(serper.requests) == 1


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"<html>",
        b"[]",
        b"null",
        b'{"organic": 3}',
        b'{"organic": [1]}',
        b'{"organic": {"link": "https://lovdata.no/"}}',
        b'{"organic": [{"link": ["https://lovdata.no/"]}]}',
        b'{"organic": [{"title": "x"',
        b"\xff",
        b"[" * 100_000,
    ],
    ids=lambda body: str(body[:30]),
)
async def test_an_answer_that_cannot_be_read_is_no_answer(serper: Serper, index: SerperIndex, body: bytes) -> None:
    serper.says(200, body)
    with pytest.raises(Unavailable, match="ikke kan leses"):
        await index.search("mangel", 10)
    assert len(serper.requests) == 1


async def test_a_body_too_large_is_not_read_to_its_end(serper: Serper, index: SerperIndex) -> None:
    serper.says(200, b'{"organic": []}' + b" " * MAX_BODY)
    serper.never_ends()
    for _ in range(2):
        with pytest.raises(Unavailable, match="ikke kan leses"):
            await index.search("mangel", 10)


async def test_a_reply_without_results_is_an_empty_one(serper: Serper, index: SerperIndex) -> None:
    serper.says(200, b'{"searchParameters": {}}')
    assert await index.search("mangel", 10) == ()


async def test_a_silent_provider_is_given_up_when_time_is_up(serper: Serper, purse: "Purse", meters: "Meters") -> None:
    serper.stalls()
    index = index_at(serper.url, purse, meters, replace(QUICK, search=0.2))
    await index.start()
    with pytest.raises(Unavailable, match="svarer ikke"):
        await index.search("mangel", 10)
    await index.stop()
    assert len(serper.requests) <= 1


async def test_a_provider_that_is_not_there_is_unavailable(purse: "Purse", meters: "Meters") -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        index = index_at(f"http://127.0.0.1:{taken.getsockname()[1]}", purse, meters)
        await index.start()
        with pytest.raises(PracticeError, match="svarer ikke"):
            await index.search("mangel", 10)
        await index.stop()


async def test_every_request_is_counted_in_the_budget_and_none_is_sent_beyond_it(
    serper: Serper, index: SerperIndex, purse: "Purse"
) -> None:
    serper.says(500)
    purse.left = 2
    with pytest.raises(BudgetSpent):
        await index.search("mangel", 10)
    assert len(serper.requests) == 2


async def test_a_provider_that_keeps_failing_is_left_alone_until_one_search_goes_well(
    serper: Serper, purse: "Purse", meters: "Meters"
) -> None:
    clock = Clock()
    breaker = Breaker(2, 30, clock)
    index = index_at(serper.url, purse, meters, replace(QUICK, tries=1), breaker)
    await index.start()
    for _ in range(3):
        serper.says(500)
    serper.finds(FOUND)
    for expected in (Unavailable, Unavailable, Paused):
        with pytest.raises(expected):
            await index.search("mangel", 10)
    assert len(serper.requests) == 2
    clock.now += 30
    with pytest.raises(Unavailable):
        await index.search("mangel", 10)
    with pytest.raises(Paused):
        await index.search("mangel", 10)
    clock.now += 30
    assert len(await index.search("mangel", 10)) == 1
    assert breaker.state is BreakerState.CLOSED
    await index.stop()


async def test_a_search_that_its_caller_gives_up_is_no_failure_of_the_providers(
    serper: Serper, purse: "Purse", meters: "Meters"
) -> None:
    breaker = Breaker(1, 30)
    index = index_at(serper.url, purse, meters, breaker=breaker)
    await index.start()
    serper.stalls()
    search = asyncio.create_task(index.search("mangel", 10))
    await asyncio.to_thread(serper.wait_for, 1)
    search.cancel()
    with pytest.raises(asyncio.CancelledError):
        await search
    assert breaker.state is BreakerState.CLOSED
    await index.stop()


async def test_the_key_is_in_no_log_line_and_no_error(
    serper: Serper, index: SerperIndex, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    serper.says(500, KEY.encode())
    serper.says(403, KEY.encode())
    serper.hangs_up()
    serper.says(200, f'{{"organic": "{KEY}"}}'.encode())
    for _ in range(3):
        with pytest.raises(PracticeError) as caught:
            await index.search("mangel", 10)
        error: BaseException | None = caught.value
        while error is not None:
            assert KEY not in f"{error} {error!r}"
            error = error.__cause__
    assert serper.requests[0].key == KEY
    assert caplog.records
    assert KEY not in caplog.text
