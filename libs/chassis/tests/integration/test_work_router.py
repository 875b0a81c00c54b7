"""Taking work from a stream of a real nats-server."""

import asyncio
import contextlib
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import TYPE_CHECKING

import pytest
from faststream.nats import NatsBroker
from nats.aio.msg import Msg
from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider

from lovsvar_chassis import work_router
from lovsvar_chassis.broker import make_broker
from lovsvar_chassis.publisher import EventPublisher
from lovsvar_chassis.redelivery import RetryLater, WorkPolicy, attempt
from lovsvar_chassis.settings import ServiceSettings
from lovsvar_chassis.streams import declare_streams
from lovsvar_chassis.work_router import WorkRouter
from lovsvar_contracts import subjects
from lovsvar_contracts.questions import QuestionAsked
from lovsvar_testkit.waiting import until

if TYPE_CHECKING:
    from conftest import RestartableNats

Handle = Callable[[QuestionAsked, int], Awaitable[None]]
PATIENCE = 20.0
"""Seconds that a test waits for what should come at once, on a busy machine."""


def policy(**changes: object) -> WorkPolicy:
    """A policy under which nothing comes back by itself within a test's patience."""
    settings: dict[str, object] = {"workers": 1, "ack_wait": 120.0, "backoff": (0.05,), **changes}
    return WorkPolicy(subjects.STREAM_QUESTIONS, subjects.QUESTION_ASKED, "agent", **settings)


class Log:
    """What handlers were given, in order."""

    def __init__(self) -> None:
        self.given_up: list[tuple[str, str]] = []
        self.tried: asyncio.Queue[tuple[str, int]] = asyncio.Queue()

    async def next_try(self) -> tuple[str, int]:
        return await asyncio.wait_for(self.tried.get(), PATIENCE)

    async def give_up(self, work: QuestionAsked, reason: str) -> None:
        self.given_up.append((work.question, reason))


@contextlib.asynccontextmanager
async def working(broker: NatsBroker, handle: Handle, log: Log, **changes: object) -> AsyncIterator[WorkRouter]:
    """A started queue whose tries are noted in `log` before `handle` gets them."""

    async def note(work: QuestionAsked) -> None:
        log.tried.put_nowait((work.question, attempt()))
        await handle(work, attempt())

    queue = WorkRouter(policy(**changes)).work(note, log.give_up)
    broker.include_router(queue)
    await queue.start()
    try:
        yield queue
    finally:
        await queue.stop(grace=0.0)


async def ask(events: EventPublisher, question: str) -> None:
    await events.publish(subjects.QUESTION_ASKED, QuestionAsked(question=question))


async def stream_is_empty(events: EventPublisher) -> bool:
    return (await events.jetstream.stream_info(subjects.STREAM_QUESTIONS)).state.messages == 0


async def succeed(work: QuestionAsked, attempt: int) -> None:
    pass


async def fail(work: QuestionAsked, attempt: int) -> None:
    raise ValueError("ugyldig på\nto linjer")


async def hang(work: QuestionAsked, attempt: int) -> None:
    await asyncio.Event().wait()


@pytest.fixture
async def dead_letters(broker: NatsBroker) -> AsyncIterator[Callable[[], Awaitable[Msg]]]:
    """Wait for the next dead letter."""
    subscription = await broker.connection.subscribe(subjects.DEAD_ANY)
    yield lambda: subscription.next_msg(timeout=PATIENCE)
    await subscription.unsubscribe()


async def test_work_that_is_done_leaves_the_stream(broker: NatsBroker, events: EventPublisher) -> None:
    log = Log()
    await ask(events, "før start")
    async with working(broker, succeed, log):
        await ask(events, "etter start")
        assert {await log.next_try(), await log.next_try()} == {("før start", 1), ("etter start", 1)}
        await until(lambda: stream_is_empty(events))


