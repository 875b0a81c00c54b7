"""Metrics: every instrument of every service with its name, and how they leave a process.

They leave by OTLP over HTTP when `OTEL_EXPORTER_OTLP_ENDPOINT` is set, and as Prometheus text where a port is set or
the service serves it. Else an instrument does nothing, in a quarter of a microsecond. No label has unlimited values.
"""

import functools
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from opentelemetry import metrics
from opentelemetry.metrics import CallbackOptions, Observation
from opentelemetry.sdk.resources import Resource

QUICK = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
"""Bounds in seconds of what is asked and answered."""

SLOW = (0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 20.0, 40.0, 80.0, 160.0, 320.0)
"""Bounds in seconds of what a language model or a whole run takes."""

Labels = Mapping[str, str]
Readings = Iterable[tuple[float, Labels]]

OK = "ok"
"""The outcome of what went well; of the rest it is the type of the problem, or how it ended."""

_meter = metrics.get_meter("lovsvar")


@functools.lru_cache(maxsize=256)
def subject_label(subject: str) -> str:
    """Return what a subject is called in metrics: without what names a host or a replica."""
    return ".".join(subject.split(".")[:3])


class Metric:
    """What all instruments have: a name, a unit by UCUM, what it tells, and the names of its labels."""

    def __init__(self, name: str, unit: str, what: str, *labels: str) -> None:
        self.name = name
        self.unit = unit
        self.what = what
        self.labels = labels


class Level(Metric):
    """Goes up and down."""

    _create: Callable[..., Any] = staticmethod(_meter.create_up_down_counter)

    def __init__(self, name: str, unit: str, what: str, *labels: str) -> None:
        super().__init__(name, unit, what, *labels)
        self._instrument = self._create(name, unit, what)

    def add(self, amount: float = 1, /, **labels: str) -> None:
        """Move by `amount`."""
        self._instrument.add(amount, labels)


class Counter(Level):
    """Counts what happens; it only goes up."""

    _create = staticmethod(_meter.create_counter)


class Histogram(Metric):
    """Counts seconds, and with them what took them."""

    def __init__(self, name: str, what: str, *labels: str, bounds: Sequence[float] = QUICK) -> None:
        super().__init__(name, "s", what, *labels)
        self._instrument = _meter.create_histogram(name, "s", what, explicit_bucket_boundaries_advisory=bounds)

    def record(self, seconds: float, /, **labels: str) -> None:
        """Count something that took `seconds`."""
        self._instrument.record(seconds, labels)


class Gauge(Metric):
    """What is read when somebody looks."""

    def __init__(self, name: str, unit: str, what: str, *labels: str) -> None:
        super().__init__(name, unit, what, *labels)
        self._read: Callable[[], Readings] | None = None
        _meter.create_observable_gauge(name, [self._observe], unit, what)

    def watch(self, read: Callable[[], Readings]) -> None:
        """Let `read` tell the values from now on. It is called in another thread, and must not wait."""
        self._read = read

    def _observe(self, _: CallbackOptions) -> list[Observation]:
        return [Observation(value, dict(labels)) for value, labels in self._read()] if self._read else []


READY = Gauge("lovsvar.ready", "", "1 when the process is ready for requests, else 0")
NATS_CONNECTED = Gauge("lovsvar.nats.connected", "", "1 while the process has its connection to NATS, else 0")
EVENT_LOOP_LAG = Histogram("lovsvar.event_loop.lag", "How much later than asked for the event loop woke up")
ANSWERED = Histogram("lovsvar.requests.answered.duration", "Requests that the process answered", "subject", "outcome")
ASKED = Histogram("lovsvar.requests.sent.duration", "Requests that the process sent to others", "subject", "outcome")
NOT_ANSWERED = Counter(
    "lovsvar.requests.not_answered",
    "{request}",
    "Requests that were refused, or whose callers left before an answer",
    "subject",
    "why",
)
DATABASE_FAILURES = Counter("lovsvar.database.failures", "{query}", "Queries that PostgreSQL did not answer", "error")

RUNS = Histogram(
    "lovsvar.runs.duration", "Runs, by how they were answered and how they ended", "mode", "outcome", bounds=SLOW
)
MODEL_CALLS = Histogram("lovsvar.model.calls.duration", "Calls of the language model", "model", "outcome", bounds=SLOW)
MODEL_TOKENS = Counter("lovsvar.model.tokens", "{token}", "Tokens that runs used", "direction")
MODEL_COST = Counter("lovsvar.model.cost.usd", "{USD}", "What runs cost in US dollars, by the prices that are set")
TOOL_CALLS = Histogram("lovsvar.tools.calls.duration", "Calls of the agent's tools", "tool", "outcome")

