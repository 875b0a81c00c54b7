"""Which ledd of a provision are shown, and how much of a long one.

A short provision is shown whole. Of a longer one, its first ledd is shown, which usually has the main rule, and the
ledd that meet the question best: by the question's words, where words that are rare among the provisions found weigh
more, and by signs of the amount or time that it asks for. A ledd is shown whole where it fits; else from its beginning,
and around the sentence or list item that meets the question best, with what comes before it, since a condition comes
before its effect. What is left out is marked.
"""

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from lovsvar_agent.core.extractive.cues import sign
from lovsvar_agent.core.layout import Line, is_quotable, lines
from lovsvar_contracts.law import BlockKind, Provision
from lovsvar_legaltext.sentences import sentence_spans
from lovsvar_legaltext.words import PART, Matcher, words

MAX_READ_CHARS = 30_000
"""How much of one provision is looked at; only annexes and long definitions are longer."""

MAX_LEDD = 500
"""Characters of a ledd that is shown whole beside others."""

MAX_PIECE = 1_500
"""A sentence or item longer than this is cut at a word border before it."""

MAX_LEDD_SHOWN = 5

_MAIN_RULE = 0.5
"""What being the first ledd adds to its score, in words of average weight."""

_NEAREST = 0.25
"""What being the ledd that search found adds."""

_EXPLAINED = 1.0
"""What being explained in plain words adds: people ask about those ledd."""

_LONG = 2_500
"""Characters by which a ledd's matches count half: a long one meets any question."""

_WORD = re.compile(r"[^\W_]+(?:-[^\W_]+)*")


@dataclass(frozen=True)
class Ledd:
    """A ledd of a provision: where it is in the stored text, and its sentences and list items, in order.

    A paragraph that is no numbered ledd has the `number` None.
    """

    start: int
    end: int
    number: int | None
    pieces: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Reading:
    """A provision read for a question: its ledd, and the question's words in each.

    `heading` are those in the provision's own heading, `around` those in its act's name and the headings of the
    divisions that hold it.
    """

    provision: Provision
    ledd: tuple[Ledd, ...]
    matches: tuple[Mapping[str, float], ...]
    heading: Mapping[str, float]
    around: Mapping[str, float]

    @property
    def own_words(self) -> frozenset[str]:
        """The question's words in heading or text, as words of their own and not in compounds alone."""
        return frozenset(w for found in (self.heading, *self.matches) for w, worth in found.items() if worth > PART)

    @property
    def matched(self) -> dict[str, float]:
        """The question's words in heading, surrounding headings or text, each with its best worth."""
        best = dict(self.around)
        for found in (self.heading, *self.matches):
            for word, worth in found.items():
                best[word] = max(worth, best.get(word, 0.0))
        return best


@dataclass(frozen=True)
class Excerpt:
    """A slice of a provision's stored text, which is quoted as it is.

    `main` is true where it begins with the provision's first ledd. `cut_before` and `cut_after` are true where its ledd
    has more. `marks` are the offsets in `text` of words that match the question.
    """

    start: int
    end: int
    text: str
    main: bool = False
    cut_before: bool = False
    cut_after: bool = False
    marks: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True)
class Focus:
    """What a question looks for in a provision: its words with their weights, and the places that are known.

    With `named`, the question names a ledd, and only that is shown. `nearest` is the ledd that search found,
    `explained` are those that people ask about most.
    """

    question: str
    matcher: Matcher
    weights: Mapping[str, float]
    named: int | None = None
    nearest: int | None = None
    explained: tuple[int, ...] = ()

    def score(self, text: str) -> float:
        """Return how well a text meets the question, in words of average weight; 0 when nothing does."""
        found = self.matcher.match(words(text))
        average = sum(self.weights.values()) / len(self.weights) if self.weights else 1.0
        matched = sum(worth * self.weights.get(word, 0.0) for word, worth in found.items()) / (average or 1.0)
        return matched / (1 + len(text) / _LONG) + sign(self.question, text)


def read(provision: Provision, matcher: Matcher) -> Reading:
    """Return `provision` with its ledd and the question's words in them."""
    found = tuple(_ledd(provision))
    return Reading(
        provision=provision,
        ledd=found,
        matches=tuple(matcher.match(words(provision.text[one.start : one.end])) for one in found),
        heading=matcher.match(words(provision.title)),
        around=matcher.match(words(" ".join((provision.act, *provision.path)))),
    )


def rarity(readings: Iterable[Reading], stems: Sequence[str]) -> dict[str, float]:
    """Return each question word's weight: high when few of the ledd found hold it."""
    held: Counter[str] = Counter()
    total = 0
    for reading in readings:
        for found in reading.matches:
            total += 1
            held.update(found.keys())
    return {s: math.log(1 + (total + 1) / (1 + held[s])) for s in stems}


