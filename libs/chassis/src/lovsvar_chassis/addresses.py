"""Addresses of servers as they may be shown: without user, password or options, which stay out of logs."""

from collections.abc import Sequence
from urllib.parse import parse_qs, urlsplit


class Unreachable(Exception):
    """A server that this process needs was not reached in time. Remedy: in the sentence, which is Norwegian."""


def shown(urls: Sequence[str]) -> str:
    """Return where `urls` lead, separated by commas: scheme, host and port, and the name of a database."""
    return ", ".join(_shown(url) for url in urls)


def _shown(url: str) -> str:
    try:
        at = urlsplit(url)
    except ValueError:
        return "en adresse som ikke kan leses"
    host = at.netloc.rpartition("@")[2] or ",".join(parse_qs(at.query).get("host", []))
    return f"{at.scheme}://{host}{at.path}"
