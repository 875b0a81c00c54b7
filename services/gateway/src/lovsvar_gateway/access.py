"""Authentication, host and origin checks, and rate limits of every request."""

import asyncio
import base64
import binascii
import time
from collections import defaultdict
from collections.abc import Callable, Collection
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import urlsplit

import structlog
from fastapi import Depends, Request
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Send
from starlette.types import Scope as AsgiScope

from lovsvar_contracts.catalogues import CatalogueId
from lovsvar_gateway import problems
from lovsvar_gateway.adapters.key_file import LOOK_SECONDS, KeyFile
from lovsvar_gateway.core.access import (
    ANYBODY,
    WINDOW,
    WITHDRAWN,
    Allowance,
    ApiKey,
    Caller,
    Scope,
    Standing,
    is_loopback,
)
from lovsvar_gateway.core.errors import MissingScope
from lovsvar_gateway.problems import Refusal

log = structlog.get_logger()

OPEN = frozenset({"/healthz", "/readyz", "/v1/payments/webhook"})  # what needs no key: health, and what is signed
NOBODY = Caller(scopes=frozenset())
MCP = "/mcp"  # closed to pages of other origins with every method
SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
RESPITE_SECONDS = 2.0  # for what a revoked key has open to end by itself


@dataclass(eq=False)
class Visit:
    """An open request, and the key that it was authenticated with."""

    key: ApiKey
    withdrawn: asyncio.Event = field(default_factory=asyncio.Event)
    limit: asyncio.Timeout = field(default_factory=lambda: asyncio.timeout(None))

    def end(self) -> None:
        """Let it end by itself, or cut it off later."""
        if not self.withdrawn.is_set():
            self.withdrawn.set()
            self.limit.reschedule(asyncio.get_running_loop().time() + RESPITE_SECONDS)


