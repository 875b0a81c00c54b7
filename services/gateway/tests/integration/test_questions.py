"""Questions and their streams, over real HTTP and a real nats-server."""

import asyncio
import random
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import httpx2
import nats
import pytest
import pytest_asyncio
import structlog
from faststream.nats import NatsBroker
from nats.js import JetStreamContext
from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from lovsvar_chassis.run_log import Cursor, RunLog
from lovsvar_contracts import subjects
from lovsvar_contracts.law import LawType
from lovsvar_contracts.questions import Mode, QuestionAsked, QuestionFilters
from lovsvar_contracts.run_events import (
    AnswerDelta,
    RunAccepted,
    RunCompleted,
    RunEvent,
    RunLimits,
    RunStarted,
    run_event_adapter,
)
from lovsvar_testkit import servers
from lovsvar_testkit.waiting import until

CONNECTIONS = 250
MANY_CONNECTIONS = 1_000


def events_of(run_id: str, deltas: int = 5) -> list[RunEvent]:
    return [
        RunAccepted(run_id=run_id, question="Hva er depositum?"),
        RunStarted(run_id=run_id, limits=RunLimits(rounds=1, tool_calls=1, seconds=1), model="extractive"),
        *(AnswerDelta(run_id=run_id, text=f"linje {n}\nog en til") for n in range(deltas)),
        RunCompleted(run_id=run_id),
    ]


@pytest_asyncio.fixture
async def write(run_log: RunLog) -> AsyncIterator[Callable[..., Awaitable[Cursor]]]:
    async def write(events: list[RunEvent], cursor: Cursor | None = None) -> Cursor:
        cursor = cursor or Cursor()
        for event in events:
            _, cursor = await run_log.append(event, cursor)
        return cursor

    yield write


async def _said(event: str, logs: list[Any]) -> bool:
    return any(entry["event"] == event for entry in logs)


async def no_consumers(js: JetStreamContext, stream: str) -> None:
    """Return when `stream` has no consumer."""
    async with asyncio.timeout(15):
        while await js.consumers_info(stream):  # noqa: ASYNC110
            await asyncio.sleep(0.05)


async def test_a_question_is_stored_and_handed_to_the_agents(gateway: Any, js: JetStreamContext) -> None:
    body = {"question": "  Hva er depositum? ", "locale": "nb", "mode": "extractive"}
    accepted = await gateway.client.post("/v1/questions", json=body)
    run_id = accepted.json()["run_id"]
    assert accepted.status_code == 202
    assert accepted.headers["Location"] == f"/v1/questions/{run_id}" == accepted.json()["links"]["self"]
    message = await js.get_last_msg(subjects.STREAM_QUESTIONS, subjects.QUESTION_ASKED_BY_ANY)
    asked = QuestionAsked.model_validate_json(message.data or b"")
    assert (asked.run_id, asked.question, asked.locale, asked.mode) == (
        run_id,
        "Hva er depositum?",
        "nb",
        Mode.EXTRACTIVE,
    )
    snapshot = (await gateway.client.get(f"/v1/questions/{run_id}")).json()
    assert (snapshot["status"], snapshot["question"], snapshot["kind"]) == ("running", "Hva er depositum?", "answer")


async def test_filters_and_what_is_followed_are_stored_handed_on_and_shown(
    gateway: Any, js: JetStreamContext, run_log: RunLog
) -> None:
    first = (await gateway.client.post("/v1/questions", json={"question": "Hva er depositum?"})).json()["run_id"]
    filters = {"law_type": "forskrift", "year": 2020, "ministry": " Justis "}
    body = {"question": "Og da?", "filters": filters, "follows": first}
    accepted = await gateway.client.post("/v1/questions", json=body)
    assert accepted.status_code == 202, accepted.text
    run_id = accepted.json()["run_id"]
    message = await js.get_last_msg(subjects.STREAM_QUESTIONS, subjects.QUESTION_ASKED_BY_ANY)
    asked = QuestionAsked.model_validate_json(message.data or b"")
    expected = QuestionFilters(law_type=LawType.FORSKRIFT, year=2020, ministry="Justis")
    assert (asked.run_id, asked.filters, asked.follows) == (run_id, expected, first)
    (event,) = await run_log.read(run_id)
    assert isinstance(event, RunAccepted)
    assert (event.filters, event.follows) == (expected, first)
    snapshot = (await gateway.client.get(f"/v1/questions/{run_id}")).json()
    assert (snapshot["filters"], snapshot["follows"]) == ({**filters, "ministry": "Justis"}, first)