async def test_each_piece_of_work_is_given_to_one_of_several_queues(broker: NatsBroker, events: EventPublisher) -> None:
    log = Log()
    async with working(broker, succeed, log, workers=2), working(broker, succeed, log, workers=2):
        for n in range(40):
            await ask(events, str(n))
        tries = [await log.next_try() for _ in range(40)]
        await until(lambda: stream_is_empty(events))
    assert sorted(int(question) for question, _ in tries) == list(range(40))
    assert log.tried.empty()


async def test_workers_of_a_queue_work_at_the_same_time(broker: NatsBroker, events: EventPublisher) -> None:
    both = asyncio.Barrier(2)

    async def meet(work: QuestionAsked, attempt: int) -> None:
        await both.wait()

    async with working(broker, meet, Log(), workers=2):
        await ask(events, "en")
        await ask(events, "to")
        await until(lambda: stream_is_empty(events))


async def test_work_that_fails_comes_back_after_a_delay_that_grows(broker: NatsBroker, events: EventPublisher) -> None:
    log, times = Log(), []

    async def fail_twice(work: QuestionAsked, attempt: int) -> None:
        times.append(time.monotonic())
        if attempt < 3:
            raise ValueError("ikke ennå")

    async with working(broker, fail_twice, log, backoff=(0.2, 0.6)):
        await ask(events, "?")
        assert [await log.next_try() for _ in range(3)] == [("?", 1), ("?", 2), ("?", 3)]
        await until(lambda: stream_is_empty(events))
    assert times[1] - times[0] >= 0.19
    assert times[2] - times[1] >= 0.59
    assert log.given_up == []


async def test_work_that_fails_every_time_becomes_a_dead_letter_with_the_reason(
    broker: NatsBroker, events: EventPublisher, dead_letters: Callable[[], Awaitable[Msg]]
) -> None:
    log = Log()
    async with working(broker, fail, log, max_tries=3):
        await ask(events, "?")
        letter = await dead_letters()
        await until(lambda: stream_is_empty(events))
    assert [log.tried.get_nowait()[1] for _ in range(log.tried.qsize())] == [1, 2, 3]
    assert log.given_up == [("?", "ValueError: ugyldig på\nto linjer")]
    assert letter.subject == subjects.dead(subjects.STREAM_QUESTIONS)
    assert letter.headers["Lovsvar-Reason"] == "ValueError: ugyldig på to linjer"
    assert letter.headers["Lovsvar-Tries"] == "3"
    assert letter.headers["Lovsvar-Subject"] == subjects.QUESTION_ASKED
    assert QuestionAsked.model_validate_json(letter.data).question == "?"


async def test_a_dead_letter_is_kept(
    broker: NatsBroker, events: EventPublisher, dead_letters: Callable[[], Awaitable[Msg]]
) -> None:
    async with working(broker, fail, Log(), max_tries=1):
        await ask(events, "?")
        await dead_letters()
        await until(lambda: stream_is_empty(events))
    stored = await events.jetstream.get_last_msg(subjects.STREAM_DEAD, subjects.dead(subjects.STREAM_QUESTIONS))
    assert stored.headers["Lovsvar-Tries"] == "1"


async def test_a_message_that_cannot_be_read_becomes_a_dead_letter_at_once(
    broker: NatsBroker, events: EventPublisher, dead_letters: Callable[[], Awaitable[Msg]]
) -> None:
    log = Log()
    async with working(broker, succeed, log):
        await events.jetstream.publish(subjects.QUESTION_ASKED, b'{"question": ""}')
        letter = await dead_letters()
        await until(lambda: stream_is_empty(events))
        assert log.tried.empty()
        await ask(events, "neste")
        assert await log.next_try() == ("neste", 1)
    assert letter.headers["Lovsvar-Reason"].startswith("unreadable")
    assert letter.data == b'{"question": ""}'


