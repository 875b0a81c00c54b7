"""The trace of a request, and the ids that are made from it."""

from opentelemetry import trace

from lovsvar_contracts.message import new_id


def trace_id() -> str | None:
    """Return the current trace's id, 32 hexadecimal digits, or None outside any trace."""
    context = trace.get_current_span().get_span_context()
    return trace.format_trace_id(context.trace_id) if context.is_valid else None


def hide_query() -> None:
    """Remove the query, which may hold a question, from the current span."""
    trace.get_current_span().set_attribute("url.query", "REDACTED")


def correlation_id() -> str:
    """Return what ties messages to the current request: its trace's id, so that one id finds both."""
    return trace_id() or new_id()
