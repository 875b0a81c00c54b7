"""Which JetStream streams exist, and how each is kept. Declaring one that exists updates it."""

from collections.abc import Sequence

import stamina
from nats.js import JetStreamContext
from nats.js.api import DiscardPolicy, RetentionPolicy, StorageType, StreamConfig
from nats.js.errors import NotFoundError, ServerError, ServiceUnavailableError

from lovsvar_contracts import subjects

HOUR = 3600.0
DAY = 24 * HOUR

STREAMS: tuple[StreamConfig, ...] = (
    StreamConfig(
        name=subjects.STREAM_QUESTIONS,
        subjects=[subjects.QUESTION_ASKED, subjects.QUESTION_ASKED_BY_ANY],
        retention=RetentionPolicy.WORK_QUEUE,
        max_age=DAY,
        # Whoever asks by the gateway is refused long before; this bounds what other services ask.
        max_msgs=10_000,
        discard=DiscardPolicy.NEW,
    ),
    StreamConfig(name=subjects.STREAM_ANSWERS, subjects=[subjects.ANSWER_ANY], max_age=DAY),
    StreamConfig(
        name=subjects.STREAM_INGEST,
        subjects=[subjects.INGEST_REQUESTED],
        retention=RetentionPolicy.WORK_QUEUE,
        max_age=DAY,
    ),
    StreamConfig(name=subjects.STREAM_INGEST_EVENTS, subjects=[subjects.INGEST_PROGRESS_ANY], max_age=7 * DAY),
    StreamConfig(name=subjects.STREAM_DOCUMENTS, subjects=[subjects.DOCUMENT_ANY], max_age=7 * DAY),
    StreamConfig(
        name=subjects.STREAM_EMBEDDING,
        subjects=[subjects.EMBEDDING_REQUESTED],
        retention=RetentionPolicy.WORK_QUEUE,
    ),
    StreamConfig(name=subjects.STREAM_DEAD, subjects=[subjects.DEAD_ANY], max_age=30 * DAY),
)


NOT_YET = (ServerError, ServiceUnavailableError)
"""What a server says that has just started, or is still removing a stream of the same name."""


async def declare_streams(js: JetStreamContext, replicas: int = 1, streams: Sequence[StreamConfig] = STREAMS) -> None:
    """Create each of `streams` that is missing and bring the others to their configuration."""
    for stream in streams:
        config = stream.evolve(storage=StorageType.FILE, num_replicas=replicas)
        async for attempt in stamina.retry_context(on=NOT_YET, attempts=10, wait_initial=0.05, wait_max=0.5):
            with attempt:
                await _declare(js, config)


async def _declare(js: JetStreamContext, config: StreamConfig) -> None:
    try:
        await js.stream_info(str(config.name))
    except NotFoundError:
        await js.add_stream(config)
    else:
        await js.update_stream(config)
