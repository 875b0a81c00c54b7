"""Metrics of JetStream for operators: queues, dead letters and storage."""

import asyncio
import functools
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import cast

import structlog
from nats.errors import Error as NatsError
from nats.js import JetStreamContext
from nats.js.api import RetentionPolicy, StreamInfo
from nats.js.errors import NotFoundError

from lovsvar_chassis import metrics
from lovsvar_chassis.publisher import EventPublisher
from lovsvar_chassis.tasks import Background
from lovsvar_contracts import subjects
from lovsvar_contracts.message import utc_now

log = structlog.get_logger()

LOOK_SECONDS = 10.0  # between two readings, each a dozen short requests

QUEUES = (metrics.QUEUE_WAITING, metrics.QUEUE_TAKEN, metrics.QUEUE_OLDEST)
BY_STREAM = (*QUEUES, metrics.DEAD_LETTERS, metrics.STREAM_SIZE, metrics.STREAM_LIMIT)


@dataclass
class StreamStates:
    """What JetStream held when it was read last: by metric and stream, and in all."""

    at: float = field(default_factory=time.monotonic)
    by_stream: Mapping[metrics.Gauge, dict[str, float]] = field(default_factory=lambda: {m: {} for m in BY_STREAM})
    size: int = 0
    limit: int = 0


class StreamWatch(Background):
    """Reads JetStream's state every few seconds where metrics are set up. A component with `start` and `stop`.

    Every replica shows the same: take the maximum, not the sum.
    """

    def __init__(self, accounts: Iterable[EventPublisher]) -> None:
        """`accounts` are connections to each account of NATS that has streams."""
        self._accounts = tuple(accounts)
        self._states = StreamStates()
        self._looked = False

    async def look_first(self) -> None:
        """Read now, unless that was done before."""
        if not self._looked:
            await self._look()

    async def _run(self) -> None:
        for metric in BY_STREAM:
            metric.watch(functools.partial(self._by_stream, metric))
        metrics.JETSTREAM_SIZE.watch(lambda: [(self._states.size, {})])
        metrics.JETSTREAM_LIMIT.watch(lambda: [(n, {}) for n in (self._states.limit,) if n])
        metrics.STREAMS_LOOKED.watch(lambda: [(time.monotonic() - self._states.at, {})])
        while True:
            if metrics.configured():
                await self._look()
            await asyncio.sleep(LOOK_SECONDS)

    async def _look(self) -> None:
        try:
            self._states, self._looked = await look([account.jetstream for account in self._accounts]), True
        except (NatsError, OSError, TimeoutError) as exc:
            log.warning("streams could not be looked at", error=repr(exc))

    def _by_stream(self, metric: metrics.Gauge) -> metrics.Readings:
        return [(value, {"stream": stream}) for stream, value in self._states.by_stream[metric].items()]


async def look(accounts: Iterable[JetStreamContext]) -> StreamStates:
    """Return what JetStream holds in all `accounts` together. Raises nats-py's errors."""
    states = StreamStates()
    for js in accounts:
        await _look_at_account(js, states)
    return states


async def _look_at_account(js: JetStreamContext, states: StreamStates) -> None:
    for info in await js.streams_info():
        name = str(info.config.name)
        states.by_stream[metrics.STREAM_SIZE][name] = info.state.bytes
        if (info.config.max_bytes or 0) > 0:
            states.by_stream[metrics.STREAM_LIMIT][name] = cast(int, info.config.max_bytes)
        if info.config.retention == RetentionPolicy.WORK_QUEUE:
            await _look_at_queue(js, info, states)
    try:
        letters = await js.stream_info(subjects.STREAM_DEAD, subjects_filter=subjects.DEAD_ANY)
        dead = {subject.rpartition(".")[2]: n for subject, n in (letters.state.subjects or {}).items()}
        states.by_stream[metrics.DEAD_LETTERS].update(dead)
    except NotFoundError:
        pass
    account = await js.account_info()
    states.size += account.storage
    states.limit += max(account.limits.max_storage, 0)


async def _look_at_queue(js: JetStreamContext, info: StreamInfo, states: StreamStates) -> None:
    name = str(info.config.name)
    consumers = await js.consumers_info(name)
    waiting, taken, oldest = (states.by_stream[metric] for metric in QUEUES)
    taken[name] = sum(c.num_ack_pending or 0 for c in consumers)
    waiting[name] = sum(c.num_pending or 0 for c in consumers) if consumers else info.state.messages
    after = min((c.delivered.stream_seq for c in consumers if c.delivered), default=0)
    oldest[name] = await oldest_age(js, name, after) if waiting[name] else 0.0


async def oldest_age(js: JetStreamContext, stream: str, after: int) -> float:
    """Return the age in seconds of the first message after the sequence `after`; 0.0 where there is none."""
    try:
        oldest = await js.get_msg(stream, seq=after + 1, subject=">", next=True)
    except NotFoundError:
        return 0.0  # Taken in the meantime.
    return max(0.0, (utc_now() - oldest.time).total_seconds()) if oldest.time else 0.0
