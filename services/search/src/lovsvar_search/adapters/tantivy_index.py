"""The index in Tantivy: BM25F of names, headings and text, each hit's score multiplied by its prior."""

import contextlib
import ctypes
import math
import sys
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import date
from functools import lru_cache
from typing import Any, cast

import tantivy
from pydantic_core import from_json, to_json
from tantivy import Filter, Occur, Query, TextAnalyzerBuilder, Tokenizer

from lovsvar_contracts.identifiers import is_announcement
from lovsvar_contracts.law import LAW_TYPE_ORDER, InForce, LawType, ProvisionKind
from lovsvar_search.adapters.index_folder import IndexFolder, Stamp
from lovsvar_search.core.analysis import prepare
from lovsvar_search.core.corpus import (
    ActName,
    IndexedSection,
    StoredHit,
    chapter_number,
    heading,
    is_sample,
    ledd_starts,
    place_number,
    status_of,
)
from lovsvar_search.core.errors import IndexUnusable
from lovsvar_search.core.filters import Filters
from lovsvar_search.core.finding import Matches
from lovsvar_search.core.query import QueryPlan, Word
from lovsvar_search.core.ranking import prior
from lovsvar_search.core.signals import TRAITS, Candidate, Cover, Traits

LAYOUT = "6"
"""Raised whenever the schema, the analysis or a prior below changes: older indexes are then built anew."""

WORDS = "words"
"""The field that is searched: all that a section says, and is called."""

OWN_HEADING, ABOVE = "heading", "above"
"""What a section itself is called; what its act and the headings above it are."""

TITLE, HEADING, PATH, TEXT = 3, 8, 1, 1
"""How often each part of a section stands in `WORDS`, chosen on labelled questions.

That is BM25F (Robertson, Zaragoza and Taylor 2004): a field's weight multiplies how often a term occurs, before
that is put together over the fields and saturates. With the fields in one, a term has one list to go through.
"""

OTHER_FORM = 0.4
"""The share by which a form of a word counts beside the best one."""

SCALE = 4.0
"""What every score is multiplied by inside: Tantivy cannot multiply by less than 1, and no prior is below 1 / 4."""

STEPS = 1024
"""Weight values are multiples of 1 / `STEPS`: a prior is then at most 0.03 % off."""

MISTYPED = 8.0
"""Score of a word that is one letter off: about that of a rare word."""

REMEMBERED = 50_000
"""Words whose terms are kept, and terms whose frequency is."""

WORD = 40
"""Characters of a text that is taken for a word."""

FULL = 255
"""What a field that holds all of a query scores in a count of what each field holds: three such sums are exact in the
24 bits of a score."""

COVERED = (OWN_HEADING, ABOVE, WORDS)

WRITER_HEAP = 120_000_000
"""Bytes; with half of it the corpus makes more segments, each of which is looked through by every query."""

WRITER_THREADS = 1
"""Each thread makes segments of its own. One is as fast, since Python prepares the texts."""

_ANALYZER = "norwegian"
_LAW_TYPES = {law_type: number for number, law_type in enumerate(LAW_TYPE_ORDER)}


def norwegian() -> tantivy.TextAnalyzer:
    """Return the analyzer: words, lower case, no stop words, stems.

    Stemmed twice: once makes utleieren `utleier` and utleier `utlei`, so that they would not meet.
    """
    builder = TextAnalyzerBuilder(Tokenizer.simple()).filter(Filter.lowercase()).filter(Filter.stopword("norwegian"))
    return builder.filter(Filter.stemmer("norwegian")).filter(Filter.stemmer("norwegian")).build()


def schema() -> tantivy.Schema:
    """Return the index's schema."""
    builder = tantivy.SchemaBuilder()
    for field in COVERED:
        builder.add_text_field(field, tokenizer_name=_ANALYZER, index_option="position" if field == WORDS else "freq")
    for field in ("refid", "kind", "ministry", "legal_area", "dataset"):
        builder.add_text_field(field, tokenizer_name="raw", index_option="basic")
    builder.add_unsigned_field("law_type", indexed=True, fast=True)
    builder.add_unsigned_field("year", indexed=True)
    builder.add_boolean_field("announcement", indexed=True)
    for field in ("number", "act"):
        builder.add_unsigned_field(field, indexed=True, fast=True)
    for field in ("chapter", "traits"):
        builder.add_unsigned_field(field, indexed=False, fast=True)
    builder.add_unsigned_field("from_day", indexed=True)
    builder.add_float_field("prior", fast=True)
    builder.add_bytes_field("hit", stored=True)
    return builder.build()


