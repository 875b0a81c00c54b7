"""An item as Tantivy holds it: its fields, how text is analysed, what weighs how much, what is stored."""

import math
from collections.abc import Callable, Mapping
from typing import Any

import tantivy
from pydantic_core import to_json
from tantivy import Filter, TextAnalyzerBuilder, Tokenizer

from lovsvar_search.core.retrieval.analysis import Analyzer
from lovsvar_search.core.retrieval.collection import WORDS, Collection, FilterKind
from lovsvar_search.core.retrieval.filters import GROUP, TIER
from lovsvar_search.core.retrieval.items import Item, place_number

INDEX_VERSION = "10"
"""Raised whenever an item is indexed in another way: older indexes are then built again."""

SCALE = 4.0
"""What every score is multiplied by inside: Tantivy cannot multiply by less than 1, and no prior is below 1 / 4."""

STEPS = 1024
"""Weight values are multiples of 1 / `STEPS`: a prior is then at most 0.03 % off."""

_ADD: Mapping[FilterKind, Callable[[tantivy.Document, str, Any], None]] = {
    FilterKind.NAME: tantivy.Document.add_text,
    FilterKind.NUMBER: tantivy.Document.add_unsigned,
    FilterKind.FLAG: tantivy.Document.add_boolean,
}


def text_analyzer(analyzer: Analyzer) -> tantivy.TextAnalyzer:
    """Return Tantivy's analyzer: words, lower case, no stop words, stems."""
    builder = TextAnalyzerBuilder(Tokenizer.simple()).filter(Filter.lowercase())
    if analyzer.stop_words:
        builder = builder.filter(Filter.stopword(analyzer.language))
    for _ in range(analyzer.stemmings):
        builder = builder.filter(Filter.stemmer(analyzer.language))
    return builder.build()


def field_of(name: str, language: str) -> str:
    """Return what the index calls a field of texts in a language."""
    return f"{name}_{language}"


def new_index(collection: Collection, path: str) -> tantivy.Index:
    """Return an empty index in a folder."""
    builder = tantivy.SchemaBuilder()
    for language in collection.analyzers:
        builder.add_text_field(field_of(WORDS, language), tokenizer_name=language, index_option="position")
        for name in collection.apart:
            builder.add_text_field(field_of(name, language), tokenizer_name=language, index_option="freq")
    for name, kind in {GROUP: FilterKind.NAME, **collection.filters}.items():
        if kind is FilterKind.NAME:
            builder.add_text_field(name, tokenizer_name="raw", index_option="basic")
        elif kind is FilterKind.NUMBER:
            builder.add_unsigned_field(name, indexed=True)
        else:
            builder.add_boolean_field(name, indexed=True)
    for name in ("number", "group", TIER):
        builder.add_unsigned_field(name, indexed=True, fast=True)
    for name in collection.columns:
        builder.add_unsigned_field(name, indexed=False, fast=True)
    builder.add_float_field("prior", fast=True)
    builder.add_bytes_field("hit", stored=True)
    index = tantivy.Index(builder.build(), path=path)
    register(index, collection)
    return index


def register(index: tantivy.Index, collection: Collection) -> None:
    """Give an index the analyzers of its collection."""
    for language, analyzer in collection.analyzers.items():
        index.register_tokenizer(language, text_analyzer(analyzer))


def document_of(item: Item, collection: Collection) -> tantivy.Document:
    """Return an item as the index keeps it."""
    language = item.language or collection.language
    prepare = collection.analyzers[language].prepare
    document = tantivy.Document()
    words = field_of(WORDS, language)
    for field in collection.fields:
        for text in map(prepare, item.texts.get(field.name, ())):
            for _ in range(field.boost):
                # A value of its own: no phrase runs from one into the next.
                document.add_text(words, text)
            if field.apart:
                document.add_text(field_of(field.apart, language), text)
    document.add_text(GROUP, item.group)
    for name, values in item.filters.items():
        for value in values:
            _ADD[collection.filters[name]](document, name, value)
    document.add_unsigned("number", place_number(item.group, item.key))
    document.add_unsigned("group", place_number(item.group))
    document.add_unsigned(TIER, item.tier)
    for name in collection.columns:
        document.add_unsigned(name, item.columns[name])
    document.add_float("prior", _weight_value(item.prior))
    document.add_bytes("hit", to_json(item.stored))
    return document


def _weight_value(factor: float) -> float:
    """Return what makes Tantivy, which multiplies by log2(2 + value), multiply by `factor * SCALE`."""
    value = float(2.0 ** max(1.0, SCALE * factor) - 2.0)
    # Numbers whose last bits are all zero are kept in two bytes each, not seven: every match of a query reads one.
    return round(value * STEPS) / STEPS


def factor_of(value: float | None) -> float:
    """Return the factor that a weight value stands for."""
    return math.log2(2.0 + (value or 0.0)) / SCALE