def excerpts(reading: Reading, focus: Focus, room: int) -> tuple[Excerpt, ...]:
    """Return what is shown of a provision, about `room` characters, in reading order."""
    text = reading.provision.text
    shown = [one for one in reading.ledd if focus.named in (None, one.number)] or list(reading.ledd)
    fits = sum(one.end - one.start for one in shown) <= room
    if not fits:
        shown = _best(text, shown, focus, room)
    each = room if fits or len(shown) == 1 else min(room, MAX_LEDD)
    cut = [piece for one in shown for piece in _fit(text, one, focus, each)]
    joined = _join(text, cut)
    first = reading.ledd[0].start if reading.ledd else 0
    return tuple(replace(e, main=e.start == first, marks=_marks(e.text, focus.matcher)) for e in joined)


def _best(text: str, found: Sequence[Ledd], focus: Focus, room: int) -> list[Ledd]:
    """Return the first ledd and those that meet the question best, as many as fit, in reading order."""

    def score(place: int) -> float:
        one = found[place]
        known = _NEAREST * (one.number == focus.nearest) + _EXPLAINED * (one.number in focus.explained)
        return focus.score(text[one.start : one.end]) + known * (one.number is not None) + _MAIN_RULE * (place == 0)

    ranked = sorted(range(len(found)), key=lambda place: (-score(place), place))
    chosen = {0, next((place for place in ranked if place), 0)}
    left = room - sum(min(found[place].end - found[place].start, MAX_LEDD) for place in chosen)
    for place in ranked:
        length = min(found[place].end - found[place].start, MAX_LEDD)
        if place in chosen:
            continue
        if length > left or len(chosen) == MAX_LEDD_SHOWN:
            break
        chosen.add(place)
        left -= length
    return [found[place] for place in sorted(chosen)]


def _fit(text: str, one: Ledd, focus: Focus, room: int) -> Iterator[Excerpt]:
    """Yield a ledd whole, or its beginning and what is around the piece that meets the question best."""
    if one.end - one.start <= room or len(one.pieces) < 2:
        yield _slice(text, one.start, one.end, max(room, MAX_PIECE))
        return
    pieces = one.pieces
    best = max(range(len(pieces)), key=lambda n: (focus.score(text[slice(*pieces[n])]), -n))
    first = last = best
    # Backwards first: the condition is before its effect, and the lead-in before its items.
    while first > 0 and pieces[last][1] - pieces[first - 1][0] <= room:
        first -= 1
    while last + 1 < len(pieces) and pieces[last + 1][1] - pieces[first][0] <= room:
        last += 1
    skipped = False
    if first > 0:
        head = _slice(text, one.start, pieces[0][1], MAX_PIECE, cut_after=first > 1)
        skipped = head.cut_after
        yield head
    start = one.start if first == 0 else pieces[first][0]
    end = one.end if last + 1 == len(pieces) else pieces[last][1]
    most = max(room, MAX_PIECE)
    yield _slice(text, start, end, most, cut_before=skipped, cut_after=last + 1 < len(pieces))


def _slice(text: str, start: int, end: int, most: int, *, cut_before: bool = False, cut_after: bool = False) -> Excerpt:
    """Return a slice of a ledd; of one longer than `most` what is before a word border."""
    kept = end if end - start <= most else _word_border(text, start, most)
    return Excerpt(start, kept, text[start:kept], cut_before=cut_before, cut_after=cut_after or kept < end)


def _join(text: str, found: Iterable[Excerpt]) -> list[Excerpt]:
    """Join neighbours that have nothing but white space between them into one excerpt."""
    joined: list[Excerpt] = []
    for one in found:
        last = joined[-1] if joined else None
        if last and not text[last.end : one.start].strip():
            joined[-1] = replace(last, end=one.end, text=text[last.start : one.end], cut_after=one.cut_after)
        else:
            joined.append(one)
    return joined


def _ledd(provision: Provision) -> Iterator[Ledd]:
    """Yield the ledd of a provision; list items, and paragraphs inside a ledd, belong to it."""
    group: list[Line] = []
    for line in lines(provision):
        if line.end > MAX_READ_CHARS:
            break
        if group and (line.kind is BlockKind.LIST_ITEM or (line.ledd is not None and line.ledd == group[0].ledd)):
            group.append(line)
            continue
        if group:
            yield _of(provision.text, group)
        group = [line] if is_quotable(line) else []
    if group:
        yield _of(provision.text, group)


def _of(text: str, group: Sequence[Line]) -> Ledd:
    pieces: list[tuple[int, int]] = []
    for line in group:
        whole = line.kind is BlockKind.LIST_ITEM or not is_quotable(line)
        pieces += [(line.start, line.end)] if whole else sentence_spans(text, line.body, line.end)
    return Ledd(group[0].start, group[-1].end, group[0].ledd, tuple(pieces))


def _word_border(text: str, start: int, most: int) -> int:
    return max(text.rfind(" ", start, start + most), start + 1)


def _marks(text: str, matcher: Matcher) -> tuple[tuple[int, int], ...]:
    """Return where words of the question are in `text`; parts of a compound count as the whole of it."""
    return tuple(m.span() for m in _WORD.finditer(text) if matcher.match([m[0].casefold()]))