class TantivyIndex:
    """The index of one process. One thread at a time may change it; snapshots may be used by any."""

    def __init__(self, folder: IndexFolder) -> None:
        self._folder = folder
        self._index: tantivy.Index | None = None
        self._writer: tantivy.IndexWriter | None = None

    def open(self) -> Stamp:
        """Open what is on disk. Raises `IndexUnusable` when there is nothing that this code can serve."""
        self._folder.take()
        stamp = self._folder.read_stamp()
        if stamp is None or stamp.layout != LAYOUT:
            raise IndexUnusable("there is no index of this layout")
        with _damage():
            index = tantivy.Index.open(str(self._folder.path))
            index.register_tokenizer(_ANALYZER, norwegian())
            snapshot = TantivySnapshot(index)
            if snapshot.sections != stamp.sections:
                raise IndexUnusable(f"{snapshot.sections} sections where {stamp.sections} were stored")
            snapshot.probe()
        self._index = index
        return stamp

    def reset(self) -> None:
        """Begin with an empty index."""
        self._writer = self._index = None
        self._folder.take()
        self._folder.clear()
        self._index = tantivy.Index(schema(), path=str(self._folder.path))
        self._index.register_tokenizer(_ANALYZER, norwegian())

    def remove(self, refids: Sequence[str]) -> None:
        """Take every section of these documents out, at the next commit."""
        with _damage():
            for refid in refids:
                self._open_writer().delete_documents_by_term("refid", refid)

    def add(self, sections: Sequence[IndexedSection]) -> None:
        """Put sections in, at the next commit."""
        with _damage():
            for section in sections:
                self._open_writer().add_document(_document(section))

    def commit(self, identity: str, version: int) -> "TantivySnapshot":
        """Make the changes last and return the index as it now is."""
        index = self._opened()
        with _damage():
            if self._writer is not None:
                self._writer.commit()
                self._writer.wait_merging_threads()
                # It holds its whole heap; changes are rare.
                self._writer = None
                _give_back_memory()
            index.reload()
            snapshot = TantivySnapshot(index)
        self._folder.write_stamp(Stamp(LAYOUT, identity, version, snapshot.sections))
        return snapshot

    def discard(self) -> None:
        """Forget changes that were not committed."""
        if self._writer is not None:
            with _damage():
                self._writer.rollback()
            self._writer = None

    def snapshot(self) -> "TantivySnapshot":
        """Return the index as it was last committed."""
        return TantivySnapshot(self._opened())

    def close(self) -> None:
        """Let go of the files and the folder."""
        self._writer = self._index = None
        self._folder.release()

    def _opened(self) -> tantivy.Index:
        if self._index is None:
            raise IndexUnusable("the index is used before it is opened")
        return self._index

    def _open_writer(self) -> tantivy.IndexWriter:
        if self._writer is None:
            self._writer = self._opened().writer(heap_size=WRITER_HEAP, num_threads=WRITER_THREADS)
        return self._writer


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
            _hit(self._searcher.doc(address).get_first("hit"))
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
        return Matches(self._candidates(result), _count(result))

    def count(self, plan: QueryPlan, filters: Filters) -> int:
        """Return how many hits there are in all."""
        return self._count(self._query(plan, filters))

    def search_headings(self, plan: QueryPlan, filters: Filters, limit: int) -> Mapping[int, float]:
        """Return the BM25 scores, by number, of the sections whose own headings are most like the plan's own words."""
        words = [(Occur.Should, self._word(word, OWN_HEADING)) for word in plan.words[: plan.own]]
        if not words:
            return {}
        query = Query.boolean_query([(Occur.Must, Query.boolean_query(words)), *self._demands(plan, filters)])
        hits = self._searcher.search(query, limit, count=False).hits
        numbers = self._searcher.fast_field_values("number", [address for _, address in hits])
        return {int(number or 0): score for (score, _), number in zip(hits, numbers, strict=True)}

    def score(self, plan: QueryPlan, filters: Filters, numbers: Collection[int]) -> list[Candidate]:
        """Return those of these places that may be hits, also without a word of the plan."""
        if not numbers:
            return []
        places = (Occur.Must, self._places(numbers))
        query = Query.boolean_query([places, *self._words(plan), *self._demands(plan, filters)])
        return self._candidates(self._searcher.search(query, len(numbers), count=False, weight_by_field="prior"))

    def cover(self, weights: Sequence[tuple[Word, float]], numbers: Collection[int]) -> Mapping[int, Cover]:
        """Return how much of some words each of these places holds in its heading, above it, and at all.

        `weights` are shares of the whole; a place without any of the words is left out.
        """
        # Each field's sum is a whole number below the next one's unit, so that one search counts all three.
        points = _points([share for _, share in weights])
        scores = [
            (Occur.Should, Query.const_score_query(self._any(word.forms, field), float(point * unit)))
            for unit, field in zip((1, FULL + 1, (FULL + 1) ** 2), COVERED, strict=True)
            for (word, _), point in zip(weights, points, strict=True)
            if point
        ]
        if not numbers or not scores:
            return {}
        query = Query.boolean_query([(Occur.Must, self._places(numbers)), (Occur.Must, Query.boolean_query(scores))])
        hits = self._searcher.search(query, len(numbers), count=False).hits
        found = self._searcher.fast_field_values("number", [address for _, address in hits])
        return {int(number or 0): _unpacked(int(score)) for (score, _), number in zip(hits, found, strict=True)}

    def _places(self, numbers: Collection[int]) -> Query:
        # One term each: a set of terms would be looked for in every document.
        ones = [(Occur.Should, Query.term_query(self._schema, "number", number, "basic")) for number in numbers]
        return Query.boost_query(Query.boolean_query(ones), 0.0)

    def _candidates(self, result: tantivy.SearchResult) -> list[Candidate]:
        hits = result.hits
        addresses = [address for _, address in hits]
        names = ("number", "act", "law_type", "prior", "chapter", "traits")
        columns = (self._searcher.fast_field_values(name, addresses) for name in names)
        numbers, acts, law_types, priors, chapters, traits = (cast(Sequence[Any], column) for column in columns)
        factors = {value: SCALE * _factor(value) for value in set(priors)}
        return [
            Candidate(number, act, LAW_TYPE_ORDER[law_type], score / factors[value], chapter, TRAITS[trait], address)
            for (score, address), number, act, law_type, value, chapter, trait in zip(
                hits, numbers, acts, law_types, priors, chapters, traits, strict=True
            )
        ]

    def fetch(self, hits: Sequence[Candidate]) -> list[StoredHit]:
        """Return what is stored of each of these hits."""
        return [_hit(self._searcher.doc(cast(tantivy.DocAddress, hit.address)).get_first("hit")) for hit in hits]

    def _count(self, query: Query) -> int:
        # Where every hit scores the same, none of them is scored.
        return _count(self._searcher.search(Query.const_score_query(query, 1.0), limit=1))

    def _query(self, plan: QueryPlan, filters: Filters) -> Query:
        words = self._words(plan)
        scoring = Query.boolean_query(words) if words else Query.boost_query(Query.all_query(), 0.0)
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
        demands = [(Occur.Must, Query.boost_query(demand, 0.0)) for demand in musts]
        demands += [(Occur.MustNot, self._standing(run)) for run in plan.excluded]
        announcement = Query.term_query(self._schema, "announcement", True)
        if filters.announcements:
            demands.append((Occur.Must, Query.boost_query(announcement, 0.0)))
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
            numbers = [_LAW_TYPES[law_type] for law_type in filters.law_types]
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
                yield Query.term_set_query(self._schema, field, list(names))


