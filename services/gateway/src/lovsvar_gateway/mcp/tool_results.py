"""The result of a tool: text for the model with structured output, or a sentence that says what to do instead."""

from mcp_types import CallToolResult, TextContent, ToolAnnotations

from lovsvar_contracts.message import Frozen
from lovsvar_gateway.core.mcp.result_text import with_stamp
from lovsvar_gateway.core.mcp.results import Stamp

READ_ONLY = ToolAnnotations(read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False)


class Unanswerable(Exception):
    """A tool cannot answer as it was asked. Its words are Norwegian and say what to ask instead."""


def answer(text: str, result: Frozen) -> CallToolResult:
    """Return `text`, followed by its source, and `result` as structured output."""
    stamp = getattr(result, "stamp", None)
    shown = with_stamp(text, stamp) if isinstance(stamp, Stamp) else text
    content = [TextContent(type="text", text=shown)]
    return CallToolResult(content=content, structured_content=result.model_dump(mode="json"))


def refusal(detail: str) -> CallToolResult:
    """Return an error that a model can act on."""
    return CallToolResult(content=[TextContent(type="text", text=detail)], is_error=True)
