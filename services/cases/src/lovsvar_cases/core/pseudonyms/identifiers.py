"""Numbers, addresses and accounts by which people are known, in a text.

What has the length of a birth or account number is taken out also when its checksum is wrong: somebody mistyped it.
"""

import re
from collections.abc import Iterator

from stdnum.iban import is_valid as is_iban
from stdnum.no import fodselsnummer, kontonr, orgnr

from lovsvar_cases.core.pseudonyms.spans import Span

E_MAIL = re.compile(r"(?<![\w.+%-])[\w.+%-]{1,64}\s?(?:@|\(at\)|\[at\])\s?[\w-]{1,64}(?:\.[\w-]{1,64}){1,5}")
IBAN = re.compile(
    r"(?<![A-Za-z0-9])[A-Za-z]{2}\d{2}(?:[\s\u00a0]?[A-Za-z0-9]{4}){2,7}(?:[\s\u00a0]?[A-Za-z0-9]{1,3})?(?![A-Za-z0-9])"
)

_GAP = r"[\s\u00a0.\u2011\u2013-]{0,3}"
ELEVEN = re.compile(
    rf"(?<!\d)(?:\d{{6}}{_GAP}\d{{5}}|\d{{4}}{_GAP}\d{{2}}{_GAP}\d{{5}}|\d{{2}}{_GAP}\d{{2}}{_GAP}\d{{2}}{_GAP}\d{{5}}"
    rf"|\d{{6}}{_GAP}\d{{3}}{_GAP}\d{{2}}|\d{{3}}{_GAP}\d{{3}}{_GAP}\d{{3}}{_GAP}\d{{2}})(?!\d)"
)
NINE = re.compile(r"(?<![\d.,])\d{3}[\s\u00a0.]?\d{3}[\s\u00a0.]?\d{3}(?!\d|[.,]\d)")
OF_ORGANISATION = re.compile(r"(?:org|foretak|MVA|NO)[^\d]{0,25}$", re.IGNORECASE)

ABROAD = re.compile(r"(?<![\w+])(?:\+|00)[1-9]\d{0,2}[\s\u00a0.)-]{0,2}(?:\d[\s\u00a0.-]?){5,11}\d(?!\d)")
_GROUPS = "|".join(
    rf"\d{{2}}(?:{gap}\d{{2}}){{3}}|\d{{3}}{gap}\d{{2}}{gap}\d{{3}}|\d{{4}}{gap}\d{{4}}"
    for gap in (r"[\s\u00a0]", r"\.", "[\u2010\u2011\u2013-]")
)
EIGHT = re.compile(
    r"(?<![\d§-])(?<!\d[.,])(?<!§[ \u00a0])(?:\(?(?:\+|00[\s\u00a0]?)?47\)?[\s\u00a0.-]?)?"
    rf"(?P<number>\d{{8}}|{_GROUPS})(?!\d|[.,-]\d|-[A-Z])"
)
TELEPHONE = re.compile(
    r"(?i:tlf|telefon|mob(?:il)?)\.?(?:nr|nummer)?\W{0,4}(?P<number>\d(?:[\s\u00a0.\u2010\u2011\u2013-]{0,2}\d){7})(?!\d)"
)
"""A number that is said to be a telephone's, in whatever groups."""

CALLED = re.compile(r"(?:tlf|telefon|mob|ring|nummer)[^\d]{0,15}$", re.IGNORECASE)
MONEY_AFTER = re.compile(r"\s*(?:kr\b|kroner|NOK|,-|,\d\d\b|mill|euro|€|%)", re.IGNORECASE)
MONEY_BEFORE = re.compile(r"(?:kr\.?|NOK|kroner|€)\s*$", re.IGNORECASE)

