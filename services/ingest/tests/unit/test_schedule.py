"""Syncs asked for every night, by a clock that the test moves."""

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime, time, timedelta
from typing import Any

import pytest
from pydantic import ValidationError

from lovsvar_contracts.ingest import SyncRequested
from lovsvar_contracts.problems import Problem, ProblemError, ProblemType
from lovsvar_ingest.core.nightly import next_run, nightly_requests
from lovsvar_ingest.schedule import Schedule
from lovsvar_ingest.settings import Settings

AT = time(3, 30)
EVENING = datetime(2026, 11, 21, 22, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("now", "run"),
    [
        (datetime(2026, 11, 21, 3, 29, 59, tzinfo=UTC), datetime(2026, 11, 21, 3, 30, tzinfo=UTC)),
        (datetime(2026, 11, 21, 3, 30, tzinfo=UTC), datetime(2026, 11, 22, 3, 30, tzinfo=UTC)),
        (datetime(2026, 12, 31, 12, 0, tzinfo=UTC), datetime(2027, 1, 1, 3, 30, tzinfo=UTC)),
    ],
)
def test_the_next_run_is_the_next_time_that_the_clock_shows_it(now: datetime, run: datetime) -> None:
    assert next_run(now, AT) == run


def test_the_requests_of_one_night_are_the_same_whoever_makes_them_and_others_the_next() -> None:
    def ids(day: datetime) -> list[tuple[str, str]]:
        return [(request.event_id, request.sync_id) for request in nightly_requests(day.date())]

    assert ids(EVENING) == ids(EVENING)
    assert not set(ids(EVENING)) & set(ids(EVENING + timedelta(days=1)))
    assert {request.dataset for request in nightly_requests(EVENING.date())} == {
        "gjeldende-lover",
        "gjeldende-sentrale-forskrifter",
    }


def test_catalogues_are_asked_for_after_the_law_with_ids_of_their_own_length() -> None:
    longest = "katalog-" + "k" * 40
    requests = nightly_requests(EVENING.date(), ["katalog-hjelp", longest])
    assert [request.dataset for request in requests[2:]] == ["katalog-hjelp", longest]
    assert requests[2].sync_id == f"nightly-katalog-hjelp-{EVENING.date()}"
    assert (
        requests[3].sync_id != nightly_requests((EVENING + timedelta(days=1)).date(), ["katalog-x", longest])[3].sync_id
    )


class Night:
    """A clock that sleeping moves, and a stream that remembers when it was asked for what."""

    def __init__(self) -> None:
        self.now = EVENING
        self.asked: list[tuple[datetime, str]] = []
        self.enough = asyncio.Event()
        self.jump: Callable[[], None] = lambda: None
        self.down_until = EVENING

    async def sleep(self, seconds: float) -> None:
        self.now += timedelta(seconds=seconds)
        self.jump()
        await asyncio.sleep(0)

    async def ask(self, request: SyncRequested) -> None:
        if self.now < self.down_until:
            raise ProblemError(Problem(type=ProblemType.UNAVAILABLE, title="", detail="NATS svarer ikke."))
        self.asked.append((self.now, request.sync_id))
        if len(self.asked) >= 4:
            self.enough.set()

    async def until_four_requests(self) -> list[tuple[datetime, str]]:
        schedule = Schedule(AT, self.ask, lambda: self.now, self.sleep)
        await schedule.start()
        async with asyncio.timeout(20):
            await self.enough.wait()
        await schedule.stop()
        return self.asked[:4]


def nights(*days: int, minute: int = 30) -> list[tuple[datetime, str]]:
    return [
        (datetime(2026, 11, day, 3, minute, tzinfo=UTC), request.sync_id)
        for day in days
        for request in nightly_requests(datetime(2026, 11, day, tzinfo=UTC).date())
    ]


async def test_every_night_both_data_sets_are_asked_for() -> None:
    assert await Night().until_four_requests() == nights(22, 23)


async def test_a_night_that_was_slept_through_is_left_to_the_next() -> None:
    night = Night()

    def sleep_until_noon() -> None:
        if datetime(2026, 11, 22, 1, tzinfo=UTC) < night.now < datetime(2026, 11, 22, 12, tzinfo=UTC):
            night.now = datetime(2026, 11, 22, 12, tzinfo=UTC)

    night.jump = sleep_until_noon
    assert await night.until_four_requests() == nights(23, 24)


async def test_a_stream_that_is_down_for_some_minutes_is_asked_again() -> None:
    night = Night()
    night.down_until = datetime(2026, 11, 22, 3, 34, tzinfo=UTC)
    assert await night.until_four_requests() == nights(22, minute=34) + nights(23)


async def test_a_stream_that_is_down_all_night_is_asked_the_next() -> None:
    night = Night()
    night.down_until = datetime(2026, 11, 22, 9, 0, tzinfo=UTC)
    assert await night.until_four_requests() == nights(23, 24)


@pytest.mark.parametrize(("text", "at"), [("", None), ("03:30", AT), ("23:59", time(23, 59))])
def test_the_setting_is_a_time_of_day_or_nothing(text: str, at: time | None) -> None:
    assert Settings(sync_at=text).nightly == at


@pytest.mark.parametrize("text", ["24:00", "3:30", "natt", "03:60", "03:30:00"])
def test_another_setting_stops_the_start(text: Any) -> None:
    with pytest.raises(ValidationError):
        Settings(sync_at=text)