async def test_filters_that_narrow_nothing_are_none(gateway: Any, run_log: RunLog) -> None:
    for filters in ({}, {"ministry": " "}, {"year": None}, None):
        body = {"question": "Hva?", "filters": filters, "follows": None}
        run_id = (await gateway.client.post("/v1/questions", json=body)).json()["run_id"]
        (event,) = await run_log.read(run_id)
        assert isinstance(event, RunAccepted)
        assert event.filters is None


@pytest.mark.parametrize(
    ("wrong", "field", "detail"),
    [
        ({"filters": {"year": 99}}, "filters.year", "må være minst 1600"),
        ({"filters": {"year": "i fjor"}}, "filters.year", "må være et heltall"),
        ({"filters": {"law_type": "tull"}}, "filters.law_type", "må være en av"),
        ({"filters": {"ministry": "x" * 201}}, "filters.ministry", "kan ha høyst 200 tegn"),
        ({"filters": {"ministry": "\x00"}}, "filters.ministry", "styretegn"),
        ({"filters": {"lawtype": "lov"}}, "filters.lawtype", "er ukjent"),
        ({"filters": "lov"}, "filters", "må være et JSON-objekt"),
        ({"follows": "lovsvar.answer.>"}, "follows", "har feil form"),
    ],
)
async def test_filters_that_cannot_hold_are_refused_by_name_in_norwegian(
    gateway: Any, wrong: dict[str, Any], field: str, detail: str
) -> None:
    answer = await gateway.client.post("/v1/questions", json={"question": "Hva?", **wrong})
    assert answer.status_code == 422
    (error,) = answer.json()["errors"]
    assert error["field"] == field
    assert detail in error["detail"]
    assert " or " not in answer.json()["detail"]


async def test_a_follow_up_of_a_run_that_is_gone_is_not_asked(gateway: Any, js: JetStreamContext) -> None:
    body = {"question": "Og da?", "follows": "0" * 32}
    answer = await gateway.client.post("/v1/questions", json=body)
    assert (answer.status_code, answer.json()["type"]) == (404, "urn:lovsvar:problem:not-found")
    assert "24 timer" in answer.json()["detail"]
    assert (await js.stream_info(subjects.STREAM_QUESTIONS)).state.messages == 0


async def test_the_trace_of_the_http_request_goes_on_in_the_headers_of_the_question(
    gateway: Any, js: JetStreamContext
) -> None:
    trace_id = "4bf92f3577b34da6a3ce929d0e0e4736"
    headers = {"traceparent": f"00-{trace_id}-00f067aa0ba902b7-01"}
    accepted = await gateway.client.post("/v1/questions", json={"question": "Hva?"}, headers=headers)
    assert accepted.headers["X-Trace-Id"] == trace_id
    message = await js.get_last_msg(subjects.STREAM_QUESTIONS, subjects.QUESTION_ASKED_BY_ANY)
    assert message.headers is not None
    assert message.headers["traceparent"].split("-")[1] == trace_id
    assert QuestionAsked.model_validate_json(message.data or b"").correlation_id == trace_id


async def test_what_is_asked_for_in_an_address_is_in_no_trace(gateway: Any, behind: Any) -> None:
    spans = InMemorySpanExporter()
    provider = trace.get_tracer_provider()
    assert isinstance(provider, TracerProvider)
    provider.add_span_processor(SimpleSpanProcessor(spans))
    assert (await gateway.client.get("/v1/search?q=hemmelig")).status_code == 200
    async with asyncio.timeout(5):
        while not (served := [s for s in spans.get_finished_spans() if "url.path" in (s.attributes or {})]):  # noqa: ASYNC110
            await asyncio.sleep(0.01)
    assert (served[0].attributes or {})["url.query"] == "REDACTED"
    assert "hemmelig" not in "".join(span.to_json() for span in spans.get_finished_spans())