_PLACE = r"[A-ZÆØÅ][\w-]{1,30}(?:[ \u00a0]{1,2}[A-ZÆØÅ][\w-]{1,30}){0,2}"
_POSTAL = rf"(?:N-)?\d{{4}}[ \u00a0]+{_PLACE}"
_STREET = (
    r"gaten|gata|gate|gt\.|veien|vegen|vei|veg|vn\.|alléen|alleen|allé|alle|geilen|plassen|plass|torget|torg|bakken|bakke|stien"
    r"|sti|svingen|ringen|kroken|tunet|tun|brygga|bryggen|brygge|terrassen|terrasse|haugen|haug|åsen|ås|løkka|jordet|marka|moen"
    r"|vika|neset|odden|stranda|strand|kaia|dalen|hagen|grenda|faret|tråkket|skogen|parken|smauet|lia|myra|kollen|toppen"
    r"|berget|landet|bukta|høgda|høyda|gården|garden|jordet|leitet|vollen|sletta|engen|enga|bråten|rudveien|luohkká|geaidnu"
)
_NUMBER = r"[ \u00a0]+\d{1,4}[ \u00a0]?[A-Za-z]?(?!\w)(?:[ \u00a0]*[-/][ \u00a0]*\d{1,4}[A-Za-z]?(?!\w))?"
_FLAT = r"(?:,?[ \u00a0]+(?:[HULK]\d{4}|leil(?:ighet|\.)?[ \u00a0]*(?:nr\.?[ \u00a0]*)?\w{1,5}))?"
ADDRESS = re.compile(
    rf"(?<!\w)(?:(?:[A-ZÆØÅ][\w'’.-]{{0,30}}[ \u00a0]{{1,2}}){{0,3}}(?:[A-ZÆØÅ][\w-]{{0,30}}?)?(?i:{_STREET})"
    r"|[a-zæøå][\w-]{2,30}?(?:gaten|gata|gate|veien|vei|vegen))"
    rf"{_NUMBER}{_FLAT}(?:[,\s]\s*{_POSTAL})?"
)
WITH_FLAT = re.compile(rf"(?<!\w){_PLACE}{_NUMBER},?[ \u00a0]+[HULK]\d{{4}}(?!\d)(?:[,\s]\s*{_POSTAL})?")
WITH_POSTAL = re.compile(
    rf"(?:(?<!\w){_PLACE}[ \u00a0]{{1,2}}\d{{1,4}}[ \u00a0]?[A-Za-z]?,?\s{{1,3}}|,\s{{0,3}}|^[ \t]{{0,8}}){_POSTAL}",
    re.MULTILINE,
)
BOX = re.compile(rf"(?i:postboks|pb\.?)[ \u00a0]+\d{{1,5}}(?:[ \u00a0]+{_PLACE})?(?:[,\s]\s*{_POSTAL})?")
YEAR = re.compile(r"^(?:19|20)\d\d$")


def identifiers(text: str) -> Iterator[Span]:
    """Yield what in `text` may identify somebody, the surest first."""
    for pattern, kind in ((E_MAIL, "epost"), (BOX, "adresse"), (ADDRESS, "adresse"), (WITH_FLAT, "adresse")):
        yield from (Span(*found.span(), kind=kind) for found in pattern.finditer(text))
    yield from _postal(text)
    for found in IBAN.finditer(text):
        if found[0][:2].upper() == "NO" or is_iban(found[0]):
            yield Span(*found.span(), kind="iban")
    for found in ELEVEN.finditer(text):
        if not _is_money(text, found):
            yield Span(*found.span(), kind=_kind_of_eleven(_digits(found[0])))
    yield from (Span(*found.span(), kind="telefon") for found in ABROAD.finditer(text))
    for found in NINE.finditer(text):
        if _is_organisation(text, found):
            yield Span(*found.span(), kind="orgnr")
    yield from (Span(*found.span("number"), kind="telefon") for found in TELEPHONE.finditer(text))
    for found in EIGHT.finditer(text):
        if _is_phone(text, found):
            yield Span(*found.span(), kind="telefon")


def _postal(text: str) -> Iterator[Span]:
    for found in WITH_POSTAL.finditer(text):
        start = found.start() + len(found[0]) - len(found[0].lstrip(", \n"))
        year = re.match(r"\d{4}", text[start:])
        if not (year and YEAR.match(year[0])):
            yield Span(start, found.end(), kind="adresse")


def _kind_of_eleven(digits: str) -> str:
    if fodselsnummer.is_valid(digits):
        return "fodselsnummer"
    return "kontonummer" if kontonr.is_valid(digits) else "nummer"


def _is_organisation(text: str, found: re.Match[str]) -> bool:
    digits = _digits(found[0])
    said = OF_ORGANISATION.search(text[max(0, found.start() - 30) : found.start()])
    return bool(said) or (not _is_money(text, found) and (len(found[0]) == len(digits) or orgnr.is_valid(digits)))


def _is_phone(text: str, found: re.Match[str]) -> bool:
    if CALLED.search(text[max(0, found.start() - 25) : found.start()]):
        return True
    if _is_money(text, found) or found["number"][0] in "01":
        return False
    return not all(YEAR.match(part) for part in re.findall(r"\d+", found["number"]))


def _is_money(text: str, found: re.Match[str]) -> bool:
    before = text[max(0, found.start() - 10) : found.start()]
    return bool(MONEY_AFTER.match(text, found.end()) or MONEY_BEFORE.search(before))


def _digits(text: str) -> str:
    return re.sub(r"\D", "", text)
