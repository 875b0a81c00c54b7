"""Use case: find items of a collection."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from lovsvar_search.core.retrieval.candidates import Scored
from lovsvar_search.core.retrieval.corpus import Corpus
from lovsvar_search.core.retrieval.filters import Filters
from lovsvar_search.core.retrieval.matching import Ranking, match_words
from lovsvar_search.core.retrieval.vector_search import Near

EVERYTHING = Filters()


@dataclass(frozen=True, slots=True)
class Found:
    """A page of hits with what the collection loads of each, how many there are in all, how likely the best answers."""

    page: Sequence[tuple[Scored, Any]]
    total: int
    probability: float | None


def find_items(
    text: str,
    corpus: Corpus,
    near: Near | None = None,
    filters: Filters = EVERYTHING,
    *,
    page: int = 1,
    page_size: int = 10,
    language: str = "",
) -> Found:
    """Return a page, from 1, of the items that a query finds. Does no I/O beyond the index.

    `near` is what vectors found; without it the words alone decide. `language` is that of the query's words, "" the
    collection's first. A query that says nothing finds nothing.
    """
    if language:
        corpus = replace(corpus, index=corpus.index.of_language(language))
    by_words = match_words(text, corpus, filters, corpus.names)
    if by_words.plan.empty or filters.impossible:
        return Found((), 0, None)
    ranking = Ranking(by_words, corpus, near or Near(), meaning_alone=False)
    best, total = ranking.best()
    chance = ranking.shown(best)
    if chance is None:
        return Found((), 0, None)
    end = page * page_size
    if len(best) < min(end, total):
        best += ranking.rest(filters, end, best)
    shown = best[end - page_size : end]
    return Found(list(zip(shown, corpus.index.fetch([one.candidate for one in shown]), strict=True)), total, chance)
