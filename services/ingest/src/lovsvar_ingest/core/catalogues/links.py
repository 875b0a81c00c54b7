"""Links of items: https to a host of the catalogue, and nothing that looks like one."""

import re
from collections.abc import Collection
from urllib.parse import quote, urlsplit

LONGEST = 2_000
"""Characters of a link."""

_HOST = re.compile(r"(?=.{4,253}\Z)(?:[a-z0-9](?:[a-z0-9\-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9\-]{0,61}[a-z0-9])")
_BARE = re.compile(r"[\s\\\x00-\x20\x7f-\x9f\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ud800-\udfff]")
_SCHEME = re.compile(r"[a-zA-Z][a-zA-Z0-9+.\-]*:")
_HEAD = re.compile("[/?#]")
_SAFE_PATH = "/%:@!$&*+,;=~-._"
_SAFE_QUERY = "/?%:@!$&*+,;=~-._"


class LinkRefused(Exception):
    """A link may not be shown. The reason is in words for who keeps the catalogue."""


def normalised_host(host: str) -> str:
    """Return a host's name as names are compared: ASCII, in lower case. Raises `ValueError` when it is none."""
    try:
        name = host.strip().rstrip(".").lower()
        name = name if name.isascii() else name.encode("idna").decode("ascii")
    except UnicodeError:
        name = ""
    if not _HOST.fullmatch(name):
        raise ValueError(f"«{host[:100]}» er ikke et vertsnavn; skriv bare navnet, som «example.org»")
    return name


def checked_link(link: str, hosts: Collection[str]) -> str:
    """Return a link in the one form in which it is stored: https, plain characters, nothing that ends a link's markup.

    `hosts` are normalised; their subdomains are theirs. One that begins with the host's name is https to it, since many
    lists are written so. Raises `LinkRefused`.
    """
    link = link.strip()
    if len(link) > LONGEST:
        raise LinkRefused(f"lenken har mer enn {LONGEST} tegn")
    if _BARE.search(link):
        raise LinkRefused("lenken har mellomrom, skjulte tegn eller omvendt skråstrek")
    if _is_below(_HEAD.split(link, maxsplit=1)[0].lower(), hosts):
        link = f"https://{link}"
    if not link.lower().startswith("https://"):
        what = "peker ikke på en hel adresse" if not _SCHEME.match(link) else "begynner ikke med https://"
        raise LinkRefused(f"lenken {what}")
    try:
        parts = urlsplit(link)
        port = parts.port
    except ValueError as exc:
        raise LinkRefused("lenken er ikke en gyldig adresse") from exc
    if "@" in parts.netloc:
        raise LinkRefused("lenken har brukernavn eller passord foran verten")
    if port not in {None, 443}:
        raise LinkRefused(f"lenken går til port {port}")
    try:
        host = normalised_host(parts.hostname or "")
    except ValueError as exc:
        raise LinkRefused("lenken har ikke et gyldig vertsnavn") from exc
    if not _is_below(host, hosts):
        raise LinkRefused(f"{host} er ikke blant katalogens verter (link_hosts)")
    path = quote(parts.path, safe=_SAFE_PATH)
    query = f"?{quote(parts.query, safe=_SAFE_QUERY)}" if parts.query else ""
    fragment = f"#{quote(parts.fragment, safe=_SAFE_QUERY)}" if parts.fragment else ""
    return f"https://{host}{path}{query}{fragment}"


def _is_below(host: str, hosts: Collection[str]) -> bool:
    return any(host == each or host.endswith(f".{each}") for each in hosts)
