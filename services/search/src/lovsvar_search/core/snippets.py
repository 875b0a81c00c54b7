"""Which ledd matches best, and the cut around the match.

Matching words are found as those that begin with a stem: Norwegian stemming only takes endings away.
"""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

MAX_SNIPPET = 500
MAX_LOOKED_AT = 60_000
"""Characters of a text in which a match is looked for; a few annexes hold a book."""

_ELLIPSIS = "…"
_WORD_END = re.compile(r"\s")
_REST = re.compile(r"\w*")


@dataclass(frozen=True, slots=True)
class Snippet:
    """A cut of at most `MAX_SNIPPET` characters, and the ledd it is from when the match lies in one."""

    text: str
    ledd: int | None


class _Match(NamedTuple):
    start: int
    end: int
    stem: str


def mark_words(
    text: str, terms: frozenset[str], analyze: Callable[[str], Sequence[str]]
) -> tuple[tuple[int, int], ...]:
    """Return where words of `text` begin and end that are among `terms` as the index has them.

    A word may begin as another does and be a word of its own, so each that begins with a term is analyzed.
    """
    found = ((match.start, match.end) for match in _matches(text, terms))
    return tuple((start, end) for start, end in found if not terms.isdisjoint(analyze(text[start:end])))


def cut_snippet(
    text: str,
    stems: Collection[str],
    weights: Mapping[str, float],
    ledd_starts: Sequence[int] = (),
    nearest: int | None = None,
) -> Snippet:
    """Return the part of `text` that says most about the query.

    A word matches that begins with one of `stems` (lower case); `weights` tells how much each says. `nearest` is
    the ledd, from 1, that is nearest in meaning; it counts where no word matches. The best ledd is the one whose
    distinct stems weigh most, the first of equals; inside it the window begins at the ledd's own start when the
    match is near.
    """
    matches = _matches(text, stems)
    if not matches:
        if nearest is None or nearest > len(ledd_starts):
            return Snippet(_cut(text, 0, 0, len(text)), None)
        low, high = ledd_starts[nearest - 1], [*ledd_starts, len(text)][nearest]
        return Snippet(_cut(text, low, low, high), nearest)
    ledd, low, high = _best_ledd(matches, weights, ledd_starts, len(text))
    inside = [match for match in matches if low <= match.start < high]
    start = _best_window(inside, weights)
    return Snippet(_cut(text, start, low, high), ledd)


def _matches(text: str, stems: Collection[str]) -> list[_Match]:
    """Return the words that begin with a stem, in order; where several do, the longest stem counts."""
    # Plain searches for each stem: a regular expression of them all takes ten times as long.
    looked_at = _lower(text[:MAX_LOOKED_AT])
    found: dict[int, str] = {}
    for stem in sorted(filter(None, stems), key=len):
        at = looked_at.find(stem)
        while at >= 0:
            if at == 0 or not _in_word(looked_at[at - 1]):
                found[at] = stem
            at = looked_at.find(stem, at + len(stem))
    return [_Match(at, _word_end(looked_at, at + len(found[at])), found[at]) for at in sorted(found)]


def _lower(text: str) -> str:
    """Return `text` in lower case, character for character."""
    lower = text.lower()
    if len(lower) == len(text):
        return lower
    return "".join(low if len(low := character.lower()) == 1 else character for character in text)


def _in_word(character: str) -> bool:
    return character.isalnum() or character == "_"


def _word_end(text: str, at: int) -> int:
    match = _REST.match(text, at)
    return match.end() if match else at


def _weight(matches: Sequence[_Match], weights: Mapping[str, float]) -> float:
    return sum(weights.get(stem, 1.0) for stem in {match.stem for match in matches})


def _best_ledd(
    matches: Sequence[_Match], weights: Mapping[str, float], starts: Sequence[int], length: int
) -> tuple[int | None, int, int]:
    """Return the best ledd's number and its span; the whole text when it has no ledd or none matches."""
    best: tuple[float, int] | None = None
    ends = [*starts[1:], length]
    for index, (low, high) in enumerate(zip(starts, ends, strict=False)):
        weight = _weight([match for match in matches if low <= match.start < high], weights)
        if weight and (best is None or weight > best[0]):
            best = (weight, index)
    if best is None:
        return None, 0, length
    return best[1] + 1, starts[best[1]], ends[best[1]]


def _best_window(matches: Sequence[_Match], weights: Mapping[str, float]) -> int:
    """Return where the window begins that holds the heaviest distinct stems, the first of equals."""
    best, start = -1.0, matches[0].start
    last = 0
    for first, match in enumerate(matches):
        last = max(last, first)
        while last + 1 < len(matches) and matches[last + 1].end - match.start <= MAX_SNIPPET - 2:
            last += 1
        weight = _weight(matches[first : last + 1], weights)
        if weight > best:
            best, start = weight, match.start
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
