"""Far more is asked than can be answered: what is begun is answered in time, and the rest is refused at once."""

import asyncio
import contextlib
import json
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import httpx2
import pytest
from faststream.nats import NatsBroker

from lovsvar_chassis.admission import BURST_WAIT
from lovsvar_chassis.broker import make_broker
from lovsvar_chassis.request_router import RequestRouter
from lovsvar_chassis.requester import Requester
from lovsvar_chassis.settings import ServiceSettings
from lovsvar_contracts import subjects
from lovsvar_contracts.message import Message
from lovsvar_contracts.problems import Problem, ProblemError, ProblemType
from lovsvar_contracts.search import FindProvisions, ProvisionHits
from lovsvar_gateway import server
from lovsvar_gateway.app import create_app
from lovsvar_gateway.core.access import KeyRing, Limits, Scope, new_key
from lovsvar_gateway.settings import Settings
from lovsvar_testkit import sse
from lovsvar_testkit.processes import System, running_system
from lovsvar_testkit.running import answering
from lovsvar_testkit.waiting import until

PATIENCE = 20.0
"""Seconds that a caller waits. Crowds share a process, which with less would be late for its own replies."""
SHORT = 0.2
MANY = 500
ANSWERED = "answered"


@pytest.fixture
async def client(nats_url: str) -> AsyncIterator[NatsBroker]:
    async with make_broker(ServiceSettings(nats_url=nats_url), "client") as broker:
        yield broker


def no_hits(request: Message) -> ProvisionHits:
    return ProvisionHits(
        correlation_id=request.correlation_id,
        hits=(),
        total=0,
        page=1,
        page_size=10,
        searched_law_types=(),
        prioritized=False,
        corpus_version=1,
        took_ms=1.0,
    )


class Worker:
    """A handler that takes `seconds` for each request, or for as long as it is held; notes what it began and ended."""

    def __init__(self, seconds: float = 0.0) -> None:
        self.begun: list[str] = []
        self.cancelled: list[str] = []
        self.held: dict[str, asyncio.Event] = {}
        self._seconds = seconds

    async def __call__(self, request: FindProvisions) -> ProvisionHits:
        self.begun.append(request.query)
        try:
            if held := self.held.get(request.query):
                await held.wait()
            await asyncio.sleep(self._seconds)
        except asyncio.CancelledError:
            self.cancelled.append(request.query)
            raise
        return no_hits(request)


async def outcome(client: NatsBroker, query: str, timeout: float = PATIENCE) -> Problem | None:
    """Return why a search was not answered, None if it was."""
    try:
        request = FindProvisions(query=query)
        await Requester(client).ask(subjects.SEARCH_PROVISIONS, request, ProvisionHits, timeout=timeout)
    except ProblemError as exc:
        return exc.problem
    return None


def counted(outcomes: list[Problem | None]) -> Counter[str]:
    """Return how many were answered, refused with a time to ask again at, and otherwise not answered."""
    return Counter(
        ANSWERED if told is None else "refused" if told.retry_after and told.retryable else str(told.type)
        for told in outcomes
    )


async def unloaded_rate(client: NatsBroker, at_once: int, times: int) -> float:
    """Return how many searches a second are answered where no more are asked than are answered at once."""
    began = time.monotonic()
    for turn in range(times):
        asking = (outcome(client, f"Hva er husleie {turn} {n}?") for n in range(at_once))
        assert await asyncio.gather(*asking) == [None] * at_once
    return at_once * times / (time.monotonic() - began)


def least(rate: float) -> float:
    """Return how many of a crowd are answered at least: a quarter of what is in the time for which one is let wait.

    The rest of that time goes to refusing the others, and to the callers, who share the processor with the service.
    A service that collapses under what it is asked answers next to none.
    """
    return rate * BURST_WAIT / 4


def answers(worker: Worker, at_once: int) -> RequestRouter:
    return RequestRouter("search").answer(subjects.SEARCH_PROVISIONS, worker, at_once)


