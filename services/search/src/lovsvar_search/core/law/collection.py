"""The definition of the law as a collection: how a section is indexed, and what a query names outright."""

from collections.abc import Callable, Sequence
from datetime import date
from typing import Any
from urllib.parse import unquote

from lovsvar_contracts.identifiers import is_announcement
from lovsvar_contracts.law import LAW_TYPE_ORDER, InForce, LawType, ProvisionKind
from lovsvar_legaltext.act_names import ActNames
from lovsvar_legaltext.definitions import asks_for_meaning, defined_terms
from lovsvar_legaltext.language import QUESTION_WORDS
from lovsvar_legaltext.references import find_references
from lovsvar_search.core.law.analysis import NORWEGIAN, prepare, spoken_words
from lovsvar_search.core.law.lexicon import Lexicon
from lovsvar_search.core.law.relevance import Ranker
from lovsvar_search.core.law.sections import (
    IndexedSection,
    StoredHit,
    chapter_number,
    heading,
    is_sample,
    ledd_starts,
    status_of,
)
from lovsvar_search.core.law.signals import ABOVE, OWN_HEADING, TRAITS, Traits
from lovsvar_search.core.retrieval.collection import WORDS, Collection, Field, FilterKind, Named
from lovsvar_search.core.retrieval.items import Item

EMPTY = "Lovsamlingen er tom. Hent den med kommandoen «lovsvar ingest»."

DEFINES = "defines"
"""The field of the terms that a provision defines."""

MAX_LOOKED_AT = 2_000
"""Characters of a query in which references are looked for."""

FIELDS = (
    Field("title", 3, ABOVE),
    Field("heading", 8, OWN_HEADING),
    Field("path", 1, ABOVE),
    Field("text"),
    Field("definitions", 0, DEFINES),
)
"""Boosts were chosen on labelled questions."""

LAW = 1.25
"""Questions are answered by acts more often than by regulations: more of their provisions become candidates."""

IN_FORCE = {InForce.YES: 1.0, InForce.UNKNOWN: 0.9, InForce.NOT_YET: 0.5, InForce.REPEALED: 0.4}

KIND = {ProvisionKind.PROVISION: 1.0, ProvisionKind.PREAMBLE: 0.7, ProvisionKind.ANNEX: 0.7, ProvisionKind.TEXT: 0.7}

FILTERS = {
    "kind": FilterKind.NAME,
    "ministry": FilterKind.NAME,
    "legal_area": FilterKind.NAME,
    "dataset": FilterKind.NAME,
    "year": FilterKind.NUMBER,
    "announcement": FilterKind.FLAG,
    "from_day": FilterKind.NUMBER,
}


def law_collection(lexicon: Lexicon, ranker: Ranker) -> Collection:
    """Return the law as a collection: its sections are items, its documents groups, its law types tiers."""
    return Collection(
        name="law",
        version="10",
        title="Lovsamlingen",
        empty=EMPTY,
        analyzers={"no": NORWEGIAN},
        fields=FIELDS,
        profile=ranker.profile,
        item=lambda section: item_of(section, lexicon.analyze),
        load=stored_hit,
        filters=FILTERS,
        columns=("chapter", "traits", "heading_length", "length"),
        headline=OWN_HEADING,
        covered=(OWN_HEADING, ABOVE, WORDS, DEFINES),
        expansion=lexicon,
        references=read_references,
        probe="lov",
    )


def prior(law_type: LawType, in_force: InForce, kind: ProvisionKind) -> float:
    """Return what a section's score is multiplied by before the words of a query are known; at most 1.25."""
    return (LAW if law_type is LawType.LOV else 1.0) * IN_FORCE[in_force] * KIND[kind]


def item_of(section: IndexedSection, analyze: Callable[[str], Sequence[str]]) -> Item:
    """Return a section as it is indexed. `analyze` is the index's own analyzer: text → terms."""
    act = section.act
    status = status_of(act.in_force, section.in_force)
    day = _from_day(status, section.in_force_from)
    return Item(
        group=act.refid,
        key=section.section_key,
        texts={
            "title": (f"{act.short_title} {act.title} {act.abbreviation}",),
            "heading": (f"{section.value} {section.title}",),
            "path": (" ".join(section.path),),
            "text": (section.text,),
            "definitions": tuple(defined_terms(section.title, section.text)),
        },
        filters={
            "kind": (section.kind,),
            "ministry": act.ministries,
            "legal_area": act.legal_areas,
            "dataset": (section.dataset,),
            "year": (section.year,),
            "announcement": (is_announcement(act.refid),),
            "from_day": () if day is None else (day,),
        },
        columns={
            "chapter": chapter_number(act.refid, section.path),
            "traits": TRAITS.index(Traits(section.kind, status)),
            "heading_length": len(analyze(prepare(section.title))),
            "length": section.tokens,
        },
        prior=prior(act.law_type, status, section.kind),
        tier=LAW_TYPE_ORDER.index(act.law_type),
        stored=StoredHit(
            act.refid,
            section.section,
            act.act,
            heading(section.value, section.title),
            act.law_type,
            section.path,
            section.text,
            status,
            section.tokens,
            is_sample(section.dataset),
            ledd_starts(section.text, section.ledd_openings),
        ),
    )


def read_references(text: str, names: ActNames) -> Named:
    """Return what a query names, and what it says besides; all of it when that is nothing."""
    # As an address writes it: %C2%A7 is a §.
    text = unquote(text)
    references = find_references(text[:MAX_LOOKED_AT], names)
    rest = text
    for reference in sorted(references, key=lambda reference: -reference.start):
        if reference.refids:
            rest = f"{rest[: reference.start]} {rest[reference.end :]}"
    if all(word in QUESTION_WORDS for word in spoken_words(rest).all):
        rest = text
    term = asks_for_meaning(rest)
    return Named(
        rest=term or rest,
        groups=tuple(refid for reference in references for refid in reference.refids),
        items=tuple((refid, key) for one in references for refid in one.refids for key in one.sections),
        field="" if term is None else DEFINES,
    )


def stored_hit(data: Sequence[Any]) -> StoredHit:
    """Return what `Item.stored` of a section says, read back."""
    hit = StoredHit(*data)
    return hit._replace(law_type=LawType(hit.law_type), path=tuple(hit.path), in_force=InForce(hit.in_force))


def _from_day(status: InForce, begin: date | None) -> int | None:
    """Return the day, as an ordinal, from which a section is or will be law; 0 for ever since; None for never."""
    if status is InForce.YES:
        return begin.toordinal() if begin else 0
    return begin.toordinal() if begin and status is InForce.NOT_YET else None
