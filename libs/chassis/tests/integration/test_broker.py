"""What a service hears without answering."""

import asyncio
import socket
from collections.abc import Awaitable, Callable

import pytest
from faststream.nats import NatsBroker
from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider
from structlog.testing import capture_logs

from lovsvar_chassis.broker import UNSENT_MS, make_broker
from lovsvar_chassis.event_router import EventRouter
from lovsvar_chassis.publisher import EventPublisher
from lovsvar_chassis.service import flush
from lovsvar_chassis.settings import ServiceSettings
from lovsvar_contracts.questions import CancelQuestion

SUBJECT = "lovsvar.test.heard"
PATIENCE = 20.0


@pytest.fixture
async def hear(nats_url: str):
    """Hear `SUBJECT` by a handler until the test ends."""
    router = EventRouter()
    async with make_broker(ServiceSettings(nats_url=nats_url), "listener") as listener:

        async def start(handler: Callable[[CancelQuestion], Awaitable[None]]) -> None:
            router.hear(SUBJECT, handler)
            listener.include_router(router)
            await router.start()
            await flush(listener)

        yield start
        await router.stop()


Hear = Callable[[Callable[[CancelQuestion], Awaitable[None]]], Awaitable[None]]


async def test_what_cannot_be_handled_is_logged_and_the_next_is_heard(broker: NatsBroker, hear: Hear) -> None:
    heard: asyncio.Queue[str] = asyncio.Queue()

    async def break_down_once(event: CancelQuestion) -> None:
        heard.put_nowait(event.run_id)
        if event.run_id == "first":
            raise RuntimeError("broken")

    await hear(break_down_once)
    events = EventPublisher(broker)
    with capture_logs() as logs:
        await events.notify(SUBJECT, CancelQuestion(run_id="first"))
        await broker.connection.publish(SUBJECT, b"unreadable")
        await events.notify(SUBJECT, CancelQuestion(run_id="second"))
        assert [await asyncio.wait_for(heard.get(), PATIENCE) for _ in range(2)] == ["first", "second"]
    assert [(line["log_level"], line["subject"]) for line in logs] == [("error", SUBJECT)] * 2


async def test_a_handler_whose_work_is_cancelled_does_not_end_the_hearing(broker: NatsBroker, hear: Hear) -> None:
    heard: asyncio.Queue[str] = asyncio.Queue()

    async def wait_for_a_cancelled_task(event: CancelQuestion) -> None:
        heard.put_nowait(event.run_id)
        if event.run_id == "first":
            raise asyncio.CancelledError

    await hear(wait_for_a_cancelled_task)
    events = EventPublisher(broker)
    for run_id in ("first", "second"):
        await events.notify(SUBJECT, CancelQuestion(run_id=run_id))
    assert [await asyncio.wait_for(heard.get(), PATIENCE) for _ in range(2)] == ["first", "second"]


async def test_what_is_heard_is_handled_within_the_trace_that_it_carries(broker: NatsBroker, hear: Hear) -> None:
    heard: asyncio.Queue[int] = asyncio.Queue()

    async def note_trace(event: CancelQuestion) -> None:
        heard.put_nowait(trace.get_current_span().get_span_context().trace_id)

    await hear(note_trace)
    with TracerProvider().get_tracer("test").start_as_current_span("telling") as span:
        await EventPublisher(broker).notify(SUBJECT, CancelQuestion(run_id="a"))
    assert await asyncio.wait_for(heard.get(), PATIENCE) == span.get_span_context().trace_id


@pytest.mark.skipif(not hasattr(socket, "TCP_USER_TIMEOUT"), reason="this system has no such option")
async def test_what_nobody_confirms_is_not_waited_for(nats_url: str) -> None:
    async with make_broker(ServiceSettings(nats_url=nats_url), "test") as broker:
        taken = broker.connection._transport._bare_io_writer.get_extra_info("socket")
        assert taken.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT) == UNSENT_MS
