"""The written forms of a reference, and its place in words."""

import re

from pydantic import Field

from lovsvar_contracts.law import DocumentSummary
from lovsvar_contracts.message import Frozen
from lovsvar_contracts.search import ResolvedReference
from lovsvar_legaltext.refids import parse_refid, refid_code, written_day

_KIND = re.compile(r"^(?:Mellombels |Midlertidig )?(?:Lov|Forskrift|Vedtak|Instruks|Reglement)(?= )", re.IGNORECASE)
_ARTICLE = re.compile(r"(?:^|/)a(?=[\divxlc])", re.IGNORECASE)
_LETTER = re.compile(r"(?<=\d)(?=[a-zæøå])")
_SIGN = re.compile(r"^§\s*")
_TREATIES = (
    ("gdpr/a", "personvernforordningen", "GDPR"),
    ("emkn/a", "EMK", "EMK"),
    ("emke/a", "EMK", "EMK"),
    ("crpdn/a", "CRPD", "CRPD"),
    ("KAPITTEL_4-1/", "ØSK", "ØSK"),
    ("KAPITTEL_6-1/", "SP", "SP"),
    ("KAPITTEL_8-1/", "barnekonvensjonen", "BK"),
    ("KAPITTEL_10-1/", "kvinnekonvensjonen", "KDK"),
)
"""Treaties printed inside an act, by the beginning of their section keys: name, and abbreviation."""

_ORDINALS = (
    *("første", "annet", "tredje", "fjerde", "femte", "sjette", "sjuende", "åttende", "niende", "tiende"),
    *("ellevte", "tolvte"),
)


class Forms(Frozen):
    """A reference in its written forms."""

    reference: ResolvedReference
    full: str
    short: str
    abbreviated: str = Field(description="As in footnotes: 'husll. § 3-5 (2)'; the short form where there is none.")
    pinpoint: str = Field(description="'§ 3-5 annet ledd'; empty for a whole document.")
    code: str = Field(description="Lovdata's: 'LOV-1999-03-26-17-§3-5'.")
    lovdata_url: str
    url: str


def forms(reference: ResolvedReference, document: DocumentSummary) -> Forms:
    """Return `reference` to (a place in) `document` in every written form."""
    section = section_in_words(reference)
    pinpoint = _joined(section, in_words(reference))
    treaty, abbreviation = _treaty(reference) or ("", document.abbreviation)
    name = treaty or document.short_title or document.title
    if not treaty and name[1:2].islower():
        name = name[:1].lower() + name[1:]
    if not treaty and abbreviation and not abbreviation.isupper() and not abbreviation.endswith("."):
        abbreviation += "."
    short = _joined(name, pinpoint)
    return Forms(
        reference=reference,
        full=_joined(dated(document), treaty, pinpoint),
        short=short,
        abbreviated=_joined(abbreviation, section, _in_signs(reference)) if abbreviation else short,
        pinpoint=pinpoint,
        code=refid_code(reference.refid, reference.section),
        lovdata_url=reference.lovdata_url,
        url=reference.url,
    )


def name_of(reference: ResolvedReference) -> str:
    """Return what a reference is to: the treaty that is printed inside an act, else the act."""
    treaty = _treaty(reference)
    return treaty[0] if treaty else reference.act


def _treaty(reference: ResolvedReference) -> tuple[str, str] | None:
    section = reference.section or ""
    return next(((name, short) for beginning, name, short in _TREATIES if section.startswith(beginning)), None)


def section_in_words(reference: ResolvedReference) -> str:
    """Return the provision as it is written in a citation: '§ 3-5', 'artikkel 5', 'kapittel 3'."""
    section = reference.section
    if section is None:
        number = (reference.chapter or "").rpartition("/")[2].removeprefix("kap")
        return f"kapittel {number}" if number else ""
    if section.startswith("§"):
        number = _SIGN.sub("", section)
        # "§13a" is printed "§ 13 a", while "§2A-1" and "§14-9a" are printed as they are.
        return f"§ {number}" if "-" in number else f"§ {_LETTER.sub(' ', number)}"
    article = _ARTICLE.search(section)
    return f"artikkel {section[article.end() :]}" if article else section


def dated(document: DocumentSummary) -> str:
    """Return a document's full name: 'lov 26. mars 1999 nr. 17 om husleieavtaler (husleieloven)'."""
    named = parse_refid(document.refid)
    if named is None:
        return document.title
    number = f" nr. {named.number}" if named.number else ""
    return f"{named.type} {written_day(named.day)}{number} {_KIND.sub('', document.title).strip()}"


def in_words(place: ResolvedReference) -> str:
    """Return the place inside the provision in words: 'annet ledd bokstav b'; empty if there is none."""
    return _joined(_counted(place.ledd, "ledd"), *_items(place), _counted(place.sentence, "punktum"))


def _counted(count: int | None, what: str) -> str:
    if count is None:
        return ""
    return f"{_ORDINALS[count - 1] if 0 < count <= len(_ORDINALS) else f'{count}.'} {what}"


def is_article(place: ResolvedReference) -> bool:
    """Whether the place is in an article, such as a treaty's, and not in a section."""
    return place.section is not None and not place.section.startswith("§")


def _in_signs(place: ResolvedReference) -> str:
    ledd = f"({place.ledd})" if place.ledd is not None else ""
    return _joined(ledd, *_items(place), f"{place.sentence}. pkt." if place.sentence else "")


def _items(place: ResolvedReference) -> tuple[str, str]:
    letter = f"bokstav {place.letter}" if place.letter else ""
    number = f"nr. {place.number}" if place.number else ""
    return (number, letter) if is_article(place) else (letter, number)


def _joined(*parts: str) -> str:
    return " ".join(filter(None, parts))
