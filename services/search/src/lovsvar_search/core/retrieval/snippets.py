"""Which part of a text matches best, and the cut around the match.

Matching words are found as those that begin with a stem: stemming takes endings away.
"""

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence, Set
from dataclasses import dataclass
from math import fsum

MAX_SNIPPET = 500
MAX_LOOKED_AT = 60_000
"""Characters of a text in which a match is looked for; a few annexes hold a book."""

_ELLIPSIS = "…"
_WORD_END = re.compile(r"\s")
_REST = re.compile(r"\w*")

_Match = tuple[int, str]
"""Where a matching word begins, and the stem that it begins with."""


@dataclass(frozen=True, slots=True)
class Snippet:
    """A cut of at most `MAX_SNIPPET` characters, and the part (from 1) it is from when the match lies in one.

    `stems` are those that match in the text that it is cut from; no others need be looked for in the cut.
    """

    text: str
    part: int | None
    stems: frozenset[str] = frozenset()


def mark_words(
    text: str, stems: Collection[str], terms: Set[str], analyze: Callable[[str], Sequence[str]]
) -> tuple[tuple[int, int], ...]:
    """Return where words of `text` begin and end that begin with a stem and are among `terms` as the index has them.

    A word may begin as another does and be a word of its own, so each that begins with a stem is analyzed.
    """
    found = ((start, _word_end(text, start)) for start, _ in _matches(text, stems))
    return tuple((start, end) for start, end in found if not terms.isdisjoint(analyze(text[start:end])))


def cut_snippet(
    text: str,
    stems: Collection[str],
    weights: Mapping[str, float],
    part_starts: Sequence[int] = (),
    nearest: int | None = None,
) -> Snippet:
    """Return the part of `text` that says most about the query.

    A word matches that begins with one of `stems` (lower case); `weights` says how much each counts. `nearest` is the
    part, from 1, that is nearest in meaning; it counts where no word matches. The best part is the one whose distinct
    stems weigh most, the first of equals; inside it the window begins at the part's own start when the match is near.
    """
    matches = _matches(text, stems)
    if not matches:
        if nearest is None or nearest > len(part_starts):
            return Snippet(_cut(text, 0, 0, len(text)), None)
        low, high = part_starts[nearest - 1], [*part_starts, len(text)][nearest]
        return Snippet(_cut(text, low, low, high), nearest)
    part, low, high = _best_part(matches, weights, part_starts, len(text))
    start = low
    if high - low > MAX_SNIPPET:
        start = _best_window([match for match in matches if low <= match[0] < high], weights, text)
    return Snippet(_cut(text, start, low, high), part, frozenset(stem for _, stem in matches))


def _matches(text: str, stems: Collection[str]) -> list[_Match]:
    """Return the words that begin with a stem, in order; where several do, the longest stem counts."""
    # Plain searches for each stem: a regular expression of them all takes ten times as long.
    looked_at = _lower(text[:MAX_LOOKED_AT])
    found: dict[int, str] = {}
    for stem in filter(None, stems):
        at, length = looked_at.find(stem), len(stem)
        while at >= 0:
            begins = at == 0 or not ((before := looked_at[at - 1]).isalnum() or before == "_")
            if begins and (at not in found or length > len(found[at])):
                found[at] = stem
            at = looked_at.find(stem, at + length)
    return sorted(found.items())


def _lower(text: str) -> str:
    """Return `text` in lower case, character for character."""
    lower = text.lower()
    if len(lower) == len(text):
        return lower
    return "".join(low if len(low := character.lower()) == 1 else character for character in text)


def _word_end(text: str, at: int) -> int:
    match = _REST.match(text, at)
    return match.end() if match else at


def _weight(stems: Collection[str], weights: Mapping[str, float]) -> float:
    # An exact sum: the same stems weigh the same in whatever order they come.
    return fsum(weights.get(stem, 1.0) for stem in stems)


def _best_part(
    matches: Sequence[_Match], weights: Mapping[str, float], starts: Sequence[int], length: int
) -> tuple[int | None, int, int]:
    """Return the best part's number and its span; the whole text when it has no parts or none matches."""
    by_part: defaultdict[int, set[str]] = defaultdict(set)
    for at, stem in matches:
        by_part[bisect_right(starts, at)].add(stem)
    # What is before the first part is in none.
    by_part.pop(0, None)
    # In the order of the text, so that the first of equals is taken.
    best = max(by_part, key=lambda part: _weight(by_part[part], weights), default=None)
    if best is None:
        return None, 0, length
    return best, starts[best - 1], starts[best] if best < len(starts) else length


def _best_window(matches: Sequence[_Match], weights: Mapping[str, float], text: str) -> int:
    """Return where the window begins that holds the heaviest distinct stems, the first of equals."""
    ends = [_word_end(text, at) for at, _ in matches]
    most = _weight({stem for _, stem in matches}, weights)
    best, start = -1.0, matches[0][0]
    last = 0
    for first, (at, _) in enumerate(matches):
        last = max(last, first)
        while last + 1 < len(matches) and ends[last + 1] - at <= MAX_SNIPPET - 2:
            last += 1
        weight = _weight({stem for _, stem in matches[first : last + 1]}, weights)
        if weight > best:
            best, start = weight, at
        if best == most:
            break
    return start


def _cut(text: str, around: int, low: int, high: int) -> str:
    """Return at most `MAX_SNIPPET` characters of `text[low:high]` from shortly before `around`, at words."""
    room = MAX_SNIPPET - 2 * len(_ELLIPSIS) - 2
    if high - low <= MAX_SNIPPET:
        return " ".join(text[low:high].split())
    start = max(low, min(around - room // 4, high - room))
    end = min(high, start + room)
    if start > low and not text[start - 1].isspace():
        space = _WORD_END.search(text, start, around)
        start = space.end() if space else around
    if end < high and not text[end].isspace():
        space_at = max(text.rfind(" ", start + 1, end), text.rfind("\n", start + 1, end))
        end = space_at if space_at > around else end
    before = f"{_ELLIPSIS} " if start > low else ""
    after = f" {_ELLIPSIS}" if end < high else ""
    return before + " ".join(text[start:end].split()) + after
