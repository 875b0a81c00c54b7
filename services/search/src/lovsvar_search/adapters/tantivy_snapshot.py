"""The index in Tantivy as it was at one commit: BM25F of names, headings and text, each score times its prior."""

import math
from collections.abc import Iterator, Mapping, Sequence
from operator import itemgetter
from typing import Any, cast

import numpy as np
import tantivy
from numpy.typing import NDArray
from tantivy import Occur, Query

from lovsvar_contracts.law import LAW_TYPE_ORDER, ProvisionKind
from lovsvar_search.adapters.tantivy_documents import (
    COVERED,
    DEFINES,
    LAW_TYPES,
    OWN_HEADING,
    SCALE,
    WORDS,
    factor_of,
    norwegian,
    stored_hit,
)
from lovsvar_search.core.corpus import StoredHit
from lovsvar_search.core.filters import Filters
from lovsvar_search.core.indexes import Matches
from lovsvar_search.core.query import QueryPlan, Word
from lovsvar_search.core.signals import COVERS, Candidate, Candidates, Values

OTHER_FORM = 0.4
"""The share by which a form of a word counts beside the best one."""

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

_FOUND_COLUMNS = ("prior", "number", "act", "law_type")
_COLUMNS = ("number", "act", "law_type", "chapter", "traits", "heading_length", "length")
"""What is read of what words find, and of what is ranked."""