async def test_nobody_works_for_a_caller_who_has_left(nats_url: str, client: NatsBroker) -> None:
    worker = Worker()
    worker.held["first"] = asyncio.Event()
    async with answering(nats_url, answers(worker, at_once=1)):
        first = asyncio.create_task(outcome(client, "first"))
        await until(lambda: asyncio.sleep(0, worker.begun == ["first"]))
        left = await asyncio.gather(*(outcome(client, f"left {n}", SHORT) for n in range(20)))
        assert None not in left
        # A service counts what its callers wait from when their requests arrive, which is a little later.
        await asyncio.sleep(SHORT)
        worker.held["first"].set()
        assert await first is None
        assert await outcome(client, "last") is None
    assert worker.begun == ["first", "last"]


async def test_work_ends_when_its_caller_has_left(nats_url: str, client: NatsBroker) -> None:
    worker = Worker()
    worker.held["held"] = asyncio.Event()
    async with answering(nats_url, answers(worker, at_once=1)):
        told = await outcome(client, "held", SHORT)
        assert told and told.type is ProblemType.TIMEOUT
        assert await outcome(client, "next") is None
    assert worker.cancelled == ["held"]


async def test_what_a_handler_asks_has_no_more_time_than_its_own_caller(nats_url: str, client: NatsBroker) -> None:
    worker = Worker()
    worker.held["inner"] = asyncio.Event()

    async def pass_on(request: FindProvisions) -> ProvisionHits:
        await outcome(client, "inner")
        return no_hits(request)

    async with answering(nats_url, answers(worker, at_once=1).answer("lovsvar.test.outer", pass_on)):
        with pytest.raises(ProblemError):
            request = FindProvisions(query="outer")
            await Requester(client).ask("lovsvar.test.outer", request, ProvisionHits, timeout=SHORT)
        await until(lambda: asyncio.sleep(0, worker.cancelled == ["inner"]))


async def test_who_would_wait_too_long_is_refused_and_told_when_to_ask_again(nats_url: str, client: NatsBroker) -> None:
    worker = Worker(seconds=0.05)
    async with answering(nats_url, answers(worker, at_once=2)):
        rate = await unloaded_rate(client, 2, 20)
        for wave in range(2):
            began = len(worker.begun)
            outcomes = await asyncio.gather(*(outcome(client, f"{wave}-{n}") for n in range(MANY)))
            found = counted(outcomes)
            assert found.keys() == {ANSWERED, "refused"}, found
            assert found[ANSWERED] == len(worker.begun) - began
            rate = min(rate, await unloaded_rate(client, 2, 10))
            assert found[ANSWERED] >= least(rate), (rate, found)
        assert await outcome(client, "afterwards") is None


async def test_one_who_asks_too_much_waits_for_itself(nats_url: str, tmp_path: Path) -> None:
    greedy, modest = make_keys(tmp_path / "keys.json", "greedy", "modest")
    worker, stop = Worker(seconds=0.4), asyncio.Event()
    settings = {"api_keys_file": tmp_path / "keys.json", "request_timeout": 2.0, "asked_at_once": 4}
    async with contextlib.AsyncExitStack() as stack:
        await stack.enter_async_context(answering(nats_url, answers(worker, at_once=4)))
        url = await stack.enter_async_context(run_gateway(nats_url, **settings))
        client = httpx2.AsyncClient(base_url=url, timeout=PATIENCE, limits=httpx2.Limits())
        http = await stack.enter_async_context(client)

        async def search(key: str) -> httpx2.Response:
            return await http.get("/v1/search?q=a", headers={"Authorization": f"Bearer {key}"})

        async def flood() -> None:
            while not stop.is_set():
                answer = await search(greedy)
                if answer.status_code != httpx2.codes.OK:
                    with contextlib.suppress(TimeoutError):
                        await asyncio.wait_for(stop.wait(), float(answer.headers["Retry-After"]))

        flooding = [asyncio.create_task(flood()) for _ in range(40)]
        await until(lambda: asyncio.sleep(0, len(worker.begun) >= 8))
        found = Counter([(await search(modest)).status_code for _ in range(4)])
        stop.set()
        await asyncio.gather(*flooding)
    assert found == {200: 4}


