"""The addresses and folders that an operator lists as sources of law, and nothing else."""

import contextlib
from collections.abc import Iterable, Mapping
from pathlib import Path
from urllib.parse import SplitResult, unquote, urlsplit

import httpx2

from lovsvar_chassis.addresses import shown
from lovsvar_ingest.core.errors import SourceRefused

PORTS = {"http": 80, "https": 443}

Endpoint = tuple[str, int]
"""A host in lower case, and a port."""


class SourceList:
    """The sources that law may be fetched from."""

    def __init__(self, usual: str, others: Iterable[str] = ()) -> None:
        """`usual` is where a request that names no source is served from."""
        self._usual = usual
        self._listed = {normalised(source): source for source in (*others, usual)}

    def choose(self, wanted: str | None) -> str:
        """Return the listed source that `wanted` is, as the operator wrote it; the usual one for None.

        Raises `SourceRefused`.
        """
        if not wanted:
            return self._usual
        try:
            return self._listed[normalised(wanted)]
        # A folder of a user that is not there, or a name that no file can have, is not listed either.
        except (KeyError, ValueError, RuntimeError, OSError):
            address = shown([wanted]) if "://" in wanted else wanted
            raise SourceRefused(
                f"Lov hentes ikke fra {address}: bare fra kilder som den som driver tjenesten, har listet opp. "
                "Utelat kilden, eller legg den til i LOVSVAR_SOURCES og start ingest på nytt."
            ) from None

    def bases(self) -> Mapping[Endpoint, frozenset[str]]:
        """Return the paths of the listed addresses, without a slash at the end, by host and port."""
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
    """Return the folder that `source`, which is no address, names."""
    if source.startswith("file://"):
        return Path(unquote(urlsplit(source).path))
    return Path(source).expanduser()


def normalised(source: str) -> str:
    """Return `source` in the form in which sources are compared.

    Scheme and host in lower case, without the scheme's own port and without a slash at the end; a folder by its
    absolute path.
    """
    source = source.strip()
    if not is_http(source):
        return str(folder(source).resolve())
    try:
        parts = urlsplit(source)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        return source
    host = f"[{host}]" if ":" in host else host
    login = f"{parts.netloc.rpartition('@')[0]}@" if "@" in parts.netloc else ""
    place = login + host + (f":{port}" if port not in {None, PORTS[parts.scheme]} else "")
    return SplitResult(parts.scheme, place, parts.path.rstrip("/"), parts.query, parts.fragment).geturl()
