"""Where an answer names acts and sections: in bokmål, nynorsk and English, in figures and in words."""

import re
from collections.abc import Iterable, Iterator

from lovsvar_legaltext.sections import AMOUNT
from lovsvar_legaltext.written_references import Located, Reference, locate

_NUMBER = r"\d+(?:-\d+)?(?:\s?[a-hj-z](?!\w))?(?:-\d+)?"
_KINDS = r"""
    sections? | sec\. | paragraphs? | paragraf(?:en|ene|er|ar|ane)? | pgf\. | par\.
"""
_SECTION = re.compile(rf"\b(?:{_KINDS})\s*(?P<n>{_NUMBER})(?!\w)", re.IGNORECASE | re.VERBOSE)
_ARTICLE = re.compile(
    r"""
    (?P<act> (?<![\w-]) [\w-]{0,40}? (?: forordning | konvensjon | lov | avtale ) (?:en|a|ens|as|i)? \s+
           | \b (?-i: [A-ZÆØÅ]{2,6} ) \s+ )?
    \b (?: articles? | artikkel(?:en)? | artikl(?:er|ar|ene|ane) | art\. ) \s*
    (?P<n> \d+ (?: \s?[a-hj-z](?!\w) )? ) (?!\w)
    """,
    re.IGNORECASE | re.VERBOSE,
)
_TENS = """
    twenty thirty forty fifty sixty seventy eighty ninety hundred tjue tretti førti femti seksti sytti åtti nitti hundre
"""
_SPELLED = re.compile(
    rf"(?:\b(?:{_KINDS})|§+)\s*(?:nummer\s+|number\s+)?(?P<n>(?:{'|'.join(_TENS.split())})[\wæøå-]*)",
    re.IGNORECASE | re.VERBOSE,
)
_ANY_SIGN = re.compile(r"§+\s*[\w-]{0,40}")
_MORE = re.compile(
    rf"""
    \s* (?: , | ; | / | & | \b(?: og | eller | samt | jf\. | and | or | to | through | til )\b | [–-] ) \s* (?:§+\s*)?
    (?P<n> {_NUMBER} ) (?![\w-])
    (?! \.?\s* \d | {AMOUNT} )
    """,
    re.IGNORECASE | re.VERBOSE,
)
_DATED = re.compile(
    r"""
    \b (?: lov | forskrift | instruks | reglement ) \s+ (?: av \s+ | frå \s+ )? \d{1,2}\. \s* [a-zæøå]{3,9} \s+ \d{4}
    \s* ,? \s* (?: nr | nummer )\.? \s* \d+
    """,
    re.IGNORECASE | re.VERBOSE,
)
_TITLED = re.compile(r"\b[Ll]ov\s+om\s+[^.,;:()?!§«»\[\]\n]{3,80}")
_INDEFINITE = re.compile(r"\b(?:en|ei|ein|ny|nye|eigen|egen|ingen|noen|nokon|slik|annen|anna|ved)\s+$", re.IGNORECASE)
_ENGLISH_ACT = re.compile(
    r"\b(?:[A-ZÆØÅ][\w-]*\s+(?:(?:and|of|on|for|to|the|in)\s+){0,2}){1,8}(?:Act|Regulations?|Code|Ordinance)\b"
)
_ENGLISH_LEAD = re.compile(
    r"^(?:(?:The|This|That|Under|In|See|By|According|If|When|Each|Any|A|An|Both|to|the|and|of)\s+)+"
)
_NORWEGIAN_AFTER = re.compile(r"\s*\([^()]*(?:lov|forskrift)[^()]*\)", re.IGNORECASE)
_NORWEGIAN_BEFORE = re.compile(r"(?:lov|forskrift)\w*\s*\((?:the\s+)?$", re.IGNORECASE)


def named_in(text: str) -> tuple[Located, ...]:
    """Return every place that names an act or a section, in order; whatever has a section sign is one.

    An act named in English is passed over when its Norwegian name is next to it in brackets.
    """
    found = _Found(locate(text))
    for match in _ARTICLE.finditer(text):
        act = " ".join((match["act"] or "").split())
        number = "".join(match["n"].split()).casefold()
        reference = Reference(f"{act} artikkel {number}") if act else Reference("", f"/a{number}")
        found.add(match.start(), match.end(), reference)
    for pattern in (_SPELLED, _SECTION):
        for match in pattern.finditer(text):
            found.add(match.start(), match.end(), Reference("", " ".join(match["n"].split())))
    for match in _ANY_SIGN.finditer(text):
        found.add(match.start(), match.end(), Reference("", match.group().lstrip("§ ") or "?"))
    for place in tuple(found.places):
        for start, end, number in _more(place, text):
            found.add(start, end, Reference(place.reference.act, number))
    for start, end, act in _acts(text):
        found.add(start, end, Reference(act))
    return tuple(sorted(found.places, key=lambda p: p.start))


class _Found:
    """Places that do not overlap; the first comes first. Several names of one place are one place each."""

    def __init__(self, places: Iterable[Located]) -> None:
        self.places = list(places)

    def add(self, start: int, end: int, reference: Reference) -> None:
        if not any(p.start < end and start < p.end for p in self.places):
            self.places.append(Located(start, end, reference))


def _more(place: Located, text: str) -> Iterator[tuple[int, int, str]]:
    """Yield the sections that follow one: 'sections 3 and 4', '§ 3-2 eller 3-9'."""
    section, end = place.reference.section, place.end
    while section and (match := _MORE.match(text, end)):
        if ("-" in match["n"]) != ("-" in section):
            return
        yield match.start("n"), match.end("n"), " ".join(match["n"].split())
        end = match.end()


def _acts(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield the acts that are named alone, otherwise than by one Norwegian word."""
    for match in _DATED.finditer(text):
        yield match.start(), match.end(), " ".join(match.group().split())
    for match in _TITLED.finditer(text):
        if not _INDEFINITE.search(text, max(match.start() - 12, 0), match.start()):
            yield match.start(), match.end(), " ".join(match.group().split())
    for match in _ENGLISH_ACT.finditer(text):
        name = _ENGLISH_LEAD.sub("", match.group())
        has_norwegian = _NORWEGIAN_AFTER.match(text, match.end()) or _NORWEGIAN_BEFORE.search(text[: match.start()])
        if " " in name and not has_norwegian:
            yield match.end() - len(name), match.end(), " ".join(name.split())
