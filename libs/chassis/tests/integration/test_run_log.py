"""The log of a run on a real nats-server."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Any

import pytest
from faststream.nats import NatsBroker
from nats.aio.client import Client
from nats.errors import TimeoutError as NatsTimeoutError

from lovsvar_chassis import run_feed, run_log
from lovsvar_chassis.broker import make_broker
from lovsvar_chassis.direct_get import Page, read_page
from lovsvar_chassis.publisher import EventPublisher
from lovsvar_chassis.run_feed import KEPT, RunFeed
from lovsvar_chassis.run_log import Cursor, LogLost, RunLog, RunTaken, RunUnknown
from lovsvar_chassis.settings import ServiceSettings
from lovsvar_chassis.streams import declare_streams
from lovsvar_contracts import subjects
from lovsvar_contracts.run_events import (
    AnswerDelta,
    RunAccepted,
    RunCancelled,
    RunCompleted,
    RunEvent,
)
from lovsvar_testkit.waiting import until

if TYPE_CHECKING:
    from conftest import RestartableNats

RUN = "run-1"
PATIENCE = 20.0


@pytest.fixture
def log(events: EventPublisher) -> RunLog:
    return RunLog(events)


def accepted(run_id: str = RUN) -> RunAccepted:
    return RunAccepted(run_id=run_id, question="Hvor mye?")


def delta(text: str, run_id: str = RUN) -> AnswerDelta:
    return AnswerDelta(run_id=run_id, text=text)


async def write(log: RunLog, *events: RunEvent, after: Cursor = Cursor()) -> Cursor:  # noqa: B008
    for event in events:
        _, after = await log.append(event, after)
    return after


async def collect(log: RunLog, run_id: str = RUN, after: int = 0) -> list[RunEvent]:
    async with asyncio.timeout(PATIENCE), contextlib.aclosing(log.follow(run_id, after)) as stream:
        return [event async for event in stream]


async def test_events_are_numbered_from_one_without_gaps_within_their_run(log: RunLog) -> None:
    first = await write(log, accepted())
    await write(log, accepted("run-2"), delta("annet", "run-2"))
    await write(log, delta("a"), delta("b"), after=first)
    assert [e.id for e in await log.read(RUN)] == [1, 2, 3]
    assert [e.id for e in await log.read("run-2")] == [1, 2]


async def test_what_is_read_is_what_was_appended(log: RunLog) -> None:
    sent = accepted()
    stored, _ = await log.append(sent, Cursor())
    assert stored == sent.model_copy(update={"id": 1})
    assert await log.read(RUN) == [stored]


async def test_the_end_is_where_the_next_writer_continues(log: RunLog) -> None:
    cursor = await write(log, accepted(), delta("a"))
    last, end = await log.end(RUN)
    assert (last.type, end) == ("answer.delta", cursor)
    stored, _ = await log.append(delta("b"), end)
    assert stored.id == 3


async def test_the_second_of_two_writers_is_told_that_the_run_is_taken(log: RunLog) -> None:
    cursor = await write(log, accepted())
    await log.append(delta("først"), cursor)
    with pytest.raises(RunTaken):
        await log.append(delta("for sent"), cursor)
    assert [getattr(e, "text", None) for e in await log.read(RUN)] == [None, "først"]


async def test_of_many_writers_at_once_one_wins(log: RunLog) -> None:
    cursor = await write(log, accepted())
    outcomes = await asyncio.gather(*(log.append(delta(str(n)), cursor) for n in range(10)), return_exceptions=True)
    assert sum(not isinstance(o, BaseException) for o in outcomes) == 1
    assert sum(isinstance(o, RunTaken) for o in outcomes) == 9
    assert len(await log.read(RUN)) == 2


async def test_a_run_cannot_be_begun_twice(log: RunLog) -> None:
    await write(log, accepted())
    with pytest.raises(RunTaken):
        await log.append(accepted(), Cursor())


async def test_a_writer_that_missed_the_cancellation_is_stopped_at_its_next_event(log: RunLog) -> None:
    cursor = await write(log, accepted())
    await log.append(RunCancelled(run_id=RUN), cursor)
    with pytest.raises(RunTaken):
        await log.append(delta("uvitende"), cursor)


async def nothing() -> None:
    pass


class LosesAcknowledgements(EventPublisher):
    """Says `losses` times that no answer came; what was published is stored all the same, or not."""

    def __init__(self, broker: NatsBroker, losses: int, *, stored: bool) -> None:
        super().__init__(broker)
        self.losses = losses
        self.meanwhile = nothing
        self._stored = stored

    async def store(self, *args: Any, **kwargs: Any) -> Any:
        if not self.losses:
            return await super().store(*args, **kwargs)
        self.losses -= 1
        if self._stored:
            await super().store(*args, **kwargs)
        await self.meanwhile()
        raise NatsTimeoutError


async def test_an_event_whose_acknowledgement_was_lost_is_stored_once(broker: NatsBroker) -> None:
    events = LosesAcknowledgements(broker, 1, stored=True)
    stored, cursor = await RunLog(events).append(accepted(), Cursor())
    assert (events.losses, stored.id) == (0, 1)
    assert await RunLog(EventPublisher(broker)).end(RUN) == (stored, cursor)
    await write(RunLog(events), delta("videre"), after=cursor)
    assert [e.id for e in await RunLog(events).read(RUN)] == [1, 2]


async def test_an_event_that_did_not_get_through_is_sent_again(broker: NatsBroker) -> None:
    events = LosesAcknowledgements(broker, 2, stored=False)
    stored, cursor = await RunLog(events).append(accepted(), Cursor())
    assert (events.losses, await RunLog(events).end(RUN)) == (0, (stored, cursor))


async def test_a_writer_whose_acknowledgement_was_lost_is_stopped_when_another_wrote_behind_it(
    broker: NatsBroker, log: RunLog
) -> None:
    events = LosesAcknowledgements(broker, 1, stored=True)
    cursor = await write(log, accepted())

    async def cancel() -> None:
        await log.append(RunCancelled(run_id=RUN), (await log.end(RUN))[1])

    events.meanwhile = cancel
    with pytest.raises(RunTaken):
        await RunLog(events).append(delta("a"), cursor)
    assert [e.type for e in await log.read(RUN)] == ["run.accepted", "answer.delta", "run.cancelled"]


async def test_an_append_that_is_never_acknowledged_is_given_up(broker: NatsBroker) -> None:
    with pytest.raises(NatsTimeoutError):
        await RunLog(LosesAcknowledgements(broker, 100, stored=False)).append(accepted(), Cursor())


async def test_an_unknown_run_is_unknown(log: RunLog) -> None:
    await write(log, accepted("run-2"))
    with pytest.raises(RunUnknown):
        await log.end(RUN)
    with pytest.raises(RunUnknown):
        await log.read(RUN)


async def test_following_replays_then_goes_on_and_ends_at_the_closing_event(log: RunLog) -> None:
    cursor = await write(log, accepted(), delta("a"))
    seen: list[str] = []
    replayed = asyncio.Event()

    async def follow() -> None:
        async with contextlib.aclosing(log.follow(RUN)) as stream:
            async for event in stream:
                seen.append(event.type)
                if event.id == 2:
                    replayed.set()

    following = asyncio.create_task(follow())
    await asyncio.wait_for(replayed.wait(), PATIENCE)
    await write(log, delta("b"), RunCompleted(run_id=RUN), after=cursor)
    await asyncio.wait_for(following, PATIENCE)
    assert seen == ["run.accepted", "answer.delta", "answer.delta", "run.completed"]


async def test_following_before_the_first_event_waits_for_it(log: RunLog) -> None:
    following = asyncio.create_task(collect(log))
    await write(log, accepted(), RunCompleted(run_id=RUN))
    assert [e.id for e in await following] == [1, 2]


@pytest.mark.parametrize(("after", "expected"), [(0, [1, 2, 3, 4]), (2, [3, 4]), (3, [4]), (4, []), (99, [])])
async def test_following_from_an_id_yields_what_comes_behind_it(log: RunLog, after: int, expected: list[int]) -> None:
    await write(log, accepted(), delta("a"), delta("b"), RunCompleted(run_id=RUN))
    assert [e.id for e in await collect(log, after=after)] == expected


async def test_many_may_follow_one_run(log: RunLog) -> None:
    followers = [asyncio.create_task(collect(log)) for _ in range(5)]
    await write(log, accepted(), *(delta(str(n)) for n in range(50)), RunCompleted(run_id=RUN))
    for follower in followers:
        assert [e.id for e in await follower] == list(range(1, 53))


async def test_followers_and_readers_need_no_consumer(log: RunLog, events: EventPublisher) -> None:
    cursor = await write(log, accepted(), delta("a"))
    async with contextlib.AsyncExitStack() as stack:
        for _ in range(20):
            stream = await stack.enter_async_context(contextlib.aclosing(log.follow(RUN)))
            assert (await anext(stream)).id == 1
        await log.read(RUN)
        assert (await events.jetstream.account_info()).consumers == 0
    await write(log, RunCompleted(run_id=RUN), after=cursor)
    assert [e.id for e in await collect(log)] == [1, 2, 3]


async def test_a_long_run_is_read_whole(log: RunLog) -> None:
    await write(log, accepted(), *(delta("x" * 20_000) for _ in range(150)), RunCompleted(run_id=RUN))
    assert [e.id for e in await log.read(RUN)] == list(range(1, 153))
    assert [e.id for e in await collect(log, after=100)] == list(range(101, 153))


@contextlib.asynccontextmanager
async def waiting_follower(log: RunLog) -> AsyncIterator[asyncio.Task[list[RunEvent]]]:
    """Follow the run in a task that has read everything by now, and waits for what comes."""
    following = asyncio.create_task(collect(log))

    async def waits() -> bool:
        return all(follower.complete for follower in log._feed._followers.get(RUN, ())) and await _looked(log)

    await until(waits)
    yield following


async def without_telling(events: EventPublisher) -> None:
    """Have the stream republish nothing: every live event is missed."""
    info = await events.jetstream.stream_info(subjects.STREAM_ANSWERS)
    await events.jetstream.update_stream(info.config.evolve(republish=None))


@pytest.fixture
def look_often(monkeypatch: pytest.MonkeyPatch) -> None:
    """The feed looks at the stream's end again and again, and not once a second."""
    monkeypatch.setattr(run_feed, "LOOK_SECONDS", 0.1)


