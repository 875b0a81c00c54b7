"""Declaring the JetStream streams of manifests: creating what is missing, and updating what exists."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import stamina
import structlog
from nats.errors import TimeoutError as NatsTimeoutError
from nats.js import JetStreamContext
from nats.js.api import DiscardPolicy, RePublish, RetentionPolicy, StorageType, StreamConfig
from nats.js.errors import APIError, BadRequestError, NotFoundError, ServerError, ServiceUnavailableError

from lovsvar_chassis.manifest import AUDIT_BYTES, MB, STORAGE_MB, Stream, all_streams

log = structlog.get_logger()

NOT_YET = (ServerError, ServiceUnavailableError, NatsTimeoutError)
"""What a server says that has just started, or still removes a stream of that name, or elects a leader."""

READY_SECONDS = 20.0
"""How long it may say so of one stream."""

CANNOT_CHANGE = frozenset({10052})
"""JetStream's error code for an update of what a stream keeps as it was made. Its status is 500, like much else's."""

CHANGEABLE = (
    *("subjects", "max_age", "max_bytes", "max_msgs", "max_msg_size"),
    *("discard", "allow_direct", "republish", "num_replicas"),
)
"""What a server always changes of a stream."""

NO_ROOM = frozenset({10023, 10047})
"""JetStream's error codes for limits that add up to more than the server has room for."""


async def declare_streams(
    js: JetStreamContext,
    replicas: int = 1,
    streams: Sequence[Stream] | None = None,
    storage_mb: int = STORAGE_MB,
    services_file: Path | None = None,
) -> None:
    """Create each of `streams` (None: all) that is missing, and bring the others to their configuration.

    `services_file` holds the manifests where not all services are installed. Streams share `storage_mb`; where the
    server has less room, they have no limits of their own. What cannot be changed of an existing stream stays.
    """
    system = all_streams(services_file)
    streams = system if streams is None else streams
    whole = _whole_mb(system)
    configs = [_config(stream, replicas, stream.max_bytes * storage_mb // whole) for stream in streams]
    try:
        await _declare_all(js, configs, lambda error: isinstance(error, NOT_YET) and not _no_room(error))
    except APIError as exc:
        if not _no_room(exc):
            raise
        log.warning("the server has less room than streams may take: they have no limits", storage_mb=storage_mb)
        # All of them: what some reserve leaves nothing for the others.
        unlimited = [replace(config, max_bytes=-1) for config in configs]
        await _declare_all(js, unlimited, lambda error: isinstance(error, NOT_YET))


def _whole_mb(system: Sequence[Stream]) -> int:
    """Return of how many megabytes shares are: more than `STORAGE_MB` where a service brings further streams."""
    return max(STORAGE_MB, (AUDIT_BYTES + sum(stream.max_bytes for stream in system)) // MB)


def _config(stream: Stream, replicas: int, max_bytes: int) -> StreamConfig:
    return StreamConfig(
        name=stream.name,
        subjects=list(stream.subjects),
        retention=RetentionPolicy.WORK_QUEUE if stream.work_queue else None,
        discard=DiscardPolicy.NEW if stream.refuses else DiscardPolicy.OLD,
        max_age=stream.max_age,
        max_bytes=max(MB, max_bytes),
        max_msgs=stream.max_msgs,
        max_msg_size=stream.max_msg_size or -1,
        allow_direct=stream.direct or None,
        republish=RePublish(*stream.republish) if stream.republish else None,
        storage=StorageType.FILE,
        num_replicas=replicas,
    )


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
    changed = replace(stored, **{name: getattr(config, name) for name in CHANGEABLE})
    try:
        await js.update_stream(changed)
        log.warning("a stream is kept in part as it was", stream=config.name)
    except APIError as exc:
        if not _never(exc):
            raise
        log.warning("a stream stays as it was", stream=config.name, error=str(exc))
