"""Syncs: asked for, followed and listed."""

from typing import Any

from nats.js import JetStreamContext

from lovsvar_chassis.publisher import EventPublisher
from lovsvar_contracts import subjects
from lovsvar_contracts.ingest import (
    SyncCompleted,
    SyncFailed,
    SyncProgressed,
    SyncReport,
    SyncRequested,
    SyncStage,
    SyncStarted,
)
from lovsvar_contracts.problems import ProblemType

LAWS = "gjeldende-lover"


async def publish(events: EventPublisher, sync_id: str, *, end: bool = True) -> None:
    subject = subjects.ingest_progress(sync_id)
    await events.publish(subject, SyncStarted(sync_id=sync_id, dataset=LAWS, source="x"))
    await events.publish(subject, SyncProgressed(sync_id=sync_id, dataset=LAWS, stage=SyncStage.STORING, documents=5))
    if end:
        completed = SyncCompleted(sync_id=sync_id, dataset=LAWS, report=SyncReport(added=5), corpus_version=1)
        await events.publish(subject, completed)


async def queued(js: JetStreamContext) -> list[SyncRequested]:
    info = await js.stream_info(subjects.STREAM_INGEST)
    messages = [
        await js.get_msg(subjects.STREAM_INGEST, n) for n in range(info.state.first_seq, info.state.last_seq + 1)
    ]
    return [SyncRequested.model_validate_json(m.data or b"") for m in messages]


async def test_without_a_data_set_both_are_asked_for_laws_first(gateway: Any, js: JetStreamContext) -> None:
    answer = await gateway.client.post("/v1/ingest")
    assert answer.status_code == 202
    syncs = answer.json()["syncs"]
    assert [s["dataset"] for s in syncs] == [LAWS, "gjeldende-sentrale-forskrifter"]
    assert [s["events"] for s in syncs] == [f"/v1/ingest/{s['sync_id']}/events" for s in syncs]
    assert [(r.sync_id, r.dataset) for r in await queued(js)] == [(s["sync_id"], s["dataset"]) for s in syncs]


async def test_a_data_set_source_and_force_are_passed_on(gateway: Any, js: JetStreamContext) -> None:
    body = {"dataset": "eksempel", "source": "/et/sted", "force": True}
    assert len((await gateway.client.post("/v1/ingest", json=body)).json()["syncs"]) == 1
    (requested,) = await queued(js)
    assert (requested.dataset, requested.source, requested.force) == ("eksempel", "/et/sted", True)


async def test_the_stream_of_a_sync_has_its_events_and_ends_with_it(gateway: Any, events: EventPublisher) -> None:
    await publish(events, "other")
    await publish(events, "mine")
    path = "/v1/ingest/mine/events"
    whole = await gateway.events(path)
    assert [e["event"] for e in whole] == ["sync.started", "sync.progressed", "sync.completed"]
    assert [e["data"]["sync_id"] for e in whole] == ["mine"] * 3
    for seen in range(3):
        assert await gateway.events(path, after=int(whole[seen]["id"])) == [
            {**e, "retry": "2000"} if n == 0 else e for n, e in enumerate(whole[seen + 1 :])
        ]


async def test_a_sync_that_waits_in_the_queue_can_be_followed_before_it_begins(
    gateway: Any, events: EventPublisher
) -> None:
    _, second = (await gateway.client.post("/v1/ingest")).json()["syncs"]
    async with gateway.stream("GET", second["events"]) as stream:
        assert stream.response.status_code == 200
        failed = SyncFailed(
            sync_id=second["sync_id"], dataset=LAWS, problem=ProblemType.SOURCE_UNREADABLE, detail="Uleselig."
        )
        await events.publish(subjects.ingest_progress(second["sync_id"]), failed)
        assert [e["event"] async for e in stream] == ["sync.failed"]


async def test_an_unknown_sync_is_not_found(gateway: Any, js: JetStreamContext) -> None:
    await gateway.client.post("/v1/ingest")
    answer = await gateway.client.get("/v1/ingest/never-asked/events")
    assert (answer.status_code, answer.json()["type"]) == (404, "urn:lovsvar:problem:not-found")


async def test_recent_syncs_are_listed_with_their_last_event_newest_first(gateway: Any, events: EventPublisher) -> None:
    assert (await gateway.client.get("/v1/ingest")).json() == {"syncs": []}
    await publish(events, "first")
    await publish(events, "second", end=False)
    syncs = (await gateway.client.get("/v1/ingest")).json()["syncs"]
    assert [(s["sync_id"], s["type"]) for s in syncs] == [("second", "sync.progressed"), ("first", "sync.completed")]
