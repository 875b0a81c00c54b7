"""The use cases of catalogues: find products, read them, list what is served."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from lovsvar_contracts.catalogues import (
    CatalogueId,
    Catalogues,
    FindProducts,
    ProductHit,
    ProductHits,
    Products,
    ReadCatalogues,
    ReadProducts,
)
from lovsvar_contracts.search import SearchMode
from lovsvar_search.core.catalogues.catalogue_follower import CatalogueFollower, CatalogueStore, FollowedCatalogue
from lovsvar_search.core.catalogues.collection import ShownProduct, filters_of
from lovsvar_search.core.errors import NotFound
from lovsvar_search.core.retrieval.candidates import OUTRIGHT, Scored
from lovsvar_search.core.retrieval.corpus import Corpus
from lovsvar_search.core.retrieval.filters import Filters
from lovsvar_search.core.retrieval.matching import ByWords, Ranking, match_words
from lovsvar_search.core.retrieval.memory_vectors import Sought
from lovsvar_search.core.retrieval.query import QueryPlan
from lovsvar_search.core.retrieval.vector_search import Near

MOST_ADMITTED = 50_000
"""Products that meet the demands of a request, above which the nearest are looked for among all: enough of them will
meet the demands."""

ABOUT, BY_WORDS, IN_WORDS, ALONE = 0.67, 0.4, 0.8, 0.53
"""What a question must reach for a catalogue to be about it: `ABOUT` is the likeness of the nearest problem of all and
`BY_WORDS` of the share by words of the best product, `IN_WORDS` that share alone, and `ALONE` that likeness where words
are not looked at. Whatever is asked, some product is the nearest, and a word or two that are met say little
(docs/decisions/0059)."""

PROBLEM_MET = 0.5
"""The likeness from which a problem is what is asked about, on the scale of the embedding model."""


@dataclass(frozen=True)
class ProductSearch:
    """Answers from what is served of catalogues now."""

    follower: CatalogueFollower
    store: CatalogueStore

    async def find(self, request: FindProducts) -> ProductHits:
        """Return the products that fit, best first, of all catalogues asked for together."""
        began = time.perf_counter()
        served = self.follower.served(request.catalogues)
        found = [await _search(request, one) for one in served]
        hits = [hit for one in found for hit in one.hits]
        # Equals stay in the order of their catalogue, so that a higher limit only adds.
        hits.sort(key=lambda hit: (-hit[0], hit[1].catalogue))
        searched = tuple(one.listed.catalogue for one in served)
        return ProductHits(
            correlation_id=request.correlation_id,
            hits=tuple(hit for _, hit in hits[: request.limit]),
            searched=searched,
            unknown=tuple(one for one in dict.fromkeys(request.catalogues) if one not in searched),
            words_alone=any(one.words_alone for one in found),
            took_ms=round(1000 * (time.perf_counter() - began), 3),
        )

    async def read(self, request: ReadProducts) -> Products:
        """Return products whole. Raises `NotFound` for a catalogue that is not served, and `StoreUnavailable`."""
        if not self.follower.served((request.catalogue,)):
            raise NotFound(f"Katalogen {request.catalogue} finnes ikke.")
        products = await self.store.read(request.catalogue, request.product_ids)
        return Products(correlation_id=request.correlation_id, products=tuple(products))

    async def catalogues(self, request: ReadCatalogues) -> Catalogues:
        """Return which catalogues are served."""
        described = (one.described() for one in self.follower.served())
        return Catalogues(correlation_id=request.correlation_id, catalogues=tuple(one for one in described if one))


@dataclass(frozen=True)
class FoundInCatalogue:
    """The best hits of a catalogue with their scores; whether they were found by words alone."""

    hits: Sequence[tuple[float, ProductHit]] = ()
    words_alone: bool = False


async def _search(request: FindProducts, catalogue: FollowedCatalogue) -> FoundInCatalogue:
    corpus = catalogue.corpus
    if corpus is None:
        return FoundInCatalogue()
    vector = None
    if request.mode is not SearchMode.LEXICAL and catalogue.meaning:
        vector = await catalogue.meaning.vector(request.query)
    meaning_alone = request.mode is SearchMode.VECTOR and vector is not None
    by_words = match_words(request.query, corpus, filters_of(request), None, meaning_alone=meaning_alone)
    if by_words.plan.empty:
        return FoundInCatalogue()
    near = None
    if vector is not None and catalogue.meaning:
        sought = Sought(admitted=_admitted(by_words.filters, corpus), known=frozenset(by_words.found))
        near = await catalogue.meaning.near(vector, sought)
    best, _ = Ranking(by_words, corpus, near or Near(), meaning_alone).best()
    if near is not None and _elsewhere(near, best, meaning_alone):
        return FoundInCatalogue()
    floor = corpus.collection.profile.floor
    fit = [one for one in best[: request.limit] if one.probability is not None and one.probability >= floor]
    shown: Sequence[ShownProduct] = corpus.index.fetch([one.candidate for one in fit])
    met = _Met(by_words, corpus, catalogue, vector)
    hits = [
        (one.score, _hit(catalogue.listed.catalogue, one, product, met.problems(one, product), request.explain, corpus))
        for one, product in zip(fit, shown, strict=True)
    ]
    return FoundInCatalogue(hits, words_alone=near is None)


def _elsewhere(near: Near, best: Sequence[Scored], meaning_alone: bool) -> bool:
    """Return whether a question is about nothing that the catalogue has."""
    if near.nearest is None:
        return False
    likeness = near.scales.questions.likeness(near.nearest)
    if meaning_alone:
        return likeness < ALONE
    words = max((float(one.values[0]) for one in best), default=0.0)
    return words < IN_WORDS and likeness + BY_WORDS * words < ABOUT


def _admitted(filters: Filters, corpus: Corpus) -> frozenset[int] | None:
    """Return the numbers of the items that meet demands; None where they demand nothing, or where most meet them."""
    if not filters.own:
        return None
    # Each product is a group of its own, and has its number.
    admitted = corpus.index.count_groups(QueryPlan(()), filters)
    return frozenset(admitted) if len(admitted) <= MOST_ADMITTED else None


@dataclass(frozen=True)
class _Met:
    """What tells which problems of a product a query meets."""

    by_words: ByWords
    corpus: Corpus
    catalogue: FollowedCatalogue
    vector: Sequence[float] | None

    def problems(self, scored: Scored, product: ShownProduct) -> tuple[str, ...]:
        """Return the problems that have a word of the asker's, or are near what is asked."""
        index, parts = self.corpus.index, self._near(scored.candidate.number)
        terms = {form for word in self.by_words.plan.asked for form in word.forms}
        return tuple(
            problem
            for part, problem in enumerate(product.problems, 1)
            if not terms.isdisjoint(index.analyze(problem)) or parts.get(part, 0.0) >= PROBLEM_MET
        )

    def _near(self, number: int) -> Mapping[int, float]:
        vectors = self.catalogue.vectors
        if vectors is None or self.vector is None:
            return {}
        return vectors.memory.answers(self.vector, number)


def _hit(
    catalogue: CatalogueId, scored: Scored, product: ShownProduct, met: tuple[str, ...], explain: bool, corpus: Corpus
) -> ProductHit:
    parts = {name: part for name, part in scored.parts(corpus.collection.profile.signals).items() if name != OUTRIGHT}
    return ProductHit(
        catalogue=catalogue,
        product_id=product.product_id,
        name=product.name,
        description=product.description,
        price=product.price,
        url=product.url,
        category=product.category,
        similarity=round(min(max(scored.score, 0.0), 1.0), 2),
        problem_mappings=product.problems,
        matched_problems=met,
        score_parts={name: round(part, 4) for name, part in parts.items()} if explain else None,
    )
