"""A call by a language model: the caller, its scopes, and the result. `access.py` has checked key and limits before."""

from collections.abc import Mapping
from contextvars import ContextVar
from typing import Any

from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from mcp.shared.exceptions import MCPError
from mcp_types import INVALID_REQUEST, CallToolResult, TextContent, ToolAnnotations

from lovsvar_gateway.core.access import ANYBODY, Caller, Scope
from lovsvar_gateway.core.errors import MissingScope
from lovsvar_gateway.core.mcp.result_text import with_stamp
from lovsvar_gateway.core.mcp.results import Result

CASE_TOOLS = (
    *("list_cases", "open_case", "get_case_details", "update_case_details", "get_party_id_by_name", "check_quota"),
    *("create_support_ticket", "read_case_document", "search_case_documents", "verify_document_quote"),
    *("list_draft_templates", "write_draft_by_template", "generate_draft_pdf"),
)
TOOL_SCOPES: Mapping[str, Scope] = {
    "spor": Scope.ASK,
    "sync": Scope.OPERATE,
    **dict.fromkeys(CASE_TOOLS, Scope.CASES),
}
"""The scope that a tool needs; the others need `read`."""

READING = frozenset({"resources/read", "completion/complete"})  # requests, besides tools, that show law
CHANGES = ToolAnnotations(read_only_hint=False, destructive_hint=False, idempotent_hint=False, open_world_hint=False)
READ_ONLY = ToolAnnotations(read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False)

# Tools are registered once for all callers; a request is handled in a context of its own.
_caller: ContextVar[Caller] = ContextVar("caller", default=ANYBODY)


class Unanswerable(Exception):
    """A tool cannot answer as it was asked. Its words are Norwegian and say what to ask instead."""


def caller() -> Caller:
    """Return the sender of the current request."""
    return _caller.get()


def check(scope: Scope) -> None:
    """Raise `MissingScope` when the caller lacks `scope`."""
    if scope not in caller().scopes:
        raise MissingScope(caller().name, scope)


async def with_caller(ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
    """Handle a request in its caller's name. Middleware of the MCP server."""
    token = _caller.set(ctx.request.state.caller if ctx.request else ANYBODY)
    try:
        if ctx.method in READING:
            check(Scope.READ)
        return await call_next(ctx)
    except MissingScope as error:
        raise MCPError(INVALID_REQUEST, str(error)) from error
    finally:
        _caller.reset(token)


def answer(text: str, result: Result) -> CallToolResult:
    """Return `text`, followed by its source, and `result` as structured output."""
    content = [TextContent(type="text", text=with_stamp(text, result.stamp))]
    return CallToolResult(content=content, structured_content=result.model_dump(mode="json"))


def refusal(detail: str) -> CallToolResult:
    """Return an error that a model can act on."""
    return CallToolResult(content=[TextContent(type="text", text=detail)], is_error=True)
