"""What acts are called, and where a text calls them so.

A name is compared in a folded form: lower case, words alone, bokmål and nynorsk endings and the genitive
made one (husleielova, husleieloven, husleielovens). A title names before all the documents that bear exactly
it, however long it is and whatever else it names; then those that are also called so. An abbreviation is a weak
name: many are ordinary words or too short to be told from one, so that it needs a section beside it, or to stand
alone.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from enum import IntEnum

from lovsvar_contracts.law import InForce, LawType
from lovsvar_legaltext.aliases import Alias

_WORD = re.compile(r"\bm\.\s?[mv]\b|\w+", re.IGNORECASE)
"""A word; «m.v.» and «m.m.» are one, as «mv.» and «mm.» are."""

_AND_SO_ON = re.compile(r",?\s+(?:og\s+)?m\.?\s?[mv]\b\.?\s*$", re.IGNORECASE)
_BRACKETS = re.compile(r"[(\[]([^)\]]*)[)\]]")
_LAST_BRACKET = re.compile(r"\s*(?:\([^()]*(?:\([^()]*\)[^()]*)*\)|\[[^\[\]]*\])[\s.]*$")
_CLOSING = re.compile(r"[\s.]*[)\]]")
_ENDING = re.compile(r"(lov|forskrift|forordning|ordning|instruks|traktat|konvensjon)(?:en|a)s?$")
_ACT_LIKE = re.compile(r"(?:lov|lova|loven|forskrift|forskrifta|forskriften|forordningen|instruksen|reglementet)$")
_ABBREVIATION = re.compile(r"[^\W\d_][\w-]{1,11}\.?")
_ACRONYM = re.compile(r"[A-ZÆØÅ]{2,6}\d{0,2}")
_AMENDING_TITLE = re.compile(r"(?:lov|forskrift|vedtak)\s+om\s+(?:midlertidige?\s+)?endring", re.IGNORECASE)

WEAK_LENGTH = 3
"""Letters that an act's own abbreviation needs to count without a section beside it; an alias needs one more."""

ORDINARY = frozenset(
    {"bal", "barn", "dal", "dora", "fal", "fel", "fjell", "gol", "hol", "hul", "mil", "reach", "sel", "voksne"}
)
"""Abbreviations that are words of their own."""

_AMENDING = (("forskrift", "til"), ("forskrifter", "til"), ("endringslov", "til"), ("endringer", "i"), ("endring", "i"))


@dataclass(frozen=True, slots=True)
class Act:
    """What a document is called, and whether it is law today."""

    refid: str
    title: str
    short_title: str
    abbreviation: str
    law_type: LawType
    in_force: InForce
    ministries: tuple[str, ...] = ()
    legal_areas: tuple[str, ...] = ()

    @property
    def act(self) -> str:
        """Short title of the document, or its title."""
        return self.short_title or self.title


@dataclass(frozen=True, slots=True)
class Named:
    """A place in a text that names acts.

    `prefix` begins the names of articles of what is printed inside an act (`gdpr/a`); several are parted by `|`.
    A weak name needs a section beside it, or to stand alone. `others` bear the name, too, and are not meant by
    it alone.
    """

    start: int
    end: int
    refids: tuple[str, ...]
    prefix: str | None
    weak: bool
    others: tuple[str, ...] = ()


class _Rank(IntEnum):
    """How surely a name is a document's: a higher rank takes the name from documents of a lower one."""

    ABBREVIATION = 1
    NAME = 2
    TITLE = 3


@dataclass(slots=True)
class _Entry:
    refids: list[str]
    prefix: str | None = None
    rank: _Rank = _Rank.ABBREVIATION
    weak: bool = False
    others: tuple[str, ...] = ()

    def bearers(self) -> tuple[str, ...]:
        """Return the documents that bear the name in full."""
        return (*(() if self.rank is _Rank.ABBREVIATION else self.refids), *self.others)


def fold(name: str) -> tuple[str, ...]:
    """Return the words of `name` in the form in which names are compared."""
    return tuple(_fold_word(word) for word in _WORD.findall(name.casefold()))


def _date(refid: str) -> str:
    """Return the date of a document, as its refid has it: 1999-03-26."""
    return refid.partition("/")[2][:10]


def _is_weak(words: tuple[str, ...], letters: int) -> bool:
    """Whether an abbreviation is too short, or too much a word of its own, to be told from other text."""
    return len(words) == 1 and (len(words[0]) < letters or words[0] in ORDINARY)