async def test_the_stream_has_every_event_in_order_and_ends_behind_the_closing_one(gateway: Any, write: Any) -> None:
    await write(events_of("run-1"))
    async with gateway.stream("GET", "/v1/questions/run-1/events") as stream:
        headers = stream.response.headers
        events = [e async for e in stream]
    assert headers["Content-Type"].startswith("text/event-stream")
    assert headers["Cache-Control"] == "no-store, no-transform"
    assert headers["X-Accel-Buffering"] == "no"
    assert "Content-Encoding" not in headers
    assert events[0]["retry"] == "2000"
    assert [e["id"] for e in events] == [str(n) for n in range(1, 9)]
    assert [e["event"] for e in events] == [e["data"]["type"] for e in events]
    assert events[-1]["event"] == "run.completed"
    assert events[2]["data"]["text"] == "linje 0\nog en til"


async def test_a_stream_cut_at_any_event_and_resumed_yields_each_event_exactly_once(gateway: Any, write: Any) -> None:
    await write(events_of("run-1"))
    path = "/v1/questions/run-1/events"
    whole = [e["data"] for e in await gateway.events(path)]
    for cut in range(len(whole) + 1):
        before = await cut_off(gateway, path, cut)
        resumed = [e["data"] for e in await gateway.events(path, after=cut)]
        by_query = [e["data"] for e in await gateway.events(f"{path}?after={cut}")]
        assert before + resumed == whole
        assert by_query == resumed


async def test_a_stream_cut_at_any_event_while_the_run_goes_on_is_resumed_without_a_loss(
    gateway: Any, write: Any
) -> None:
    for cut in range(1, len(events_of("run"))):
        run_id = f"run-{cut}"
        path, events = f"/v1/questions/{run_id}/events", events_of(run_id)
        end = await write(events[:cut])
        before = await cut_off(gateway, path, cut)
        resuming = asyncio.create_task(gateway.events(path, after=cut))
        await write(events[cut:], end)
        joined = before + [e["data"] for e in await resuming]
        assert joined == [e["data"] for e in await gateway.events(path)]


async def cut_off(gateway: Any, path: str, after: int) -> list[Any]:
    """Return the first events of a stream whose connection is closed behind them."""
    async with gateway.stream("GET", path) as stream:
        return [(await stream.next())["data"] for _ in range(after)]


async def test_an_event_that_has_not_happened_is_no_place_to_resume(gateway: Any, write: Any) -> None:
    await write(events_of("run-1")[:3])
    answer = await gateway.client.get("/v1/questions/run-1/events?after=4")
    assert (answer.status_code, answer.json()["detail"]) == (422, "run-1 har ingen hendelse 4; den siste er 3.")


