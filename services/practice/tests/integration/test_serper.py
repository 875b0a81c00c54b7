"""The Serper adapter against a server that speaks Serper's format."""

import socket
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING

import pytest
import pytest_asyncio
from pydantic import SecretStr

from lovsvar_contracts.practice import PracticeHit
from lovsvar_practice.adapters.serper import MAX_RESULTS, TRIES, SerperIndex
from lovsvar_practice.core.errors import KeyRefused, PracticeError, Unavailable

if TYPE_CHECKING:
    from conftest import Serper

PATHS = ("/avgjørelser/", "/trygderetten/")
KEY = "n0kkel"
FOUND = {
    "title": "HR-2020-1",
    "link": "https://lovdata.no/avgjørelser/hr-2020-1",
    "snippet": "Om mangler",
    "position": 1,
}


def index_at(url: str, seconds: float = 8.0) -> SerperIndex:
    return SerperIndex(url, SecretStr(KEY), PATHS, seconds)


@pytest_asyncio.fixture
async def index(serper: "Serper") -> AsyncIterator[SerperIndex]:
    index = index_at(serper.url)
    await index.start()
    yield index
    await index.stop()


async def test_a_search_is_sent_in_norwegian_with_the_key_and_limited_to_lovdatas_practice(
    serper: "Serper", index: SerperIndex
) -> None:
    serper.finds()
    await index.search("mangel ved bolig", 7)
    (request,) = serper.requests
    assert (request.path, request.key) == ("/search", KEY)
    assert request.body == {
        "q": "mangel ved bolig site:lovdata.no (inurl:/avgjørelser/ OR inurl:/trygderetten/)",
        "gl": "no",
        "hl": "no",
        "num": 7,
    }


async def test_results_come_back_in_order_and_those_without_an_address_are_left_out(
    serper: "Serper", index: SerperIndex
) -> None:
    serper.finds(FOUND, {"title": "uten adresse"}, {"link": "https://lovdata.no/x", "title": None})
    assert await index.search("mangel", 10) == (
        PracticeHit(title="HR-2020-1", url="https://lovdata.no/avgjørelser/hr-2020-1", snippet="Om mangler"),
        PracticeHit(title="", url="https://lovdata.no/x", snippet=""),
    )


async def test_no_more_than_twenty_results_are_asked_for(serper: "Serper", index: SerperIndex) -> None:
    serper.finds()
    await index.search("mangel", 500)
    assert serper.requests[0].body["num"] == MAX_RESULTS


@pytest.mark.parametrize("status", [429, 500, 502, 503])
async def test_a_passing_failure_is_tried_again(serper: "Serper", index: SerperIndex, status: int) -> None:
    serper.says(status)
    serper.finds(FOUND)
    assert len(await index.search("mangel", 10)) == 1
    assert len(serper.requests) == 2


async def test_a_connection_that_breaks_is_tried_again(serper: "Serper", index: SerperIndex) -> None:
    serper.hangs_up()
    serper.finds(FOUND)
    assert len(await index.search("mangel", 10)) == 1


@pytest.mark.parametrize("status", [429, 500])
async def test_a_failure_that_does_not_pass_is_given_up_after_the_last_try(
    serper: "Serper", index: SerperIndex, status: int
) -> None:
    serper.says(status)
    with pytest.raises(Unavailable):
        await index.search("mangel", 10)
    assert len(serper.requests) == TRIES


@pytest.mark.parametrize("status", [401, 403])
async def test_a_refused_key_is_said_plainly_and_not_tried_again(
    serper: "Serper", index: SerperIndex, status: int
) -> None:
    serper.says(status)
    with pytest.raises(KeyRefused, match="SERPER_API_KEY") as caught:
        await index.search("mangel", 10)
    assert len(serper.requests) == 1
    assert KEY not in str(caught.value)


@pytest.mark.parametrize("status", [302, 400, 404])
async def test_a_refused_search_is_not_tried_again(serper: "Serper", index: SerperIndex, status: int) -> None:
    serper.says(status)
    with pytest.raises(Unavailable, match=str(status)):
        await index.search("mangel", 10)
    assert len(serper.requests) == 1


@pytest.mark.parametrize("body", [b"", b"<html>", b"[]", b'{"organic": 3}', b'{"organic": [1]}', b"\xff"])
async def test_an_answer_that_cannot_be_read_is_no_answer(serper: "Serper", index: SerperIndex, body: bytes) -> None:
    serper.says(200, body)
    with pytest.raises(Unavailable, match="ikke kan leses"):
        await index.search("mangel", 10)


async def test_a_reply_without_results_is_an_empty_one(serper: "Serper", index: SerperIndex) -> None:
    serper.says(200, b'{"searchParameters": {}}')
    assert await index.search("mangel", 10) == ()


async def test_a_silent_provider_is_given_up_when_time_is_up(serper: "Serper") -> None:
    serper.stalls()
    index = index_at(serper.url, seconds=0.2)
    await index.start()
    with pytest.raises(Unavailable):
        await index.search("mangel", 10)
    await index.stop()
    assert len(serper.requests) == 1


async def test_a_provider_that_is_not_there_is_unavailable() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        index = index_at(f"http://127.0.0.1:{taken.getsockname()[1]}")
        await index.start()
        with pytest.raises(PracticeError, match="svarer ikke"):
            await index.search("mangel", 10)
        await index.stop()
