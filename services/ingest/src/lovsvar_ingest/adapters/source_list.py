"""The addresses and folders that an operator lists as sources of law."""

import contextlib
from collections.abc import Iterable, Mapping
from pathlib import Path
from urllib.parse import unquote, urlsplit

import httpx2

from lovsvar_chassis.addresses import shown
from lovsvar_ingest.core.errors import SourceRefused

PORTS = {"http": 80, "https": 443}

Endpoint = tuple[str, int]
"""A host in lower case, and a port."""


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

    def bases(self) -> Mapping[Endpoint, frozenset[str]]:
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
