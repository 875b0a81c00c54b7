"""The terms that a document defines, and where its text uses them."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from lovsvar_contracts.law import Provision
from lovsvar_legaltext.definitions import defined_terms, defining_words, definition_patterns

MOST_TERMS = 80
SHORTEST, MOST_WORDS = 4, 4
"""Letters and words of a term that is looked for in the text."""

_ENDING = r"(?:en|et|a|er|ar|ane|ene|n|r|e|s)?"

_NARROW = re.compile(
    r"\b(?:denne|dette|disse|desse)\s+(?:paragraf|bestemmelse|føresegn|kapit|ledd|avsnitt|del\b)", re.IGNORECASE
)
"""Says that a definition holds for a part of the document alone."""


@dataclass(frozen=True)
class Term:
    """A term, the words that define it, and the position and section of the provision that has them."""

    words: str
    meaning: str
    position: int
    section: str


class Terms:
    """The terms that a document defines. Lookups do no I/O."""

    def __init__(self, terms: Iterable[Term]) -> None:
        """Of terms that are defined several times none is known: which is meant depends on the place."""
        found: dict[str, Term | None] = {}
        for term in terms:
            key = term.words.casefold()
            known = found.get(key, term)
            found[key] = term if known and known.position == term.position else None
        self._terms = {key: term for key, term in list(found.items())[:MOST_TERMS] if term}
        longest_first = sorted(self._terms, key=len, reverse=True)
        any_of = "|".join(map(re.escape, longest_first))
        self._pattern = re.compile(rf"(?<![\w-])({any_of}){_ENDING}(?![\w-])", re.IGNORECASE) if any_of else None

    def uses(self, text: str, position: int, taken: set[str]) -> Iterator[tuple[int, int, Term]]:
        """Yield where a provision's text first uses each term that is not among `taken`, and add it there.

        The provision that defines a term is left alone.
        """
        for match in self._pattern.finditer(text) if self._pattern else ():
            term = self._terms[match[1].casefold()]
            if term.position != position and term.words not in taken:
                taken.add(term.words)
                yield match.start(), match.end(), term


def read_terms(provisions: Iterable[Provision]) -> Terms:
    """Return the terms that a document's provisions define."""
    return Terms(term for provision in provisions for term in _terms_of(provision))


def _terms_of(provision: Provision) -> Iterator[Term]:
    defined = defined_terms(provision.title, provision.text)
    for words in dict.fromkeys(words.strip(' ,«»"') for words in defined):
        if len(words) < SHORTEST or len(words.split()) > MOST_WORDS:
            continue
        meaning = defining_words(provision.title, provision.text, definition_patterns(words))
        if meaning and not _NARROW.search(meaning):
            yield Term(words, " ".join(meaning.split()), provision.position, provision.section)