async def test_a_client_that_does_not_read_is_dropped_with_a_reason_and_resumes_where_it_was(
    nats_url: str, start_gateway: Any, write: Any, js: JetStreamContext
) -> None:
    accepted, *_ = events_of("run-1")
    events = [accepted, *(AnswerDelta(run_id="run-1", text="x" * 200_000) for _ in range(40))]
    path = "/v1/questions/run-1/events"
    async with start_gateway(nats_url, slow_reader=0.2) as gateway:
        end = await write(events)
        host, _, port = gateway.url.removeprefix("http://").rpartition(":")
        reader, writer = await asyncio.open_connection(host, int(port), limit=2**16)
        writer.write(f"GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode())
        async with asyncio.timeout(30):
            received = await reader.readuntil(b"id: 1\n")
            with structlog.testing.capture_logs() as said:
                await until(lambda: _said("dropped a slow reader", said))
            received += await reader.read(-1)
        writer.close()
        lines = received.decode().splitlines()
        assert "event: dropped" in lines
        assert '"reason":"slow_reader"' in lines[lines.index("event: dropped") + 1]
        seen = [int(line.removeprefix("id: ")) for line in lines if line.startswith("id: ")]
        assert seen == list(range(1, len(seen) + 1))
        assert 0 < len(seen) < len(events)
        await write([RunCompleted(run_id="run-1")], end)
        resumed = await gateway.events(path, after=seen[-1])
        assert [int(e["id"]) for e in resumed] == list(range(seen[-1] + 1, len(events) + 2))


async def test_events_that_come_later_reach_the_stream(gateway: Any, write: Any) -> None:
    first, *rest = events_of("run-1")
    end = await write([first])
    async with gateway.stream("GET", "/v1/questions/run-1/events") as stream:
        assert (await stream.next())["event"] == "run.accepted"
        await write(rest, end)
        assert [e["event"] async for e in stream][-1] == "run.completed"


async def test_a_question_asked_for_as_a_stream_is_answered_with_its_events(gateway: Any, run_log: RunLog) -> None:
    asking = {"json": {"question": "Hva?"}, "headers": {"Accept": "text/event-stream"}}
    async with gateway.stream("POST", "/v1/questions", **asking) as stream:
        run_id = stream.response.headers["X-Run-Id"]
        assert stream.response.headers["Location"] == f"/v1/questions/{run_id}"
        accepted = await stream.next()
        assert (accepted["event"], accepted["data"]["run_id"]) == ("run.accepted", run_id)
        _, end = await run_log.end(run_id)
        await run_log.append(RunCompleted(run_id=run_id), end)
        assert [e["event"] async for e in stream] == ["run.completed"]


async def test_a_client_that_has_seen_the_end_is_told_not_to_come_back(gateway: Any, write: Any) -> None:
    await write(events_of("run-1", deltas=1))
    answer = await gateway.client.get("/v1/questions/run-1/events", headers={"Last-Event-ID": "4"})
    assert (answer.status_code, answer.text) == (204, "")
    async with gateway.client.sse("/v1/questions/run-1/events?after=4") as source:
        assert [e async for e in source] == []


async def test_heartbeats_are_named_events_without_an_id(
    nats_url: str, start_gateway: Any, write: Any, js: JetStreamContext
) -> None:
    async with start_gateway(nats_url, heartbeat=0.05) as gateway:
        await write(events_of("run-1")[:1])
        async with gateway.stream("GET", "/v1/questions/run-1/events?after=1") as stream:
            beats = [await stream.next() for _ in range(3)]
    assert [e["event"] for e in beats] == ["heartbeat"] * 3
    assert beats[0]["retry"] == "2000"
    assert not any("id" in e for e in beats)
    assert all(e["data"]["ts"] for e in beats)


async def test_events_that_have_expired_are_made_up_for_by_a_snapshot(
    gateway: Any, write: Any, js: JetStreamContext
) -> None:
    end = await write(events_of("run-1"))
    for sequence in range(end.sequence - 7, end.sequence - 4):
        await js.delete_msg(subjects.STREAM_ANSWERS, sequence)
    snapshot, *rest = await gateway.events("/v1/questions/run-1/events")
    assert (snapshot["event"], snapshot["data"]["status"]) == ("snapshot", "completed")
    assert "id" not in snapshot
    assert [e["id"] for e in rest] == ["4", "5", "6", "7", "8"]
    resumed = await gateway.events("/v1/questions/run-1/events", after=3)
    assert [e["id"] for e in resumed] == ["4", "5", "6", "7", "8"]


async def test_a_client_that_goes_away_leaves_no_consumer_behind(
    gateway: Any, write: Any, js: JetStreamContext
) -> None:
    await write(events_of("run-1")[:1])
    for _ in range(5):
        async with gateway.stream("GET", "/v1/questions/run-1/events") as stream:
            await stream.next()
    async with gateway.stream("GET", "/v1/questions/run-1/events") as stream:
        await stream.next()
        assert not await js.consumers_info(subjects.STREAM_ANSWERS)
    await no_consumers(js, subjects.STREAM_ANSWERS)


@pytest.mark.parametrize("connections", [CONNECTIONS, pytest.param(MANY_CONNECTIONS, marks=pytest.mark.slow)])
async def test_connections_cut_at_random_moments_leave_no_task_and_no_consumer(
    own_gateway: Any, write: Any, js: JetStreamContext, connections: int
) -> None:
    await write(events_of("run-1")[:1])
    await own_gateway.client.get("/healthz")
    before = len(asyncio.all_tasks())
    moment = random.Random(1)
    host, _, port = own_gateway.url.removeprefix("http://").rpartition(":")

    async def cut() -> None:
        _, writer = await asyncio.open_connection(host, int(port))
        writer.write(b"GET /v1/questions/run-1/events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        await asyncio.sleep(moment.random() / 5)
        writer.transport.abort()

    await asyncio.gather(*(cut() for _ in range(connections)))
    async with asyncio.timeout(15):
        while len(asyncio.all_tasks()) > before:  # noqa: ASYNC110
            await asyncio.sleep(0.05)
    await no_consumers(js, subjects.STREAM_ANSWERS)


async def test_a_stream_that_ends_leaves_no_consumer_behind(gateway: Any, write: Any, js: JetStreamContext) -> None:
    await write(events_of("run-1"))
    await gateway.events("/v1/questions/run-1/events")
    await gateway.client.get("/v1/questions/run-1")
    await no_consumers(js, subjects.STREAM_ANSWERS)


async def test_cancelling_ends_the_run_once_and_tells_the_agent(
    gateway: Any, broker: NatsBroker, until_subscribed: Any
) -> None:
    run_id = (await gateway.client.post("/v1/questions", json={"question": "Hva?"})).json()["run_id"]
    notices = await broker.connection.subscribe(subjects.question_cancel(run_id))
    await until_subscribed(broker)
    for _ in range(3):
        assert (await gateway.client.delete(f"/v1/questions/{run_id}")).status_code == 204
    assert (await notices.next_msg(timeout=5)).subject == subjects.question_cancel(run_id)
    assert [e["event"] for e in await gateway.events(f"/v1/questions/{run_id}/events")] == [
        "run.accepted",
        "run.cancelled",
    ]
    assert (await gateway.client.get(f"/v1/questions/{run_id}")).json()["status"] == "cancelled"


async def test_cancelling_while_the_agent_writes_leaves_one_closing_event(gateway: Any, run_log: RunLog) -> None:
    run_id = (await gateway.client.post("/v1/questions", json={"question": "Hva?"})).json()["run_id"]
    _, cursor = await run_log.end(run_id)

    async def keep_writing() -> None:
        end = cursor
        for n in range(10_000):
            _, end = await run_log.append(AnswerDelta(run_id=run_id, text=str(n)), end)
            # As fast as a model writes. One who never paused would be first each time.
            await asyncio.sleep(0.005)

    writing = asyncio.create_task(keep_writing())
    assert (await gateway.client.delete(f"/v1/questions/{run_id}")).status_code == 204
    outcome = (await asyncio.gather(writing, return_exceptions=True))[0]
    assert type(outcome).__name__ == "RunTaken"
    types = [e["event"] for e in await gateway.events(f"/v1/questions/{run_id}/events")]
    assert types[-1] == "run.cancelled"
    assert types.count("run.cancelled") == 1


async def test_a_run_that_has_ended_stays_as_it_ended(gateway: Any, write: Any) -> None:
    await write(events_of("run-1"))
    assert (await gateway.client.delete("/v1/questions/run-1")).status_code == 204
    assert (await gateway.client.get("/v1/questions/run-1")).json()["status"] == "completed"


@pytest.mark.parametrize(("method", "path"), [("GET", ""), ("GET", "/events"), ("DELETE", "")])
async def test_an_unknown_run_is_not_found_before_any_stream_begins(gateway: Any, method: str, path: str) -> None:
    answer: httpx2.Response = await gateway.client.request(method, f"/v1/questions/never-asked{path}")
    assert answer.status_code == 404
    assert answer.headers["Content-Type"] == "application/problem+json"
    assert answer.json()["type"] == "urn:lovsvar:problem:not-found"
    assert "never-asked" in answer.json()["detail"]


@pytest_asyncio.fixture
async def apart(start_gateway: Any) -> AsyncIterator[tuple[Any, JetStreamContext]]:
    """A gateway with a nats-server of its own, whose streams a test may break, and JetStream there."""
    with servers.nats() as url:
        async with start_gateway(url) as gateway:
            connection = await nats.connect(url)
            yield gateway, connection.jetstream()
            await connection.close()


async def test_a_question_that_no_agent_can_be_given_is_refused_and_leaves_no_run_open(
    apart: tuple[Any, JetStreamContext],
) -> None:
    gateway, js = apart
    questions = (await js.stream_info(subjects.STREAM_QUESTIONS)).config
    await js.update_stream(questions.evolve(max_msgs=1))
    await js.publish(subjects.QUESTION_ASKED, b"{}")
    answer = await gateway.client.post("/v1/questions", json={"question": "Hva er depositum?"})
    assert answer.status_code == 503
    last = await js.get_last_msg(subjects.STREAM_ANSWERS, subjects.ANSWER_ANY)
    assert run_event_adapter.validate_json(last.data or b"").type == "run.failed"


async def test_a_question_that_there_is_no_queue_for_begins_no_run(apart: tuple[Any, JetStreamContext]) -> None:
    gateway, js = apart
    await js.delete_stream(subjects.STREAM_QUESTIONS)
    answer = await gateway.client.post("/v1/questions", json={"question": "Hva er depositum?"})
    assert answer.status_code == 503
    assert (await js.stream_info(subjects.STREAM_ANSWERS)).state.messages == 0