CORPUS_VERSION = Gauge("lovsvar.corpus.version", "", "The corpus version that is served, and the stored one", "which")
FOLLOWER_BEHIND = Gauge("lovsvar.follower.behind", "{version}", "Corpus versions that are stored and not served yet")
FOLLOWER_LAG = Gauge("lovsvar.follower.lag", "s", "Time since what is served was last seen to be what is stored")

SYNC_AGE = Gauge("lovsvar.sync.last_good.age", "s", "Time since a data set was last synced well", "dataset")
EMBEDDING_BACKLOG = Gauge("lovsvar.embedding.backlog", "{passage}", "Passages that have no vector yet")

QUEUE_WAITING = Gauge("lovsvar.queue.waiting", "{message}", "Work that nobody has taken yet", "stream")
QUEUE_OLDEST = Gauge("lovsvar.queue.oldest.age", "s", "Age of the oldest work that nobody has taken yet", "stream")
QUEUE_TAKEN = Gauge("lovsvar.queue.taken", "{message}", "Work that is being done, or waits to be tried again", "stream")
DEAD_LETTERS = Gauge("lovsvar.dead_letters", "{message}", "Messages that nobody could handle", "stream")
STREAM_SIZE = Gauge("lovsvar.stream.size", "By", "What a stream holds", "stream")
STREAM_LIMIT = Gauge("lovsvar.stream.limit", "By", "What a stream may hold, where it has a limit", "stream")
JETSTREAM_SIZE = Gauge("lovsvar.jetstream.size", "By", "What all streams hold on disk")
JETSTREAM_LIMIT = Gauge("lovsvar.jetstream.limit", "By", "What all streams may hold, where the account has a limit")
STREAMS_LOOKED = Gauge("lovsvar.queue.last_look.age", "s", "Time since the streams were last looked at")

EVENT_STREAMS = Level("lovsvar.event_streams.open", "{stream}", "Event streams that clients have open")
EVENT_STREAMS_DROPPED = Counter(
    "lovsvar.event_streams.dropped", "{stream}", "Event streams that ended before their time", "reason"
)

AUDIT_KEPT = Gauge("lovsvar.audit.kept", "{record}", "Audit records that wait in memory until they can be written")
AUDIT_LOST = Counter("lovsvar.audit.lost", "{record}", "Audit records that were lost")

CATALOGUE: tuple[Metric, ...] = tuple(value for value in list(globals().values()) if isinstance(value, Metric))
"""Every instrument but the practice service's own."""


def configure(
    service: str, version: str, port: int | None = None, host: str = "127.0.0.1", *, scraped: bool = False
) -> None:
    """Set up metrics for this process where they are read. Call once. Raises `OSError` when the port is taken.

    Prometheus text is served on `host` and `port`; `scraped` says that the service does so itself, by `exposition`.
    """
    exported = is_exported()
    if not (exported or scraped or port):
        return
    # Imported here, as all below: it costs start-up time that most processes do not need.
    from opentelemetry.sdk.metrics import MeterProvider
    from opentelemetry.sdk.metrics.export import MetricReader

    readers: list[MetricReader] = []
    if exported:
        from opentelemetry.sdk.metrics.export import PeriodicExportingMetricReader

        from lovsvar_chassis.otlp_export import MetricExporter

        readers.append(PeriodicExportingMetricReader(MetricExporter()))
    if scraped or port:
        from opentelemetry.exporter.prometheus import PrometheusMetricReader

        readers.append(PrometheusMetricReader(scope_info_enabled=False))
    resource = Resource.create({"service.name": f"lovsvar-{service}", "service.version": version})
    metrics.set_meter_provider(MeterProvider(metric_readers=readers, resource=resource))
    if port:
        from prometheus_client import start_http_server

        start_http_server(port, host)


def is_exported() -> bool:
    """Return whether metrics leave by OTLP."""
    return bool(os.environ.get("OTEL_EXPORTER_OTLP_ENDPOINT") or os.environ.get("OTEL_EXPORTER_OTLP_METRICS_ENDPOINT"))


def configured() -> bool:
    """Return whether anybody is to hear of this process's metrics."""
    # Until one is set up, a stand-in of the API is there.
    return type(metrics.get_meter_provider()).__module__.startswith("opentelemetry.sdk")


def exposition() -> tuple[bytes, str]:
    """Return this process's metrics as Prometheus text, and its content type."""
    from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

    return generate_latest(), CONTENT_TYPE_LATEST


def prometheus_name(metric: Metric) -> str:
    """Return what Prometheus calls a metric; a histogram's series have `_bucket`, `_count` and `_sum` behind it."""
    unit = {"s": "_seconds", "By": "_bytes"}.get(metric.unit, "")
    return metric.name.replace(".", "_") + unit + ("_total" if isinstance(metric, Counter) else "")
