"""Starting and stopping a service on a real nats-server."""

import asyncio
import contextlib
import os
import sys
import time
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

import pytest
from faststream.nats import NatsBroker

from lovsvar_chassis.broker import make_broker
from lovsvar_chassis.health import service_healths, state_of
from lovsvar_chassis.request_router import RequestRouter
from lovsvar_chassis.requester import Requester
from lovsvar_chassis.service import Part, Service, flush, serve
from lovsvar_chassis.settings import ServiceSettings
from lovsvar_contracts.practice import FindPractice, PracticeHits
from lovsvar_contracts.problems import ProblemError
from lovsvar_testkit.running import running
from lovsvar_testkit.waiting import until

if TYPE_CHECKING:
    from conftest import RestartableNats

SUBJECT = "lovsvar.test.practice"
PATIENCE = 20.0

Handler = Callable[[FindPractice], Awaitable[PracticeHits]]


async def states(requester: Requester, services: list[str]) -> dict[str, str]:
    return {name: state_of(health) for name, health in (await service_healths(requester, services)).items()}


@pytest.fixture
async def client(nats_url: str):
    async with make_broker(ServiceSettings(nats_url=nats_url), "client") as broker:
        yield broker


def build(nats_url: str, handler: Handler | None = None, *, at_once: int = 8, **parts: object) -> Service:
    settings = ServiceSettings(nats_url=nats_url)
    broker = make_broker(settings, "test")
    requests = RequestRouter("test").answer(SUBJECT, handler, at_once) if handler else None
    return Service(
        name="practice", settings=settings, broker=broker, requests=requests, distribution="lovsvar-chassis", **parts
    )


class Noted(Part):
    """A part that notes when it is started and stopped."""

    def __init__(self, name: str, notes: list[str], start: Callable[[], Awaitable[None]] | None = None) -> None:
        self._name, self._notes, self._start = name, notes, start

    async def start(self) -> None:
        self._notes.append(f"+{self._name}")
        if self._start:
            await self._start()

    async def stop(self) -> None:
        self._notes.append(f"-{self._name}")


async def break_down() -> None:
    raise RuntimeError("no disk")


async def test_parts_start_in_order_and_stop_in_reverse(nats_url: str) -> None:
    notes: list[str] = []
    service = build(nats_url, parts=(Noted("pool", notes), Noted("index", notes)), workers=(Noted("work", notes),))
    async with running(service):
        assert notes == ["+pool", "+index", "+work"]
    assert notes[3:] == ["-work", "-index", "-pool"]


async def test_when_a_part_fails_to_start_those_before_it_are_stopped(nats_url: str) -> None:
    notes: list[str] = []
    service = build(nats_url, parts=(Noted("pool", notes), Noted("index", notes, break_down), Noted("never", notes)))
    with pytest.raises(RuntimeError, match="no disk"):
        await serve(service, asyncio.Event())
    assert notes == ["+pool", "+index", "-index", "-pool"]


async def test_a_service_that_is_told_to_stop_while_it_starts_stops_at_once(nats_url: str) -> None:
    notes: list[str] = []
    starting, stopping, started = asyncio.Event(), asyncio.Event(), asyncio.Event()

    async def start_for_ever() -> None:
        starting.set()
        await asyncio.Event().wait()

    service = build(nats_url, parts=(Noted("pool", notes), Noted("index", notes, start_for_ever)))
    serving = asyncio.create_task(serve(service, stopping, started))
    await asyncio.wait_for(starting.wait(), PATIENCE)
    stopping.set()
    await asyncio.wait_for(serving, PATIENCE)
    assert notes == ["+pool", "+index", "-index", "-pool"]
    assert not started.is_set()


async def test_a_service_waits_for_a_nats_server_that_is_not_there_yet(restartable_nats: "RestartableNats") -> None:
    await restartable_nats.stop()
    stopping, started = asyncio.Event(), asyncio.Event()
    serving = asyncio.create_task(serve(build(restartable_nats.url), stopping, started))
    await restartable_nats.start()
    await asyncio.wait_for(started.wait(), PATIENCE)
    stopping.set()
    await asyncio.wait_for(serving, PATIENCE)


async def test_a_service_that_waits_for_its_nats_server_can_be_stopped(restartable_nats: "RestartableNats") -> None:
    await restartable_nats.stop()
    stopping, started = asyncio.Event(), asyncio.Event()
    serving = asyncio.create_task(serve(build(restartable_nats.url), stopping, started))
    await asyncio.sleep(0)
    stopping.set()
    await asyncio.wait_for(serving, PATIENCE)
    assert not started.is_set()


async def test_requests_are_taken_only_when_every_part_has_started(nats_url: str, client) -> None:
    may_start, starting = asyncio.Event(), asyncio.Event()

    async def start_slowly() -> None:
        starting.set()
        await may_start.wait()

    service = build(nats_url, parts=(Noted("index", [], start_slowly),))
    stopping, started = asyncio.Event(), asyncio.Event()
    serving = asyncio.create_task(serve(service, stopping, started))
    await asyncio.wait_for(starting.wait(), PATIENCE)
    assert await states(Requester(client), ["practice"]) == {"practice": "down"}
    may_start.set()
    await asyncio.wait_for(started.wait(), PATIENCE)
    assert await states(Requester(client), ["practice"]) == {"practice": "ready"}
    stopping.set()
    await serving


async def test_a_service_says_why_it_is_not_ready(nats_url: str, client) -> None:
    async with running(build(nats_url, not_ready=lambda: "indeksen bygges")):
        told = await states(Requester(client), ["practice", "search"])
    assert told == {"practice": "not_ready: indeksen bygges", "search": "down"}


