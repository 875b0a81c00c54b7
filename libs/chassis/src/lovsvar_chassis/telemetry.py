"""Traces and structured logs.

One trace runs from the HTTP request over NATS headers to SQL. Spans leave by OTLP over HTTP when
`OTEL_EXPORTER_OTLP_ENDPOINT` is set. Every log line is one JSON object with `trace_id` and `span_id`.
"""

import contextlib
import functools
import logging
import os
import sys
from collections.abc import Iterator, Mapping, MutableMapping
from typing import Any

import structlog
from opentelemetry import context, propagate, trace
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.sampling import ALWAYS_OFF

_tracer = trace.get_tracer(__name__)


def configure(service: str, version: str, log_level: str = "INFO") -> TracerProvider:
    """Set up tracing and logging for this process and return the tracer provider. Call once, first."""
    _configure_logging(service, log_level)
    resource = Resource.create({"service.name": f"lovsvar-{service}", "service.version": version})
    # Where nobody hears of spans they have ids, for the log, and record nothing.
    provider = TracerProvider(resource=resource, sampler=None if is_exported() else ALWAYS_OFF)
    if is_exported():
        # Imported here: they cost start-up, and every query a little, that most processes do not need.
        from opentelemetry.instrumentation.asyncpg import AsyncPGInstrumentor
        from opentelemetry.sdk.trace.export import BatchSpanProcessor

        from lovsvar_chassis.otlp_export import SpanExporter

        provider.add_span_processor(BatchSpanProcessor(SpanExporter()))
        AsyncPGInstrumentor().instrument(tracer_provider=provider)  # type: ignore[no-untyped-call]
    trace.set_tracer_provider(provider)
    return provider


@functools.cache
def is_exported() -> bool:
    """Whether spans leave this process, as its environment said at first."""
    return bool(os.environ.get("OTEL_EXPORTER_OTLP_ENDPOINT") or os.environ.get("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"))


@contextlib.contextmanager
def handling(subject: str, headers: Mapping[str, str] | None) -> Iterator[None]:
    """Do the block, which handles a message of `subject`, within the trace that its `headers` carry.

    That is a new span where spans leave this process or no trace is carried, else the sender's, at a tenth of the cost.
    """
    carried = trace_context(headers)
    if is_exported() or "traceparent" not in (headers or {}):
        attributes = {"messaging.system": "nats", "messaging.destination.name": subject}
        with _tracer.start_as_current_span(f"{subject} process", carried, trace.SpanKind.CONSUMER, attributes):
            yield
    else:
        token = context.attach(carried)
        try:
            yield
        finally:
            context.detach(token)


def trace_headers() -> dict[str, str]:
    """Return the headers that carry the current trace to the receiver of a message."""
    headers: dict[str, str] = {}
    propagate.inject(headers)
    return headers


def trace_context(headers: Mapping[str, str] | None) -> Any:
    """Return the context of the trace that `headers` carry, for `start_as_current_span(context=…)`."""
    return propagate.extract(dict(headers or {}))


def _add_trace(_: Any, __: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    span = trace.get_current_span().get_span_context()
    if span.is_valid:
        event["trace_id"] = trace.format_trace_id(span.trace_id)
        event["span_id"] = trace.format_span_id(span.span_id)
    return event


def _configure_logging(service: str, log_level: str) -> None:
    def add_service(_: Any, __: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
        event["service"] = service
        return event

    shared: list[structlog.typing.Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        add_service,
        _add_trace,
    ]
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        wrapper_class=structlog.make_filtering_bound_logger(log_level),
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=True,
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                structlog.processors.format_exc_info,
                structlog.processors.JSONRenderer(ensure_ascii=False),
            ],
        )
    )
    # At DEBUG libraries show what passes through them: questions, answers, the law.
    handler.addFilter(lambda record: record.levelno >= logging.INFO or record.name.startswith("lovsvar"))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(log_level)
