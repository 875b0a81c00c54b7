"""Search in the pages of one case by its words: an index that is made for a request, and gone with it."""

import math
import re
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass

import snowballstemmer

from lovsvar_contracts.case_documents import DocumentPage

_WORD = re.compile(r"\w+")
_PIECE = re.compile(r"\{\{[\w.]+\}\}|\w+")
"""What a snippet is not cut within: a word, or a placeholder."""

_STEMMER = snowballstemmer.stemmer("norwegian")
SNIPPET = 240
PREFIX = 4
"""Letters of a stem from which longer words are found by it, too: leie finds leien and leiekontrakt."""

K1, B = 1.2, 0.75


@dataclass(frozen=True)
class SearchedPage:
    """A page, and the document that it is of."""

    document_id: str
    name: str
    page: DocumentPage


def search_pages(query: str, pages: Sequence[SearchedPage], most: int = 20) -> tuple[list[SearchedPage], set[str]]:
    """Return the pages that have words of `query`, best first by BM25, and the forms in which pages have them."""
    counts = [Counter(_words(one.page.text)) for one in pages]
    vocabulary = set().union(*counts)
    wanted = [_matching(word, vocabulary) for word in dict.fromkeys(_words(query))]
    sizes = [sum(count.values()) for count in counts]
    mean = sum(sizes) / len(sizes) if any(sizes) else 1.0
    scores = [0.0] * len(pages)
    for forms in wanted:
        found = {at: sum(count[form] for form in forms & count.keys()) for at, count in enumerate(counts)}
        found = {at: times for at, times in found.items() if times}
        rarity = math.log(1 + (len(pages) - len(found) + 0.5) / (len(found) + 0.5))
        for at, times in found.items():
            scores[at] += rarity * times * (K1 + 1) / (times + K1 * (1 - B + B * sizes[at] / mean))
    best = sorted((at for at, score in enumerate(scores) if score > 0), key=lambda at: -scores[at])[:most]
    return [pages[at] for at in best], set().union(*wanted)


def _words(text: str) -> list[str]:
    return [word.casefold() for word in _WORD.findall(text)]


def _matching(word: str, vocabulary: set[str]) -> set[str]:
    """Return the words of `vocabulary` that are forms of `word`, or begin with it."""
    stem = _STEMMER.stemWord(word)
    begins = tuple({one for one in (word, stem) if len(one) >= PREFIX})
    forms = {other for other in vocabulary if other == word or (begins and other.startswith(begins))}
    near = {other for other in vocabulary if other[:3] == word[:3]} - forms
    return forms | {other for other in near if _STEMMER.stemWord(other) == stem}


def snippet(text: str, forms: Collection[str]) -> str:
    """Return the piece of `text`, about `SNIPPET` characters at word borders, that has most of the `forms`.

    Of one that has none, as where these are names that were taken out, it is the first.
    """
    words = list(_PIECE.finditer(text))
    if not words:
        return ""
    hits = [word.start() for word in words if word[0].casefold() in forms] or [0]
    start = max(hits, key=lambda at: (sum(at <= other < at + SNIPPET for other in hits), -at))
    begin = max((word.start() for word in words if word.start() <= max(0, start - SNIPPET // 6)), default=0)
    end = max((word.end() for word in words if word.end() <= begin + SNIPPET), default=len(text))
    piece = " ".join(text[begin:end].split())
    return f"{'… ' if begin > words[0].start() else ''}{piece}{' …' if end < words[-1].end() else ''}"