async def test_events_that_are_missed_are_read_from_the_stream(
    look_often: None, log: RunLog, events: EventPublisher
) -> None:
    cursor = await write(log, accepted())
    async with waiting_follower(log) as following:
        await without_telling(events)
        await write(log, delta("a"), RunCompleted(run_id=RUN), after=cursor)
        assert [event.id for event in await following] == [1, 2, 3]


async def test_events_that_are_missed_are_read_also_when_reading_them_failed_once(
    look_often: None, log: RunLog, events: EventPublisher, monkeypatch: pytest.MonkeyPatch
) -> None:
    failed: list[int] = []

    async def fail_once(connection: Client, stream: str, subject: str, start: int, count: int) -> Page:
        if not failed:
            failed.append(start)
            raise NatsTimeoutError
        return await read_page(connection, stream, subject, start, count)

    monkeypatch.setattr(run_feed, "read_page", fail_once)
    config = (await events.jetstream.stream_info(subjects.STREAM_ANSWERS)).config
    cursor = await write(log, accepted())
    async with waiting_follower(log) as following:
        await without_telling(events)
        await write(log, RunCompleted(run_id=RUN), after=cursor)
        await events.jetstream.update_stream(config)
        await write(log, accepted("run-2"))
        assert [event.id for event in await following] == [1, 2]
    assert failed