async def test_a_client_who_leaves_gives_its_place_to_the_next(nats_url: str) -> None:
    worker = Worker()
    worker.held["held"] = asyncio.Event()
    async with answering(nats_url, answers(worker, at_once=2)), run_gateway(nats_url, asked_at_once=1) as url:
        address = httpx2.URL(url)
        _, writer = await asyncio.open_connection(address.host, address.port)
        writer.write(f"GET /v1/search?q=held HTTP/1.1\r\nHost: {address.host}\r\n\r\n".encode())
        await until(lambda: asyncio.sleep(0, worker.begun == ["held"]))
        writer.transport.abort()
        async with httpx2.AsyncClient(base_url=url, timeout=PATIENCE) as http:
            answer = await http.get("/v1/search?q=next")
    assert answer.status_code == httpx2.codes.OK, answer.text
    assert worker.begun == ["held", "next"]


@pytest.fixture(scope="module")
def system(tmp_path_factory: pytest.TempPathFactory) -> Iterator[System]:
    """All services, with the sample corpus stored and indexed."""
    with running_system(tmp_path_factory.mktemp("system"), {"LOVSVAR_EMBEDDING": "off"}) as system:
        with httpx2.Client(base_url=system.url, timeout=60) as http:
            sync = http.post("/v1/ingest", json={"dataset": "eksempel"}).json()["syncs"][0]
            *_, last = sse.events(http, f"/v1/ingest/{sync['sync_id']}/events")
            assert last["type"] == "sync.completed", last
        system.wait_ready(path="/readyz")
        yield system


async def test_search_at_many_times_what_it_can_answers_what_it_takes_and_refuses_the_rest(system: System) -> None:
    async with make_broker(ServiceSettings(nats_url=system.nats_url), "client") as client:
        rate = await unloaded_rate(client, 4, 25)
        for wave in range(2):
            asking = [outcome(client, f"Hvor stort kan depositumet være {wave} {n}?") for n in range(4 * MANY)]
            found = counted(await asyncio.gather(*asking))
            assert found.keys() == {ANSWERED, "refused"}, found
            rate = min(rate, await unloaded_rate(client, 4, 10))
            assert found[ANSWERED] >= least(rate), (rate, found)
            # Nothing is worked off that nobody waits for.
            assert await outcome(client, "Hva er depositum?", 4.0) is None
    with httpx2.Client(base_url=system.url, timeout=PATIENCE) as http:
        assert http.get("/readyz").status_code == httpx2.codes.OK


def make_keys(file: Path, *names: str) -> list[str]:
    """Write a file of keys that may do much, and return their secrets."""
    limits = Limits(per_minute=1_000_000, concurrent=1_000)
    secrets, keys = zip(*(new_key(name, [Scope.READ], limits) for name in names), strict=True)
    file.write_text(json.dumps(KeyRing(keys=keys).model_dump(mode="json")))
    file.chmod(0o600)
    return list(secrets)


@contextlib.asynccontextmanager
async def run_gateway(nats_url: str, **settings: object) -> AsyncIterator[str]:
    """Run a gateway in this event loop until the block ends; yield its address."""
    configured = Settings.model_validate({"nats_url": nats_url, "port": 0, **settings})
    listener = server.listen("127.0.0.1", 0)
    running, stopping = server.Server(create_app(configured)), asyncio.Event()
    serving = asyncio.create_task(server.serve(running, listener, stopping))
    url = f"http://127.0.0.1:{listener.getsockname()[1]}"
    try:
        async with httpx2.AsyncClient(base_url=url, timeout=PATIENCE) as http:
            await http.get("/healthz")
        yield url
    finally:
        stopping.set()
        await serving
        listener.close()