def _make_room(remembered: dict[str, Any]) -> None:
    if len(remembered) >= REMEMBERED:
        remembered.clear()


def _points(shares: Sequence[float]) -> list[int]:
    """Return shares of a whole as whole points; those of all of it are `FULL` together."""
    points = [int(FULL * share) for share in shares]
    if points:
        points[points.index(max(points))] += round(FULL * min(1.0, sum(shares))) - sum(points)
    return points


def _unpacked(score: int) -> Cover:
    above, own = divmod(score, FULL + 1)
    everything, above = divmod(above, FULL + 1)
    return Cover(own / FULL, above / FULL, everything / FULL)


def _count(result: tantivy.SearchResult) -> int:
    return int(result.count)  # type: ignore[attr-defined]  # its stub forgets it


def _document(section: IndexedSection) -> tantivy.Document:
    act = section.act
    status = status_of(act.in_force, section.in_force)
    document = tantivy.Document()
    parts = (
        (TITLE, _prepared_title(act)),
        (HEADING, prepare(f"{section.value} {section.title}")),
        (PATH, prepare(" ".join(section.path))),
        (TEXT, prepare(section.text)),
    )
    for times, part in parts:
        for _ in range(times):
            # A value of its own: no phrase runs from one into the next.
            document.add_text(WORDS, part)
    (_, title), (_, own), (_, path), _ = parts
    document.add_text(OWN_HEADING, own)
    document.add_text(ABOVE, f"{title} {path}")
    document.add_text("refid", act.refid)
    document.add_unsigned("number", place_number(act.refid, section.section_key))
    document.add_unsigned("act", place_number(act.refid))
    document.add_text("kind", section.kind)
    for ministry in act.ministries:
        document.add_text("ministry", ministry)
    for area in act.legal_areas:
        document.add_text("legal_area", area)
    document.add_text("dataset", section.dataset)
    if (day := _from_day(status, section.in_force_from)) is not None:
        document.add_unsigned("from_day", day)
    document.add_unsigned("law_type", _LAW_TYPES[act.law_type])
    document.add_unsigned("year", section.year)
    document.add_unsigned("chapter", chapter_number(act.refid, section.path))
    document.add_unsigned("traits", TRAITS.index(Traits(section.kind, status)))
    document.add_boolean("announcement", is_announcement(act.refid))
    document.add_float("prior", _weight_value(prior(act.law_type, status, section.kind)))
    document.add_bytes("hit", _stored_bytes(section, status))
    return document