async def test_a_handler_that_cannot_even_give_up_does_not_keep_the_message(
    broker: NatsBroker, events: EventPublisher, dead_letters: Callable[[], Awaitable[Msg]]
) -> None:
    log = Log()

    async def cannot(work: QuestionAsked, reason: str) -> None:
        raise RuntimeError("nor this")

    log.give_up = cannot
    async with working(broker, fail, log, max_tries=1):
        await ask(events, "?")
        await dead_letters()
        await until(lambda: stream_is_empty(events))


async def test_work_that_waits_for_something_that_was_cancelled_has_failed_and_its_worker_goes_on(
    broker: NatsBroker,
    events: EventPublisher,
) -> None:
    log = Log()

    async def wait_for_a_cancelled_task(work: QuestionAsked, attempt: int) -> None:
        if attempt == 1:
            inner = asyncio.create_task(asyncio.sleep(60))
            inner.cancel()
            await inner

    async with working(broker, wait_for_a_cancelled_task, log):
        await ask(events, "?")
        assert [await log.next_try() for _ in range(2)] == [("?", 1), ("?", 2)]
        await until(lambda: stream_is_empty(events))


async def test_heartbeats_keep_long_work_from_being_given_to_another(
    broker: NatsBroker, events: EventPublisher
) -> None:
    log = Log()

    async def take_longer_than_ack_wait(work: QuestionAsked, attempt: int) -> None:
        await asyncio.sleep(3.0)

    async with (
        working(broker, take_longer_than_ack_wait, log, ack_wait=2.0),
        working(broker, take_longer_than_ack_wait, log, ack_wait=2.0),
    ):
        await ask(events, "lang")
        assert await log.next_try() == ("lang", 1)
        await until(lambda: stream_is_empty(events))
    assert log.tried.empty()


WORKER = """
import asyncio, sys
from lovsvar_chassis.broker import make_broker
from lovsvar_chassis.redelivery import WorkPolicy
from lovsvar_chassis.settings import ServiceSettings
from lovsvar_chassis.work_router import WorkRouter
from lovsvar_contracts import subjects
from lovsvar_contracts.questions import QuestionAsked

async def hang(work: QuestionAsked) -> None:
    print("taken", flush=True)
    await asyncio.Event().wait()

async def main():
    async with make_broker(ServiceSettings(nats_url=sys.argv[1]), "test") as broker:
        policy = WorkPolicy(subjects.STREAM_QUESTIONS, subjects.QUESTION_ASKED, "agent", workers=1, ack_wait=1.0)
        router = WorkRouter(policy).work(hang, hang)
        broker.include_router(router)
        await router.start()
        await asyncio.Event().wait()

asyncio.run(main())
"""


async def test_the_work_of_a_killed_worker_goes_to_another_after_ack_wait(
    broker: NatsBroker, events: EventPublisher, nats_url: str
) -> None:
    worker = await asyncio.create_subprocess_exec(
        sys.executable, "-c", WORKER, nats_url, stdout=asyncio.subprocess.PIPE
    )
    try:
        await ask(events, "?")
        assert await asyncio.wait_for(worker.stdout.readline(), PATIENCE) == b"taken\n"
    finally:
        worker.kill()
        await worker.wait()
    log = Log()
    async with working(broker, succeed, log, ack_wait=1.0):
        assert await log.next_try() == ("?", 2)
        await until(lambda: stream_is_empty(events))


async def test_work_whose_workers_died_each_time_becomes_a_dead_letter(
    broker: NatsBroker, events: EventPublisher, dead_letters: Callable[[], Awaitable[Msg]]
) -> None:
    await ask(events, "giftig")
    log = Log()
    async with working(broker, succeed, log):
        pass  # declares the consumer
    # A worker that dies leaves its message as one that fetches and never answers; giving it back saves the wait.
    subscription = await events.jetstream.pull_subscribe_bind("agent", subjects.STREAM_QUESTIONS)
    for _ in range(4):
        for message in await subscription.fetch(1, timeout=PATIENCE):
            await message.nak()
    async with working(broker, hang, log, max_tries=3):
        letter = await dead_letters()
    assert "died or failed" in letter.headers["Lovsvar-Reason"]
    assert [question for question, _ in log.given_up] == ["giftig"]


