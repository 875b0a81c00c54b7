"""A reference in its written forms."""

import re

from lovsvar_contracts.law import DocumentSummary
from lovsvar_contracts.search import ResolvedReference
from lovsvar_gateway.core.mcp.places import in_words, is_article
from lovsvar_gateway.core.mcp.results import Forms

_MONTHS = (
    *("januar", "februar", "mars", "april", "mai", "juni", "juli", "august", "september", "oktober", "november"),
    "desember",
)
_REFID = re.compile(r"(?:lti/)?(?P<type>[a-z]+)/(?P<year>\d{4})-(?P<month>\d\d)-(?P<day>\d\d)(?:-(?P<number>\d+))?")
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
"""What is printed inside an act, by the beginning of its articles' names: in words, and abbreviated."""

_CODES = {"forskrift": "FOR", "lov": "LOV"}


def forms(reference: ResolvedReference, document: DocumentSummary) -> Forms:
    """Return `reference` to (a place in) `document` in every written form."""
    pinpoint = " ".join(part for part in (section_in_words(reference), in_words(reference)) if part)
    name = document.short_title or document.title
    treaty = _treaty(reference)
    name = treaty[0] if treaty else _lower(name)
    short = " ".join(part for part in (name, pinpoint) if part)
    brief = " ".join(part for part in (section_in_words(reference), _in_signs(reference)) if part)
    abbreviation = treaty[1] if treaty else document.abbreviation and _dotted(document.abbreviation)
    abbreviated = f"{abbreviation} {brief}".strip() if abbreviation else short
    return Forms(
        reference=reference,
        full=" ".join(part for part in (dated(document), treaty[0] if treaty else "", pinpoint) if part),
        short=short,
        abbreviated=abbreviated,
        pinpoint=pinpoint,
        code=code(reference),
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
    match = _REFID.match(document.refid)
    if match is None or not 1 <= int(match["month"]) <= len(_MONTHS):
        return document.title
    month = _MONTHS[int(match["month"]) - 1]
    number = f" nr. {int(match['number'])}" if match["number"] else ""
    title = _KIND.sub("", document.title).strip()
    return f"{match['type']} {int(match['day'])}. {month} {match['year']}{number} {title}"


def code(reference: ResolvedReference) -> str:
    """Return Lovdata's code of a document or provision: 'LOV-1999-03-26-17-§3-5'."""
    kind, _, rest = reference.refid.removeprefix("lti/").partition("/")
    code = f"{_CODES.get(kind, kind.upper()[:3])}-{rest}"
    return f"{code}-{reference.section}" if reference.section else code


def _in_signs(reference: ResolvedReference) -> str:
    ledd = f"({reference.ledd})" if reference.ledd is not None else ""
    letter = f"bokstav {reference.letter}" if reference.letter else ""
    number = f"nr. {reference.number}" if reference.number else ""
    inner = (number, letter) if is_article(reference) else (letter, number)
    sentence = f"{reference.sentence}. pkt." if reference.sentence else ""
    return " ".join(part for part in (ledd, *inner, sentence) if part)


def _lower(name: str) -> str:
    """Return `name` as it stands inside a sentence; a name in capitals stays."""
    return name[:1].lower() + name[1:] if name[1:2].islower() else name


def _dotted(abbreviation: str) -> str:
    return abbreviation if abbreviation.isupper() or abbreviation.endswith(".") else f"{abbreviation}."
