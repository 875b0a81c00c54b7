"""Compounds, such as `oppsigelse-s-frist`, taken apart and put together as far as the corpus itself uses the parts."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from lovsvar_search.core.retrieval.analysis import Compounds, Vocabulary

LONGEST = 60
"""Letters of a word that is taken apart. The cost grows with their square."""


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