async def test_stopping_lets_work_end_that_ends_in_time(broker: NatsBroker, events: EventPublisher) -> None:
    log, may_end, ended = Log(), asyncio.Event(), []

    async def wait_for_leave(work: QuestionAsked, attempt: int) -> None:
        await may_end.wait()
        ended.append(work.question)

    async with working(broker, wait_for_leave, log) as queue:
        await ask(events, "?")
        await log.next_try()
        stopping = asyncio.create_task(queue.stop(grace=PATIENCE))
        may_end.set()
        await asyncio.wait_for(stopping, PATIENCE)
    assert ended == ["?"]
    await until(lambda: stream_is_empty(events))


async def test_stopping_gives_unfinished_work_back_at_once(broker: NatsBroker, events: EventPublisher) -> None:
    log = Log()
    async with working(broker, hang, log) as queue:
        await ask(events, "?")
        assert await log.next_try() == ("?", 1)
        await queue.stop(grace=0.0)
        async with working(broker, succeed, log):
            assert await log.next_try() == ("?", 2)
            await until(lambda: stream_is_empty(events))


async def test_an_idle_queue_stops_at_once(broker: NatsBroker, events: EventPublisher) -> None:
    async with working(broker, succeed, Log(), workers=3) as queue:
        began = time.monotonic()
        await queue.stop(grace=PATIENCE)
    assert time.monotonic() - began < PATIENCE / 4


async def test_nothing_is_lost_and_little_is_done_twice_when_queues_come_and_go(
    broker: NatsBroker, events: EventPublisher
) -> None:
    log, total = Log(), 200
    for n in range(total):
        await ask(events, str(n))
    done: set[str] = set()
    while len(done) < total:
        async with working(broker, succeed, log, workers=4, ack_wait=1.0):
            for _ in range(min(20, total - len(done))):
                done.add((await log.next_try())[0])
    assert done == {str(n) for n in range(total)}
    async with working(broker, succeed, log, ack_wait=1.0):
        await until(lambda: stream_is_empty(events))


async def test_work_that_is_put_off_comes_back_after_the_delay_it_asked_for(
    broker: NatsBroker, events: EventPublisher
) -> None:
    log, times = Log(), []

    async def put_off_once(work: QuestionAsked, attempt: int) -> None:
        times.append(time.monotonic())
        if attempt == 1:
            raise RetryLater(0.4, "opptatt")

    async with working(broker, put_off_once, log):
        await ask(events, "?")
        await log.next_try()
        await log.next_try()
        await until(lambda: stream_is_empty(events))
    assert times[1] - times[0] >= 0.39


async def test_work_may_be_put_off_more_often_than_it_may_fail(broker: NatsBroker, events: EventPublisher) -> None:
    log, puts_off = Log(), 7

    async def put_off(work: QuestionAsked, attempt: int) -> None:
        if log.put_off < puts_off:
            log.put_off += 1
            raise RetryLater(0.01, "opptatt")

    log.put_off = 0
    async with working(broker, put_off, log, max_tries=2):
        await ask(events, "?")
        for _ in range(puts_off + 1):
            assert (await log.next_try())[0] == "?"
        await until(lambda: stream_is_empty(events))
    assert log.given_up == []


@pytest.fixture
def short_fetches(monkeypatch: pytest.MonkeyPatch) -> None:
    """A request for work waits for a moment alone, and so does the next when one has failed."""
    monkeypatch.setattr(work_router, "FETCH_SECONDS", 0.5)
    monkeypatch.setattr(work_router, "AGAIN_SECONDS", 0.3)


