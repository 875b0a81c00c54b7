"""Names of people that nobody registered, by their look and their surroundings.

Too much is taken out rather than too little: a place that is mistaken for a name costs a model less than a name that is
mistaken for a place costs a person.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from lovsvar_cases.core.pseudonyms.spans import Span

_LATIN = (*range(0xC0, 0x250), *range(0x1E00, 0x1F00))
_UP = "A-Z" + "".join(chr(letter) for letter in _LATIN if chr(letter).isupper())
_NAME = rf"[{_UP}](?:[^\W\d_]|['’](?=[^\W\d_])){{1,40}}"
_PART = rf"{_NAME}(?:-{_NAME}){{0,3}}"
_END_OF_LINE = r"[ \t]*\r?\n[ \t]*"
_PARTICLE = r"(?i:van|von|der|den|de|da|di|du|af|av|al|el|bin|la|le|dos|ten)[ \u00a0]+"
_JOINED = rf"(?:[ \u00a0]+|{_END_OF_LINE})(?:{_PARTICLE}){{0,2}}"
_INITIALS = rf"(?:[{_UP}]\.[ \u00a0]?){{0,3}}"
SEQUENCE = re.compile(
    rf"(?<![\w{{.-]){_INITIALS}{_PART}"
    rf"(?:{_JOINED}(?:[{_UP}]\.?(?!\w))?[ \u00a0]*{_PART}|[ \u00a0]+[{_UP}]\."
    r"(?!\w)){0,8}"
)


INTRODUCED = re.compile(
    r"(?i:\b(?:herr|fru|frøken|hr\.|advokat(?:en)?|adv\.|dommer(?:en)?|tingrettsdommer|lege(?:n)?|fastlege(?:n)?|dr\.|doktor"
    r"|professor|psykolog|saksbehandler(?:en)?|rådgiver|seniorrådgiver|konsulent"
    r"|nabo(?:en)?|vitne(?:t)?|utleier(?:en)?"
    r"|leier(?:en)?|leietaker(?:en)?|sjef(?:en)?|leder(?:en)?|kollega(?:en)?|mann(?:en)?|kon[ae]|samboer(?:en)?"
    r"|ektefelle(?:n)?"
    r"|datter(?:en)?|dattera|sønn(?:en)?|barn(?:et)?|mor(?:a|en)?|far(?:en)?|bror(?:en)?|søster(?:en)?|venn(?:en|inne|inna)?"
    r"|tante|onkel|bestemor|bestefar|kjøper(?:en)?|selger(?:en)?|eier(?:en)?|daglig leder"
    r"|styreleder(?:en)?|megler(?:en)?"
    r"|håndverker(?:en)?|lærer(?:en)?|rektor|prest(?:en)?|heter|het|hette|kalles|kalt|navn(?:et)?"
    r"|signert|undertegnede|hilsen|mvh"
    r"|kontaktperson|fullmektig(?:en)?|klager(?:en)?|innklagede|saksøker(?:en)?|saksøkte|tiltalte|att|v/)"
    r"(?:[ \u00a0]+(?:min|mi|mitt|vår|hans|hennes|deres|er|var|om|av|til))?)[ \u00a0:,/]*\s?$"
)
FAMILY_FIRST = re.compile(rf"(?<![\w{{.-]){_PART},[ \u00a0]{{1,2}}$")
"""A family name before a given one: «Nordmann, Kari»."""

ABBREVIATION = 4
"""Letters of a word in capitals that may well be an abbreviation: NAV, MVA."""

ENDS_SENTENCE = re.compile(r"(?:^|[.!?:;»\"”)\n•*-]|\d\.)\s*(?:[«\"“(]\s*)?$")

INSTITUTION = re.compile(
    r"(?:loven|lova|lov|forskriften|forskrifta|tilsynet|nemnda|nemnd|utvalget|departementet|direktoratet|retten|rett|rådet|råd"
    r"|kommune|kommunen|fylkeskommune|etaten|verket|ombudet|ombud|banken|bank|tinget|sentralen|forbundet|foreningen|forening"
    r"|politiet|registeret|kassen|avisen|sykehuset|sykehus|universitetet|skole|skolen|barnehage|konvensjonen|avtalen|senteret"
    r"|stiftelsen|laget|lag|selskapet|fondet|styret|styre|tjenesten|huset|vesenet|gruppen|kontoret)s?$",
    re.IGNORECASE,
)  # fmt: skip


@dataclass(frozen=True)
class NameLists:
    """`given`: names by which one is known anywhere. `ordinary`: words with a capital that are no names of people."""

    given: frozenset[str]
    ordinary: frozenset[str]


def other_names(text: str, lists: NameLists) -> Iterator[Span]:
    """Yield what in `text` looks like the name of a person; what is found once is found wherever it stands."""
    seen: set[str] = set()
    for start, end in _sequences(text, lists):
        seen.update(part for part in re.split(r"[\s\u00a0.-]+", text[start:end]) if len(part) > 2)
        yield Span(start, end, kind="navn")
    if known := {base(part) for part in seen if part.lower() not in lists.ordinary}:
        again = "|".join(sorted(map(re.escape, known), key=len, reverse=True))
        for found in re.finditer(rf"(?<![\w{{.])(?:{again})(?:['’]?s)?(?!\w)", text, re.IGNORECASE):
            if found[0][0].isupper():
                yield Span(*found.span(), kind="navn")


def base(name: str) -> str:
    """Return a name without the s of a genitive that may be one."""
    return re.sub(r"['’]s?$", "", name) if not name.endswith("s") or len(name) < 5 else name.removesuffix("s")


def _sequences(text: str, lists: NameLists) -> Iterator[tuple[int, int]]:
    for found in SEQUENCE.finditer(text):
        start, end = _trimmed(text, *found.span(), lists)
        if start < end and _is_name(text, start, end, lists):
            yield _with_family(text, start, end, lists), end


def _with_family(text: str, start: int, end: int, lists: NameLists) -> int:
    """Return where a name begins that may have its family name before it."""
    first = text[start:end].split(maxsplit=1)[0]
    before = FAMILY_FIRST.search(text, max(0, start - 60), start)
    if before and _is_given(first, lists) and not _is_ordinary(before[0].rstrip(", \u00a0"), lists):
        return before.start()
    return start


def _trimmed(text: str, start: int, end: int, lists: NameLists) -> tuple[int, int]:
    """Return a sequence without the ordinary words at its ends: «Hei Kari», «Kari Oslo»."""
    parts = [(found.start() + start, found.end() + start) for found in re.finditer(r"[^\s\u00a0]+", text[start:end])]
    named = any(_is_given(text[slice(*part)], lists) for part in parts)
    longest = 0 if named else 100 if _is_headline(text, start, end) else ABBREVIATION
    while parts and _is_ordinary(text[slice(*parts[0])], lists, longest):
        del parts[0]
    while parts and _is_ordinary(text[slice(*parts[-1])], lists, longest):
        del parts[-1]
    return (parts[0][0], parts[-1][1]) if parts else (start, start)


def _is_headline(text: str, start: int, end: int) -> bool:
    """Whether the line around a sequence is all in capitals, and nothing before it says that a name follows."""
    line = text[text.rfind("\n", 0, start) + 1 :].partition("\n")[0]
    return line.isupper() and not INTRODUCED.search(text[max(0, start - 60) : start])


def _is_ordinary(word: str, lists: NameLists, abbreviation: int = ABBREVIATION) -> bool:
    """Whether a word is no name, as are those in capitals with so many letters at most."""
    plain = word.rstrip(".").lower()
    if len(plain) == 1:
        return False
    known = plain in lists.ordinary or plain.removesuffix("s") in lists.ordinary
    short = word.isupper() and len(word) <= abbreviation
    given = {plain.capitalize(), plain.removesuffix("s").capitalize()} & lists.given
    return bool(((known or short) and not given) or INSTITUTION.search(plain))


def _is_name(text: str, start: int, end: int, lists: NameLists) -> bool:
    words = re.findall(r"[^\s\u00a0]+", text[start:end])
    before = text[max(0, start - 60) : start]
    if INTRODUCED.search(before) or any(_is_given(word, lists) for word in words):
        return True
    if len(words) > 1:
        return True
    # One word alone in a sentence has its capital for being a name; at the beginning of one every word has it.
    return not ENDS_SENTENCE.search(before)


def _is_given(word: str, lists: NameLists) -> bool:
    return any(part.capitalize() in lists.given or base(part.capitalize()) in lists.given for part in word.split("-"))
