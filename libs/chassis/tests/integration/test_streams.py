"""Declaring the system's streams on a real nats-server."""

import asyncio
from dataclasses import replace

import pytest
from faststream.nats import NatsBroker
from nats.js.api import RetentionPolicy, StorageType, StreamConfig, StreamInfo
from nats.js.errors import APIError, ServerError, ServiceUnavailableError

from lovsvar_chassis.manifest import PROBE, all_streams
from lovsvar_chassis.streams import declare_streams
from lovsvar_contracts import subjects

NAMES = {stream.name for stream in all_streams()}


async def declared(broker: NatsBroker) -> dict:
    return {stream.config.name: stream.config for stream in await broker.connection.jetstream().streams_info()}


async def test_declaring_again_changes_nothing_and_keeps_what_is_stored(broker: NatsBroker) -> None:
    js = broker.connection.jetstream()
    before = await declared(broker)
    await js.publish(subjects.QUESTION_ASKED, b"kept")
    await declare_streams(js)
    assert await declared(broker) == before
    assert set(before) == NAMES
    assert (await js.stream_info(subjects.STREAM_QUESTIONS)).state.messages == 1


async def test_many_services_may_declare_at_the_same_time(broker: NatsBroker) -> None:
    js = broker.connection.jetstream()
    for name in NAMES:
        await js.delete_stream(name)
    await asyncio.gather(*(declare_streams(js) for _ in range(8)))
    assert set(await declared(broker)) == NAMES


@pytest.mark.parametrize("answer", [ServerError(code=500, err_code=10049), ServiceUnavailableError(code=503)])
async def test_a_server_that_cannot_make_a_stream_yet_is_asked_again(broker: NatsBroker, answer: APIError) -> None:
    js = broker.connection.jetstream()
    for name in NAMES:
        await js.delete_stream(name)
    real, not_yet = js.add_stream, [answer, answer]

    async def add_stream(config: StreamConfig) -> StreamInfo:
        if not_yet:
            raise not_yet.pop()
        return await real(config)

    js.add_stream = add_stream
    await declare_streams(js)
    assert set(await declared(broker)) == NAMES
    assert not not_yet


async def test_a_stream_that_was_kept_otherwise_is_brought_to_what_is_written(broker: NatsBroker) -> None:
    js = broker.connection.jetstream()
    written = (await declared(broker))[subjects.STREAM_ANSWERS]
    await js.update_stream(replace(written, max_age=3600.0))
    await declare_streams(js)
    assert (await declared(broker))[subjects.STREAM_ANSWERS].max_age == written.max_age


async def test_streams_outlive_a_restart(broker: NatsBroker) -> None:
    assert {config.storage for config in (await declared(broker)).values()} == {StorageType.FILE}


@pytest.mark.parametrize("name", [subjects.STREAM_QUESTIONS, subjects.STREAM_INGEST, subjects.STREAM_EMBEDDING])
async def test_work_is_kept_until_it_is_done(broker: NatsBroker, name: str) -> None:
    assert (await declared(broker))[name].retention == RetentionPolicy.WORK_QUEUE


async def test_a_stream_that_has_what_cannot_be_changed_is_brought_as_far_as_it_goes(broker: NatsBroker) -> None:
    js = broker.connection.jetstream()
    written = (await declared(broker))[subjects.STREAM_ANSWERS]
    await js.delete_stream(subjects.STREAM_ANSWERS)
    await js.add_stream(replace(written, retention=RetentionPolicy.WORK_QUEUE, allow_direct=False, republish=None))
    await declare_streams(js)
    kept = (await declared(broker))[subjects.STREAM_ANSWERS]
    assert (kept.retention, kept.allow_direct) == (RetentionPolicy.WORK_QUEUE, True)
    assert kept.republish == written.republish


async def test_every_stream_has_its_share_of_the_room(broker: NatsBroker) -> None:
    js = broker.connection.jetstream()
    whole = {name: config.max_bytes for name, config in (await declared(broker)).items()}
    await declare_streams(js, storage_mb=1024)
    less = {name: config.max_bytes for name, config in (await declared(broker)).items()}
    assert {name for name in whole if less[name] * 4 != whole[name]} == {PROBE.name}  # the smallest that there is
