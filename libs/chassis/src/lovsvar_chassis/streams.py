"""Which JetStream streams exist, how each is kept, and how large it may become. Declaring one that exists updates it.

A stream that is full forgets its oldest messages, unless that would lose work or what somebody must be able to rely on:
then it refuses new ones (`DiscardPolicy.NEW`), and whoever publishes is told.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

import stamina
import structlog
from nats.errors import TimeoutError as NatsTimeoutError
from nats.js import JetStreamContext
from nats.js.api import DiscardPolicy, RePublish, RetentionPolicy, StorageType, StreamConfig
from nats.js.errors import APIError, BadRequestError, NotFoundError, ServerError, ServiceUnavailableError

from lovsvar_contracts import subjects

log = structlog.get_logger()

HOUR = 3600.0
DAY = 24 * HOUR

KB = 1024
MB = 1024 * KB

STORAGE_MB = 4096
"""Megabytes that all streams may take together, the gateway's audit log of 1,024 among them. Others scale them all."""

MAX_MESSAGE = MB
"""Bytes; the payload that a nats-server takes unless it is told otherwise."""

STREAMS: tuple[StreamConfig, ...] = (
    StreamConfig(
        name=subjects.STREAM_QUESTIONS,
        subjects=[subjects.QUESTION_ASKED, subjects.QUESTION_ASKED_BY_ANY],
        retention=RetentionPolicy.WORK_QUEUE,
        max_age=DAY,
        # Whoever asks by the gateway is refused long before; this bounds what other services ask.
        discard=DiscardPolicy.NEW,
        max_bytes=256 * MB,
        max_msgs=10_000,
        max_msg_size=256 * KB,
    ),
    StreamConfig(
        name=subjects.STREAM_ANSWERS,
        subjects=[subjects.ANSWER_ANY],
        max_age=DAY,
        discard=DiscardPolicy.OLD,
        max_bytes=2048 * MB,
        max_msg_size=MAX_MESSAGE,
        # Followers have no consumer: they read by direct get, and hear of what is stored (`run_feed`).
        allow_direct=True,
        republish=RePublish(src=subjects.ANSWER_ANY, dest=subjects.answer_stored("{{wildcard(1)}}")),
    ),
    StreamConfig(
        name=subjects.STREAM_INGEST,
        subjects=[subjects.INGEST_REQUESTED],
        retention=RetentionPolicy.WORK_QUEUE,
        max_age=DAY,
        discard=DiscardPolicy.NEW,
        max_bytes=16 * MB,
        max_msgs=1_000,
        max_msg_size=64 * KB,
    ),
    StreamConfig(
        name=subjects.STREAM_INGEST_EVENTS,
        subjects=[subjects.INGEST_PROGRESS_ANY],
        max_age=7 * DAY,
        discard=DiscardPolicy.OLD,
        max_bytes=128 * MB,
        max_msg_size=MAX_MESSAGE,
        allow_direct=True,
    ),
    StreamConfig(
        name=subjects.STREAM_DOCUMENTS,
        subjects=[subjects.DOCUMENT_ANY],
        max_age=7 * DAY,
        discard=DiscardPolicy.OLD,
        max_bytes=256 * MB,
        max_msg_size=MAX_MESSAGE,
    ),
    StreamConfig(
        name=subjects.STREAM_EMBEDDING,
        subjects=[subjects.EMBEDDING_REQUESTED],
        retention=RetentionPolicy.WORK_QUEUE,
        discard=DiscardPolicy.NEW,
        max_bytes=128 * MB,
        max_msgs=1_000,
        max_msg_size=MAX_MESSAGE,
    ),
    StreamConfig(
        name=subjects.STREAM_DEAD,
        subjects=[subjects.DEAD_ANY],
        max_age=30 * DAY,
        discard=DiscardPolicy.OLD,
        max_bytes=240 * MB,
        max_msg_size=MAX_MESSAGE + 64 * KB,
    ),
)

