"""The caller of a tool, and what it may do.

Keys and rate limits are checked before, by the middleware in `access.py`, as for every request.
"""

from collections.abc import Mapping
from contextvars import ContextVar
from typing import Any

from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from mcp.shared.exceptions import MCPError
from mcp_types import INVALID_REQUEST

from lovsvar_gateway.core.access import ANYBODY, Caller, Scope
from lovsvar_gateway.core.errors import MissingScope

TOOL_SCOPES: Mapping[str, Scope] = {"spor": Scope.ASK, "sync": Scope.OPERATE}
"""The scope that a tool needs; the others need `read`."""

READING = frozenset({"resources/read", "completion/complete"})  # requests, besides tools, that show law

# Tools are registered once for all callers; a request is handled in a context of its own.
_caller: ContextVar[Caller] = ContextVar("caller", default=ANYBODY)


def caller() -> Caller:
    """Return the sender of the current request."""
    return _caller.get()


def check_tool(name: str) -> None:
    """Raise `MissingScope` when the caller may not call the tool `name`."""
    _check(TOOL_SCOPES.get(name, Scope.READ))


def _check(scope: Scope) -> None:
    if scope not in caller().scopes:
        raise MissingScope(caller().name, scope)


async def with_caller(ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
    """Handle a request in its caller's name. Middleware of the MCP server."""
    token = _caller.set(ctx.request.state.caller if ctx.request else ANYBODY)
    try:
        if ctx.method in READING:
            _check(Scope.READ)
        return await call_next(ctx)
    except MissingScope as error:
        raise MCPError(INVALID_REQUEST, str(error)) from error
    finally:
        _caller.reset(token)
