"""Links that stay open and let nothing through: noticed while it lasts, mended soon after it ends."""

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable
from typing import Any

import asyncpg
import pytest
from structlog.testing import capture_logs

from lovsvar_chassis import broker
from lovsvar_contracts.problems import ProblemError, ProblemType
from lovsvar_search.adapters.law import postgres_corpus
from lovsvar_search.core.retrieval import corpus_follower
from lovsvar_testkit.proxy import Proxy
from lovsvar_testkit.waiting import until

NOTICED = 20.0
MENDED = 20.0


async def answers(ask: Callable[[], Awaitable[Any]]) -> bool:
    with contextlib.suppress(ProblemError):
        await ask()
        return True
    return False


async def test_search_says_that_it_cannot_follow_the_database_and_follows_it_again(
    sample: str,
    asking: Any,
    admin: Any,
    run_search: Any,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(corpus_follower, "STALE_SECONDS", 8.0)
    async with Proxy(sample) as proxy, run_search(database_url=proxy.url) as service:
        await until(lambda: is_ready(asking))
        provision = (await asking.find()).hits[0]
        await asking.read(provision.refid, provision.section)
        proxy.swallow()
        await admin.execute("UPDATE corpus SET version = version + 1")

        await until(lambda: says(asking, "utdatert"), NOTICED)
        assert (await asking.find()).hits, "old law is better than none"
        began = time.monotonic()
        with pytest.raises(ProblemError) as refused:
            await asking.read(provision.refid, provision.section)
        assert refused.value.problem.type is ProblemType.UNAVAILABLE
        assert "Databasen svarer ikke" in refused.value.problem.detail
        assert time.monotonic() - began < 10, "whoever asked is told before the request's own time is up"
        told = [record for record in caplog.records if "corpus_follower" in record.name]
        assert len(told) == 1
        assert "Timeout" in told[0].getMessage()

        proxy.heal()
        await until(lambda: serves(asking, 2), MENDED)
        await asking.read(provision.refid, provision.section)
        assert service.not_ready() == ""


async def test_a_query_under_way_when_the_link_dies_is_given_up_and_made_again(
    sample: str, asking: Any, admin: Any, run_search: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres_corpus, "STEP_SECONDS", 2.0)
    async with Proxy(sample) as proxy, run_search(database_url=proxy.url):
        await until(lambda: is_ready(asking))
        async with admin.transaction():
            await admin.execute("LOCK TABLE documents IN ACCESS EXCLUSIVE MODE")
            other = await asyncpg.connect(sample)
            await other.execute("UPDATE corpus SET version = version + 1")

            async def reads() -> bool:
                waiting = (
                    "SELECT count(*) FROM pg_stat_activity "
                    "WHERE wait_event_type = 'Lock' AND datname = current_database()"
                )
                return bool(await other.fetchval(waiting))

            await until(reads)
            proxy.swallow()
            await other.close()
        # The answer to what it asked is lost, and new connections would pass: it must not wait for the old one.
        proxy.heal()
        await until(lambda: serves(asking, 2), MENDED)


async def test_a_link_to_nats_that_swallows_is_given_up_and_made_again(
    nats_url: str, sample: str, asking: Any, run_search: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert broker.PING_SECONDS * (broker.UNANSWERED_PINGS + 1) < NOTICED, "a link is given up after the last ping"
    monkeypatch.setattr(broker, "PING_SECONDS", 1)
    async with Proxy(nats_url) as proxy, run_search(nats_url=proxy.url) as service:
        await until(lambda: is_ready(asking))
        with capture_logs() as logs:
            proxy.swallow()

            async def given_up() -> bool:
                return not service.broker.connection.is_connected

            async def logged() -> bool:
                return "lost the connection to NATS" in {line["event"] for line in logs}

            await until(given_up, NOTICED)
            await until(logged)
        assert [line["event"] for line in logs].count("lost the connection to NATS") == 1
        proxy.heal()
        # Until the server notices too, requests are sent into the dead link as well.
        answered = 0
        async with asyncio.timeout(MENDED):
            while answered < 20:
                answered = answered + 1 if await answers(lambda: asking.health(timeout=0.5)) else 0
        assert (await asking.find()).hits


async def is_ready(asking: Any) -> bool:
    with contextlib.suppress(ProblemError):
        return bool((await asking.health()).ready)
    return False


async def says(asking: Any, words: str) -> bool:
    return words in (await asking.health()).detail


async def serves(asking: Any, version: int) -> bool:
    health = await asking.health()
    return health.ready and health.corpus_version == version
