"""HTTP to the hosts that an operator lists, and else to public addresses alone.

A name is resolved here, and the connection is made to the very address that was looked at: a name that leads
somewhere else the next time it is asked for (DNS rebinding) gains nothing. Every redirect comes this way too. Proxies
of the environment are not used, since they would resolve names themselves.
"""

import asyncio
import socket
from collections.abc import Sequence
from ipaddress import IPv6Address, IPv6Network, ip_address

import httpx2

from lovsvar_ingest.adapters.source_list import PORTS, Endpoint
from lovsvar_ingest.core.errors import SourceRefused

NAT64 = IPv6Network("64:ff9b::/96")


def make_client(listed: frozenset[Endpoint], timeout: httpx2.Timeout, *, tls_alone: bool = False) -> httpx2.AsyncClient:
    """Return a client that reaches `listed` hosts and public addresses, and follows redirects among them.

    With `tls_alone` no redirect leads from https to http, where anybody in between could write the law.
    """
    return httpx2.AsyncClient(
        transport=PublicAddresses(listed, tls_alone=tls_alone), timeout=timeout, follow_redirects=True, trust_env=False
    )


class PublicAddresses(httpx2.AsyncBaseTransport):
    """Sends requests to listed hosts, and to others only when their address is public. Raises `SourceRefused`."""

    def __init__(self, listed: frozenset[Endpoint], *, tls_alone: bool = False) -> None:
        self._listed = listed
        self._tls_alone = tls_alone
        # From the environment it takes where trusted certificates are (SSL_CERT_FILE), and nothing else.
        self._inner = httpx2.AsyncHTTPTransport()

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send `request`, to an address that was looked at before it is connected to."""
        url = request.url
        if url.scheme not in PORTS:
            raise SourceRefused(f"Lov hentes bare over http og https, ikke fra {url}.")
        if self._tls_alone and url.scheme != "https":
            raise SourceRefused(f"Kilden viser videre til {url}, uten https. Lov hentes ikke derfra.")
        port = url.port or PORTS[url.scheme]
        if (url.host.lower(), port) in self._listed:
            return await self._inner.handle_async_request(request)
        found = await resolve(url.host, port, request.extensions.get("timeout", {}).get("connect"))
        public = [address for address in found if is_public(address)]
        if not public:
            raise SourceRefused(
                f"{url.host} fører til {', '.join(found)}, som ikke er en offentlig adresse. Lov hentes ikke derfra. "
                "Er den en kilde, legges den til i LOVSVAR_SOURCES."
            )
        return await self._first_that_answers(request, public)

    async def _first_that_answers(self, request: httpx2.Request, addresses: Sequence[str]) -> httpx2.Response:
        *others, last = addresses
        for address in others:
            try:
                return await self._inner.handle_async_request(pinned(request, address))
            except (httpx2.ConnectError, httpx2.ConnectTimeout):
                continue
        return await self._inner.handle_async_request(pinned(request, last))

    async def aclose(self) -> None:
        """Close the connections."""
        await self._inner.aclose()


def pinned(request: httpx2.Request, address: str) -> httpx2.Request:
    """Return `request` to `address`, by the host's name still: in its `Host` header and for its certificate."""
    return httpx2.Request(
        request.method,
        request.url.copy_with(host=address),
        headers=request.headers,
        stream=request.stream,
        extensions={**request.extensions, "sni_hostname": request.url.raw_host.decode("ascii")},
    )


async def resolve(host: str, port: int, seconds: float | None) -> list[str]:
    """Return the addresses of `host`, best first, each once. Raises `httpx2.ConnectError`, `httpx2.ConnectTimeout`."""
    loop = asyncio.get_running_loop()
    try:
        async with asyncio.timeout(seconds):
            found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except TimeoutError as exc:
        raise httpx2.ConnectTimeout(f"{host} ble ikke slått opp i tide") from exc
    except (OSError, UnicodeError) as exc:
        raise httpx2.ConnectError(f"{host} kan ikke slås opp: {exc}") from exc
    return list(dict.fromkeys(str(address[0]) for *_, address in found))


def is_public(address: str) -> bool:
    """Return whether `address` is one of the public internet: not private, loopback, link-local, multicast or shared.

    An IPv6 address that stands for an IPv4 one is as public as that.
    """
    ip = ip_address(address)
    if isinstance(ip, IPv6Address):
        if ip.teredo or ip.sixtofour or ip.is_site_local:
            return False
        if ip.ipv4_mapped:
            return is_public(str(ip.ipv4_mapped))
        if ip in NAT64:
            return is_public(str(ip_address(int(ip) & 0xFFFFFFFF)))
    return ip.is_global and not (ip.is_multicast or ip.is_reserved or ip.is_unspecified)
