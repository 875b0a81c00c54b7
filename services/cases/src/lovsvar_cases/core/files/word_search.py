"""Search in the pages of one case by its words: an index that is made for a request, and gone with it."""

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import snowballstemmer

from lovsvar_contracts.case_documents import DocumentPage

_WORD = re.compile(r"\w+")
_STEMMER = snowballstemmer.stemmer("norwegian")
SNIPPET = 240
K1, B = 1.2, 0.75


@dataclass(frozen=True)
class SearchedPage:
    """A page, and the document that it is of."""

    document_id: str
    name: str
    page: DocumentPage


def stems(text: str) -> list[str]:
    """Return the stems of the words of a text, in order."""
    return list(_STEMMER.stemWords([word.casefold() for word in _WORD.findall(text)]))


def search_pages(query: str, pages: Sequence[SearchedPage], most: int = 20) -> list[tuple[SearchedPage, str]]:
    """Return the pages that have words of `query`, best first by BM25, each with the piece that has most of them."""
    wanted = set(stems(query))
    counts = [Counter(stems(one.page.text)) for one in pages]
    sizes = [sum(count.values()) for count in counts]
    mean = sum(sizes) / len(sizes) if sizes else 0.0
    found_in = {stem: sum(stem in count for count in counts) for stem in wanted}

    def score(count: Counter[str], size: int) -> float:
        total = 0.0
        for stem in wanted & count.keys():
            rarity = math.log(1 + (len(pages) - found_in[stem] + 0.5) / (found_in[stem] + 0.5))
            total += rarity * count[stem] * (K1 + 1) / (count[stem] + K1 * (1 - B + B * size / (mean or 1.0)))
        return total

    scored = sorted(
        ((score(count, size), -at) for at, (count, size) in enumerate(zip(counts, sizes, strict=True))), reverse=True
    )
    best = [pages[-at] for value, at in scored[:most] if value > 0]
    return [(one, snippet_of(one.page.text, wanted)) for one in best]


def snippet_of(text: str, wanted: set[str]) -> str:
    """Return the piece of `text`, about `SNIPPET` characters at word borders, that has most of the `wanted` stems."""
    words = list(_WORD.finditer(text))
    hits = [word.start() for word in words if _STEMMER.stemWord(word[0].casefold()) in wanted]
    if not hits:
        return " ".join(text[:SNIPPET].split())
    start = max(hits, key=lambda at: (sum(at <= other < at + SNIPPET for other in hits), -at))
    begin = max((word.start() for word in words if word.start() <= max(0, start - SNIPPET // 6)), default=0)
    end = max((word.end() for word in words if word.end() <= begin + SNIPPET), default=len(text))
    piece = " ".join(text[begin:end].split())
    return f"{'… ' if begin > words[0].start() else ''}{piece}{' …' if end < words[-1].end() else ''}"
