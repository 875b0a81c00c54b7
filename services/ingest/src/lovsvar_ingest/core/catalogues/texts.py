"""The texts of items, made plain: whoever keeps a catalogue wrote them, and they are shown next to the law.

Markup, invisible and direction-changing characters are removed; so are addresses of other hosts than the catalogue's.
"""

import html
import re
import unicodedata
from collections.abc import Collection

from lovsvar_ingest.core.catalogues.links import LinkRefused, checked_link

_HIDDEN = re.compile(
    "[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\u00ad\u034f\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u115f\u1160"
    "\u17b4\u17b5\u180b-\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ud800-\udfff\ue000-\uf8ff\ufdd0-\ufdef"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff0-\uffff\U000110bd\U000110cd\U00013430-\U0001345f\U0001bca0-\U0001bca3"
    "\U0001d173-\U0001d17a\U000e0000-\U000e0fff\U000f0000-\U0010ffff]"
)
"""Control, format, filler, private and unassigned characters; white space is not among them."""

_UNREAD = re.compile(r"<(script|style|template|noscript)\b[^>]{0,500}>.*?(?:</\1\s*>|\Z)", re.IGNORECASE | re.DOTALL)
_BREAK = re.compile(r"</?(?:br|p|div|li|ul|ol|tr|td|th|h[1-6])\b[^<>]*>", re.IGNORECASE)
_TAG = re.compile(r"<!--.*?(?:-->|\Z)|</?[a-zA-Z][^<>]*(?:>|\Z)|<[!?][^<>]*(?:>|\Z)", re.DOTALL)
_MARKDOWN_LINK = re.compile(r"!?\[([^\[\]]*)\]\([^()\s]*(?:\([^()]*\)[^()\s]*)*(?:\s+[^()]*)?\)")
_ADDRESS = re.compile(
    r"\b(?:[a-z][a-z0-9+.\-]{1,20}://|www\.|(?:javascript|data|vbscript|mailto|file|blob):)[^\s<>\"'«»|]+",
    re.IGNORECASE,
)
_MARKS = re.compile("([\u0300-\u036f]{2})[\u0300-\u036f]+")
_SPACE = re.compile(r"\s+")

ROUNDS = 3
"""How often markup is removed: what was escaped twice is markup only after that."""


def clean(text: str, limit: int, hosts: Collection[str] | None = ()) -> str:
    """Return `text` on one line of at most `limit` characters, without markup, hidden characters and foreign addresses.

    An address in it stays when it may be a link to one of `hosts`; with None all stay. A text that is cut ends in "…".
    """
    text = _HIDDEN.sub("", text[: 4 * limit + 1_000])
    for _ in range(ROUNDS):
        if "<" not in text and "&" not in text:
            break
        text = html.unescape(text)
        text = _TAG.sub("", _BREAK.sub(" ", _UNREAD.sub(" ", text)))
    text = _HIDDEN.sub("", unicodedata.normalize("NFC", text))
    if "](" in text:
        # A run of space would take the square of its length.
        text = _MARKDOWN_LINK.sub(r"\1", _SPACE.sub(" ", text))
    if hosts is not None and (":" in text or "www." in text.lower()):
        text = _ADDRESS.sub(lambda found: _kept(found[0], hosts), text)
    text = _SPACE.sub(" ", _MARKS.sub(r"\1", text)).strip()
    return text if len(text) <= limit else cut(text, limit)


def cut(text: str, limit: int) -> str:
    """Return the beginning of a longer text, at the end of a word where there is one, with "…"."""
    beginning = text[: limit - 1]
    at_word = beginning.rpartition(" ")[0]
    return f"{(at_word if len(at_word) > limit // 2 else beginning).rstrip()}…"


def _kept(address: str, hosts: Collection[str]) -> str:
    ending = address[len(address.rstrip(".,;:!?)]}")) :]
    try:
        return checked_link(address.removesuffix(ending), hosts) + ending
    except LinkRefused:
        return ""
