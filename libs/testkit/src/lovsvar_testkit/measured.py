"""Metrics, read in the process that makes them."""

import functools
from typing import Any

from opentelemetry import metrics
from opentelemetry.exporter.prometheus import PrometheusMetricReader
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import InMemoryMetricReader

from lovsvar_chassis.metrics import Gauge, Metric

Point = tuple[frozenset[tuple[str, Any]], float]


@functools.cache
def set_up() -> InMemoryMetricReader:
    """Set up this process's metrics, once, before a gateway in the process would, and return their reader."""
    reader = InMemoryMetricReader()
    readers = [reader, PrometheusMetricReader(scope_info_enabled=False)]
    metrics.set_meter_provider(MeterProvider(metric_readers=readers, shutdown_on_exit=False))
    return reader


class Measured:
    """What was measured since this was made."""

    def __init__(self) -> None:
        self._before = _read()

    def value(self, metric: Metric, **labels: str) -> float:
        """Return what `metric` counted, or shows, with these labels among its own; of a histogram its count."""
        return sum(value for found, value in self._points(metric) if labels.items() <= dict(found).items())

    def labels(self, metric: Metric) -> list[dict[str, str]]:
        """Return the labels under which `metric` has something."""
        return [dict(found) for found, value in self._points(metric) if value or isinstance(metric, Gauge)]

    def _points(self, metric: Metric) -> list[Point]:
        before = {} if isinstance(metric, Gauge) else dict(self._before.get(metric.name, []))
        return [(labels, value - before.get(labels, 0.0)) for labels, value in _read().get(metric.name, [])]


def _read() -> dict[str, list[Point]]:
    data = set_up().get_metrics_data()
    return {
        metric.name: [
            (frozenset((point.attributes or {}).items()), float(getattr(point, "count", getattr(point, "value", 0))))
            for point in metric.data.data_points
        ]
        for resource in (data.resource_metrics if data else ())
        for scope in resource.scope_metrics
        for metric in scope.metrics
    }
