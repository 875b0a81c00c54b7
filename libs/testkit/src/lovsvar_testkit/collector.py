"""A stand-in for an OpenTelemetry collector: an HTTP server that takes OTLP and keeps spans and names of metrics."""

import contextlib
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from google.protobuf.json_format import MessageToJson  # type: ignore[import-untyped]
from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import ExportMetricsServiceRequest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import (
    ExportTraceServiceRequest,
    ExportTraceServiceResponse,
)


@dataclass(frozen=True)
class SeenSpan:
    """What tests look at in a span. Ids are hexadecimal, `parent` is empty for a root."""

    service: str
    name: str
    trace_id: str
    span_id: str
    parent: str


@dataclass
class Collector:
    """What was received so far. `url` is what `OTEL_EXPORTER_OTLP_ENDPOINT` is set to."""

    url: str
    hear: Callable[[str, str], None] = lambda _, __: None
    """Is told of every export: `traces` or `metrics`, and all that is in it, as JSON."""
    _spans: list[SeenSpan] = field(default_factory=list)
    _metrics: set[tuple[str, str]] = field(default_factory=set)
    _changed: threading.Condition = field(default_factory=threading.Condition)

    def add(self, request: ExportTraceServiceRequest) -> None:
        """Keep the spans of one export."""
        with self._changed:
            for resource in request.resource_spans:
                for scope in resource.scope_spans:
                    self._spans += [
                        SeenSpan(
                            service=_service_of(resource),
                            name=span.name,
                            trace_id=span.trace_id.hex(),
                            span_id=span.span_id.hex(),
                            parent=span.parent_span_id.hex(),
                        )
                        for span in scope.spans
                    ]
            self._changed.notify_all()

    def add_metrics(self, request: ExportMetricsServiceRequest) -> None:
        """Keep the names of the metrics of one export."""
        with self._changed:
            for resource in request.resource_metrics:
                service = _service_of(resource)
                self._metrics |= {(service, m.name) for scope in resource.scope_metrics for m in scope.metrics}
            self._changed.notify_all()

    def wait_for_metrics(self, service: str, names: set[str], timeout: float = 20.0) -> set[str]:
        """Return the names of a service's metrics as soon as they hold `names`, or those there are at the timeout."""

        def seen() -> set[str]:
            return {name for of, name in self._metrics if of == service}

        with self._changed:
            self._changed.wait_for(lambda: names <= seen(), timeout)
            return seen()

    def wait_for(
        self, trace_id: str, wanted: Callable[[list[SeenSpan]], bool], timeout: float = 20.0
    ) -> list[SeenSpan]:
        """Return the spans of a trace as soon as they are what is `wanted`, or those there are at the timeout."""

        def seen() -> list[SeenSpan]:
            return [s for s in self._spans if s.trace_id == trace_id]

        with self._changed:
            self._changed.wait_for(lambda: wanted(seen()), timeout)
            return seen()


def _service_of(resource: Any) -> str:
    return {a.key: str(a.value.string_value) for a in resource.resource.attributes}.get("service.name", "")


@contextlib.contextmanager
def collecting_traces() -> Iterator[Collector]:
    """Run a collector on the loopback interface."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            if self.headers.get("Content-Encoding") == "gzip":
                import gzip

                body = gzip.decompress(body)
            if self.path.endswith("/v1/metrics"):
                measured = ExportMetricsServiceRequest.FromString(body)
                collector.hear("metrics", MessageToJson(measured, ensure_ascii=False))
                collector.add_metrics(measured)
            else:
                traced = ExportTraceServiceRequest.FromString(body)
                collector.hear("traces", MessageToJson(traced, ensure_ascii=False))
                collector.add(traced)
            reply = ExportTraceServiceResponse().SerializeToString()
            self.send_response(200)
            self.send_header("Content-Type", "application/x-protobuf")
            self.send_header("Content-Length", str(len(reply)))
            self.end_headers()
            self.wfile.write(reply)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - as inherited
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    collector = Collector(f"http://127.0.0.1:{server.server_port}")
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield collector
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
