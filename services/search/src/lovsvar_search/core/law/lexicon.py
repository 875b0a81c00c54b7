"""Other words for what people write: the law's own, and bokmål's for nynorsk's (docs/everyday-data.md)."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import snowballstemmer

from lovsvar_legaltext.language import may_be
from lovsvar_search.core.law.analysis import spoken_words
from lovsvar_search.core.retrieval.collection import Meanings

LONGEST = 4
"""Words of an everyday expression."""

MOST_WORDS = 80
"""Words of a query whose meanings are looked up."""

FOREIGN = 0.4
"""Weight of the words of an English question themselves: the law has few of them, and those by chance."""

LANGUAGES = ("nb", "nn", "en")

_Expressions = defaultdict[tuple[str, ...], dict[str, float]]


class BadLexicon(ValueError):
    """A curated file breaks its format. The message names the line and what is wrong with it."""


@dataclass(frozen=True, slots=True)
class Pair:
    """An everyday expression, and the law's word or words for it; `weight` from 0.2 to 1."""

    lang: str
    everyday: str
    legal: str
    weight: float


def parse_everyday_words(text: str) -> tuple[Pair, ...]:
    """Read `lang<TAB>everyday<TAB>legal<TAB>weight` lines; # begins a comment. Raises `BadLexicon`."""
    pairs: dict[tuple[str, str, str], Pair] = {}
    for number, columns in _lines(text, 4):
        lang, everyday, legal, weight = columns
        pair = Pair(lang, everyday, legal, _weight(weight, number))
        if lang not in LANGUAGES:
            raise BadLexicon(f"line {number}: the language is {lang!r}, not one of {', '.join(LANGUAGES)}")
        if not (1 <= len(spoken_words(everyday).all) <= LONGEST and 1 <= len(legal.split()) <= LONGEST):
            raise BadLexicon(f"line {number}: one to {LONGEST} words a side")
        key = (lang, everyday.casefold(), legal.casefold())
        if key in pairs:
            raise BadLexicon(f"line {number}: {everyday!r} → {legal!r} stands twice")
        pairs[key] = pair
    return tuple(pairs.values())


def parse_nynorsk(text: str) -> tuple[tuple[str, str], ...]:
    """Read `bokmål<TAB>nynorsk` lines; # begins a comment. Raises `BadLexicon`."""
    return tuple((bokmaal, nynorsk) for _, (bokmaal, nynorsk) in _lines(text, 2))


class Lexicon:
    """Looks up what else a word may be called (`Expansion`). Immutable once made."""

    def __init__(
        self, pairs: Iterable[Pair], variants: Iterable[tuple[str, str]], analyze: Callable[[str], Sequence[str]]
    ) -> None:
        """`analyze` is the index's own analyzer: text → terms as they are stored."""
        self.analyze = analyze
        self._stems: dict[str, str] = {}
        self._norwegian: _Expressions = defaultdict(dict)
        self._english: _Expressions = defaultdict(dict)
        for pair in pairs:
            # Taken apart as questions are: el-sykkel is said in two words.
            words = spoken_words(pair.everyday).all
            known, key = self._known(words, english=pair.lang == "en")
            terms = analyze(pair.legal)
            for term in terms:
                # Each word of a phrase says part of what the phrase says.
                weight = pair.weight / len(terms) ** 0.5
                known[key][term] = max(weight, known[key].get(term, 0.0))
        self._variants: defaultdict[str, set[str]] = defaultdict(set)
        for bokmaal, nynorsk in variants:
            ours, theirs = analyze(bokmaal), analyze(nynorsk)
            if len(ours) == len(theirs) == 1 and ours != theirs:
                self._variants[ours[0]].add(theirs[0])
                self._variants[theirs[0]].add(ours[0])

    def variants(self, term: str) -> tuple[str, ...]:
        """Return the terms of the other written form of Norwegian that mean `term`."""
        return tuple(sorted(self._variants.get(term, ())))

    def explain(self, words: Sequence[str]) -> Meanings:
        """Return the law's terms for what is said, in whichever language it may be said."""
        norwegian, english = may_be(words)
        found: dict[str, float] = {}
        explained: set[str] = set()
        words = words[:MOST_WORDS]
        for is_english in (language for language, may in ((False, norwegian), (True, english)) if may):
            meanings, used = self.meanings(words, english=is_english)
            explained.update(self.term(words[at]) for at in used)
            for term, weight in meanings.items():
                found[term] = max(weight, found.get(term, 0.0))
        return Meanings(found, explained, 1.0 if norwegian else FOREIGN)

    def meanings(self, words: Sequence[str], *, english: bool) -> tuple[dict[str, float], set[int]]:
        """Return the law's terms for what `words` (lower case, in order) say, weighted, and which words said it.

        The longest expression at each place counts. `english` takes them for English, else for Norwegian.
        """
        known, keys = self._known(words, english=english)
        found: dict[str, float] = {}
        used: set[int] = set()
        at = 0
        while at < len(keys):
            length = next((n for n in range(LONGEST, 0, -1) if keys[at : at + n] in known and at + n <= len(keys)), 0)
            if length:
                for term, weight in known[keys[at : at + length]].items():
                    found[term] = max(weight, found.get(term, 0.0))
                used.update(range(at, at + length))
            at += length or 1
        return found, used

    def _known(self, words: Sequence[str], *, english: bool) -> tuple[_Expressions, tuple[str, ...]]:
        """Return the expressions of a language, and words as they have them."""
        stem = english_stem if english else self.term
        return self._english if english else self._norwegian, tuple(map(stem, words))

    def term(self, word: str) -> str:
        """Return the term of a word; the word itself where the index drops it, as it does with stop words."""
        if word not in self._stems:
            if len(self._stems) > 100_000:
                self._stems.clear()
            self._stems[word] = next(iter(self.analyze(word)), word)
        return self._stems[word]


@lru_cache(maxsize=20_000)
def english_stem(word: str) -> str:
    """Return the stem of an English word."""
    # Of its own each time: a stemmer holds the word that it is at, and queries are read in several threads.
    return str(snowballstemmer.stemmer("english").stemWord(word))


def _lines(text: str, columns: int) -> Iterable[tuple[int, list[str]]]:
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        cells = [cell.strip() for cell in line.split("\t")]
        if len(cells) != columns or not all(cells):
            raise BadLexicon(f"line {number}: {columns} columns parted by tabs are wanted: {line!r}")
        yield number, cells


def _weight(text: str, number: int) -> float:
    try:
        weight = float(text)
    except ValueError:
        weight = 0.0
    if not 0.2 <= weight <= 1.0:
        raise BadLexicon(f"line {number}: the weight is {text!r}, not a number from 0.2 to 1.0")
    return weight
