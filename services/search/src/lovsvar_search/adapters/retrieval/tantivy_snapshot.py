"""The index in Tantivy as it was at one commit: BM25F of an item's texts, each score times the item's prior."""

import math
from collections.abc import Mapping, Sequence
from copy import copy
from operator import itemgetter
from typing import Any, cast

import numpy as np
import tantivy
from numpy.typing import NDArray
from pydantic_core import from_json
from tantivy import Occur, Query

from lovsvar_search.adapters.retrieval.tantivy_documents import SCALE, factor_of, field_of, text_analyzer
from lovsvar_search.core.retrieval.candidates import Candidate, Candidates, Values
from lovsvar_search.core.retrieval.collection import WORDS, Collection
from lovsvar_search.core.retrieval.corpus import IndexSnapshot, Matches
from lovsvar_search.core.retrieval.filters import TIER, Demand, Filters
from lovsvar_search.core.retrieval.query import QueryPlan, Word

OTHER_FORM = 0.4
"""The share by which a form of a word counts next to the best one."""

MISTYPED = 8.0
"""Score of a word that is one letter off: about that of a rare word."""

REMEMBERED = 50_000
"""Words whose terms are kept, and terms whose frequency is."""

WORD = 40
"""Characters of a text that is taken for a word."""

FEW = 16
"""Names of which each is looked for by itself; of more, all of the field's names are compared with them."""

UNIT = 16
"""One more than the points of a place that holds all of a query in one way. One search counts all ways: each sum of
points is below the next way's unit, and all of them are exact in the 24 bits of a score."""

_EVERY_GROUP = {"size": 60_000, "segment_size": 60_000}
"""More than there are; Tantivy allows 65,000."""

_FOUND_COLUMNS = ("prior", "number", "group", TIER)
_COLUMNS = ("number", "group", TIER)
"""What is read of what words find, and, with the collection's own columns, of what is ranked."""