class TantivySnapshot:
    """The index as it was at one commit (`IndexSnapshot`)."""

    def __init__(self, index: tantivy.Index) -> None:
        self._schema = index.schema
        self._searcher = index.searcher()
        self._analyzer = norwegian()
        self._frequencies: dict[str, int] = {}
        self._terms: dict[str, tuple[str, ...]] = {}
        self._sections: int = self._searcher.num_docs
        self.provisions = self._count(Query.term_query(self._schema, "kind", ProvisionKind.PROVISION))
        """Sections that are provisions."""

    @property
    def sections(self) -> int:
        """Sections of every kind."""
        return self._sections

    def probe(self) -> None:
        """Read a little of everything that a search reads; raises when the files are damaged."""
        for _, address in self._searcher.search(Query.all_query(), limit=3).hits:
            stored_hit(self._searcher.doc(address).get_first("hit"))
        self.search(QueryPlan((Word(("lov",)),)), Filters(), 3)

    def analyze(self, text: str) -> Sequence[str]:
        """Return the terms of `text` as the index stores them."""
        known = self._terms.get(text)
        if known is None:
            known = tuple(self._analyzer.analyze(text))
            if len(text) <= WORD:
                _make_room(self._terms)
                self._terms[text] = known
        return known

    def frequency(self, term: str) -> int:
        """Return how many sections use a term."""
        known = self._frequencies.get(term)
        if known is None:
            _make_room(self._frequencies)
            known = self._frequencies[term] = self._searcher.doc_freq(WORDS, term)
        return known

    def weights(self, terms: Sequence[str]) -> Mapping[str, float]:
        """Return each term's inverse document frequency."""
        frequencies = {term: self.frequency(term) for term in terms}
        # A term's frequency counts sections that were removed, too.
        count = max(self.sections, *frequencies.values(), 0) + 1
        return {term: math.log(count / (1 + frequency)) + 0.1 for term, frequency in frequencies.items()}

    def search(self, plan: QueryPlan, filters: Filters, limit: int) -> Matches:
        """Return the `limit` best hits; the same hits in the same order for every limit."""
        result = self._searcher.search(self._query(plan, filters), limit, weight_by_field="prior")
        return Matches(self._found(result), _count(result))

    def best(self, plan: QueryPlan, filters: Filters, limit: int) -> Sequence[Candidate]:
        """Return the hits that `search` returns, without counting the others."""
        query = self._query(plan, filters)
        return self._found(self._searcher.search(query, limit, count=False, weight_by_field="prior"))

    def count(self, plan: QueryPlan, filters: Filters) -> int:
        """Return how many hits there are in all."""
        return self._count(self._query(plan, filters))

    def search_headings(self, plan: QueryPlan, filters: Filters, limit: int) -> Mapping[int, float]:
        """Return the BM25 scores, by number, of the sections whose own headings are most like the plan's own words."""
        return self._search_field(OWN_HEADING, plan, filters, limit)

    def search_definitions(self, plan: QueryPlan, filters: Filters, limit: int) -> Mapping[int, float]:
        """Return the BM25 scores, by number, of the sections that define terms most like the plan's own words."""
        return self._search_field(DEFINES, plan, filters, limit)

    def search_run(self, plan: QueryPlan, filters: Filters, limit: int) -> Sequence[int]:
        """Return the numbers of sections in which the plan's run stands word for word."""
        query = Query.boolean_query([(Occur.Must, self._standing(plan.run)), *self._demands(plan, filters)])
        [numbers] = self._columns(("number",), self._searcher.search(query, limit, count=False).hits)
        return numbers

    def _search_field(self, field: str, plan: QueryPlan, filters: Filters, limit: int) -> Mapping[int, float]:
        words = [(Occur.Should, self._word(word, field)) for word in plan.asked]
        if not words:
            return {}
        query = Query.boolean_query([(Occur.Must, Query.boolean_query(words)), *self._demands(plan, filters)])
        hits = self._searcher.search(query, limit, count=False).hits
        [numbers] = self._columns(("number",), hits)
        return {number: score for (score, _), number in zip(hits, numbers, strict=True)}

    def candidates(
        self, plan: QueryPlan, filters: Filters, shares: Sequence[tuple[Word, float]], scores: Mapping[int, float]
    ) -> Candidates:
        """Return those of some places that may be hits, and what the ranking wants to know of them.

        `scores` are by number, 0.0 for what was not found by words; `shares` what each word is of the whole.
        """
        if not scores:
            return Candidates()
        # One term each: a set of terms would be looked for in every document.
        places = [(Occur.Should, Query.term_query(self._schema, "number", number, "basic")) for number in scores]
        told = self._told(plan, shares)
        query = Query.boolean_query(
            [(Occur.Must, _unscored(Query.boolean_query(places))), *told, *self._demands(plan, filters)]
        )
        hits = self._searcher.search(query, len(scores), count=False).hits
        rows = sorted(zip(*self._columns(_COLUMNS, hits), hits, strict=True), key=itemgetter(0))
        if not rows:
            return Candidates()
        numbers, acts, law_types, chapters, traits, heading_lengths, lengths, found = zip(*rows, strict=True)
        covers, matches = _unpacked([score for score, _ in found])
        ones = zip(numbers, acts, law_types, matches.tolist(), found, strict=True)
        return Candidates(
            [Candidate(one, act, LAW_TYPE_ORDER[law], scores[one], has, at) for one, act, law, has, (_, at) in ones],
            chapters,
            traits,
            heading_lengths,
            lengths,
            covers,
        )

    def _told(self, plan: QueryPlan, shares: Sequence[tuple[Word, float]]) -> list[tuple[Occur, Query]]:
        """Return what makes the score of a place a sum that tells how much of a query it holds (`_unpacked`)."""
        ways = [[(self._any(word.forms, field), share) for word, share in shares] for field in COVERED]
        ways.append([(self._standing(pair), 1.0 / len(plan.pairs)) for pair in plan.pairs])
        told = [
            (query, point * UNIT**way)
            for way, parts in enumerate(ways)
            for (query, _), point in zip(parts, _points([share for _, share in parts]), strict=True)
        ]
        if plan.words:
            told.append((Query.boolean_query(self._words(plan)), UNIT ** len(ways)))
        return [(Occur.Should, Query.const_score_query(query, float(points))) for query, points in told if points]

    def _found(self, result: tantivy.SearchResult) -> list[Candidate]:
        # A result makes its list of hits anew each time that it is asked for it.
        hits = result.hits
        rows = list(zip(hits, *self._columns(_FOUND_COLUMNS, hits), strict=True))
        factors = {value: SCALE * factor_of(value) for value in {row[1] for row in rows}}
        return [
            Candidate(number, act, LAW_TYPE_ORDER[law_type], score / factors[value], True, address)
            for (score, address), value, number, act, law_type in rows
        ]

    def _columns(self, names: Sequence[str], hits: Sequence[tuple[Any, tantivy.DocAddress]]) -> list[Sequence[Any]]:
        """Return what the index keeps under these names of each hit, name by name."""
        addresses = [address for _, address in hits]
        return [cast(Sequence[Any], self._searcher.fast_field_values(name, addresses)) for name in names]

    def fetch(self, hits: Sequence[Candidate]) -> list[StoredHit]:
        """Return what is stored of each of these hits."""
        return [stored_hit(self._searcher.doc(cast(tantivy.DocAddress, hit.address)).get_first("hit")) for hit in hits]

    def _count(self, query: Query) -> int:
        # Where every hit scores the same, none of them is scored.
        return _count(self._searcher.search(Query.const_score_query(query, 1.0), limit=1))

    def _query(self, plan: QueryPlan, filters: Filters) -> Query:
        words = self._words(plan)
        scoring = Query.boolean_query(words) if words else _unscored(Query.all_query())
        return Query.boolean_query([(Occur.Must, scoring), *self._demands(plan, filters)])

    def _words(self, plan: QueryPlan) -> list[tuple[Occur, Query]]:
        return [(Occur.Should, self._word(word)) for word in plan.words]

    def _word(self, word: Word, field: str = WORDS) -> Query:
        forms = [self._term(form, field) for form in word.forms]
        if word.mistyped:
            near = Query.fuzzy_term_query(self._schema, field, word.forms[0], 1, transposition_cost_one=True)
            forms.append(Query.const_score_query(near, MISTYPED))
        query = forms[0] if len(forms) == 1 else Query.disjunction_max_query(forms, OTHER_FORM)
        return Query.boost_query(query, word.weight)

    def _demands(self, plan: QueryPlan, filters: Filters) -> list[tuple[Occur, Query]]:
        """Return what a hit must be and must not be; none of it scores."""
        musts = [*self._filters(filters), *(self._standing(run) for run in plan.phrases)]
        musts += [self._any(forms) for forms in plan.required]
        demands = [(Occur.Must, _unscored(demand)) for demand in musts]
        demands += [(Occur.MustNot, self._standing(run)) for run in plan.excluded]
        announcement = Query.term_query(self._schema, "announcement", True)
        if filters.announcements:
            demands.append((Occur.Must, _unscored(announcement)))
        else:
            demands.append((Occur.MustNot, announcement))
        return demands

    def _any(self, terms: Sequence[str], field: str = WORDS) -> Query:
        """Return what finds any of some words."""
        if len(terms) == 1:
            return self._term(terms[0], field)
        return Query.boolean_query([(Occur.Should, self._term(term, field)) for term in terms])

    def _standing(self, run: Sequence[str]) -> Query:
        """Return what finds a word, or words one after the other."""
        if len(run) == 1:
            return self._term(run[0])
        # A word that the index drops leaves its place behind.
        return Query.phrase_query(self._schema, WORDS, [(at, term) for at, term in enumerate(run) if term])

    def _term(self, term: str, field: str = WORDS) -> Query:
        return Query.term_query(self._schema, field, term)

    def _filters(self, filters: Filters) -> Iterator[Query]:
        if filters.law_types != LAW_TYPE_ORDER:
            numbers = [LAW_TYPES[law_type] for law_type in filters.law_types]
            yield Query.term_set_query(self._schema, "law_type", numbers)
        if filters.year is not None:
            yield Query.term_query(self._schema, "year", filters.year)
        if filters.dataset is not None:
            yield Query.term_query(self._schema, "dataset", filters.dataset, "basic")
        if filters.in_force_on is not None:
            last = filters.in_force_on.toordinal()
            yield Query.range_query(self._schema, "from_day", tantivy.FieldType.Unsigned, 0, last)
        named = {"ministry": filters.ministries, "legal_area": filters.legal_areas, "refid": filters.acts}
        for field, names in named.items():
            if names is not None:
                yield self._one_of(field, names)

    def _one_of(self, field: str, names: Sequence[str]) -> Query:
        if len(names) > FEW:
            return Query.term_set_query(self._schema, field, list(names))
        return Query.boolean_query(
            [(Occur.Should, Query.term_query(self._schema, field, name, "basic")) for name in names]
        )


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


def _unpacked(sums: Sequence[float]) -> tuple[Values, NDArray[np.bool_]]:
    """Return what sums of points say: a row of covers for each, and whether it has any word of the query."""
    whole = np.array(sums, np.int64)
    covers = np.stack([whole // UNIT**way % UNIT for way in range(len(COVERS))], axis=1) / (UNIT - 1)
    return covers, whole >= UNIT ** len(COVERS)


def _count(result: tantivy.SearchResult) -> int:
    return int(result.count)  # type: ignore[attr-defined]  # its stub forgets it
