"""Section numbers: their form, and their order: § 2-9, § 2 A-1, § 2 A-2, § 3-1."""

import re
from bisect import bisect_left
from collections.abc import Sequence

SECTION_NUMBER = (
    r"\d+(?:[a-zA-Z](?!\w)|\s(?![iI]\s+\w)[a-zA-Z](?!\w))?"
    r"(?:\s?[-–]\s?\d+(?:[a-zA-Z](?!\w)|\s(?![iI]\s+\w)[a-zA-Z](?!\w))?)*"
)
"""A section's number without its sign: 3-5, 2 A-1, 13 a. A lone `i` before a word is a preposition: § 5 i loven."""

_NUMBERED = re.compile(r"(?P<row>(?:.*/)?[^\d/]*)(?P<number>\d[^/]*)")
_PART = re.compile(r"\d+|[^\W\d_]+")


def nearest(key: str, keys: Sequence[str], limit: int) -> list[str]:
    """Return the `keys` nearest to `key` by number, at most `limit`, in order.

    Only keys of the same series count: sections for `§3-5`, articles of one treaty for `gdpr/a5`. Of two equally near
    keys the one of the same chapter is taken, else the one before.
    """
    numbered = _NUMBERED.fullmatch(key)
    if not numbered:
        return []
    order = _order(numbered["number"])
    row = sorted(
        (_order(other["number"]), other[0])
        for other in map(_NUMBERED.fullmatch, keys)
        if other and other["row"] == numbered["row"]
    )
    at = bisect_left(row, (order, key))
    around = sorted(range(len(row)), key=lambda n: (n - at if n >= at else at - 1 - n, row[n][0][0] != order[0], n))
    return [row[n][1] for n in sorted(around[:limit])]


def _order(number: str) -> list[tuple[int, int, str]]:
    return [(0, int(part), "") if part.isdecimal() else (1, 0, part) for part in _PART.findall(number)]
