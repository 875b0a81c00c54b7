"""What the replicas share in NATS: what was found, and how much was asked today."""

import asyncio
import contextlib
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from faststream.nats import NatsBroker
from pydantic import SecretStr

from lovsvar_chassis.broker import make_broker
from lovsvar_chassis.service import disconnect
from lovsvar_chassis.settings import ServiceSettings
from lovsvar_contracts.practice import FindPractice, PracticeHit
from lovsvar_practice import manifest
from lovsvar_practice.adapters.metrics import PracticeMetrics
from lovsvar_practice.adapters.nats_store import MAX_BYTES, RESULT_SECONDS, NatsBudget, NatsPracticeCache
from lovsvar_practice.adapters.serper import SerperIndex
from lovsvar_practice.core.breaker import Breaker
from lovsvar_practice.core.errors import BudgetSpent
from lovsvar_practice.core.practice_search import find_practice
from lovsvar_testkit import servers
from lovsvar_testkit.serper import Serper
from lovsvar_testkit.waiting import until

if TYPE_CHECKING:
    from conftest import Meters

HITS = (PracticeHit(title="Dom", url="https://lovdata.no/trygderetten/1", snippet="Om æ, ø og å"),)
PATHS = ("/trygderetten/",)
KEY = "a" * 64
PATIENT = 20.0
"""On a machine with much to do, what the store answers late is still what it answers."""
TODAY = datetime(2026, 3, 1, 12, tzinfo=UTC)


class Calendar:
    """A calendar that a test turns."""

    def __init__(self) -> None:
        self.now = TODAY

    def __call__(self) -> datetime:
        return self.now


async def spend_all(budget: NatsBudget, tries: int) -> int:
    """Try to spend, at once, and return how often it could be done."""

    async def one() -> int:
        try:
            await budget.spend()
        except BudgetSpent:
            return 0
        return 1

    return sum(await asyncio.gather(*(one() for _ in range(tries))))


def cache_on(broker: NatsBroker, meters: "Meters") -> NatsPracticeCache:
    return NatsPracticeCache(broker, PracticeMetrics(meters.provider), seconds=PATIENT)


async def test_what_one_replica_keeps_another_recalls(broker: NatsBroker, meters: "Meters") -> None:
    await cache_on(broker, meters).keep(KEY, HITS)
    assert await cache_on(broker, meters).recall(KEY) == HITS
    assert await cache_on(broker, meters).recall("b" * 64) is None
    assert meters.values("cache") == {"hit": 1, "miss": 1}


async def test_no_results_are_kept_as_such(broker: NatsBroker, meters: "Meters") -> None:
    cache = cache_on(broker, meters)
    await cache.keep(KEY, ())
    assert await cache.recall(KEY) == ()


async def test_the_server_forgets_after_a_day_and_keeps_a_bounded_amount(broker: NatsBroker, meters: "Meters") -> None:
    await cache_on(broker, meters).keep(KEY, HITS)
    status = await (await broker.connection.jetstream().key_value(manifest.CACHE)).status()
    assert (status.ttl, RESULT_SECONDS) == (24 * 3600, 24 * 3600)
    assert status.stream_info.config.max_bytes == MAX_BYTES


async def test_something_else_under_the_key_is_as_nothing(broker: NatsBroker, meters: "Meters") -> None:
    cache = cache_on(broker, meters)
    await cache.keep(KEY, HITS)
    store = await broker.connection.jetstream().key_value(manifest.CACHE)
    for wrong in (b"", b"{}", b'[{"url": 1}]', b"\xff"):
        await store.put(KEY, wrong)
        assert await cache.recall(KEY) is None


async def test_a_store_that_is_gone_is_as_an_empty_one_and_is_made_anew(broker: NatsBroker, meters: "Meters") -> None:
    cache = cache_on(broker, meters)
    await cache.keep(KEY, HITS)
    await broker.connection.jetstream().delete_key_value(manifest.CACHE)
    assert await cache.recall(KEY) is None

    async def kept() -> bool:
        await cache.keep(KEY, HITS)
        return await cache.recall(KEY) == HITS

    # A server that is still removing a stream takes no other of its name.
    await until(kept)