PROBED = "lovsvar.storage.probe"
PROBE = StreamConfig(name="STORAGE_PROBE", subjects=[PROBED], max_msgs=1, max_bytes=4 * KB)
"""Holds one empty message: storing it shows a gateway whether there is room. Nobody reads it."""

ALL_STREAMS = (*STREAMS, PROBE)

NOT_YET = (ServerError, ServiceUnavailableError, NatsTimeoutError)
"""What a server says that has just started, or is still removing a stream of the same name; while a cluster elects
who leads, it says nothing."""

READY_SECONDS = 20.0
"""How long it may say so of one stream."""

CANNOT_CHANGE = frozenset({10052})
"""JetStream's error code for an update of what a stream keeps as it was made. Its status is 500, like much else's."""

NO_ROOM = frozenset({10023, 10047})
"""JetStream's error codes for limits that add up to more than the server has room for."""


async def declare_streams(
    js: JetStreamContext,
    replicas: int = 1,
    streams: Sequence[StreamConfig] = ALL_STREAMS,
    storage_mb: int = STORAGE_MB,
) -> None:
    """Create each of `streams` that is missing and bring the others to their configuration.

    `storage_mb` is what all streams of the system may take together; each has its share. A server reserves what streams
    may take: where it has less room than that, none of these has a limit of bytes of its own, and the server's holds.
    What cannot be changed of a stream that exists stays as it is.
    """
    configs = [
        stream.evolve(
            storage=StorageType.FILE,
            num_replicas=replicas,
            max_bytes=stream.max_bytes and max(MB, stream.max_bytes * storage_mb // STORAGE_MB),
        )
        for stream in streams
    ]
    try:
        await _declare_all(js, configs, lambda error: isinstance(error, NOT_YET) and not _no_room(error))
    except APIError as exc:
        if not _no_room(exc):
            raise
        log.warning("the server has less room than streams may take: they have no limits", storage_mb=storage_mb)
        # All of them: what some reserve leaves nothing for the others.
        unlimited = [replace(config, max_bytes=-1) for config in configs]
        await _declare_all(js, unlimited, lambda error: isinstance(error, NOT_YET))


def _never(error: APIError) -> bool:
    return error.err_code in CANNOT_CHANGE or isinstance(error, BadRequestError)


def _no_room(error: Exception) -> bool:
    return isinstance(error, APIError) and error.err_code in NO_ROOM


async def _declare_all(
    js: JetStreamContext, configs: Sequence[StreamConfig], not_yet: Callable[[Exception], bool]
) -> None:
    for config in configs:
        async for attempt in stamina.retry_context(
            on=not_yet, attempts=None, timeout=READY_SECONDS, wait_initial=0.05, wait_max=0.5
        ):
            with attempt:
                await _create_or_update(js, config)


async def _create_or_update(js: JetStreamContext, config: StreamConfig) -> None:
    try:
        stored = (await js.stream_info(str(config.name))).config
    except NotFoundError:
        await js.add_stream(config)
        return
    try:
        await js.update_stream(config)
    except APIError as exc:
        if not _never(exc):
            raise
        await _update_what_may_change(js, stored, config)


async def _update_what_may_change(js: JetStreamContext, stored: StreamConfig, config: StreamConfig) -> None:
    """Update a stream that has something which a server never changes, such as its retention."""
    changed = replace(
        stored,
        subjects=config.subjects,
        max_age=config.max_age,
        max_bytes=config.max_bytes,
        max_msgs=config.max_msgs,
        max_msg_size=config.max_msg_size,
        discard=config.discard,
        allow_direct=config.allow_direct,
        republish=config.republish,
        num_replicas=config.num_replicas,
    )
    try:
        await js.update_stream(changed)
        log.warning("a stream is kept in part as it was", stream=config.name)
    except APIError as exc:
        if not _never(exc):
            raise
        log.warning("a stream stays as it was", stream=config.name, error=str(exc))