@lru_cache(maxsize=64)
def _prepared_title(act: ActName) -> str:
    """Return what is searched of an act's names; sections of an act come one after another."""
    return prepare(f"{act.short_title} {act.title} {act.abbreviation}")


def _weight_value(factor: float) -> float:
    """Return what makes Tantivy, which multiplies by log2(2 + value), multiply by `factor * SCALE`."""
    value = float(2.0 ** max(1.0, SCALE * factor) - 2.0)
    # Numbers whose last bits are all zero are kept in two bytes each, not seven: every match of a query reads one.
    return round(value * STEPS) / STEPS


def _factor(value: float | None) -> float:
    """Return the factor that a weight value stands for."""
    return math.log2(2.0 + (value or 0.0)) / SCALE


def _from_day(status: InForce, begin: date | None) -> int | None:
    """Return the day, as an ordinal, from which a section is or will be law; 0 for ever since; None for never."""
    if status is InForce.YES:
        return begin.toordinal() if begin else 0
    return begin.toordinal() if begin and status is InForce.NOT_YET else None


def _stored_bytes(section: IndexedSection, status: InForce) -> bytes:
    fields = (
        section.act.refid,
        section.section,
        section.act.act,
        heading(section.value, section.title),
        section.act.law_type,
        section.path,
        section.text,
        status,
        section.tokens,
        is_sample(section.dataset),
        ledd_starts(section.text, section.ledd_openings),
    )
    return to_json(fields)


def _hit(data: Any) -> StoredHit:
    refid, section, act, title, law_type, path, text, status, tokens, sample, starts = from_json(data)
    return StoredHit(
        refid, section, act, title, LawType(law_type), tuple(path), text, InForce(status), tokens, sample, starts
    )


def _give_back_memory() -> None:
    """Give freed memory back to the system where the allocator can: glibc keeps a hundred MB of what indexing took."""
    if sys.platform == "linux" and (trim := getattr(ctypes.CDLL(None), "malloc_trim", None)):
        trim(0)


@contextlib.contextmanager
def _damage() -> Iterator[None]:
    """Turn what Tantivy raises on damaged files into `IndexUnusable`."""
    try:
        yield
    except (OSError, ValueError, RuntimeError) as exc:
        raise IndexUnusable(f"{type(exc).__name__}: {exc}") from exc
    except BaseException as exc:
        # A panic inside Tantivy arrives as a BaseException that no module exports.
        if type(exc).__name__ == "PanicException":
            raise IndexUnusable(f"panic: {exc}") from exc
        raise