def _fold_word(word: str) -> str:
    if "." in word:
        return "".join(letter for letter in word if letter.isalpha())
    return _ENDING.sub(r"\1en", word)


class ActNames:
    """The names of every document of one corpus version. Immutable once made; lookups do no I/O."""

    def __init__(
        self, acts: Iterable[Act], parts: Iterable[tuple[str, str]] = (), aliases: Iterable[Alias] = ()
    ) -> None:
        """`parts` holds (refid, prefix) for each prefix of section names such as `gdpr` in `gdpr/a5`.

        An alias of a document that is not among `acts` is not used.
        """
        self._acts = {act.refid: act for act in acts}
        self._parts: dict[str, list[str]] = defaultdict(list)
        self._entries: dict[tuple[str, ...], _Entry] = {}
        for act in self._acts.values():
            self._add(fold(act.title), act.refid, _Rank.TITLE)
            for name in strong_names(act):
                self._add(fold(name), act.refid)
            for name in weak_names(act):
                self._add(fold(name), act.refid, _Rank.ABBREVIATION)
        for refid, part in parts:
            self._parts[refid].append(part)
            self._add((part,), refid, prefix=f"{part}/a")
        self._plain: set[str] = set()
        for alias in aliases:
            self._add_alias(alias)
        self._longest: dict[str, int] = defaultdict(int)
        for words in self._entries:
            self._longest[words[0]] = max(self._longest[words[0]], len(words))
        self._ministries = frozenset(ministry for act in self._acts.values() for ministry in act.ministries)
        self._legal_areas = frozenset(area for act in self._acts.values() for area in act.legal_areas)

    def _add(self, words: tuple[str, ...], refid: str, rank: _Rank = _Rank.NAME, *, prefix: str | None = None) -> None:
        if not words:
            return
        entry = self._entries.setdefault(words, _Entry([], prefix, rank))
        if refid in entry.refids and rank <= entry.rank:
            return
        if rank < entry.rank:
            entry.others += (refid,) if rank is _Rank.NAME and refid not in entry.others else ()
            return
        if rank > entry.rank:
            # A full name outranks another act's abbreviation of the same letters, and a title what is called like it.
            entry.others = tuple(other for other in entry.bearers() if other != refid)
            entry.refids = []
        entry.refids.append(refid)
        entry.rank = rank
        entry.weak = rank is _Rank.ABBREVIATION and _is_weak(words, WEAK_LENGTH)

    def _add_alias(self, alias: Alias) -> None:
        """Let a name mean what the curated file says; an act in force keeps its name unless a later one takes over."""
        words = fold(alias.name)
        if alias.refid not in self._acts or not words:
            return
        if (entry := self._entries.get(words)) and self._names_another_in_force(entry, alias.refid):
            return
        if alias.prefix == "a":
            self._plain.add(alias.refid)
        own = entry is not None and alias.refid in entry.refids and not entry.weak
        # A treaty with one prefix is known by names such as GDPR and EMK; those in parts by BK, KDK, SP and ØSK.
        known = alias.prefix is not None and "|" not in alias.prefix
        weak = not own and not known and _is_weak(words, WEAK_LENGTH + 1)
        bearers = () if entry is None else entry.bearers()
        others = tuple(refid for refid in bearers if refid != alias.refid)
        self._entries[words] = _Entry([alias.refid], alias.prefix, weak=weak, others=others)

    def _names_another_in_force(self, entry: _Entry, refid: str) -> bool:
        valid = [other for other in entry.refids if self._acts[other].in_force is InForce.YES]
        if entry.prefix or len(valid) != 1 or valid[0] == refid:
            return False
        # An act may stand as in force after another has taken its place, when nothing in its own text says so.
        succeeds = self._acts[refid].in_force is InForce.YES and _date(refid) > _date(valid[0])
        return not succeeds

    def __iter__(self) -> Iterator[Act]:
        """Yield every document."""
        return iter(self._acts.values())

    def __len__(self) -> int:
        return len(self._acts)

    def get(self, refid: str) -> Act | None:
        """Return the document of that refid, if it is in the corpus."""
        return self._acts.get(refid)

    def parts(self, refid: str) -> tuple[str, ...]:
        """Return the prefixes of section names in a document: ("gdpr",) for personopplysningsloven."""
        return tuple(self._parts.get(refid, ()))

    def has_one_part(self, refid: str) -> bool:
        """Whether one thing alone is printed inside a document; a few of its articles may then lack the prefix."""
        return len(self._parts.get(refid, ())) == 1 and refid not in self._plain

    def ministries_like(self, part: str) -> tuple[str, ...]:
        """Return the ministries whose names hold `part`, whatever its case."""
        return _holding(part, self._ministries)

    def legal_areas_like(self, part: str) -> tuple[str, ...]:
        """Return the legal areas whose names hold `part`, whatever its case."""
        return _holding(part, self._legal_areas)

    def in_force_among(self, refids: tuple[str, ...]) -> tuple[str, ...]:
        """Return the one document in force when exactly one of `refids` is, else all of them."""
        valid = tuple(r for r in refids if (act := self._acts.get(r)) and act.in_force is InForce.YES)
        return valid if len(valid) == 1 else refids

    def like(self, name: str) -> str | None:
        """Return the one-word name that `name` is most likely a misspelling of."""
        word = "".join(fold(name))
        near = [n[0] for n in self._entries if len(n) == 1 and n[0][:1] == word[:1] and abs(len(n[0]) - len(word)) <= 2]
        return next(iter(get_close_matches(word, near, n=1, cutoff=0.85)), None)

    def find(self, text: str) -> list[Named]:
        """Return where `text` names acts, the longest name at each place, in reading order."""
        words = [(_fold_word(m.group().casefold()), m.start(), m.end()) for m in _WORD.finditer(text)]
        found: list[Named] = []
        at = 0
        while at < len(words):
            length, entry = self._longest_at(words, at)
            if entry is None:
                at += 1
                continue
            start = words[at][1]
            end = _past_bracket(text, start, words[at + length - 1][2])
            if at >= 2 and (words[at - 2][0], words[at - 1][0]) in _AMENDING:
                # «forskrift til husleieloven» is another document than the act that it names.
                found.append(Named(words[at - 2][1], end, (), None, weak=False))
            else:
                refids = self._meant_by(entry)
                others = tuple(refid for refid in (*entry.refids, *entry.others) if refid not in refids)
                found.append(Named(start, end, refids, entry.prefix, entry.weak, others))
            at += length
        return found

    def _meant_by(self, entry: _Entry) -> tuple[str, ...]:
        """Return the documents that a name means by itself: of those that bear it, the one in force if one alone is.

        The title of an act that was repealed means the one in force that is called so, too.
        """
        refids = tuple(entry.refids)
        if entry.rank is _Rank.TITLE and all(self._acts[refid].in_force is InForce.REPEALED for refid in refids):
            refids += entry.others
        return self.in_force_among(refids)

    def _longest_at(self, words: list[tuple[str, int, int]], at: int) -> tuple[int, _Entry | None]:
        for length in range(min(self._longest.get(words[at][0], 0), len(words) - at), 0, -1):
            if entry := self._entries.get(tuple(word for word, _, _ in words[at : at + length])):
                return length, entry
        return 0, None


