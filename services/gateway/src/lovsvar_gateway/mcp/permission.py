"""What a caller of the tools may do."""

from mcp.server.mcpserver import Context

SCOPES = "lovsvar.scopes"
"""Where whoever checks keys puts the scopes of a request's key into its ASGI scope; absent where no key is needed."""

OPERATE = "operate"


def may_operate(context: Context) -> bool:
    """Whether the caller may bring the corpus up to date: with that scope, or where no key is needed."""
    request = context.request_context.request
    scopes = getattr(request, "scope", {}).get(SCOPES)
    return scopes is None or OPERATE in scopes