class TantivySnapshot(IndexSnapshot):
    """The index as it was at one commit, for queries in the collection's first language."""

    def __init__(self, index: tantivy.Index, collection: Collection) -> None:
        self._schema = index.schema
        self._searcher = index.searcher()
        self._collection = collection
        self._columns_read = (*_COLUMNS, *collection.columns)
        self.items: int = self._searcher.num_docs
        """Items of every language."""
        self._by_language: dict[str, TantivySnapshot] = {}
        self._read_in(collection.language)

    def of_language(self, language: str) -> "TantivySnapshot":
        if language not in self._by_language:
            copy(self)._read_in(language)
        return self._by_language[language]

    def _read_in(self, language: str) -> None:
        self.analyzer = self._collection.analyzers[language]
        self._analyzer = text_analyzer(self.analyzer)
        self._fields = {name: field_of(name, language) for name in (WORDS, *self._collection.apart)}
        self._words = self._fields[WORDS]
        self._frequencies: dict[str, int] = {}
        self._terms: dict[str, tuple[str, ...]] = {}
        self._by_language[language] = self

    def probe(self) -> None:
        """Read a little of everything that a search reads; raises when the files are damaged."""
        for _, address in self._searcher.search(Query.all_query(), limit=3).hits:
            self._load(address)
        self.search(QueryPlan((Word((self._collection.probe,)),)), Filters(), 3)

    def analyze(self, text: str) -> Sequence[str]:
        known = self._terms.get(text)
        if known is None:
            known = tuple(self._analyzer.analyze(text))
            if len(text) <= WORD:
                _make_room(self._terms)
                self._terms[text] = known
        return known

    def frequency(self, term: str) -> int:
        known = self._frequencies.get(term)
        if known is None:
            _make_room(self._frequencies)
            known = self._frequencies[term] = self._searcher.doc_freq(self._words, term)
        return known

    def weights(self, terms: Sequence[str]) -> Mapping[str, float]:
        frequencies = {term: self.frequency(term) for term in terms}
        # A term's frequency counts items that were removed, too.
        count = max(self.items, *frequencies.values(), 0) + 1
        return {term: math.log(count / (1 + frequency)) + 0.1 for term, frequency in frequencies.items()}

    def search(self, plan: QueryPlan, filters: Filters, limit: int) -> Matches:
        result = self._searcher.search(self._query(plan, filters), limit, weight_by_field="prior")
        return Matches(self._found(result), _count(result))

    def best(self, plan: QueryPlan, filters: Filters, limit: int) -> Sequence[Candidate]:
        query = self._query(plan, filters)
        return self._found(self._searcher.search(query, limit, count=False, weight_by_field="prior"))

    def count(self, plan: QueryPlan, filters: Filters) -> int:
        return self._count(self._query(plan, filters))

    def count_groups(self, plan: QueryPlan, filters: Filters) -> Mapping[int, int]:
        query = Query.const_score_query(self._query(plan, filters), 1.0)
        found = self._searcher.aggregate(query, {"groups": {"terms": {"field": "group", **_EVERY_GROUP}}})
        return {int(bucket["key"]): bucket["doc_count"] for bucket in found["groups"]["buckets"]}

    def search_run(self, plan: QueryPlan, filters: Filters, limit: int) -> Sequence[int]:
        query = Query.boolean_query([(Occur.Must, self._run(plan.run)), *self._demands(plan, filters)])
        [numbers] = self._columns(("number",), self._searcher.search(query, limit, count=False).hits)
        return numbers

    def search_field(self, field: str, plan: QueryPlan, filters: Filters, limit: int) -> Mapping[int, float]:
        words = [(Occur.Should, self._word(word, self._fields[field])) for word in plan.asked]
        if not words:
            return {}
        query = Query.boolean_query([(Occur.Must, Query.boolean_query(words)), *self._demands(plan, filters)])
        hits = self._searcher.search(query, limit, count=False).hits
        [numbers] = self._columns(("number",), hits)
        return {number: score for (score, _), number in zip(hits, numbers, strict=True)}

    def candidates(
        self, plan: QueryPlan, filters: Filters, shares: Sequence[tuple[Word, float]], scores: Mapping[int, float]
    ) -> Candidates:
        if not scores:
            return Candidates()
        # One term each: a set of terms would be looked for in every document.
        places = [(Occur.Should, Query.term_query(self._schema, "number", number, "basic")) for number in scores]
        covers = self._covers(plan, shares)
        query = Query.boolean_query(
            [(Occur.Must, _unscored(Query.boolean_query(places))), *covers, *self._demands(plan, filters)]
        )
        hits = self._searcher.search(query, len(scores), count=False).hits
        rows = sorted(zip(*self._columns(self._columns_read, hits), hits, strict=True), key=itemgetter(0))
        if not rows:
            return Candidates()
        numbers, groups, tiers, *columns, found = zip(*rows, strict=True)
        shares_held, matches = _unpacked([score for score, _ in found], len(self._collection.covered) + 1)
        ones = zip(numbers, groups, tiers, matches.tolist(), found, strict=True)
        return Candidates(
            [Candidate(one, group, tier, scores[one], has, at) for one, group, tier, has, (_, at) in ones],
            dict(zip(self._collection.columns, columns, strict=True)),
            shares_held,
        )

    def _covers(self, plan: QueryPlan, shares: Sequence[tuple[Word, float]]) -> list[tuple[Occur, Query]]:
        """Return what makes the score of a place a sum that says how much of a query it holds (`_unpacked`)."""
        fields = [self._fields[name] for name in self._collection.covered]
        ways = [[(self._any(word.forms, field), share) for word, share in shares] for field in fields]
        ways.append([(self._run(pair), 1.0 / len(plan.pairs)) for pair in plan.pairs])
        counted = [
            (query, point * UNIT**way)
            for way, parts in enumerate(ways)
            for (query, _), point in zip(parts, _points([share for _, share in parts]), strict=True)
        ]
        if plan.words:
            counted.append((Query.boolean_query(self._scoring(plan)), UNIT ** len(ways)))
        return [(Occur.Should, Query.const_score_query(query, float(points))) for query, points in counted if points]

    def _found(self, result: tantivy.SearchResult) -> list[Candidate]:
        # A result makes its list of hits each time that it is asked for it.
        hits = result.hits
        rows = list(zip(hits, *self._columns(_FOUND_COLUMNS, hits), strict=True))
        factors = {value: SCALE * factor_of(value) for value in {row[1] for row in rows}}
        return [
            Candidate(number, group, tier, score / factors[value], True, address)
            for (score, address), value, number, group, tier in rows
        ]

    def _columns(self, names: Sequence[str], hits: Sequence[tuple[Any, tantivy.DocAddress]]) -> list[Sequence[Any]]:
        """Return what the index keeps under these names of each hit, name by name."""
        addresses = [address for _, address in hits]
        return [cast(Sequence[Any], self._searcher.fast_field_values(name, addresses)) for name in names]

    def fetch(self, hits: Sequence[Candidate]) -> list[Any]:
        return [self._load(cast(tantivy.DocAddress, hit.address)) for hit in hits]

    def _load(self, address: tantivy.DocAddress) -> Any:
        return self._collection.load(from_json(cast(bytes, self._searcher.doc(address).get_first("hit"))))

    def _count(self, query: Query) -> int:
        # Where every hit scores the same, none of them is scored.
        return _count(self._searcher.search(Query.const_score_query(query, 1.0), limit=1))

    def _query(self, plan: QueryPlan, filters: Filters) -> Query:
        words = self._scoring(plan)
        scoring = Query.boolean_query(words) if words else _unscored(Query.all_query())
        return Query.boolean_query([(Occur.Must, scoring), *self._demands(plan, filters)])

    def _scoring(self, plan: QueryPlan) -> list[tuple[Occur, Query]]:
        return [(Occur.Should, self._word(word)) for word in plan.words]

    def _word(self, word: Word, field: str = "") -> Query:
        field = field or self._words
        forms = [self._term(form, field) for form in word.forms]
        if word.mistyped:
            near = Query.fuzzy_term_query(self._schema, field, word.forms[0], 1, transposition_cost_one=True)
            forms.append(Query.const_score_query(near, MISTYPED))
        query = forms[0] if len(forms) == 1 else Query.disjunction_max_query(forms, OTHER_FORM)
        return Query.boost_query(query, word.weight)

    def _demands(self, plan: QueryPlan, filters: Filters) -> list[tuple[Occur, Query]]:
        """Return what a hit must be and must not be; none of it scores."""
        asked = [(demand.wanted, self._demanded(demand)) for demand in filters.demands]
        asked += [(True, self._run(run)) for run in plan.phrases]
        asked += [(True, self._any(forms, self._words)) for forms in plan.required]
        asked += [(False, self._run(run)) for run in plan.excluded]
        return [(Occur.Must, _unscored(query)) if wanted else (Occur.MustNot, query) for wanted, query in asked]

    def _any(self, terms: Sequence[str], field: str) -> Query:
        """Return what finds any of some words."""
        if len(terms) == 1:
            return self._term(terms[0], field)
        return Query.boolean_query([(Occur.Should, self._term(term, field)) for term in terms])

    def _run(self, run: Sequence[str]) -> Query:
        """Return what finds a word, or words one after the other."""
        if len(run) == 1:
            return self._term(run[0], self._words)
        # A word that the index drops keeps its place.
        return Query.phrase_query(self._schema, self._words, [(at, term) for at, term in enumerate(run) if term])

    def _term(self, term: str, field: str) -> Query:
        return Query.term_query(self._schema, field, term)

    def _demanded(self, demand: Demand) -> Query:
        if demand.values is None:
            unsigned = tantivy.FieldType.Unsigned
            return Query.range_query(self._schema, demand.field, unsigned, demand.low, demand.high)
        # A tier holds so many items that looking each up costs more than one set of them.
        if len(demand.values) > FEW or demand.field == TIER:
            return Query.term_set_query(self._schema, demand.field, list(demand.values))
        one_of = [Query.term_query(self._schema, demand.field, value, "basic") for value in demand.values]
        return one_of[0] if len(one_of) == 1 else Query.boolean_query([(Occur.Should, one) for one in one_of])


def _make_room(remembered: dict[str, Any]) -> None:
    if len(remembered) >= REMEMBERED:
        remembered.clear()


def _unscored(query: Query) -> Query:
    return Query.boost_query(query, 0.0)


def _points(shares: Sequence[float]) -> list[int]:
    """Return shares of a whole as whole points; those of all of it are one less than `UNIT` together."""
    points = [int((UNIT - 1) * share) for share in shares]
    if points:
        points[points.index(max(points))] += round((UNIT - 1) * min(1.0, sum(shares))) - sum(points)
    return points


def _unpacked(sums: Sequence[float], ways: int) -> tuple[Values, NDArray[np.bool_]]:
    """Return what sums of points say: a row of covers for each, and whether it has any word of the query."""
    whole = np.array(sums, np.int64)
    covers = np.stack([whole // UNIT**way % UNIT for way in range(ways)], axis=1) / (UNIT - 1)
    return covers, whole >= UNIT**ways


def _count(result: tantivy.SearchResult) -> int:
    return int(result.count)  # type: ignore[attr-defined]  # its stub forgets it
