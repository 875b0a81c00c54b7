"""The server at `/mcp`, over streamable HTTP without sessions, so that any replica answers any request."""

import logging
from typing import Any

from fastapi import FastAPI
from mcp.server import MCPServer
from mcp.server.transport_security import TransportSecuritySettings
from starlette.routing import Route

from lovsvar_gateway.access import MCP
from lovsvar_gateway.http_guards import MAX_BODY


def mount(app: FastAPI, server: MCPServer[Any]) -> None:
    """Add `server` to `app` at `MCP`; its session manager must run while `app` serves.

    It is a route, since a mount would cost a redirect a call. `access.py` checks keys, hosts and origins.
    """
    logging.getLogger("mcp").setLevel(logging.WARNING)
    inner = server.streamable_http_app(
        streamable_http_path=MCP,
        stateless_http=True,
        max_request_body_size=MAX_BODY,
        transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=False),
    )
    # POST alone: without sessions, a stream that is opened by GET would stay silent.
    for route in inner.routes:
        if isinstance(route, Route):
            app.router.routes.append(Route(MCP, route.endpoint, methods=["POST"]))
