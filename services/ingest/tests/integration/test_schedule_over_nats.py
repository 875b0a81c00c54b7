"""Nightly syncs asked for by several processes, over a real nats-server."""

import asyncio
from datetime import UTC, datetime, time, timedelta

from lovsvar_chassis.broker import make_broker
from lovsvar_chassis.publisher import EventPublisher
from lovsvar_chassis.settings import ServiceSettings
from lovsvar_chassis.streams import declare_streams
from lovsvar_contracts import subjects
from lovsvar_contracts.ingest import SyncRequested
from lovsvar_ingest.schedule import Schedule


async def test_processes_that_keep_the_same_schedule_ask_once(nats_url: str) -> None:
    async with make_broker(ServiceSettings(nats_url=nats_url), "test") as broker:
        publisher = EventPublisher(broker)
        await declare_streams(publisher.jetstream)

        async def one_night() -> None:
            asked, both = 0, asyncio.Event()
            now = datetime(2026, 11, 22, 3, 29, 59, tzinfo=UTC)

            async def sleep(seconds: float) -> None:
                nonlocal now
                if asked == 2:
                    both.set()
                    await asyncio.Event().wait()
                now += timedelta(seconds=seconds)

            async def ask(request: SyncRequested) -> None:
                nonlocal asked
                await publisher.publish(subjects.INGEST_REQUESTED, request)
                asked += 1

            schedule = Schedule(time(3, 30), ask, lambda: now, sleep)
            await schedule.start()
            async with asyncio.timeout(20):
                await both.wait()
            await schedule.stop()

        await asyncio.gather(*(one_night() for _ in range(3)))
        info = await publisher.jetstream.stream_info(subjects.STREAM_INGEST)
    assert info.state.messages == 2
