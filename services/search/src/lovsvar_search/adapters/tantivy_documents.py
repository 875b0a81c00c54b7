"""A section as Tantivy holds it: its fields, how text is analysed, what weighs how much, what is stored."""

import math
from datetime import date
from functools import lru_cache
from typing import Any

import tantivy
from pydantic_core import from_json, to_json
from tantivy import Filter, TextAnalyzerBuilder, Tokenizer

from lovsvar_contracts.identifiers import is_announcement
from lovsvar_contracts.law import LAW_TYPE_ORDER, InForce, LawType
from lovsvar_legaltext.act_names import Act
from lovsvar_legaltext.definitions import defined_terms
from lovsvar_search.core.analysis import prepare
from lovsvar_search.core.corpus import (
    IndexedSection,
    StoredHit,
    chapter_number,
    heading,
    is_sample,
    ledd_starts,
    place_number,
    status_of,
)
from lovsvar_search.core.ranking import prior
from lovsvar_search.core.signals import TRAITS, Traits

LAYOUT = "9"
"""Raised whenever the schema, the analysis or a prior below changes: older indexes are then built anew."""

WORDS = "words"
"""The field that is searched: all that a section says, and is called."""

OWN_HEADING, ABOVE, DEFINES = "heading", "above", "defines"
"""What a section itself is called; what its act and the headings above it are; the terms that it defines."""

TITLE, HEADING, PATH, TEXT = 3, 8, 1, 1
"""How often each part of a section stands in `WORDS`, chosen on labelled questions.

That is BM25F (Robertson, Zaragoza and Taylor 2004): a field's weight multiplies how often a term occurs, before
that is put together over the fields and saturates. With the fields in one, a term has one list to go through.
"""

COVERED = (OWN_HEADING, ABOVE, WORDS, DEFINES)

SCALE = 4.0
"""What every score is multiplied by inside: Tantivy cannot multiply by less than 1, and no prior is below 1 / 4."""

STEPS = 1024
"""Weight values are multiples of 1 / `STEPS`: a prior is then at most 0.03 % off."""

ANALYZER = "norwegian"

LAW_TYPES = {law_type: number for number, law_type in enumerate(LAW_TYPE_ORDER)}


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
        builder.add_text_field(field, tokenizer_name=ANALYZER, index_option="position" if field == WORDS else "freq")
    for field in ("refid", "kind", "ministry", "legal_area", "dataset"):
        builder.add_text_field(field, tokenizer_name="raw", index_option="basic")
    builder.add_unsigned_field("law_type", indexed=True, fast=True)
    builder.add_unsigned_field("year", indexed=True)
    builder.add_boolean_field("announcement", indexed=True)
    for field in ("number", "act"):
        builder.add_unsigned_field(field, indexed=True, fast=True)
    for field in ("chapter", "traits", "heading_length", "length"):
        builder.add_unsigned_field(field, indexed=False, fast=True)
    builder.add_unsigned_field("from_day", indexed=True)
    builder.add_float_field("prior", fast=True)
    builder.add_bytes_field("hit", stored=True)
    return builder.build()


def document_of(section: IndexedSection) -> tantivy.Document:
    """Return a section as the index keeps it."""
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
    for term in defined_terms(section.title, section.text):
        document.add_text(DEFINES, prepare(term))
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
    document.add_unsigned("law_type", LAW_TYPES[act.law_type])
    document.add_unsigned("year", section.year)
    document.add_unsigned("chapter", chapter_number(act.refid, section.path))
    document.add_unsigned("heading_length", len(_analyzer().analyze(prepare(section.title))))
    document.add_unsigned("length", section.tokens)
    document.add_unsigned("traits", TRAITS.index(Traits(section.kind, status)))
    document.add_boolean("announcement", is_announcement(act.refid))
    document.add_float("prior", _weight_value(prior(act.law_type, status, section.kind)))
    document.add_bytes("hit", _stored_bytes(section, status))
    return document


@lru_cache(maxsize=1)
def _analyzer() -> tantivy.TextAnalyzer:
    return norwegian()


@lru_cache(maxsize=64)
def _prepared_title(act: Act) -> str:
    """Return what is searched of an act's names; sections of an act come one after another."""
    return prepare(f"{act.short_title} {act.title} {act.abbreviation}")


def _weight_value(factor: float) -> float:
    """Return what makes Tantivy, which multiplies by log2(2 + value), multiply by `factor * SCALE`."""
    value = float(2.0 ** max(1.0, SCALE * factor) - 2.0)
    # Numbers whose last bits are all zero are kept in two bytes each, not seven: every match of a query reads one.
    return round(value * STEPS) / STEPS


def factor_of(value: float | None) -> float:
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


def stored_hit(data: Any) -> StoredHit:
    """Return what a document holds in its field `hit`."""
    refid, section, act, title, law_type, path, text, status, tokens, sample, starts = from_json(data)
    return StoredHit(
        refid, section, act, title, LawType(law_type), tuple(path), text, InForce(status), tokens, sample, starts
    )
