"""Whether a quantity is the least or the most of something: "minst tre dager", "høyst tre dager"."""

import re
from enum import StrEnum

from lovsvar_legaltext.quantities import Quantity, quantities

_FLAGS = re.IGNORECASE | re.VERBOSE
_DENIED_MORE = r"""(?:ikke|ikkje|aldri)\s+(?:(?!(?:når|dersom|hvis|viss|om)\b)\w+\s+){0,6}?
    (?:over|mer|meir|lenger|lengre|eldre|høyere|høgare|større|overstige\w*|overskride\w*)(?:\s+enn)?"""
_MOST = re.compile(
    rf"""\b(?: høyst | høgst | høgast | maks\w* | inntil | opptil | opp\s+til | under | senest | seinast
      | innen | innan | innenfor | innanfor
      | {_DENIED_MORE}
      | mindre\s+enn | yngre\s+enn | at\s+most | up\s+to | within | less\s+than
      | (?:no|not|cannot)\s+(?:\w+\s+){{0,2}}?(?:more|longer|later|higher|greater)\s+than
      | not\s+exceed )\b""",
    _FLAGS,
)
_LEAST = re.compile(
    r"""\b(?: minst | minimum | over | utover | tidligst | tidlegast
      | (?:ikke|ikkje)\s+(?:mindre|under|yngre)(?:\s+enn)?
      | (?:mer|meir|eldre|lengre|lenger|høyere|høgare|større)\s+enn
      | at\s+least | more\s+than | no(?:t)?\s+(?:less|fewer)\s+than )\b""",
    _FLAGS,
)
_DENIES_MORE = re.compile(rf"\b{_DENIED_MORE}\b", _FLAGS)
_UTMOST = re.compile(
    r"\b(?:høyst|høgst|høgast|maks\w*|inntil|opptil|opp\s+til|senest|seinast|\w*grens[ea]n?)\b",
    re.IGNORECASE,
)
_EARLIEST = re.compile(r"\b(?:tidligst|tidlegast)\b", re.IGNORECASE)
_BEFORE_LATER = re.compile(r"\b(?:før|forut|before)\b", re.IGNORECASE)
"""After "not more than": "ikke mer enn fire uker før" is "tidligst fire uker før"."""
_BEFORE = re.compile(r"\W*(?:\w+\W+){0,2}?(?:før|forut|i\s+forveien|before|prior)\b", re.IGNORECASE)
_REACH = 64
"""Characters before a quantity in which its bound stands."""


class Bound(StrEnum):
    """On which side of a quantity something is."""

    LEAST = "least"
    MOST = "most"


def bound_of(quantity: Quantity, text: str) -> Bound | None:
    """Return whether `quantity` of `text` is a least or a most; None when it is neither, or counted backwards.

    "Senest tre dager før" and "minst tre dager før" are the same.
    """
    if _BEFORE.match(text, quantity.end):
        return None
    before = text[max(quantity.start - _REACH, 0) : quantity.start]
    most, least = (list(pattern.finditer(before)) for pattern in (_MOST, _LEAST))
    if not most and not least:
        return None
    # "ikke over" ends where "over" does, and begins before it.
    last = max((*most, *least), key=lambda m: (m.end(), -m.start()))
    # "minst ti ansatte innenfor 30 dager": a bound is that of the first quantity after it.
    if re.search(r"[,.;:]", before[last.end() :]) or quantities(before[last.end() :]):
        return None
    return Bound.MOST if last in most else Bound.LEAST


def denies_more(denying: str, affirming: str) -> bool:
    """Whether one text says by a denial what another affirms to be the most: "ikke mer enn tre" and "høyst tre"."""
    denied = _DENIES_MORE.search(denying)
    if denied and _EARLIEST.search(affirming) and _BEFORE_LATER.search(denying, denied.end()):
        return True
    if not (denied and _UTMOST.search(affirming)):
        return False
    return _DENIES_MORE.search(affirming) is None and _LEAST.search(affirming) is None
