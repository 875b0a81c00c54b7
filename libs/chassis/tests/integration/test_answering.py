"""What becomes of requests that come together, are cut short, or that nobody waits for."""

import asyncio

import pytest
from faststream.nats import NatsBroker
from nats.aio.msg import Msg
from structlog.testing import capture_logs

from lovsvar_chassis import request_router
from lovsvar_chassis.broker import make_broker
from lovsvar_chassis.request_router import RequestRouter
from lovsvar_chassis.requester import Requester
from lovsvar_chassis.service import disconnect, flush
from lovsvar_chassis.settings import ServiceSettings
from lovsvar_contracts import subjects
from lovsvar_contracts.practice import FindPractice, PracticeHits
from lovsvar_contracts.problems import ProblemError, ProblemType
from lovsvar_testkit.running import answering
from lovsvar_testkit.waiting import until

SUBJECT = "lovsvar.test.practice"
PATIENCE = 20.0


@pytest.fixture
async def client(nats_url: str):
    async with make_broker(ServiceSettings(nats_url=nats_url), "client") as broker:
        yield broker


class Held:
    """A handler that notes what it is asked, and answers when it is let go."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.let_go: dict[str, asyncio.Event] = {}

    async def __call__(self, request: FindPractice) -> PracticeHits:
        self.asked.append(request.query)
        await self.let_go.setdefault(request.query, asyncio.Event()).wait()
        return PracticeHits(correlation_id=request.correlation_id, hits=(), took_ms=1.0)

    async def are_asked(self, count: int) -> None:
        await until(lambda: asyncio.sleep(0, len(self.asked) == count))


async def ask(client: NatsBroker, query: str) -> PracticeHits:
    return await Requester(client).ask(SUBJECT, FindPractice(query=query), PracticeHits, timeout=PATIENCE)


async def problem_of(asking: asyncio.Task[PracticeHits]) -> ProblemType:
    with pytest.raises(ProblemError) as caught:
        await asking
    return caught.value.problem.type


async def test_a_request_that_waits_holds_up_no_other(nats_url: str, client: NatsBroker) -> None:
    held = Held()
    async with answering(nats_url, RequestRouter().answer(SUBJECT, held, at_once=2)):
        slow = asyncio.create_task(ask(client, "slow"))
        await held.are_asked(1)
        for number in range(3):
            quick = asyncio.create_task(ask(client, f"quick {number}"))
            await held.are_asked(2 + number)
            held.let_go[f"quick {number}"].set()
            await quick
        assert not slow.done()
        held.let_go["slow"].set()
        await slow


async def test_no_more_requests_are_handled_at_once_than_the_route_says(nats_url: str, client: NatsBroker) -> None:
    held = Held()
    async with answering(nats_url, RequestRouter().answer(SUBJECT, held, at_once=2)):
        asking = [asyncio.create_task(ask(client, query)) for query in "abc"]
        await held.are_asked(2)
        await flush(client)
        assert held.asked == ["a", "b"]
        held.let_go["b"].set()
        await held.are_asked(3)
        assert held.asked == ["a", "b", "c"]
        for event in held.let_go.values():
            event.set()
        await asyncio.gather(*asking)


async def test_a_handler_whose_work_is_cancelled_says_so_and_the_next_request_is_answered(
    nats_url: str, client: NatsBroker
) -> None:
    async def lose_what_it_waits_for(request: FindPractice) -> PracticeHits:
        if request.query == "lost":
            raise asyncio.CancelledError
        return PracticeHits(correlation_id=request.correlation_id, hits=(), took_ms=1.0)

    async with answering(nats_url, RequestRouter().answer(SUBJECT, lose_what_it_waits_for, at_once=1)):
        assert await problem_of(asyncio.create_task(ask(client, "lost"))) is ProblemType.UNAVAILABLE
        assert (await ask(client, "next")).hits == ()


async def test_who_cannot_be_answered_before_the_stop_is_told_to_ask_again(
    nats_url: str, client: NatsBroker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(request_router, "GRACE_SECONDS", 0.05)
    held = Held()
    async with answering(nats_url, RequestRouter().answer(SUBJECT, held, at_once=1)):
        asking = [asyncio.create_task(ask(client, query)) for query in ("handled", "waiting", "waiting too")]
        await held.are_asked(1)
        await flush(client)
    assert {await problem_of(one) for one in asking} == {ProblemType.UNAVAILABLE}
    assert held.asked == ["handled"]


async def test_what_nobody_waits_for_is_not_done(nats_url: str, client: NatsBroker) -> None:
    held = Held()
    async with answering(nats_url, RequestRouter().answer(SUBJECT, held, at_once=1)):
        await client.connection.publish(SUBJECT, FindPractice(query="published").encode())
        asking = asyncio.create_task(ask(client, "asked"))
        await held.are_asked(1)
        held.let_go["asked"].set()
        await asking
    assert held.asked == ["asked"]


async def test_a_reply_that_cannot_be_sent_is_logged_and_holds_up_no_stop(nats_url: str, client: NatsBroker) -> None:
    held = Held()
    server = make_broker(ServiceSettings(nats_url=nats_url), "server")
    await server.connect()
    router = RequestRouter().answer(SUBJECT, held)
    server.include_router(router)
    await router.start()
    await flush(server)
    asking = asyncio.create_task(ask(client, "asked"))
    await held.are_asked(1)
    with capture_logs() as logs:
        await disconnect(server)
        held.let_go["asked"].set()
        await asyncio.wait_for(router.stop(), PATIENCE)
    asking.cancel()
    assert [line["event"] for line in logs] == ["a reply could not be sent"]


@pytest.mark.parametrize("reply", [subjects.INGEST_REQUESTED, "$JS.API.STREAM.PURGE.AUDIT"])
async def test_nothing_is_said_where_a_stream_or_jetstream_would_hear_it(
    nats_url: str, client: NatsBroker, reply: str
) -> None:
    said: asyncio.Queue[str] = asyncio.Queue()

    async def hear(message: Msg) -> None:
        said.put_nowait(message.subject)

    held = Held()
    held.let_go["a"] = asyncio.Event()
    held.let_go["a"].set()
    inbox = client.connection.new_inbox()
    for subject in (reply, inbox):
        await client.connection.subscribe(subject, cb=hear)
    async with answering(nats_url, RequestRouter().answer(SUBJECT, held, at_once=1)):
        for subject in (reply, inbox):
            await client.connection.publish(SUBJECT, FindPractice(query="a").encode(), reply=subject)
        assert await asyncio.wait_for(said.get(), 5) == inbox
    assert held.asked == ["a"]
    assert said.empty()
