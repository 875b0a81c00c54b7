"""Which passages of a provision answer a question.

A passage is a slice of the stored text: a sentence, or a list's lead-in with its items. Each is scored by
the question's words that it holds, where words that are rare among the provisions found weigh more, and
by signs of an amount or a time where the question asks for one.
"""

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from lovsvar_agent.core.cues import sign
from lovsvar_agent.core.layout import Line, is_quotable, lines
from lovsvar_contracts.law import BlockKind, Provision
from lovsvar_legaltext.sentences import sentence_spans
from lovsvar_legaltext.words import Matcher, words

MAX_READ_CHARS = 30_000
"""How much of one provision is looked at; only annexes and long definitions are longer."""

MAX_PASSAGE = 700
"""A list longer than this is quoted as its lead-in and the items that fit best."""

MAX_SENTENCE = 1_500
"""A sentence or item longer than this is quoted up to a word border before it."""

_NEAREST_LEDD = 0.25
"""What being in the ledd that search found adds to a passage's score, in words of average weight: it breaks ties."""

_STATES_RULE = 0.6
"""What stating a rule adds where nothing distinguishes passages: more than being first, less than `_FOUND_LEDD`."""

_FOUND_LEDD = 1.5
"""What being in the ledd that search found adds where nothing else distinguishes passages."""

_RULE = re.compile(
    r"\b(?:skal|kan|må|bør|plikter|har (?:rett|krav|plikt)|forbud\w*|straff\w*|kreves|krevst|pliktar|shall|may)\b",
    re.IGNORECASE,
)

MAX_QUOTES = 3
MAX_QUOTED_CHARS = 1_000
_KEEP = 0.7
"""A further passage is quoted when it scores at least this share of the best."""


@dataclass(frozen=True)
class Passage:
    """A slice of a provision's stored text that can be quoted as it is.

    `parts` are the lead-in and items of a list that is too long to be quoted whole.
    """

    start: int
    end: int
    text: str
    ledd: int | None
    parts: tuple["Passage", ...] = ()


@dataclass(frozen=True)
class Reading:
    """A provision read for a question: its passages, and the question's words in each.

    `heading` are those in the provision's own heading, `around` those in its act's name and the headings
    of the divisions that hold it.
    """

    provision: Provision
    passages: tuple[Passage, ...]
    matches: tuple[Mapping[str, float], ...]
    heading: Mapping[str, float]
    around: Mapping[str, float]

    @property
    def matched(self) -> dict[str, float]:
        """The question's words in heading, surrounding headings or text, each with its best worth."""
        best = dict(self.around)
        for found in (self.heading, *self.matches):
            for word, worth in found.items():
                best[word] = max(worth, best.get(word, 0.0))
        return best


@dataclass(frozen=True)
class _Scored:
    """A passage's score, and whether it gives the amount or time that is asked for."""

    passage: Passage
    score: float
    gives_sign: bool


def passages(provision: Provision) -> tuple[Passage, ...]:
    """Return what can be quoted of a provision, in reading order."""
    text = provision.text[:MAX_READ_CHARS]
    found: list[Passage] = []
    group: list[Line] = []
    for line in lines(provision):
        if line.end > len(text):
            break
        if group and line.kind is BlockKind.LIST_ITEM:
            group.append(line)
            continue
        found.extend(_split(text, group))
        group = [line] if is_quotable(line) else []
    found.extend(_split(text, group))
    return tuple(found)


def read(provision: Provision, matcher: Matcher) -> Reading:
    """Return `provision` with its passages and the question's words in them."""
    found = passages(provision)
    return Reading(
        provision=provision,
        passages=found,
        matches=tuple(matcher.match(words(p.text)) for p in found),
        heading=matcher.match(words(provision.title)),
        around=matcher.match(words(" ".join((provision.act, *provision.path)))),
    )


def rarity(readings: Iterable[Reading], stems: Sequence[str]) -> dict[str, float]:
    """Return each question word's weight: high when few of the passages found hold it."""
    held: Counter[str] = Counter()
    total = 0
    for reading in readings:
        for found in reading.matches:
            total += 1
            held.update(found.keys())
    return {s: math.log(1 + (total + 1) / (1 + held[s])) for s in stems}