class Access:
    """ASGI middleware that authenticates requests by key, and limits their rate.

    Without keys every request that passes the host check is served. It serves names of this machine and `hosts` alone,
    against DNS rebinding; with keys and without `hosts` every name, since a browser sends no password to a name that
    it was not typed for. A page of another origin that `origins` lacks cannot change anything (`POST`, `DELETE`) or
    use `/mcp`. Requests of a revoked key end within seconds. Without keys everybody sees `catalogues`, and where that
    is None, every one that is not private.
    """

    def __init__(
        self,
        app: ASGIApp,
        *,
        keys: KeyFile | None,
        hosts: Collection[str],
        origins: Collection[str],
        catalogues: Collection[CatalogueId] | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._app = app
        self._keys = keys
        self._hosts = frozenset(host_name(host).lower() for host in hosts)
        self._origins = frozenset(origins)
        self._everybody = replace(ANYBODY, catalogues=None if catalogues is None else frozenset(catalogues))
        self._clock = clock
        self._used: defaultdict[str, Allowance] = defaultdict(Allowance)
        self._visits: set[Visit] = set()
        self._watch: asyncio.TimerHandle | None = None

    async def __call__(self, scope: AsgiScope, receive: Receive, send: Send) -> None:
        """Pass a request on with its `caller`, or refuse it."""
        if scope["type"] != "http" or scope["path"] in OPEN:
            scope.setdefault("state", {})["caller"] = NOBODY
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        if refusal := self._foreign(scope, headers):
            await problems.refuse(Request(scope), refusal)(scope, receive, send)
        elif self._keys is None:
            scope.setdefault("state", {})["caller"] = replace(
                self._everybody, address=(scope.get("client") or ("",))[0]
            )
            await self._app(scope, receive, send)
        elif key := self._keys.ring.find(secret_in(headers)):
            await self._within_limits(Visit(key), scope, receive, send)
        else:
            await problems.refuse(Request(scope), Refusal.NO_KEY)(scope, receive, send)

    def _foreign(self, scope: AsgiScope, headers: Headers) -> Refusal | None:
        host, origin = headers.get("host", ""), headers.get("origin")
        every_name = self._keys is not None and not self._hosts
        if not (every_name or (name := host_name(host).lower()) in self._hosts or is_loopback(name)):
            return Refusal.FOREIGN_HOST
        changing = scope["method"] not in SAFE and scope["path"].startswith("/v1/")
        if origin is None or not (changing or scope["path"] == MCP):
            return None
        own = origin_host(origin) == host
        return None if own or origin in self._origins else Refusal.FOREIGN_ORIGIN

    async def _within_limits(self, visit: Visit, scope: AsgiScope, receive: Receive, send: Send) -> None:
        key = visit.key
        used = self._used[key.name]
        standing = used.take(key.limits, self._clock())
        started = False

        def wait_to_ask() -> int:
            asked = used.take_question(key.limits, self._clock())
            return asked.wait if asked else 0

        async def send_with_limits(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                add_limits(standing, used.look_at_questions(key.limits, self._clock()), MutableHeaders(scope=message))
            await send(message)

        if standing.wait or used.open >= key.limits.concurrent:
            refusal = (Refusal.TOO_MANY, standing.wait) if standing.wait else (Refusal.TOO_MANY_OPEN, 1)
            await problems.refuse(Request(scope), *refusal)(scope, receive, send_with_limits)
            return
        used.open += 1
        caller = Caller(
            name=key.name,
            scopes=key.scopes,
            wait_to_ask=wait_to_ask,
            queued=key.limits.queued,
            organisation=key.organisation,
            catalogues=key.catalogues,
        )
        scope.setdefault("state", {}).update({"caller": caller, WITHDRAWN: visit.withdrawn})
        self._visits.add(visit)
        self._watch = self._watch or asyncio.get_running_loop().call_later(LOOK_SECONDS, self._look)
        try:
            async with visit.limit:
                await self._app(scope, receive, send_with_limits)
        except TimeoutError:
            if not visit.limit.expired():
                raise
            log.info("cut off what a revoked key had open", key=key.name)
            if not started:
                await problems.refuse(Request(scope), Refusal.NO_KEY)(scope, receive, send)
        finally:
            self._visits.discard(visit)
            used.open -= 1

    def _look(self) -> None:
        """End the requests of keys that are no longer in the file; check again while any is open."""
        self._watch = None
        assert self._keys is not None  # noqa: S101
        ring = self._keys.ring
        for visit in self._visits:
            if not ring.holds(visit.key):
                visit.end()
        if self._visits:
            self._watch = asyncio.get_running_loop().call_later(LOOK_SECONDS, self._look)


def add_limits(requests: Standing, questions: Standing | None, headers: MutableHeaders) -> None:
    """Add the headers of a key's rate limits (draft-ietf-httpapi-ratelimit-headers-10)."""
    standings = {"requests": requests} | ({"questions": questions} if questions else {})
    headers["RateLimit-Policy"] = ", ".join(f'"{name}";q={s.limit};w={WINDOW:.0f}' for name, s in standings.items())
    headers["RateLimit"] = ", ".join(f'"{name}";r={s.remaining};t={s.reset}' for name, s in standings.items())


def secret_in(headers: Headers) -> str:
    """Return the key of a request: its bearer token, or the password a browser asks for; "" for none."""
    scheme, _, value = headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer":
        return value.strip()
    try:
        return base64.b64decode(value, validate=True).decode().partition(":")[2] if scheme.lower() == "basic" else ""
    except (binascii.Error, UnicodeDecodeError):
        return ""


def origin_host(origin: str) -> str | None:
    """Return the host and port that an `Origin` header names, None where it is none."""
    try:
        return urlsplit(origin).netloc or None
    except ValueError:
        return None


def host_name(host: str) -> str:
    """Return the name in a `Host` header, without its port."""
    return host[: host.find("]") + 1] if host.startswith("[") else host.partition(":")[0]


def needs(scope: Scope) -> Any:
    """Return the dependency of routes that require `scope`."""

    async def check(request: Request) -> None:
        caller: Caller = request.state.caller
        if scope not in caller.scopes:
            raise MissingScope(caller.name, scope)

    check.__name__ = f"needs_{scope}"
    return Depends(check)
