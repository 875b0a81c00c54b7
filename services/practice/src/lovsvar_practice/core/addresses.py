"""The addresses of decisions and practice at Lovdata; other results of the search provider are dropped."""

import re
import unicodedata
from collections.abc import Sequence
from urllib.parse import unquote, urlsplit

HOSTS = frozenset({"lovdata.no", "www.lovdata.no"})
MAX_ADDRESS = 2_000

_ENCODED_SEPARATOR = re.compile(r"%(2f|5c|2e)", re.IGNORECASE)
# No address holds these unencoded; parsers differ in how they read them.
_FORBIDDEN = re.compile(r'[\s<>"`{}|^\\]')


def is_practice(url: str, paths: Sequence[str]) -> bool:
    """Return whether `url` is an https address at Lovdata that lies under one of `paths`.

    `paths` begin and end with a slash (`/trygderetten/`); the decoded path has to begin with one of them, in any
    case. An address that two parsers could read differently is refused: one with user information, a port, a
    backslash, white space, dot segments, encoded separators, or letters that normalisation changes.
    """
    if len(url) > MAX_ADDRESS or not url.isprintable() or _FORBIDDEN.search(url):
        return False
    try:
        parts = urlsplit(url)
        path = unquote(parts.path, errors="strict")
    except ValueError:
        return False
    # The whole authority is compared: a user, a port or a dot makes it another host.
    if parts.scheme != "https" or parts.netloc.lower() not in HOSTS:
        return False
    if _ENCODED_SEPARATOR.search(parts.path) or not _is_plain(path):
        return False
    return any(path.lower().startswith(wanted.lower()) for wanted in paths)


def _is_plain(path: str) -> bool:
    """Return whether a decoded path names one place, however it is read."""
    if "%" in path or not path.isprintable() or _FORBIDDEN.search(path):
        return False
    # Full-width dots and slashes become real ones where compatibility forms are folded.
    if unicodedata.normalize("NFKC", path) != path:
        return False
    # Some servers cut `;…` off a segment before they resolve it.
    return not any(segment.split(";")[0] in {".", ".."} for segment in path.split("/"))
