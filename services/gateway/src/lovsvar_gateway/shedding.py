"""Load shedding: who asks for what a busy service behind would refuse is told so before any work is done for it."""

from starlette.requests import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from lovsvar_chassis.budget import current
from lovsvar_contracts.problems import ProblemError
from lovsvar_gateway.core.access import Caller
from lovsvar_gateway.problems import respond

BEHIND = (
    ("/v1/search", "search"),
    ("/v1/documents", "search"),
    ("/v1/provisions", "search"),
    ("/v1/resolve", "search"),
    ("/v1/practice", "practice"),
    ("/sok", "search"),
    ("/lov/", "search"),
    ("/forskrift/", "search"),
)
"""Beginnings of paths, and the service without which none of them is answered."""


class Shedding:
    """ASGI middleware, inside `Access`. Health and everything else that asks nobody, or several, passes."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on as one of its caller's share, or refuse it."""
        if scope["type"] == "http":
            share = share_of(scope)
            current().share = share
            path = scope["path"]
            service = next((service for beginning, service in BEHIND if path.startswith(beginning)), "")
            if service:
                try:
                    scope["app"].state.parts.services.bulkhead(service).check(share)
                except ProblemError as exc:
                    await respond(Request(scope), exc.problem)(scope, receive, send)
                    return
        await self._app(scope, receive, send)


def share_of(scope: Scope) -> str:
    """Return whose share of the services a request is on: its key's, or without keys its client's address's."""
    caller: Caller = scope["state"]["caller"]
    return f"key {caller.name}" if caller.name else f"from {(scope.get('client') or ('',))[0]}"