async def test_what_a_replica_does_not_have_yet_when_a_follower_joins_is_read_when_it_does(
    log: RunLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    late = 3

    async def read_a_replica(connection: Client, stream: str, subject: str, start: int) -> Page:
        nonlocal late
        page = await read_page(connection, stream, subject, start)
        if late:
            late -= 1
            return Page(page.messages[:-1], more=False)
        return page

    monkeypatch.setattr(run_log, "read_page", read_a_replica)
    await write(log, accepted(), RunCompleted(run_id=RUN))
    assert [e.id for e in await collect(log)] == [1, 2]


async def test_what_a_replica_does_not_have_yet_of_what_was_missed_is_read_when_it_does(
    look_often: None, log: RunLog, events: EventPublisher, monkeypatch: pytest.MonkeyPatch
) -> None:
    late = 2

    async def read_a_replica(connection: Client, stream: str, subject: str, start: int, count: int) -> Page:
        nonlocal late
        page = await read_page(connection, stream, subject, start, count)
        if late:
            late -= 1
            return Page(page.messages[:-1], more=False)
        return page

    monkeypatch.setattr(run_feed, "read_page", read_a_replica)
    cursor = await write(log, accepted())
    async with waiting_follower(log) as following:
        await without_telling(events)
        await write(log, delta("a"), RunCompleted(run_id=RUN), after=cursor)
        assert [event.id for event in await following] == [1, 2, 3]
    assert not late


async def test_what_was_missed_and_is_deleted_is_not_looked_for_for_ever(
    log: RunLog, events: EventPublisher, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run_feed, "LOOK_SECONDS", 0.05)
    read: list[int] = []

    async def note(connection: Client, stream: str, subject: str, start: int, count: int) -> Page:
        read.append(start)
        return await read_page(connection, stream, subject, start, count)

    monkeypatch.setattr(run_feed, "read_page", note)
    cursor = await write(log, accepted())
    async with waiting_follower(log) as following:
        await without_telling(events)
        last = await write(log, accepted("run-2"))
        await events.jetstream.delete_msg(subjects.STREAM_ANSWERS, last.sequence)

        async def given_up() -> bool:
            return log._feed._position == last.sequence

        await until(given_up)
        assert len(read) <= run_feed.LOOKS_UNTIL_GONE + 1
        await write(log, RunCompleted(run_id=RUN), after=cursor)
        assert [event.id for event in await following] == [1, 2]


async def test_followers_go_on_after_a_look_failed_in_a_way_that_nobody_foresaw(
    log: RunLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    failed: list[None] = []
    look = RunFeed._look

    async def fail(feed: RunFeed) -> None:
        if len(failed) < 2:
            failed.append(None)
            raise KeyError("config")
        await look(feed)

    cursor = await write(log, accepted())
    async with waiting_follower(log) as following:
        monkeypatch.setattr(RunFeed, "_look", fail)
        await until(lambda: asyncio.sleep(0, bool(failed)))
        await write(log, delta("a"), RunCompleted(run_id=RUN), after=cursor)
        assert [event.id for event in await following] == [1, 2, 3]


async def test_what_is_stored_while_the_log_is_read_is_handed_on_without_a_pause(
    log: RunLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def read_then_write(connection: Client, stream: str, subject: str, start: int) -> Page:
        page = await read_page(connection, stream, subject, start)
        if not page.messages:
            await write(log, accepted(), RunCompleted(run_id=RUN))
        return page

    monkeypatch.setattr(run_log, "BEHIND_SECONDS", 10 * PATIENCE)
    monkeypatch.setattr(run_log, "read_page", read_then_write)
    assert [event.id for event in await collect(log)] == [1, 2]


async def test_a_gap_is_read_from_the_stream_at_once(log: RunLog, events: EventPublisher) -> None:
    config = (await events.jetstream.stream_info(subjects.STREAM_ANSWERS)).config
    cursor = await write(log, accepted())
    async with waiting_follower(log) as following:
        await without_telling(events)
        cursor = await write(log, delta("a"), delta("b"), after=cursor)
        await events.jetstream.update_stream(config)
        await write(log, RunCompleted(run_id=RUN), after=cursor)
        assert [event.id for event in await following] == [1, 2, 3, 4]


async def test_a_follower_that_is_far_behind_gets_everything_and_holds_little(log: RunLog) -> None:
    cursor = await write(log, accepted())
    async with asyncio.timeout(PATIENCE), contextlib.aclosing(log.follow(RUN)) as stream:
        assert (await anext(stream)).id == 1
        await write(log, *(delta(str(n)) for n in range(3 * KEPT)), RunCompleted(run_id=RUN), after=cursor)
        assert [event.id async for event in stream] == list(range(2, 3 * KEPT + 3))


async def test_a_server_before_direct_gets_were_allowed_is_read_message_by_message(
    log: RunLog, events: EventPublisher
) -> None:
    info = await events.jetstream.stream_info(subjects.STREAM_ANSWERS)
    await events.jetstream.update_stream(info.config.evolve(republish=None, allow_direct=False))
    await write(log, accepted(), delta("a"), RunCompleted(run_id=RUN))
    assert [e.id for e in await log.read(RUN)] == [1, 2, 3]
    assert [e.id for e in await collect(log)] == [1, 2, 3]


@pytest.mark.parametrize("again", [True, False])
async def test_following_ends_when_the_stream_is_gone(log: RunLog, events: EventPublisher, again: bool) -> None:
    await write(log, accepted())
    async with asyncio.timeout(PATIENCE), contextlib.aclosing(log.follow(RUN)) as stream:
        assert (await anext(stream)).id == 1
        await until(lambda: _looked(log))
        await events.jetstream.delete_stream(subjects.STREAM_ANSWERS)
        if again:
            await declare_streams(events.jetstream)
            await write(log, accepted("run-2"), delta("annet", "run-2"))
        with pytest.raises(LogLost):
            await anext(stream)


async def test_following_ends_when_the_log_was_purged(log: RunLog, events: EventPublisher) -> None:
    await write(log, accepted())
    async with asyncio.timeout(PATIENCE), contextlib.aclosing(log.follow(RUN)) as stream:
        assert (await anext(stream)).id == 1
        await events.jetstream.purge_stream(subjects.STREAM_ANSWERS)
        with pytest.raises(LogLost):
            await anext(stream)


async def test_following_a_log_that_is_gone_ends_at_once(log: RunLog) -> None:
    await write(log, accepted("run-2"))
    with pytest.raises(LogLost):
        await collect(log, after=3)


async def _looked(log: RunLog) -> bool:
    return log._feed._created is not None


async def test_following_goes_on_over_a_restart_of_the_server(restartable_nats: "RestartableNats") -> None:
    server = restartable_nats
    async with make_broker(ServiceSettings(nats_url=server.url), "test") as broker:
        await declare_streams(broker.connection.jetstream())
        log = RunLog(EventPublisher(broker))
        cursor = await write(log, accepted())
        async with asyncio.timeout(PATIENCE), contextlib.aclosing(log.follow(RUN)) as stream:
            seen = [(await anext(stream)).id]
            await server.stop()
            await server.start()
            await write(log, delta("a"), RunCompleted(run_id=RUN), after=cursor)
            seen += [event.id async for event in stream]
        assert seen == [1, 2, 3]
