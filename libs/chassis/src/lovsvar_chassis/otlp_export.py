"""Sending spans and metrics by OTLP over HTTP, without waiting long. Slow to import: only where they are sent."""

import time
from typing import Any

from opentelemetry.exporter.otlp.proto.http.metric_exporter import OTLPMetricExporter
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.metrics.export import MetricExportResult
from opentelemetry.sdk.trace.export import SpanExportResult

EXPORT_SECONDS = 0.9
"""For one export. A process that ends waits for the one that is under way, of spans and then of metrics."""

PAUSE_SECONDS = 5.0
"""How long after an export that failed all others are dropped: what waits at the end is then not tried in vain."""


class _Pausing:
    """Drops batches for a while after an export that failed."""

    failure: Any
    _until = 0.0

    def __init__(self) -> None:
        super().__init__(timeout=EXPORT_SECONDS)  # type: ignore[call-arg]

    def export(self, *batch: Any, **how: Any) -> Any:
        """Send a batch, or drop it. Metrics that are dropped are sent the next time with what came since."""
        if time.monotonic() < self._until:
            return self.failure
        result = super().export(*batch, **how)  # type: ignore[misc]
        if result is self.failure:
            self._until = time.monotonic() + PAUSE_SECONDS
        return result


class SpanExporter(_Pausing, OTLPSpanExporter):
    """Sends spans to `OTEL_EXPORTER_OTLP_ENDPOINT`."""

    failure = SpanExportResult.FAILURE


class MetricExporter(_Pausing, OTLPMetricExporter):
    """Sends metrics to `OTEL_EXPORTER_OTLP_ENDPOINT`."""

    failure = MetricExportResult.FAILURE
