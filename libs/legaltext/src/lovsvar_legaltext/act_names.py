"""The names of acts, and where a text has them.

Names are compared in a folded form: lower case, words only, with bokmål and nynorsk endings and the genitive made equal
(husleielova, husleieloven, husleielovens). A title means first the documents of exactly this title, then those with
this name. An abbreviation is a weak name, since many are ordinary words or very short: it needs a section next to it,
or to be the whole text.
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
"""A word; «m.v.» and «m.m.» are one word, like «mv.» and «mm.»."""

_AND_SO_ON = re.compile(r",?\s+(?:og\s+)?m\.?\s?[mv]\b\.?\s*$", re.IGNORECASE)
_BRACKETS = re.compile(r"[(\[]([^)\]]*)[)\]]")
_LAST_BRACKET = re.compile(r"\s*(?:\([^()]*(?:\([^()]*\)[^()]*)*\)|\[[^\[\]]*\])[\s.]*$")
CLOSING_BRACKET = re.compile(r"[\s.]*[)\]]")
_ENDING = re.compile(r"(lov|forskrift|forordning|ordning|instruks|traktat|konvensjon)(?:en|a)s?$")
_ACT_LIKE = re.compile(r"(?:lov|lova|loven|forskrift|forskrifta|forskriften|forordningen|instruksen|reglementet)$")
_ABBREVIATION = re.compile(r"[^\W\d_][\w-]{1,11}\.?")
_ACRONYM = re.compile(r"[A-ZÆØÅ]{2,6}\d{0,2}")
_AMENDING_TITLE = re.compile(r"(?:lov|forskrift|vedtak)\s+om\s+(?:midlertidige?\s+)?endring", re.IGNORECASE)

SHORTEST_PART = 8
"""Letters of a name from which it may be a part of others: "fiskeloven"."""

WEAK_LENGTH = 3
"""Letters that an act's own abbreviation needs to count without a section; an alias needs one more."""

ORDINARY = frozenset(
    {"bal", "barn", "dal", "dora", "fal", "fel", "fjell", "gol", "hol", "hul", "mil", "reach", "sel", "voksne"}
)
"""Abbreviations that are also ordinary words."""

_AMENDING = (("forskrift", "til"), ("forskrifter", "til"), ("endringslov", "til"), ("endringer", "i"), ("endring", "i"))


@dataclass(frozen=True, slots=True)
class Act:
    """The names of a document, and whether it is in force."""

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

    @property
    def amending(self) -> bool:
        """Whether its title says that it only changes other documents."""
        return _AMENDING_TITLE.match(self.title) is not None


@dataclass(frozen=True, slots=True)
class Named:
    """A name of acts in a text.

    `prefix` begins the section keys of a treaty printed inside an act (`gdpr/a`); several are separated by `|`. A weak
    name needs a section next to it, or to be the whole text. `others` have the name too, but it does not mean them
    without more.
    """

    start: int
    end: int
    refids: tuple[str, ...]
    prefix: str | None
    weak: bool
    others: tuple[str, ...] = ()


class _Rank(IntEnum):
    """The kinds of name: a document with a higher rank takes the name from those with a lower one."""

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
        """Return the documents with the name in full."""
        return (*(() if self.rank is _Rank.ABBREVIATION else self.refids), *self.others)


def fold(name: str) -> tuple[str, ...]:
    """Return the words of `name` in the form in which names are compared."""
    return tuple(_fold_word(word) for word in _WORD.findall(name.casefold()))


def _is_weak(words: tuple[str, ...], letters: int) -> bool:
    """Whether an abbreviation is too short or too ordinary to count as a name by itself."""
    return len(words) == 1 and (len(words[0]) < letters or words[0] in ORDINARY)


def _fold_word(word: str) -> str:
    if "." in word:
        return "".join(letter for letter in word if letter.isalpha())
    return _ENDING.sub(r"\1en", word)


