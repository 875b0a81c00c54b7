"""Which addresses are decisions and practice at Lovdata: the rest of what a search engine finds is dropped."""

import re
from urllib.parse import unquote, urlsplit

HOSTS = frozenset({"lovdata.no", "www.lovdata.no"})

_ENCODED_SEPARATOR = re.compile(r"%(2f|5c|2e)", re.IGNORECASE)


def is_practice(url: str, paths: tuple[str, ...]) -> bool:
    """Return whether `url` is an https address at Lovdata that lies under one of `paths`.

    `paths` begin and end with a slash (`/trygderetten/`) and are compared with the decoded path without
    regard to case. An address that two readers could take for different places is refused: one with
    user information, a port, a backslash, white space, dot segments, or separators in disguise.
    """
    if not url.isprintable() or " " in url or "\\" in url:
        return False
    try:
        parts = urlsplit(url)
        path = unquote(parts.path, errors="strict")
    except ValueError:
        return False
    # The whole authority is compared: whatever is added to a host (user, port, dot) makes it another.
    if parts.scheme != "https" or parts.netloc.lower() not in HOSTS:
        return False
    if _ENCODED_SEPARATOR.search(parts.path) or "%" in path or not path.isprintable():
        return False
    if {".", ".."} & set(path.split("/")):
        return False
    return any(wanted.casefold() in path.casefold() for wanted in paths)
