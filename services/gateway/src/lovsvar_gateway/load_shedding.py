"""Load shedding: requests that a busy service would refuse are refused before any work on them.

Most refusals are made from the bytes of a request, by `Shedder.refusal`, at a tenth of what the middleware costs: at
ten times the load that can be served, refusals must be cheap. What needs a closer look is refused by the middleware.
"""

import hashlib
import re
from collections import OrderedDict
from collections.abc import Callable, Sequence
from http import HTTPStatus

from starlette.requests import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from lovsvar_chassis.budget import current
from lovsvar_contracts.problems import Problem, ProblemError
from lovsvar_gateway.adapters.services import Bulkhead
from lovsvar_gateway.core.access import Caller
from lovsvar_gateway.problems import plain, respond

BEHIND: Sequence[tuple[str, str]] = (
    ("/v1/search", "search"),
    ("/v1/documents", "search"),
    ("/v1/provisions", "search"),
    ("/v1/resolve", "search"),
    ("/v1/practice", "practice"),
    ("/v1/subjects", "search"),
    ("/sok", "search"),
    ("/lov", "search"),
    ("/forskrift", "search"),
    ("/henvisninger", "search"),
)
"""Prefixes of paths, and the service that answers them."""

MOST_KNOWN = 4_096  # senders whose shares are remembered

_HEAD = re.compile(rb"GET (/[^ ?\r\n]*)[^ \r\n]* HTTP/1\.1\r\n")
_END = b"\r\n\r\n"
_TELLING = re.compile(
    rb"\r\n(authorization|x-forwarded-for|accept|connection|origin|expect|content-length|transfer-encoding)"
    rb":[ \t]*([^\r]*)",
    re.IGNORECASE,
)
_MORE = frozenset({b"origin", b"expect", b"content-length", b"transfer-encoding"})
"""Headers of a request that has a body, or whose response has more headers."""

Sender = bytes
"""A digest of a request's authorization and address; see `_digest`."""


class Shedder:
    """Refuses requests. `bulkhead` returns what limits the requests to a service."""

    def __init__(self, bulkhead: Callable[[str], Bulkhead]) -> None:
        self._bulkhead = bulkhead
        self._shares: OrderedDict[Sender, str] = OrderedDict()

    def check(self, scope: Scope, share: str) -> None:
        """Raise `ProblemError` for a request that is to be refused; remember the share of its sender."""
        service = _service(scope["path"])
        if not service:
            return
        sender = _sender(scope)
        self._shares[sender] = share
        self._shares.move_to_end(sender)
        if len(self._shares) > MOST_KNOWN:
            self._shares.popitem(last=False)
        self._bulkhead(service).check(share)

    def refusal(self, data: bytes, peer: str) -> bytes | None:
        """Return the response to `data`, from the address `peer`, where that is one request to be refused.

        None for what the middleware serves or checks: an unknown sender, a page, a part of a request, or several.
        """
        head = _HEAD.match(data)
        if head is None or data.find(_END) != len(data) - len(_END):
            return None
        path = head[1].decode("latin-1")
        service = _service(path)
        if not service or self._bulkhead(service).has_room:
            return None
        share = self._shares.get(_plain_sender(data, peer) or b"")
        try:
            if share is not None:
                self._bulkhead(service).check(share)
        except ProblemError as exc:
            return _written(exc.problem, path)
        return None


class Shedding:
    """ASGI middleware inside `Access`. Health, and what needs no single service, passes.

    The share of a request is its key's, or without keys its address's.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on in its caller's share, or refuse it."""
        if scope["type"] == "http":
            caller: Caller = scope["state"]["caller"]
            current().share = share = f"key {caller.name}" if caller.name else f"from {_address(scope)}"
            try:
                scope["app"].state.shedder.check(scope, share)
            except ProblemError as exc:
                await respond(Request(scope), exc.problem)(scope, receive, send)
                return
        await self._app(scope, receive, send)


def _service(path: str) -> str:
    return next((service for beginning, service in BEHIND if path.startswith(beginning)), "")


def _plain_sender(data: bytes, peer: str) -> Sender | None:
    """Return the sender of a request whose response depends on no other header, else None."""
    headers = {name.lower(): value for name, value in _TELLING.findall(data)}
    page, last = b"text/html" in headers.get(b"accept", b""), b"close" in headers.get(b"connection", b"").lower()
    if page or last or headers.keys() & _MORE:
        return None
    return _digest(headers.get(b"authorization", b""), headers.get(b"x-forwarded-for", peer.encode()))


def _address(scope: Scope) -> str:
    return (scope.get("client") or ("",))[0]


def _sender(scope: Scope) -> Sender:
    found = {name: value for name, value in scope["headers"] if name in (b"authorization", b"x-forwarded-for")}
    return _digest(found.get(b"authorization", b""), found.get(b"x-forwarded-for", _address(scope).encode()))


def _digest(authorization: bytes, address: bytes) -> Sender:
    """Return 16 bytes for a request's authorization and address, the forwarded or the peer's."""
    return hashlib.blake2b(b"%d %b%b" % (len(authorization), authorization, address), digest_size=16).digest()


def _written(found: Problem, path: str) -> bytes:
    status, headers, body = plain(found, path)
    lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    return (
        f"HTTP/1.1 {status} {HTTPStatus(status).phrase}\r\n{lines}content-length: {len(body)}\r\n\r\n".encode() + body
    )
