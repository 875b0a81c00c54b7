"""Norwegian compounds: taken apart, and put together, as far as the corpus itself uses the parts.

`oppsigelsesfrist` is `oppsigelse` and `frist` with a linking s. A word is taken apart only when the corpus
seldom uses it whole and often uses both parts; small words that begin or end a great many others
(`under` in undervisning) are no parts.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Protocol

LINKS = ("", "s", "e")
SHORTEST = 4
"""Letters of a part."""

LONGEST = 60
"""Letters of a word that is taken apart. The cost grows with their square, and no word of the law has more."""

COMMON = 25
"""Sections that must use a part by itself."""

RARE = 400
"""Sections above which a word is known well enough as it is."""

KNOWN = 3
"""Sections that must use what two words are put together to."""

_NO_PARTS = """
anti bort etter fore forut fram frem gjen gjennom hver igjen imot inne innen inter mange mellom mest mindre mist
mot ned nett ober opp over rett sammen selv tilbake under unna uten utenfor vare
else elser eren erne gren heten heter inger lighet ment messig ning ninger ring sans serv skap stand visning
"""
NO_PARTS = frozenset(_NO_PARTS.split())
"""What begins or ends a great many words without being a word of theirs."""


class Vocabulary(Protocol):
    """The words of the corpus, as its index knows them."""

    @property
    def sections(self) -> int:
        """How many sections there are."""

    def analyze(self, text: str) -> Sequence[str]:
        """Return the terms of `text` as the index stores them."""

    def frequency(self, term: str) -> int:
        """Return how many sections use a term."""


def take_apart(word: str, vocabulary: Vocabulary) -> tuple[str, ...]:
    """Return the terms of the two parts of a compound, in order; () for what is none or is better left whole."""
    if not 2 * SHORTEST < len(word) <= LONGEST or not word.isalpha() or _frequency(word, vocabulary) > RARE:
        return ()
    best: tuple[int, tuple[str, ...]] = (0, ())
    for first, second in _cuts(word):
        frequencies = [_frequency(part, vocabulary) for part in (first, second)]
        if min(frequencies) >= COMMON and min(frequencies) > best[0]:
            best = (min(frequencies), (*vocabulary.analyze(first), *vocabulary.analyze(second)))
    return best[1]


def put_together(words: Sequence[str], vocabulary: Vocabulary) -> Iterator[str]:
    """Yield the terms of compounds that the corpus has of two words that stand side by side."""
    for first, second in pairwise(words):
        if min(len(first), len(second)) < SHORTEST or not (first + second).isalpha():
            continue
        for link in LINKS:
            terms = vocabulary.analyze(first + link + second)
            if len(terms) == 1 and vocabulary.frequency(terms[0]) >= KNOWN:
                yield terms[0]


def _cuts(word: str) -> Iterator[tuple[str, str]]:
    for at in range(SHORTEST, len(word) - SHORTEST + 1):
        for link in LINKS:
            first = word[:at]
            if word.startswith(link, at) and len(word) - at - len(link) >= SHORTEST:
                second = word[at + len(link) :]
                if first not in NO_PARTS and second not in NO_PARTS:
                    yield first, second


def _frequency(word: str, vocabulary: Vocabulary) -> int:
    terms = vocabulary.analyze(word)
    return vocabulary.frequency(terms[0]) if len(terms) == 1 else 0