class ActNames:
    """The names of every document of one corpus version. Immutable; lookups do no I/O."""

    def __init__(
        self, acts: Iterable[Act], parts: Iterable[tuple[str, str]] = (), aliases: Iterable[Alias] = ()
    ) -> None:
        """`parts` has (refid, prefix) for each prefix of section keys, such as `gdpr` in `gdpr/a5`.

        Aliases of documents that are not among `acts` are ignored.
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
            # A full name outranks another act's abbreviation, and a title outranks a name.
            entry.others = tuple(other for other in entry.bearers() if other != refid)
            entry.refids = []
        entry.refids.append(refid)
        entry.rank = rank
        entry.weak = rank is _Rank.ABBREVIATION and _is_weak(words, WEAK_LENGTH)

    def _add_alias(self, alias: Alias) -> None:
        """Add a name of the curated file; an act in force keeps its name unless a later act has replaced it."""
        words = fold(alias.name)
        if alias.refid not in self._acts or not words:
            return
        if (entry := self._entries.get(words)) and self._names_another_in_force(entry, alias.refid):
            return
        if alias.prefix == "a":
            self._plain.add(alias.refid)
        own = entry is not None and alias.refid in entry.refids and not entry.weak
        # Treaties with one prefix have names such as GDPR and EMK; those in parts have BK, KDK, SP and ØSK.
        known = alias.prefix is not None and "|" not in alias.prefix
        weak = not own and not known and _is_weak(words, WEAK_LENGTH + 1)
        bearers = () if entry is None else entry.bearers()
        others = tuple(refid for refid in bearers if refid != alias.refid)
        self._entries[words] = _Entry([alias.refid], alias.prefix, weak=weak, others=others)

    def _names_another_in_force(self, entry: _Entry, refid: str) -> bool:
        valid = [other for other in entry.refids if self._acts[other].in_force is InForce.YES]
        if entry.prefix or len(valid) != 1 or valid[0] == refid:
            return False
        # An act that a later one replaced may still be marked as in force.
        day, other_day = (one.partition("/")[2][:10] for one in (refid, valid[0]))
        return not (self._acts[refid].in_force is InForce.YES and day > other_day)

    def __iter__(self) -> Iterator[Act]:
        """Yield every document."""
        return iter(self._acts.values())

    def names(self) -> Iterator[tuple[str, tuple[str, ...]]]:
        """Yield every name in its folded form, with the documents of that name, those first that it means by itself."""
        for words, entry in self._entries.items():
            meant = self._meant_by(entry)
            yield " ".join(words), tuple(dict.fromkeys((*meant, *entry.refids, *entry.others)))

    def get(self, refid: str) -> Act | None:
        """Return the document of that refid, if it is in the corpus."""
        return self._acts.get(refid)

    def names_of(self, refid: str) -> Iterator[tuple[str, ...]]:
        """Yield the folded names that mean this document by themselves. Looks through all names."""
        for words, entry in self._entries.items():
            if refid in (*entry.refids, *entry.others) and refid in self._meant_by(entry):
                yield words

    def parts(self, refid: str) -> tuple[str, ...]:
        """Return the prefixes of section keys in a document: ("gdpr",) for personopplysningsloven."""
        return tuple(self._parts.get(refid, ()))

    def has_one_part(self, refid: str) -> bool:
        """Whether a document has one treaty printed inside; some of its articles may then lack the prefix."""
        return len(self._parts.get(refid, ())) == 1 and refid not in self._plain

    def ministries_like(self, part: str) -> tuple[str, ...]:
        """Return the ministries whose names contain `part`, in any case."""
        return _holding(part, self._ministries)

    def legal_areas_like(self, part: str) -> tuple[str, ...]:
        """Return the legal areas whose names contain `part`, in any case."""
        return _holding(part, self._legal_areas)

    def in_force_among(self, refids: tuple[str, ...]) -> tuple[str, ...]:
        """Return the document in force if exactly one of `refids` is, else all of them."""
        valid = tuple(r for r in refids if (act := self._acts.get(r)) and act.in_force is InForce.YES)
        return valid if len(valid) == 1 else refids

    def like(self, name: str) -> str | None:
        """Return the one-word name that `name` is most likely a misspelling of."""
        word = "".join(fold(name))
        near = [n[0] for n in self._entries if len(n) == 1 and n[0][:1] == word[:1] and abs(len(n[0]) - len(word)) <= 2]
        return next(iter(get_close_matches(word, near, n=1, cutoff=0.85)), None)

    def alike(self, name: str, most: int) -> tuple[str, ...]:
        """Return at most `most` acts whose one-word names end in `name`, or begin with it but for «loven».

        «Pensjonsloven» is the end of «innskuddspensjonsloven», «yrkesskadeloven» begins like «yrkesskadetrygdloven».
        Those in force come first. None for a name of several words, or of fewer than `SHORTEST_PART` letters.
        """
        folded = fold(name)
        if len(folded) != 1 or len(folded[0]) < SHORTEST_PART:
            return ()
        ending, beginning = folded[0], folded[0].removesuffix("loven")
        found = dict.fromkeys(
            refid
            for (word, *more), entry in self._entries.items()
            if not more and (word.endswith(ending) or (word.startswith(beginning) and word.endswith("loven")))
            for refid in entry.refids
        )
        laws = (refid for refid in found if self._acts[refid].law_type is LawType.LOV)
        return tuple(sorted(laws, key=lambda refid: self._acts[refid].in_force is not InForce.YES))[:most]

    def find(self, text: str) -> list[Named]:
        """Return the names of acts in `text`, the longest one at each place, in reading order."""
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
        """Return the documents that a name means by itself: of those with it, the one in force if exactly one is.

        The title of a repealed act also means the acts with that name.
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
    """Return the end of a name, with the closing brackets after it of those opened in it."""
    inside = text[start:end]
    opened = sum(inside.count(sign) for sign in "([") - sum(inside.count(sign) for sign in ")]")
    while opened > 0 and (bracket := CLOSING_BRACKET.match(text, end)):
        opened, end = opened - 1, bracket.end()
    return end


def strong_names(act: Act) -> list[str]:
    """Return the full names of an act.

    Short title and title, with and without brackets and a final «mv.», and the name in the title's brackets.
    """
    whole = [act.short_title, act.title]
    names = [*(_BRACKETS.sub("", name) for name in whole), *whole, _LAST_BRACKET.sub("", act.title)]
    names += [_AND_SO_ON.sub("", name) for name in names]
    if not act.amending:
        names += [inner for inner in _BRACKETS.findall(act.title) if _ACT_LIKE.search(inner.casefold().strip())]
    return list(dict.fromkeys(names))


def weak_names(act: Act) -> list[str]:
    """Return the abbreviations of an act; a regulation's must be an acronym, since its bracket is often a word."""
    if act.amending:
        return []
    candidates = [act.abbreviation, *_BRACKETS.findall(act.short_title)]
    pattern = _ABBREVIATION if act.law_type is LawType.LOV else _ACRONYM
    return [name for name in candidates if pattern.fullmatch(name)]
