"""Who answers while a replica is not ready to."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable

import pytest
from faststream.nats import NatsBroker

from lovsvar_chassis.broker import make_broker
from lovsvar_chassis.health import service_healths, state_of
from lovsvar_chassis.problems import problem
from lovsvar_chassis.request_router import RequestRouter
from lovsvar_chassis.requester import Requester
from lovsvar_chassis.service import Service, flush
from lovsvar_chassis.settings import ServiceSettings
from lovsvar_contracts.practice import FindPractice, PracticeHits
from lovsvar_contracts.problems import ProblemError, ProblemType
from lovsvar_testkit.proxy import Proxy
from lovsvar_testkit.running import running
from lovsvar_testkit.waiting import until

SUBJECT = "lovsvar.test.practice"
BUILDING = "Indeksen bygges."


async def states(requester: Requester, services: list[str]) -> dict[str, str]:
    return {name: state_of(health) for name, health in (await service_healths(requester, services)).items()}


class Replica:
    """A replica that answers once it is told that it can, and counts what it was asked and answered."""

    def __init__(self, nats_url: str) -> None:
        self._settings = ServiceSettings(nats_url=nats_url)
        self._can = False
        self._changed = asyncio.Condition()
        self.asked = self.answered = 0

    @contextlib.asynccontextmanager
    async def run(self) -> AsyncIterator["Replica"]:
        service = Service(
            name="practice",
            settings=self._settings,
            broker=make_broker(self._settings, "test"),
            requests=RequestRouter("test").answer(SUBJECT, self._answer),
            not_ready=lambda: "" if self._can else BUILDING,
            able=self._able,
            distribution="lovsvar-chassis",
        )
        async with running(service):
            yield self

    async def become(self, can: bool) -> None:
        async with self._changed:
            self._can = can
            self._changed.notify_all()

    async def _able(self, whether: bool) -> None:
        async with self._changed:
            await self._changed.wait_for(lambda: self._can is whether)

    async def _answer(self, request: FindPractice) -> PracticeHits:
        self.asked += 1
        if not self._can:
            raise ProblemError(problem(ProblemType.NOT_READY, BUILDING))
        self.answered += 1
        return PracticeHits(correlation_id=request.correlation_id, hits=(), took_ms=1.0)


@pytest.fixture
async def client(nats_url: str):
    async with make_broker(ServiceSettings(nats_url=nats_url), "client") as broker:
        yield broker


@pytest.fixture
def requester(client: NatsBroker) -> Requester:
    return Requester(client)


async def ask(requester: Requester) -> PracticeHits:
    return await requester.ask(SUBJECT, FindPractice(query="mangel"), PracticeHits)


async def taken_by(replica: Replica, requester: Requester) -> None:
    """Wait until `replica` takes a share of the requests."""
    before = replica.answered

    async def asked() -> bool:
        with contextlib.suppress(ProblemError):
            await ask(requester)
        return replica.answered > before

    await until(asked)


async def test_a_replica_that_is_not_ready_leaves_requests_to_the_others(nats_url: str, requester: Requester) -> None:
    async with Replica(nats_url).run() as ready, Replica(nats_url).run() as building:
        await ready.become(True)
        await taken_by(ready, requester)
        building.asked = 0
        for _ in range(50):
            await ask(requester)
            assert await states(requester, ["practice"]) == {"practice": "ready"}
        assert building.asked == 0
        await building.become(True)
        await taken_by(building, requester)


async def test_where_no_replica_is_ready_callers_hear_what_it_waits_for(nats_url: str, requester: Requester) -> None:
    async with Replica(nats_url).run() as replica:
        for can in (False, True, False):
            await replica.become(can)
            if can:
                await taken_by(replica, requester)
                continue
            with pytest.raises(ProblemError) as caught:
                await ask(requester)
            assert (caught.value.problem.type, caught.value.problem.detail) == (ProblemType.NOT_READY, BUILDING)
            assert await states(requester, ["practice"]) == {"practice": f"not_ready: {BUILDING}"}


async def test_what_a_replica_has_taken_is_answered_though_it_leaves(
    nats_url: str, requester: Requester, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, let_go = asyncio.Event(), asyncio.Event()

    async def hold(self: Replica, request: FindPractice) -> PracticeHits:
        begun.set()
        await let_go.wait()
        return PracticeHits(correlation_id=request.correlation_id, hits=(), took_ms=1.0)

    monkeypatch.setattr(Replica, "_answer", hold)
    async with Replica(nats_url).run() as replica:
        await replica.become(True)
        asking = asyncio.create_task(ask(requester))
        await begun.wait()
        await replica.become(False)
        let_go.set()
        assert (await asking).hits == ()


class SlowToLeave(Proxy):
    """A way to NATS on which something happens between what was sent before an "unsubscribe" and that itself."""

    def __init__(self, url: str, meanwhile: Callable[[], Awaitable[None]]) -> None:
        super().__init__(url)
        self._meanwhile = meanwhile

    async def _carry(self, source: asyncio.StreamReader, sink: asyncio.StreamWriter, lost: asyncio.Event) -> None:
        with contextlib.suppress(OSError):
            while piece := await source.read(64 * 1024):
                sent, unsubscribe, rest = piece.partition(b"UNSUB ")
                sink.write(sent)
                if unsubscribe:
                    await self._meanwhile()
                sink.write(unsubscribe + rest)
        sink.transport.abort()


async def test_what_is_on_its_way_to_a_replica_that_leaves_is_answered(
    nats_url: str, client: NatsBroker, requester: Requester
) -> None:
    asking: list[asyncio.Task[PracticeHits]] = []

    async def one_asks() -> None:
        # The server answered what the replica sent before, and knows nothing yet of its leaving.
        await flush(client)
        asking.append(asyncio.create_task(ask(requester)))
        await flush(client)

    async with SlowToLeave(nats_url, one_asks) as way, Replica(way.url).run() as replica:
        await replica.become(True)
        await taken_by(replica, requester)
        await replica.become(False)
        await until(lambda: asyncio.sleep(0, bool(asking)))
        for one in asking:
            with pytest.raises(ProblemError) as caught:
                await one
            assert caught.value.problem.type is ProblemType.NOT_READY


async def test_where_no_replica_runs_callers_are_told_so(requester: Requester) -> None:
    with pytest.raises(ProblemError) as caught:
        await ask(requester)
    assert caught.value.problem.type is ProblemType.UNAVAILABLE
