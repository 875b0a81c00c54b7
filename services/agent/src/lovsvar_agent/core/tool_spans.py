"""Spans of tool calls, by OpenTelemetry's conventions for generative AI; they hold names, and nothing of the law.

Only OpenTelemetry's API is used, which does nothing until the process sets tracing up.
"""

from collections.abc import Awaitable
from typing import TypeVar

from opentelemetry import trace
from opentelemetry.trace import StatusCode

from lovsvar_contracts.problems import ProblemError

_tracer = trace.get_tracer(__name__)

Result = TypeVar("Result")


async def traced(tool: str, call_id: str, work: Awaitable[Result]) -> Result:
    """Await `work` in a span of its tool, with what it asks of others below it."""
    attributes = {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": tool, "gen_ai.tool.call.id": call_id}
    # An error's words may hold what was asked for.
    with _tracer.start_as_current_span(
        f"execute_tool {tool}", attributes=attributes, record_exception=False, set_status_on_exception=False
    ) as span:
        try:
            return await work
        except BaseException as exc:
            error = exc.problem.type.value if isinstance(exc, ProblemError) else type(exc).__name__
            span.set_attribute("error.type", error)
            span.set_status(StatusCode.ERROR)
            raise
