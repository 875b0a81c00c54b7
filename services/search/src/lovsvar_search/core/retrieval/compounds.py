"""Compounds, such as `oppsigelse-s-frist`, taken apart and put together as far as the corpus itself uses the parts."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from itertools import pairwise

from lovsvar_search.core.retrieval.analysis import Compounds, Vocabulary
from lovsvar_search.core.retrieval.collection import Meanings

LONGEST = 60
"""Letters of a word that is taken apart. The cost grows with their square."""

SHORTEST_END = 4
"""Letters of the last part of a compound, in every language: shorter ones are endings."""

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


@dataclass(frozen=True)
class CompoundWords:
    """The compounds of a small collection: a word finds the compounds that it is in, and a compound finds its parts.

    Of a language without compounds it knows none. It is an `Expansion`.
    """

    vocabulary: Vocabulary
    wholes: Mapping[str, Sequence[str]]
    """The terms of compounds, by the term of a part."""
    beginnings: Set[str]
    """What begins compounds and is no word of its own in the collection: rug in rugklachten and rugpijn."""

    def variants(self, term: str) -> Sequence[str]:
        """Return the compounds that a word is in."""
        return self.wholes.get(term, ())

    def explain(self, words: Sequence[str]) -> Meanings:
        """Return the parts of the compounds among `words`."""
        asking = self.vocabulary.analyzer.asking
        parts = {term: 1.0 for word in words if word not in asking for term in self.parts(word)}
        return Meanings(parts, frozenset())

    def parts(self, word: str) -> Sequence[str]:
        """Return the terms of a compound's parts, those of its parts too; none for what is no compound."""
        if (cut := _best_cut(word, self.vocabulary, self.beginnings)) is None:
            return ()
        terms = [term for part in cut for term in self.vocabulary.analyze(part)]
        return list(dict.fromkeys([*terms, *(term for part in cut for term in self.parts(part))]))


def compound_words(words: Iterable[str], vocabulary: Vocabulary) -> CompoundWords:
    """Return the compounds among the words of a collection, which are in lower case."""
    compounds = vocabulary.analyzer.compounds or Compounds()
    known = [word for word in words if _may_be_compound(word, vocabulary)]
    ends: defaultdict[str, set[str]] = defaultdict(set)
    for word in known:
        for first, second in _cuts(word, compounds):
            if len(second) >= SHORTEST_END and _frequency(second, vocabulary):
                ends[first].add(*vocabulary.analyze(second))
    beginnings = frozenset(first for first, some in ends.items() if len(some) >= MANY_ENDS)
    found = CompoundWords(vocabulary, {}, beginnings)
    wholes: defaultdict[str, dict[str, None]] = defaultdict(dict)
    for word in known:
        for whole in vocabulary.analyze(word):
            for part in found.parts(word):
                if part != whole:
                    wholes[part][whole] = None
    return replace(found, wholes={part: tuple(some) for part, some in wholes.items()})


def _may_be_compound(word: str, vocabulary: Vocabulary) -> bool:
    compounds = vocabulary.analyzer.compounds
    return compounds is not None and 2 * compounds.shortest < len(word) <= LONGEST and word.isalpha()


def _best_cut(word: str, vocabulary: Vocabulary, beginnings: Set[str]) -> tuple[str, str] | None:
    """Return the parts of a compound, the shorter as long as can be; the collection uses the second by itself."""
    compounds = vocabulary.analyzer.compounds
    if compounds is None or not _may_be_compound(word, vocabulary):
        return None
    whole = vocabulary.analyze(word)
    cuts = [
        (first, second)
        for first, second in _cuts(word, compounds)
        if len(second) >= SHORTEST_END
        and _frequency(second, vocabulary)
        and (first in beginnings or _frequency(first, vocabulary))
        # An ending that is taken for a part.
        and vocabulary.analyze(first) != whole
    ]
    return max(cuts, key=lambda cut: min(map(len, cut)), default=None)