@pytest.mark.parametrize(
    ("total", "at_once", "seconds"),
    [(100, 1, 0.002), (100, 8, 0.02), (8, 8, 0.8)],
    ids=["one at a time", "eight at a time", "slow ones"],
)
async def test_no_request_that_a_stopping_service_has_taken_is_lost(
    nats_url: str, client, total: int, at_once: int, seconds: float
) -> None:
    first = asyncio.Event()

    async def answer(request: FindPractice) -> PracticeHits:
        first.set()
        await asyncio.sleep(seconds)
        return PracticeHits(correlation_id=request.correlation_id, hits=(), took_ms=1.0)

    async with running(build(nats_url, answer, at_once=at_once)):
        asking = [asyncio.create_task(ask(client)) for _ in range(total)]
        await asyncio.wait_for(first.wait(), PATIENCE)
        await flush(client)
    replies = await asyncio.gather(*asking)
    assert len(replies) == total


async def test_no_request_is_lost_while_one_of_two_instances_stops(nats_url: str, client) -> None:
    answered: list[int] = []

    def answering(instance: int) -> Handler:
        async def answer(request: FindPractice) -> PracticeHits:
            answered.append(instance)
            await asyncio.sleep(0.002)
            return PracticeHits(correlation_id=request.correlation_id, hits=(), took_ms=1.0)

        return answer

    async def keep_asking() -> None:
        while len(answered) < 300:
            await ask(client)

    async with running(build(nats_url, answering(1))):
        async with running(build(nats_url, answering(2))):
            asking = [asyncio.create_task(keep_asking()) for _ in range(10)]
            async with asyncio.timeout(PATIENCE):
                while not {1, 2} <= set(answered):  # noqa: ASYNC110
                    await asyncio.sleep(0)
        await asyncio.wait_for(asyncio.gather(*asking), PATIENCE)
    assert len(answered) >= 300


async def test_a_service_that_is_cancelled_while_it_starts_lets_go_of_what_it_had(nats_url: str) -> None:
    notes: list[str] = []
    starting = asyncio.Event()

    async def start_for_ever() -> None:
        starting.set()
        await asyncio.Event().wait()

    service = build(nats_url, parts=(Noted("pool", notes), Noted("index", notes, start_for_ever)))
    serving = asyncio.create_task(serve(service, asyncio.Event()))
    await asyncio.wait_for(starting.wait(), PATIENCE)
    serving.cancel()
    with pytest.raises(asyncio.CancelledError):
        await serving
    assert notes == ["+pool", "+index", "-index", "-pool"]


async def test_a_message_that_nobody_reads_does_not_hold_up_the_stop(nats_url: str, client) -> None:
    service = build(nats_url)
    async with running(service):
        unread = await service.broker.connection.subscribe(SUBJECT)
        await flush(service.broker)
        await client.connection.publish(SUBJECT, b"?")
        await until(lambda: asyncio.sleep(0, unread.pending_msgs == 1))
        began = time.monotonic()
    assert time.monotonic() - began < PATIENCE / 2


async def test_a_service_whose_nats_server_is_gone_stops_all_the_same(restartable_nats: "RestartableNats") -> None:
    notes: list[str] = []
    stopping, started = asyncio.Event(), asyncio.Event()
    service = build(restartable_nats.url, parts=(Noted("pool", notes),))
    serving = asyncio.create_task(serve(service, stopping, started))
    await asyncio.wait_for(started.wait(), PATIENCE)
    await restartable_nats.stop()
    stopping.set()
    await asyncio.wait_for(serving, 5.0)
    assert notes == ["+pool", "-pool"]
    assert service.broker.connection is None or service.broker.connection.is_closed


async def test_requests_are_answered_again_when_the_nats_server_has_come_back(
    restartable_nats: "RestartableNats",
) -> None:
    async def answer(request: FindPractice) -> PracticeHits:
        return PracticeHits(correlation_id=request.correlation_id, hits=(), took_ms=1.0)

    async def is_answered(client: NatsBroker) -> bool:
        with contextlib.suppress(ProblemError):
            await ask(client)
            return True
        return False

    async with running(build(restartable_nats.url, answer)):
        await restartable_nats.stop()
        await restartable_nats.start()
        async with make_broker(ServiceSettings(nats_url=restartable_nats.url), "client") as client:
            await until(lambda: is_answered(client))


async def ask(client) -> PracticeHits:
    return await Requester(client).ask(SUBJECT, FindPractice(query="mangel"), PracticeHits, timeout=PATIENCE)


async def test_a_health_check_of_this_host_finds_the_service_and_says_how_it_is(nats_url: str) -> None:
    async with running(build(nats_url, not_ready=lambda: "indeksen bygges")):
        assert await probe(nats_url, "practice") == (0, "not ready: indeksen bygges")
        assert (await probe(nats_url, "search"))[0] == 1
    assert (await probe(nats_url, "practice"))[0] == 1


async def test_a_health_check_without_a_nats_server_fails() -> None:
    assert (await probe("nats://127.0.0.1:1", "practice"))[0] == 1


async def probe(nats_url: str, service: str) -> tuple[int, str]:
    """What the health check of a container comes to: its exit status and what it prints."""
    checking = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "lovsvar_chassis.probe",
        service,
        env={**os.environ, "LOVSVAR_NATS_URL": nats_url},
        stdout=asyncio.subprocess.PIPE,
    )
    printed, _ = await asyncio.wait_for(checking.communicate(), PATIENCE)
    return checking.returncode, printed.decode().strip()