async def test_a_search_succeeds_though_the_server_with_the_cache_and_the_budget_is_gone(
    serper: Serper, meters: "Meters"
) -> None:
    serper.finds({"title": "Dom", "link": HITS[0].url, "snippet": "Om æ, ø og å"})
    with contextlib.ExitStack() as stack:
        broker = make_broker(ServiceSettings(nats_url=stack.enter_context(servers.nats())), "test")
        await broker.connect()
        metrics = PracticeMetrics(meters.provider)
        cache = NatsPracticeCache(broker, metrics)
        index = SerperIndex(serper.url, SecretStr("k"), NatsBudget(broker, 2), Breaker(5, 30), metrics)
        await index.start()
        await find_practice(FindPractice(query="uføretrygd"), index, cache, PATHS)
        stack.close()
        again = await find_practice(FindPractice(query="uføretrygd"), index, cache, PATHS)
        with pytest.raises(BudgetSpent):
            await find_practice(FindPractice(query="uføretrygd"), index, cache, PATHS)
        await index.stop()
        await disconnect(broker)
    assert (again.hits, again.cached) == (HITS, False)
    assert len(serper.requests) == 2
    assert meters.values("cache") == {"miss": 1, "unreachable": 2}


async def test_replicas_that_race_never_spend_more_than_the_budget_together(broker: NatsBroker) -> None:
    calendar = Calendar()
    first, second = (NatsBudget(broker, 10, now=calendar, seconds=PATIENT) for _ in range(2))
    spent = await asyncio.gather(spend_all(first, 8), spend_all(second, 8))
    assert sum(spent) == 10
    store = await broker.connection.jetstream().key_value(manifest.BUDGET)
    assert (await store.get("2026-03-01")).value == b"10"
    assert min(first.left, second.left) == 0


async def test_a_spent_budget_says_so_in_norwegian_and_is_new_the_next_day(broker: NatsBroker) -> None:
    calendar = Calendar()
    budget = NatsBudget(broker, 1, now=calendar, seconds=PATIENT)
    await budget.spend()
    with pytest.raises(BudgetSpent, match="kvote på 1 søk"):
        await budget.spend()
    calendar.now += timedelta(days=1)
    assert budget.left == 1
    await budget.spend()
    assert budget.left == 0


async def test_a_replica_that_starts_anew_goes_on_from_what_was_spent(broker: NatsBroker) -> None:
    calendar = Calendar()
    assert await spend_all(NatsBudget(broker, 3, now=calendar, seconds=PATIENT), 2) == 2
    assert await spend_all(NatsBudget(broker, 3, now=calendar, seconds=PATIENT), 5) == 1


async def test_no_budget_at_all_is_kept_to(broker: NatsBroker) -> None:
    with pytest.raises(BudgetSpent):
        await NatsBudget(broker, 0).spend()


class Away:
    """A broker whose store can be taken away and brought back."""

    def __init__(self, broker: NatsBroker) -> None:
        self._connection = broker.connection
        self.there = True

    @property
    def connection(self) -> object:
        if not self.there:
            raise ConnectionRefusedError("away")
        return self._connection


async def test_while_the_store_is_away_a_replica_keeps_within_the_budget_and_settles_afterwards(
    broker: NatsBroker, meters: "Meters"
) -> None:
    calendar = Calendar()
    away = Away(broker)
    budget = NatsBudget(away, 5, now=calendar, seconds=PATIENT)  # type: ignore[arg-type]
    away.there = False
    assert await spend_all(budget, 3) == 3
    assert budget.left == 2
    away.there = True
    await budget.spend()
    store = await broker.connection.jetstream().key_value(manifest.BUDGET)
    assert (await store.get("2026-03-01")).value == b"4"
    other = NatsBudget(away, 3, now=calendar, seconds=PATIENT)  # type: ignore[arg-type]
    away.there = False
    assert await spend_all(other, 9) == 3
