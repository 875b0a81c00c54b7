"""Compounds, such as `oppsigelse-s-frist`, taken apart and put together as far as the corpus itself uses the parts."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from functools import lru_cache
from itertools import pairwise

from lovsvar_search.core.retrieval.analysis import Analyzer, Compounds, Vocabulary
from lovsvar_search.core.retrieval.collection import Meanings

LONGEST = 60
"""Letters of a word that is taken apart. The cost grows with their square."""

SHORTEST_END = 4
"""Letters of the last part of a compound, in every language: shorter ones are endings."""

REMEMBERED = 100_000
"""Words that are remembered with their terms, or with their parts."""

MANY_ENDS = 2
"""Words of the collection that must follow a beginning which is no word of its own there."""


def take_apart(word: str, vocabulary: Vocabulary) -> tuple[str, ...]:
    """Return the terms of the two parts of a compound, in order; () for what is none or is better left whole."""
    compounds = vocabulary.analyzer.compounds
    if compounds is None or not 2 * compounds.shortest < len(word) <= LONGEST or not word.isalpha():
        return ()
    if _frequency(word, vocabulary) > compounds.rare:
        return ()
    best: tuple[int, tuple[str, ...]] = (0, ())
    for first, second in _cuts(word, compounds):
        frequencies = [_frequency(part, vocabulary) for part in (first, second)]
        if min(frequencies) >= compounds.common and min(frequencies) > best[0]:
            best = (min(frequencies), (*vocabulary.analyze(first), *vocabulary.analyze(second)))
    return best[1]


def put_together(words: Sequence[str], vocabulary: Vocabulary) -> Iterator[str]:
    """Yield the terms of compounds that the corpus has of two words that follow each other."""
    compounds = vocabulary.analyzer.compounds
    if compounds is None:
        return
    for first, second in pairwise(words):
        if min(len(first), len(second)) < compounds.shortest or not (first + second).isalpha():
            continue
        for link in compounds.links:
            terms = vocabulary.analyze(first + link + second)
            if len(terms) == 1 and vocabulary.frequency(terms[0]) >= compounds.known:
                yield terms[0]


def _cuts(word: str, compounds: Compounds) -> Iterator[tuple[str, str]]:
    for at in range(compounds.shortest, len(word) - compounds.shortest + 1):
        for link in compounds.links:
            first = word[:at]
            if word.startswith(link, at) and len(word) - at - len(link) >= compounds.shortest:
                second = word[at + len(link) :]
                if compounds.no_parts.isdisjoint((first, second)):
                    yield first, second


def _frequency(word: str, vocabulary: Vocabulary) -> int:
    terms = vocabulary.analyze(word)
    return vocabulary.frequency(terms[0]) if len(terms) == 1 else 0


class WordList:
    """The `Vocabulary` of a small collection before there is an index: its words in lower case, each once.

    `analyze` is the index's own.
    """

    def __init__(self, words: Iterable[str], analyzer: Analyzer, analyze: Callable[[str], Sequence[str]]) -> None:
        self.analyzer = analyzer
        self._analyze = lru_cache(REMEMBERED)(lambda text: tuple(analyze(text)))
        self.words = tuple(words)
        self.items = len(self.words)
        self._frequencies = Counter(term for word in self.words for term in self._analyze(word))

    def analyze(self, text: str) -> Sequence[str]:
        """Return the terms of a word."""
        return self._analyze(text)

    def frequency(self, term: str) -> int:
        """Return how many words have a term."""
        return self._frequencies[term]


class CompoundWords:
    """The compounds of a small collection, taken apart by its own words: rugklachten, where there are klachten.

    What begins several compounds is a part, though no item uses it by itself. As an `Expansion` of queries it adds the
    parts of a compound to it; the parts of items' words are to be indexed with them, so that either finds the other.
    """

    def __init__(self, vocabulary: WordList) -> None:
        self._vocabulary = vocabulary
        self._beginnings = _beginnings(vocabulary)
        self._known: dict[str, tuple[str, ...]] = {}

    def parts(self, word: str) -> tuple[str, ...]:
        """Return the parts of a compound and theirs, in lower case; none for what is no compound."""
        known = self._known.get(word)
        if known is None:
            cut = self._cut(word) or ()
            known = tuple(dict.fromkeys([*cut, *(smaller for part in cut for smaller in self.parts(part))]))
            if len(self._known) < REMEMBERED:
                self._known[word] = known
        return known

    def parts_in(self, texts: Iterable[str]) -> str:
        """Return the parts of all compounds in texts, each as often as it is in them."""
        words = (word for text in texts for word in self._vocabulary.analyzer.spoken(text).all)
        return " ".join(part for word in words for part in self.parts(word))

    def variants(self, term: str) -> Sequence[str]:
        """Return no terms: a word counts as itself alone."""
        return ()

    def explain(self, words: Sequence[str]) -> Meanings:
        """Return the parts of the compounds among `words`."""
        asking, analyze = self._vocabulary.analyzer.asking, self._vocabulary.analyze
        parts = (part for word in words if word not in asking for part in self.parts(word))
        return Meanings({term: 1.0 for part in parts for term in analyze(part)}, frozenset())

    def _cut(self, word: str) -> tuple[str, str] | None:
        """Return the two parts of a compound, the shorter as long as can be."""
        if not _may_be_compound(word, self._vocabulary):
            return None
        whole = self._vocabulary.analyze(word)
        cuts = (
            (first, second)
            for first, second in _ends_known(word, self._vocabulary)
            if (first in self._beginnings or _frequency(first, self._vocabulary))
            # Else it is an ending that is taken for a part.
            and self._vocabulary.analyze(first) != whole
        )
        return max(cuts, key=lambda cut: min(map(len, cut)), default=None)


def _beginnings(vocabulary: WordList) -> Set[str]:
    """Return what begins several compounds, each with another word of the collection after it."""
    ends: defaultdict[str, set[str]] = defaultdict(set)
    for word in vocabulary.words:
        if _may_be_compound(word, vocabulary):
            for first, second in _ends_known(word, vocabulary):
                ends[first].update(vocabulary.analyze(second))
    return frozenset(first for first, some in ends.items() if len(some) >= MANY_ENDS)


def _ends_known(word: str, vocabulary: Vocabulary) -> Iterator[tuple[str, str]]:
    """Yield the cuts of a word of which the second part is a word of the collection."""
    for first, second in _cuts(word, vocabulary.analyzer.compounds or Compounds()):
        if len(second) >= SHORTEST_END and _frequency(second, vocabulary):
            yield first, second


def _may_be_compound(word: str, vocabulary: Vocabulary) -> bool:
    compounds = vocabulary.analyzer.compounds
    return compounds is not None and 2 * compounds.shortest < len(word) <= LONGEST and word.isalpha()