def _holding(part: str, names: Iterable[str]) -> tuple[str, ...]:
    wanted = part.strip().casefold()
    return tuple(sorted(name for name in names if wanted in name.casefold()))


def _past_bracket(text: str, start: int, end: int) -> int:
    """Return where a name ends, with the brackets behind it that close those opened in it."""
    inside = text[start:end]
    opened = sum(inside.count(sign) for sign in "([") - sum(inside.count(sign) for sign in ")]")
    while opened > 0 and (bracket := _CLOSING.match(text, end)):
        opened, end = opened - 1, bracket.end()
    return end


def strong_names(act: Act) -> list[str]:
    """Return the full names of an act.

    Short title and title, with and without their brackets and what is but «mv.», and the name that the title
    gives in brackets.
    """
    whole = [act.short_title, act.title]
    names = [*(_BRACKETS.sub("", name) for name in whole), *whole, _LAST_BRACKET.sub("", act.title)]
    names += [_AND_SO_ON.sub("", name) for name in names]
    if not _AMENDING_TITLE.match(act.title):
        names += [inner for inner in _BRACKETS.findall(act.title) if _ACT_LIKE.search(inner.casefold().strip())]
    return list(dict.fromkeys(names))


def weak_names(act: Act) -> list[str]:
    """Return the abbreviations of an act; a regulation's must be an acronym, as what stands there is often a word."""
    if _AMENDING_TITLE.match(act.title):
        return []
    candidates = [act.abbreviation, *_BRACKETS.findall(act.short_title)]
    pattern = _ABBREVIATION if act.law_type is LawType.LOV else _ACRONYM
    return [name for name in candidates if pattern.fullmatch(name)]
