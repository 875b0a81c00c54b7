"""Compounds, such as `oppsigelse-s-frist`, taken apart and put together as far as the corpus itself uses the parts."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from lovsvar_search.core.retrieval.analysis import Compounds, Vocabulary

SHORTEST = 4
"""Letters of a part."""

LONGEST = 60
"""Letters of a word that is taken apart. The cost grows with their square."""

COMMON = 25
"""Items that must use a part by itself."""

RARE = 400
"""Items above which a word is known well enough as it is."""

KNOWN = 3
"""Items that must use what two words are put together to."""


def take_apart(word: str, vocabulary: Vocabulary) -> tuple[str, ...]:
    """Return the terms of the two parts of a compound, in order; () for what is none or is better left whole."""
    compounds = vocabulary.analyzer.compounds
    if compounds is None or not 2 * SHORTEST < len(word) <= LONGEST or not word.isalpha():
        return ()
    if _frequency(word, vocabulary) > RARE:
        return ()
    best: tuple[int, tuple[str, ...]] = (0, ())
    for first, second in _cuts(word, compounds):
        frequencies = [_frequency(part, vocabulary) for part in (first, second)]
        if min(frequencies) >= COMMON and min(frequencies) > best[0]:
            best = (min(frequencies), (*vocabulary.analyze(first), *vocabulary.analyze(second)))
    return best[1]


def put_together(words: Sequence[str], vocabulary: Vocabulary) -> Iterator[str]:
    """Yield the terms of compounds that the corpus has of two words that follow each other."""
    compounds = vocabulary.analyzer.compounds
    if compounds is None:
        return
    for first, second in pairwise(words):
        if min(len(first), len(second)) < SHORTEST or not (first + second).isalpha():
            continue
        for link in compounds.links:
            terms = vocabulary.analyze(first + link + second)
            if len(terms) == 1 and vocabulary.frequency(terms[0]) >= KNOWN:
                yield terms[0]


def _cuts(word: str, compounds: Compounds) -> Iterator[tuple[str, str]]:
    for at in range(SHORTEST, len(word) - SHORTEST + 1):
        for link in compounds.links:
            first = word[:at]
            if word.startswith(link, at) and len(word) - at - len(link) >= SHORTEST:
                second = word[at + len(link) :]
                if compounds.no_parts.isdisjoint((first, second)):
                    yield first, second


def _frequency(word: str, vocabulary: Vocabulary) -> int:
    terms = vocabulary.analyze(word)
    return vocabulary.frequency(terms[0]) if len(terms) == 1 else 0
