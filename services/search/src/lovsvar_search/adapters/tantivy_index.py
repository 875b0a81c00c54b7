"""The index in Tantivy: BM25 over four fields, each hit's score multiplied by its prior."""

import contextlib
import math
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, cast

import tantivy
from pydantic_core import from_json, to_json
from tantivy import Filter, Occur, Query, TextAnalyzerBuilder, Tokenizer

from lovsvar_contracts.identifiers import is_announcement
from lovsvar_contracts.law import LAW_TYPE_ORDER, InForce, LawType, ProvisionKind
from lovsvar_search.adapters.index_folder import IndexFolder, Stamp
from lovsvar_search.core.analysis import prepare
from lovsvar_search.core.corpus import ActName, IndexedSection, StoredHit, heading, is_sample, ledd_starts, status_of
from lovsvar_search.core.errors import IndexUnusable
from lovsvar_search.core.finding import Filters, Found, Ranking
from lovsvar_search.core.query import QueryPlan
from lovsvar_search.core.ranking import PINNED, prior

LAYOUT = "2"
"""Raised whenever the schema, the analysis or a prior below changes: older indexes are then built anew."""

FIELDS = {"title": 2.0, "heading": 3.0, "path": 1.0, "text": 2.0}
"""Weights of the fields, chosen on labelled questions."""

TIE = 0.4
"""A term counts by its best field, and by this share of the others: repeated in title and path it says little more."""

NAMED_ACT = 25.0
"""Score on top for provisions of an act that the query names, about what two rare words give."""

SCALE = 4.0
"""What every score is multiplied by inside: Tantivy cannot multiply by less than 1, and no prior is below 1 / 4."""

WRITER_HEAP = 60_000_000
WRITER_THREADS = 2

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
    for field in FIELDS:
        builder.add_text_field(field, tokenizer_name=_ANALYZER)
    for field in ("refid", "place", "kind", "ministry"):
        builder.add_text_field(field, tokenizer_name="raw", index_option="basic")
    builder.add_unsigned_field("law_type", indexed=True, fast=True)
    builder.add_unsigned_field("year", indexed=True)
    builder.add_boolean_field("announcement", indexed=True)
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
        self.sections: int = self._searcher.num_docs
        """Sections of every kind."""
        self.provisions = self._count(Query.term_query(self._schema, "kind", ProvisionKind.PROVISION))
        """Sections that are provisions."""

    def probe(self) -> None:
        """Read a little of everything that a search reads; raises when the files are damaged."""
        for _, address in self._searcher.search(Query.all_query(), limit=3).hits:
            _hit(self._searcher.doc(address).get_first("hit"))
        self.search(QueryPlan(("lov",)), Filters(), 3)

    def analyze(self, text: str) -> list[str]:
        """Return the terms of `text` as the index stores them."""
        return self._analyzer.analyze(text)

    def weights(self, terms: Sequence[str]) -> Mapping[str, float]:
        """Return each term's inverse document frequency."""
        count = self.sections + 1
        return {term: math.log(count / (1 + self._searcher.doc_freq("text", term))) + 0.1 for term in terms}

    def search(self, plan: QueryPlan, filters: Filters, limit: int) -> Ranking:
        """Return the `limit` best hits; the same hits in the same order for every limit."""
        result = self._searcher.search(self._query(plan, filters), limit, weight_by_field="prior")
        addresses = [address for _, address in result.hits]
        types = self._searcher.fast_field_values("law_type", addresses)
        best = [
            Found(score / SCALE, LAW_TYPE_ORDER[int(number or 0)], address)
            for (score, address), number in zip(result.hits, types, strict=True)
        ]
        return Ranking(best, _count(result))

    def fetch(self, hits: Sequence[Found]) -> list[StoredHit]:
        """Return what is stored of each of these hits."""
        return [_hit(self._searcher.doc(cast(tantivy.DocAddress, hit.place)).get_first("hit")) for hit in hits]

    def _count(self, query: Query) -> int:
        return _count(self._searcher.search(query, limit=1))

    def _query(self, plan: QueryPlan, filters: Filters) -> Query:
        scoring: list[tuple[Occur, Query]] = [(Occur.Should, self._term(term)) for term in plan.terms]
        scoring += [(Occur.Should, self._exact("refid", refid, NAMED_ACT)) for refid in plan.acts]
        scoring += [(Occur.Should, self._exact("place", f"{r}#{key}", PINNED)) for r, key in plan.sections]
        query = Query.boolean_query(scoring)
        announcement = Query.term_query(self._schema, "announcement", True)
        silent = [(Occur.Must, Query.boost_query(demand, 0.0)) for demand in self._demands(filters)]
        if filters.announcements:
            silent.append((Occur.Must, Query.boost_query(announcement, 0.0)))
        else:
            silent.append((Occur.MustNot, announcement))
        return Query.boolean_query([(Occur.Must, query), *silent])

    def _term(self, term: str) -> Query:
        fields = [Query.boost_query(Query.term_query(self._schema, f, term), boost) for f, boost in FIELDS.items()]
        return Query.disjunction_max_query(fields, TIE)

    def _exact(self, field: str, value: str, score: float) -> Query:
        return Query.const_score_query(Query.term_query(self._schema, field, value, "basic"), score)

    def _demands(self, filters: Filters) -> Iterator[Query]:
        if filters.law_types != LAW_TYPE_ORDER:
            numbers = [_LAW_TYPES[law_type] for law_type in filters.law_types]
            yield Query.term_set_query(self._schema, "law_type", numbers)
        if filters.year is not None:
            yield Query.term_query(self._schema, "year", filters.year)
        if filters.ministries is not None:
            yield Query.term_set_query(self._schema, "ministry", list(filters.ministries))


def _count(result: tantivy.SearchResult) -> int:
    return int(result.count)  # type: ignore[attr-defined]  # its stub forgets it


def _document(section: IndexedSection) -> tantivy.Document:
    act = section.act
    status = status_of(act.in_force, section.in_force)
    document = tantivy.Document()
    document.add_text("title", _prepared_title(act))
    document.add_text("heading", prepare(f"{section.value} {section.title}"))
    document.add_text("path", prepare(" ".join(section.path)))
    document.add_text("text", prepare(section.text))
    document.add_text("refid", act.refid)
    document.add_text("place", f"{act.refid}#{section.section_key}")
    document.add_text("kind", section.kind)
    for ministry in act.ministries:
        document.add_text("ministry", ministry)
    document.add_unsigned("law_type", _LAW_TYPES[act.law_type])
    document.add_unsigned("year", section.year)
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
    return float(2.0 ** max(1.0, SCALE * factor) - 2.0)


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
    refid, section, act, title, law_type, path, text, status, tokens, sample, starts = from_json(bytes(data))
    return StoredHit(
        refid, section, act, title, LawType(law_type), tuple(path), text, InForce(status), tokens, sample, tuple(starts)
    )


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