async def test_a_queue_takes_up_work_again_when_its_consumer_was_deleted(
    short_fetches: None, broker: NatsBroker, events: EventPublisher
) -> None:
    log = Log()
    async with working(broker, succeed, log):
        await ask(events, "før")
        await log.next_try()
        await until(lambda: stream_is_empty(events))
        await events.jetstream.delete_consumer(subjects.STREAM_QUESTIONS, "agent")
        await ask(events, "etter")
        assert await log.next_try() == ("etter", 1)


async def test_a_queue_brings_its_consumer_to_what_is_written(broker: NatsBroker, events: EventPublisher) -> None:
    for ack_wait in (120.0, 60.0):
        async with working(broker, succeed, Log(), ack_wait=ack_wait):
            consumer = await events.jetstream.consumer_info(subjects.STREAM_QUESTIONS, "agent")
            assert consumer.config.ack_wait == ack_wait


async def test_each_fetch_is_noted_and_one_that_fails_is_not_repeated_at_once(
    short_fetches: None, broker: NatsBroker, events: EventPublisher
) -> None:
    noted: asyncio.Queue[float] = asyncio.Queue()
    router = WorkRouter(policy(), lambda: noted.put_nowait(time.monotonic())).work(succeed_at_once, Log().give_up)
    broker.include_router(router)
    await router.start()
    await asyncio.wait_for(noted.get(), PATIENCE)
    await events.jetstream.delete_stream(subjects.STREAM_QUESTIONS)
    times = [await asyncio.wait_for(noted.get(), PATIENCE) for _ in range(4)]
    await router.stop(grace=0.0)
    assert times[-1] - times[0] >= work_router.AGAIN_SECONDS


async def succeed_at_once(work: QuestionAsked) -> None:
    pass


async def test_a_queue_takes_up_work_again_when_the_server_was_restarted(restartable_nats: "RestartableNats") -> None:
    log, server = Log(), restartable_nats
    async with make_broker(ServiceSettings(nats_url=server.url), "test") as broker:
        await declare_streams(broker.connection.jetstream())
        events = EventPublisher(broker)
        async with working(broker, succeed, log):
            await ask(events, "før")
            await log.next_try()
            await server.stop()
            await server.start()
            await until(lambda: can_ask(events, "etter"))
            async with asyncio.timeout(10.0):
                # What was not yet acknowledged when the server stopped comes twice.
                while (await log.tried.get())[0] != "etter":
                    pass


async def can_ask(events: EventPublisher, question: str) -> bool:
    try:
        await ask(events, question)
    except Exception:
        return False
    return True


async def test_work_that_cannot_be_acknowledged_does_not_end_the_worker(
    broker: NatsBroker, events: EventPublisher, monkeypatch: pytest.MonkeyPatch
) -> None:
    log, real, broken = Log(), Msg.ack, [True]

    async def ack_fails_once(message: Msg) -> None:
        if broken:
            broken.clear()
            raise OSError("connection lost")
        await real(message)

    monkeypatch.setattr(Msg, "ack", ack_fails_once)
    async with working(broker, succeed, log, ack_wait=1.0):
        await ask(events, "?")
        assert await log.next_try() == ("?", 1)
        assert await log.next_try() == ("?", 2)
        await until(lambda: stream_is_empty(events))


async def test_work_is_done_within_the_trace_of_whoever_asked(broker: NatsBroker, events: EventPublisher) -> None:
    seen: asyncio.Queue[int] = asyncio.Queue()

    async def note_trace(work: QuestionAsked, attempt: int) -> None:
        seen.put_nowait(trace.get_current_span().get_span_context().trace_id)

    with TracerProvider().get_tracer("test").start_as_current_span("asking") as span:
        await ask(events, "?")
    async with working(broker, note_trace, Log()):
        assert await asyncio.wait_for(seen.get(), PATIENCE) == span.get_span_context().trace_id