def choose(
    reading: Reading,
    matcher: Matcher,
    question: str,
    weights: Mapping[str, float],
    ledd: int | None = None,
    nearest: int | None = None,
) -> tuple[Passage, ...]:
    """Return what to quote, at most three pieces and about a thousand characters, in reading order.

    With `ledd` only from there. `nearest` is the ledd that search found: it decides, and then the first that
    states a rule, where neither words nor a sign of an amount or a time do. A question without words of its
    own is answered by the beginning. Where the best passage gives the amount or time that is asked for, only
    such passages are quoted.
    """
    read_for = [
        (passage, found, place)
        for place, (passage, found) in enumerate(zip(reading.passages, reading.matches, strict=True))
        if ledd is None or passage.ledd == ledd
    ]
    blind = bool(weights) and not any(found or sign(question, passage.text) for passage, found, _ in read_for)
    scored = [
        _score(passage, found, question, weights, _lean(passage, found, place, nearest, blind=blind))
        for passage, found, place in read_for
    ]
    scored.sort(key=lambda s: s.score, reverse=True)
    chosen: list[Passage] = []
    length = 0
    for candidate in scored[:MAX_QUOTES]:
        best = scored[0]
        is_near = candidate.score >= _KEEP * best.score and candidate.gives_sign == best.gives_sign
        fits = length + len(candidate.passage.text) <= MAX_QUOTED_CHARS
        if not chosen or (fits and (is_near or not weights)):
            chosen.extend(_shorten(candidate.passage, matcher, weights))
            length = sum(len(p.text) for p in chosen)
    return _join(reading.provision.text, sorted(chosen, key=lambda p: p.start))


def _shorten(passage: Passage, matcher: Matcher, weights: Mapping[str, float]) -> tuple[Passage, ...]:
    """Return a passage as what is quoted of it: itself, or a long list's lead-in and its best items."""
    if not passage.parts:
        return (passage,)
    lead, *items = passage.parts
    ranked = sorted(items, key=lambda p: _weigh(matcher.match(words(p.text)), weights), reverse=True)
    return (lead, *ranked[: MAX_QUOTES - 1])


def _join(text: str, chosen: Sequence[Passage]) -> tuple[Passage, ...]:
    """Join neighbours with nothing but white space between them, within a ledd, into one quote."""
    joined: list[Passage] = []
    for passage in chosen:
        last = joined[-1] if joined else None
        if last and last.ledd == passage.ledd and not text[last.end : passage.start].strip():
            joined[-1] = Passage(last.start, passage.end, text[last.start : passage.end], last.ledd)
        else:
            joined.append(passage)
    return tuple(joined)


def _split(text: str, group: Sequence[Line]) -> list[Passage]:
    """Split one line, or a lead-in with its list items, into passages."""
    if not group:
        return []
    lead, *items = group
    spans = list(sentence_spans(text, lead.body, lead.end))
    found = [_passage(text, a, b, lead.ledd) for a, b in (spans[:-1] if items else spans)]
    if items and spans:
        start, end = spans[-1][0], items[-1].end
        parts: tuple[Passage, ...] = ()
        if end - start > MAX_PASSAGE:
            slices = [(start, lead.end), *((i.start, i.end) for i in items)]
            parts = tuple(_passage(text, a, b, lead.ledd) for a, b in slices)
        found.append(Passage(start, end, text[start:end], lead.ledd, parts))
    return found


def _passage(text: str, start: int, end: int, ledd: int | None) -> Passage:
    if end - start > MAX_SENTENCE:
        end = max(text.rfind(" ", start, start + MAX_SENTENCE), start + 1)
    return Passage(start, end, text[start:end], ledd)


def _weigh(found: Mapping[str, float], weights: Mapping[str, float]) -> float:
    return sum(worth * weights.get(word, 0.0) for word, worth in found.items())


def _score(
    passage: Passage, found: Mapping[str, float], question: str, weights: Mapping[str, float], lean: float
) -> _Scored:
    """Weigh a passage; a sign of what is asked, and `lean`, count in units of one word of average weight."""
    unit = sum(weights.values()) / len(weights) if weights else 1.0
    signs = sign(question, passage.text)
    return _Scored(passage, _weigh(found, weights) + unit * (signs + lean), gives_sign=signs > 0)


def _lean(passage: Passage, found: Mapping[str, float], place: int, nearest: int | None, *, blind: bool) -> float:
    """Return the ranking signals of a passage but its words: its place, its ledd and, when `blind`, that it rules."""
    here = nearest is not None and passage.ledd == nearest
    early = 0.5 / (1 + place)
    if not blind:
        return early + _NEAREST_LEDD * (here and bool(found))
    return early + _FOUND_LEDD * here + _STATES_RULE * bool(_RULE.search(passage.text))
