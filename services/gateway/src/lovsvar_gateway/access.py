"""The door: who a request is from, whether it may come in, and how many more may."""

import base64
import binascii
import time
from collections import defaultdict
from collections.abc import Callable, Collection
from typing import Any
from urllib.parse import urlsplit

from fastapi import Depends, Request
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Send
from starlette.types import Scope as AsgiScope

from lovsvar_gateway import problems
from lovsvar_gateway.adapters.key_file import KeyFile
from lovsvar_gateway.core.access import ANYBODY, ApiKey, Caller, Scope, is_loopback
from lovsvar_gateway.core.allowance import WINDOW, Allowance, Standing
from lovsvar_gateway.core.errors import MissingScope
from lovsvar_gateway.problems import Refusal

OPEN = frozenset({"/healthz", "/readyz"})
"""What is answered to everybody: whether it lives, and whether it is ready."""

NOBODY = Caller(scopes=frozenset())

MCP = "/mcp"
"""Where a model's client talks, whatever the method, which no page of another origin is."""

SAFE = frozenset({"GET", "HEAD", "OPTIONS"})


class Access:
    """ASGI middleware: lets in whom it knows, within their limits.

    With keys, whoever has one. Without, whoever asks for the gateway by a name of this machine, unless
    `anybody` is set: a page elsewhere whose own name leads here (DNS rebinding) is kept out. In both cases the
    page of another origin cannot make a browser change something (`POST`, `DELETE`) or speak to `/mcp`, unless
    `origins` has it.
    """

    def __init__(
        self,
        app: ASGIApp,
        *,
        keys: KeyFile | None,
        anybody: bool,
        origins: Collection[str],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._app = app
        self._keys = keys
        self._anybody = anybody
        self._origins = frozenset(origins)
        self._clock = clock
        self._used: defaultdict[str, Allowance] = defaultdict(Allowance)

    async def __call__(self, scope: AsgiScope, receive: Receive, send: Send) -> None:
        """Pass a request on with its `caller`, or answer it with why not."""
        if scope["type"] != "http" or scope["path"] in OPEN:
            scope.setdefault("state", {})["caller"] = NOBODY
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        if refusal := self._foreign(scope, headers):
            await problems.refuse(Request(scope), refusal)(scope, receive, send)
        elif self._keys is None:
            scope.setdefault("state", {})["caller"] = ANYBODY
            await self._app(scope, receive, send)
        elif key := self._keys.ring.find(secret_in(headers)):
            await self._within_limits(key, scope, receive, send)
        else:
            await problems.refuse(Request(scope), Refusal.NO_KEY)(scope, receive, send)

    def _foreign(self, scope: AsgiScope, headers: Headers) -> Refusal | None:
        host, origin = headers.get("host", ""), headers.get("origin")
        if self._keys is None and not self._anybody and not is_loopback(host_name(host)):
            return Refusal.FOREIGN_HOST
        changing = scope["method"] not in SAFE and scope["path"].startswith("/v1/")
        if origin is None or not (changing or scope["path"] == MCP):
            return None
        own = urlsplit(origin).netloc == host
        return None if own or origin in self._origins else Refusal.FOREIGN_ORIGIN

    async def _within_limits(self, key: ApiKey, scope: AsgiScope, receive: Receive, send: Send) -> None:
        used = self._used[key.name]
        standing = used.take(key.limits, self._clock())

        async def send_told(message: Message) -> None:
            if message["type"] == "http.response.start":
                tell(standing, MutableHeaders(scope=message))
            await send(message)

        if standing.wait:
            await problems.refuse(Request(scope), Refusal.TOO_MANY, standing.wait)(scope, receive, send_told)
            return
        if used.open >= key.limits.concurrent:
            await problems.refuse(Request(scope), Refusal.TOO_MANY_OPEN, 1)(scope, receive, send_told)
            return
        used.open += 1
        scope.setdefault("state", {})["caller"] = Caller(name=key.name, scopes=key.scopes)
        try:
            await self._app(scope, receive, send_told)
        finally:
            used.open -= 1


def tell(standing: Standing, headers: MutableHeaders) -> None:
    """Add how a key stands (draft-ietf-httpapi-ratelimit-headers-10)."""
    headers["RateLimit-Policy"] = f'"requests";q={standing.limit};w={WINDOW:.0f}'
    headers["RateLimit"] = f'"requests";r={standing.remaining};t={standing.reset}'


def secret_in(headers: Headers) -> str:
    """Return the key that a request brings: as a bearer token, or as the password a browser asks for; "" for none."""
    scheme, _, value = headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer":
        return value.strip()
    if scheme.lower() == "basic":
        try:
            return base64.b64decode(value, validate=True).decode().partition(":")[2]
        except (binascii.Error, UnicodeDecodeError):
            return ""
    return ""


def host_name(host: str) -> str:
    """Return the name in a `Host` header, without its port."""
    return host[: host.find("]") + 1] if host.startswith("[") else host.partition(":")[0]


def needs(scope: Scope) -> Any:
    """Return what makes routes take only callers with `scope`."""

    async def check(request: Request) -> None:
        caller: Caller = request.state.caller
        if scope not in caller.scopes:
            raise MissingScope(caller.name, scope)

    check.__name__ = f"needs_{scope}"
    return Depends(check)
