"""The server at `/mcp`, over streamable HTTP without sessions, so that any replica answers any request."""

import ipaddress
import logging
from typing import Any

from fastapi import FastAPI
from mcp.server import MCPServer
from mcp.server.transport_security import TransportSecuritySettings
from starlette.routing import Route

from lovsvar_gateway.edge import MAX_BODY

PATH = "/mcp"

_HERE = ("127.0.0.1", "localhost", "[::1]")


def mount(app: FastAPI, server: MCPServer[Any], host: str) -> None:
    """Add `server` to `app` at `PATH`; its session manager must run while `app` serves.

    A route and no mount, which would cost a redirect a call. `host` is where the gateway listens.
    """
    logging.getLogger("mcp").setLevel(logging.WARNING)
    inner = server.streamable_http_app(
        streamable_http_path=PATH,
        stateless_http=True,
        max_request_body_size=MAX_BODY,
        transport_security=security(host),
    )
    app.router.routes.extend(route for route in inner.routes if isinstance(route, Route))


def security(host: str) -> TransportSecuritySettings:
    """Return which Host and Origin headers are taken.

    On the loopback interface only those of this machine, since a page in a browser could otherwise reach the
    server by a name of its own (DNS rebinding). Elsewhere the name is whatever the operator's proxy is called.
    """
    if not is_loopback(host):
        return TransportSecuritySettings(enable_dns_rebinding_protection=False)
    return TransportSecuritySettings(
        allowed_hosts=[name for here in _HERE for name in (here, f"{here}:*")],
        allowed_origins=[f"http://{name}" for here in _HERE for name in (here, f"{here}:*")],
    )


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches what listens on `host`."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
