"""Metrics of a process, exported by OTLP over HTTP when `OTEL_EXPORTER_OTLP_ENDPOINT` is set, as traces are."""

import os

from opentelemetry import metrics
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.resources import Resource


def configure(service: str, version: str) -> None:
    """Set up metrics for this process; without an endpoint nobody hears of them. Call once, before instruments count.

    `OTEL_METRIC_EXPORT_INTERVAL` says how often they leave, in milliseconds.
    """
    if not (os.environ.get("OTEL_EXPORTER_OTLP_ENDPOINT") or os.environ.get("OTEL_EXPORTER_OTLP_METRICS_ENDPOINT")):
        return
    # Imported here: it costs start-up time that most processes do not need.
    from opentelemetry.sdk.metrics.export import PeriodicExportingMetricReader

    from lovsvar_chassis.exporting import MetricExporter

    resource = Resource.create({"service.name": f"lovsvar-{service}", "service.version": version})
    reader = PeriodicExportingMetricReader(MetricExporter())
    metrics.set_meter_provider(MeterProvider(metric_readers=[reader], resource=resource))
