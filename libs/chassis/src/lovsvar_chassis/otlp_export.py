"""Sending spans and metrics to a collector by OTLP over HTTP, without waiting long for one that is gone or hangs.

Imported by who exports alone: OpenTelemetry's exporters cost start-up time.
"""

import time
from collections.abc import Sequence
from typing import Any

from opentelemetry.exporter.otlp.proto.http.metric_exporter import OTLPMetricExporter
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.metrics.export import MetricExportResult, MetricsData
from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.sdk.trace.export import SpanExportResult

EXPORT_SECONDS = 0.9
"""For one export. A process that ends waits for the one that is under way, of spans and then of metrics."""

PAUSE_SECONDS = 5.0
"""How long after an export that failed all others are dropped: what waits at the end is then not tried in vain."""


class _Pause:
    """Remembers that an export failed."""

    def __init__(self) -> None:
        self._until = 0.0

    @property
    def lasts(self) -> bool:
        return time.monotonic() < self._until

    def begin(self) -> None:
        self._until = time.monotonic() + PAUSE_SECONDS


class SpanExporter(OTLPSpanExporter):
    """Sends spans to `OTEL_EXPORTER_OTLP_ENDPOINT`."""

    def __init__(self) -> None:
        super().__init__(timeout=EXPORT_SECONDS)
        self._pause = _Pause()

    def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
        """Send a batch, or drop it."""
        if self._pause.lasts:
            return SpanExportResult.FAILURE
        result = super().export(spans)
        if result is not SpanExportResult.SUCCESS:
            self._pause.begin()
        return result


class MetricExporter(OTLPMetricExporter):
    """Sends metrics to `OTEL_EXPORTER_OTLP_ENDPOINT`."""

    def __init__(self) -> None:
        super().__init__(timeout=EXPORT_SECONDS)
        self._pause = _Pause()

    def export(
        self, metrics_data: MetricsData, timeout_millis: float | None = None, **kwargs: Any
    ) -> MetricExportResult:
        """Send what was collected, or drop it; the next time it is sent with what came since."""
        if self._pause.lasts:
            return MetricExportResult.FAILURE
        result = super().export(metrics_data, timeout_millis, **kwargs)
        if result is not MetricExportResult.SUCCESS:
            self._pause.begin()
        return result
