"""What operators see at the gateway: who may read it, the queues, and event streams."""

import asyncio
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx2
import pytest
from faststream.nats import NatsBroker
from nats.js import JetStreamContext
from nats.js.api import AckPolicy, ConsumerConfig, StreamConfig

from lovsvar_chassis import metrics
from lovsvar_chassis.publisher import EventPublisher
from lovsvar_contracts import subjects
from lovsvar_contracts.questions import QuestionAsked
from lovsvar_gateway.adapters.key_file import write_keys
from lovsvar_gateway.adapters.metrics import StreamWatch, look
from lovsvar_gateway.core.access import KeyRing, Limits, Scope, new_key
from lovsvar_gateway.sse import Beats, EventStream, Frames
from lovsvar_testkit.measured import Measured
from lovsvar_testkit.processes import ServiceProcess, free_port
from lovsvar_testkit.waiting import until

Start = Callable[..., Any]


@pytest.fixture
def gateway(own_gateway: Any) -> Any:
    """A gateway for each test, since what it measures is measured in this process."""
    return own_gateway


async def test_a_gateway_serves_its_metrics_as_prometheus_reads_them(nats_url: str, tmp_path: Path) -> None:
    port = free_port()
    environment = {"LOVSVAR_NATS_URL": nats_url, "LOVSVAR_HOST": "127.0.0.1", "LOVSVAR_PORT": str(port)}
    process = ServiceProcess("gateway", environment, tmp_path / "log")
    process.start()
    try:
        async with httpx2.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=30) as client:

            async def shown() -> bool:
                try:
                    return "lovsvar_stream_size_bytes{" in (await client.get("/metrics")).text
                except httpx2.ConnectError:
                    return False

            await until(shown, 40)
            await client.get("/v1/search", params={"q": "hemmelig"})
            answer = await client.get("/metrics")
    finally:
        process.stop(30)
    assert answer.headers["content-type"].startswith("text/plain; version=")
    text = answer.text
    assert 'lovsvar_queue_waiting{stream="QUESTIONS"} 0.0' in text
    assert "lovsvar_ready 1.0" in text
    assert (
        'lovsvar_requests_sent_duration_seconds_count{outcome="unavailable",subject="lovsvar.search.provisions"}'
        in text
    )
    assert re.search(r'http_server_request_duration_seconds_count\{[^}]*http_route="/v1/search"', text)
    assert "hemmelig" not in text


async def test_with_keys_only_one_that_may_operate_reads_them(
    nats_url: str, start_gateway: Start, tmp_path: Path, measured: Measured
) -> None:
    made = {scope: new_key(scope.value, [scope], Limits()) for scope in Scope}
    write_keys(tmp_path / "keys.json", KeyRing(keys=tuple(key for _, key in made.values())))
    async with start_gateway(nats_url, api_keys_file=tmp_path / "keys.json") as gateway:
        status = {
            scope: (await gateway.client.get("/metrics", headers={"Authorization": f"Bearer {secret}"})).status_code
            for scope, (secret, _) in made.items()
        }
        assert (await gateway.client.get("/metrics")).status_code == 401
    assert status == {scope: 200 if scope is Scope.OPERATE else 403 for scope in Scope}


@pytest.mark.parametrize(
    ("headers", "status"),
    [({}, 200), ({"Host": "lov.example.no"}, 403), ({"X-Forwarded-For": "203.0.113.7"}, 403)],
)
async def test_without_keys_only_this_machine_reads_them_also_where_all_may_ask(
    nats_url: str, start_gateway: Start, headers: dict[str, str], status: int, measured: Measured
) -> None:
    async with start_gateway(nats_url, without_keys=True) as gateway:
        assert (await gateway.client.get("/metrics", headers=headers)).status_code == status
        assert (await gateway.client.get("/healthz", headers=headers)).status_code == 200


async def test_waiting_and_taken_work_the_age_of_the_oldest_and_dead_letters_are_seen(
    gateway: Any, js: JetStreamContext, events: EventPublisher
) -> None:
    consumer = ConsumerConfig(durable_name="agent", ack_policy=AckPolicy.EXPLICIT)
    await js.add_consumer(subjects.STREAM_QUESTIONS, consumer)
    for _ in range(3):
        await events.publish(subjects.QUESTION_ASKED, QuestionAsked(question="Hva er depositum?"))
    agent = await js.pull_subscribe_bind("agent", subjects.STREAM_QUESTIONS)
    await agent.fetch(1)
    await js.publish(subjects.dead(subjects.STREAM_INGEST), b"{}")
    await js.add_stream(StreamConfig(name="SMALL", subjects=["small"], max_bytes=1_000_000))

    async def counted_by_now() -> bool:
        return (await look([js])).by_stream[metrics.QUEUE_TAKEN][subjects.STREAM_QUESTIONS] == 1

    await until(counted_by_now)
    states = await look([js])
    seen = states.by_stream
    waiting, oldest = seen[metrics.QUEUE_WAITING], seen[metrics.QUEUE_OLDEST]
    assert waiting[subjects.STREAM_QUESTIONS] == 2
    assert 0 < oldest[subjects.STREAM_QUESTIONS] < 60
    assert (waiting[subjects.STREAM_INGEST], oldest[subjects.STREAM_INGEST]) == (0, 0.0)
    assert seen[metrics.DEAD_LETTERS] == {subjects.STREAM_INGEST: 1}
    assert seen[metrics.STREAM_SIZE][subjects.STREAM_QUESTIONS] > 0
    assert seen[metrics.STREAM_LIMIT]["SMALL"] == 1_000_000
    assert states.size > 0


async def test_what_was_seen_is_shown_and_so_is_how_long_ago(
    gateway: Any, events: EventPublisher, measured: Measured
) -> None:
    await events.publish(subjects.QUESTION_ASKED, QuestionAsked(question="Hva er depositum?"))
    watch = StreamWatch([events])
    await watch.start()
    try:
        await until(
            lambda: asyncio.sleep(0, measured.value(metrics.QUEUE_WAITING, stream=subjects.STREAM_QUESTIONS) == 1)
        )
        assert measured.value(metrics.QUEUE_OLDEST, stream=subjects.STREAM_QUESTIONS) > 0
        assert measured.value(metrics.STREAM_SIZE, stream=subjects.STREAM_QUESTIONS) > 0
        assert measured.value(metrics.JETSTREAM_SIZE) > 0
        assert 0 <= measured.value(metrics.STREAMS_LOOKED) < 60
    finally:
        await watch.stop()


async def test_streams_that_are_open_are_counted_until_they_end(
    gateway: Any, broker: NatsBroker, measured: Measured
) -> None:
    run_id = (await gateway.client.post("/v1/questions", json={"question": "Hva?"})).json()["run_id"]
    async with gateway.stream("GET", f"/v1/questions/{run_id}/events") as stream:
        await stream.next()
        assert measured.value(metrics.EVENT_STREAMS) == 1
    await until(lambda: asyncio.sleep(0, measured.value(metrics.EVENT_STREAMS) == 0))


async def test_a_stream_that_fails_to_be_sent_is_no_longer_open(measured: Measured) -> None:
    async def frames() -> Frames:
        yield b""

    async def send(_: object) -> None:
        assert measured.value(metrics.EVENT_STREAMS) == 1
        raise ConnectionError

    stream = EventStream(frames(), beats=Beats(asyncio.Event(), 10), patience=10)
    with pytest.raises(ConnectionError):
        await stream({"type": "http"}, asyncio.Queue().get, send)
    assert measured.value(metrics.EVENT_STREAMS) == 0
