"""The sources of law that an operator lists, and HTTP to them alone; outside the listed paths only at public addresses.

Redirects pass here too, so that law is never fetched from a host that is not listed. Outside the listed paths the name
is resolved here, and the connection goes to the address that was checked, against DNS rebinding. Proxies of the
environment are not used: they would resolve names themselves.
"""

import asyncio
import contextlib
import socket
from collections.abc import Iterable, Mapping, Sequence
from ipaddress import IPv6Address, IPv6Network, ip_address
from pathlib import Path
from urllib.parse import unquote, urlsplit

import httpx2

from lovsvar_chassis.addresses import shown
from lovsvar_ingest.core.errors import SourceRefused

NAT64 = IPv6Network("64:ff9b::/96")
PORTS = {"http": 80, "https": 443}

Endpoint = tuple[str, int]
"""A host in lower case, and a port."""

Listed = Mapping[Endpoint, frozenset[str]]
"""The paths, without a final slash, that are listed on each host."""


class SourceList:
    """The sources that law may be fetched from."""

    def __init__(self, usual: str, others: Iterable[str] = ()) -> None:
        """`usual` is the source of a request that names none."""
        self._usual = usual
        self._listed = {normalised(source): source for source in (*others, usual)}

    def choose(self, wanted: str | None) -> str:
        """Return the listed source that equals `wanted`, as the operator wrote it. Raises `SourceRefused`."""
        if not wanted:
            return self._usual
        try:
            return self._listed[normalised(wanted)]
        # The folder of an unknown user, or an invalid file name, is not listed either.
        except (KeyError, ValueError, RuntimeError, OSError):
            address = shown([wanted]) if "://" in wanted else wanted
            raise SourceRefused(
                f"Lov hentes ikke fra {address}: bare fra kilder som den som driver tjenesten, har listet opp. "
                "Utelat kilden, eller legg den til i LOVSVAR_SOURCES og start ingest på nytt."
            ) from None

    def bases(self) -> Listed:
        """Return the paths of the listed addresses, without a final slash, by host and port."""
        found: dict[Endpoint, frozenset[str]] = {}
        for source in filter(is_http, self._listed):
            with contextlib.suppress(httpx2.InvalidURL):
                url = httpx2.URL(source)
                found[endpoint(url)] = found.get(endpoint(url), frozenset()) | {url.path.rstrip("/")}
        return found


def endpoint(url: httpx2.URL) -> Endpoint:
    """Return the host and port of an http(s) address."""
    return url.host.lower(), url.port or PORTS[url.scheme]


def is_http(source: str) -> bool:
    """Return whether `source` is an http(s) address."""
    return source.lower().startswith(("http://", "https://"))


def folder(source: str) -> Path:
    """Return the folder of a `source` that is not an http(s) address."""
    if source.startswith("file://"):
        return Path(unquote(urlsplit(source).path))
    return Path(source).expanduser()


def normalised(source: str) -> str:
    """Return `source` in the form in which sources are compared.

    Scheme and host in lower case, without a default port or a final slash; a folder by its absolute path.
    """
    source = source.strip()
    if not is_http(source):
        return str(folder(source).resolve())
    try:
        url = httpx2.URL(source)
    except httpx2.InvalidURL:
        return source
    return str(url.copy_with(path=url.path.rstrip("/")))


def make_client(
    listed: Listed, timeout: httpx2.Timeout, *, tls_alone: bool = False, setting: str = "LOVSVAR_SOURCES"
) -> httpx2.AsyncClient:
    """Return a client that reaches `listed` hosts, and follows redirects among them; with `tls_alone` only by https.

    `setting` is the one that lists them, for messages.
    """
    addresses = PublicAddresses(listed, tls_alone=tls_alone, setting=setting)
    return httpx2.AsyncClient(transport=addresses, timeout=timeout, follow_redirects=True, trust_env=False)


class PublicAddresses(httpx2.AsyncBaseTransport):
    """Sends requests to listed hosts; outside the listed paths only to public addresses. Raises `SourceRefused`."""

    def __init__(self, listed: Listed, *, tls_alone: bool = False, setting: str = "LOVSVAR_SOURCES") -> None:
        self._listed = listed
        self._setting = setting
        self._tls_alone = tls_alone
        # Of the environment it reads SSL_CERT_FILE alone.
        self._inner = httpx2.AsyncHTTPTransport()

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send `request` to an address that was checked before the connection is made."""
        url = request.url
        address = shown([str(url)])
        if url.scheme not in PORTS:
            raise SourceRefused(f"Det hentes bare over http og https, ikke fra {address}.")
        if self._tls_alone and url.scheme != "https":
            raise SourceRefused(f"Kilden viser videre til {address}, uten https. Ingenting hentes derfra.")
        if endpoint(url) not in self._listed:
            raise SourceRefused(
                f"Kilden viser videre til {address}, og {url.host} er ingen kilde. Ingenting hentes derfra. "
                f"Er den en kilde, legges den til i {self._setting}."
            )
        if is_below(url.path, self._listed[endpoint(url)]):
            return await self._inner.handle_async_request(request)
        found = await resolve(*endpoint(url), request.extensions.get("timeout", {}).get("connect"))
        public = [each for each in found if is_public(each)]
        if not public:
            raise SourceRefused(
                f"{address} er ingen kilde, og fører til {', '.join(found)}, som ikke er en offentlig adresse. "
                f"Ingenting hentes derfra. Er den en kilde, legges den til i {self._setting}."
            )
        return await self._first_that_answers(request, public)

    async def _first_that_answers(self, request: httpx2.Request, addresses: Sequence[str]) -> httpx2.Response:
        *others, last = addresses
        for address in others:
            with contextlib.suppress(httpx2.ConnectError, httpx2.ConnectTimeout):
                return await self._inner.handle_async_request(pinned(request, address))
        return await self._inner.handle_async_request(pinned(request, last))

    async def aclose(self) -> None:
        """Close the connections."""
        await self._inner.aclose()


def is_below(path: str, bases: frozenset[str]) -> bool:
    """Return whether `path` is one of `bases` or lies below one, without `..`."""
    return ".." not in path.replace("\\", "/").split("/") and any(f"{path}/".startswith(f"{base}/") for base in bases)


def pinned(request: httpx2.Request, address: str) -> httpx2.Request:
    """Return `request` to `address`, with the host's name in the `Host` header and for the certificate."""
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
    """Return whether `address` is public: not private, loopback, link-local, multicast or shared.

    An IPv6 address that maps an IPv4 address is public if that one is.
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
