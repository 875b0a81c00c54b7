"""The names and values of a case's parties, in all the forms that a text has them in.

Names: in any case, in the genitive, with initials, the surname alone, hyphenated over lines, with å as aa and ø as oe,
without accents. Numbers: with any separators.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from lovsvar_cases.core.pseudonyms.spans import Span
from lovsvar_contracts.case_details import PartyKind
from lovsvar_contracts.cases import Party

_LETTER = r"[^\W\d_]"
_SPLIT = "(?:\u00ad|\u200b|[-\u2010\u00ad]?[ \t]*\r?\n[ \t]*|[-\u2010\u00ad][ \t]+)?"
"""What may stand between two letters of a word: nothing, or the end of a line, also where lines were joined."""

_SPACE = r"(?:[\s\u00a0.,-]+)"
_GENITIVE = r"(?:['’´]?[sS](?![^\W\d_])|['’´](?!\w))?"
_COMPANY = re.compile(
    r"[\s,]+(?:AS|ASA|ANS|DA|SA|BA|ENK|NUF|KF|IKS|STI|BRL|SE|Ltd\.?|AB|ApS|GmbH|Inc\.?)$", re.IGNORECASE
)
_PARTICLES = "van von der den de da di du af av al el bin la le dos"
_COMMON = """
norsk norske nordisk oslo bergen trondheim stavanger bolig utleie eiendom gruppen bygg service den det stiftelsen
borettslaget sameiet advokatfirmaet advokat bank forsikring kommune butikken firma norge norges første nye store
"""
PARTICLES, COMMON = frozenset(_PARTICLES.split()), frozenset(_COMMON.split())
_SAME = {
    "å": "(?:å|aa|a)", "aa": "(?:aa|å|a)", "ø": "(?:ø|oe|ö|o)", "oe": "(?:oe|ø)", "æ": "(?:æ|ae|ä)",
    "ae": "(?:ae|æ|ä)", "ö": "(?:ö|ø|oe|o)", "ä": "(?:ä|æ|ae|a)", "ü": "(?:ü|ue|u)",
    "é": "[ée]", "è": "[èe]", "ê": "[êe]", "á": "[áa]",
    "š": "[šs]",
    "č": "[čc]", "ž": "[žz]", "đ": "[đd]", "ŋ": "[ŋn]", "ț": "[țţt]", "ș": "[șşs]", "ă": "[ăa]", "â": "[âa]",
    "î": "[îi]", "ł": "[łl]", "ó": "[óo]", "ñ": "[ñn]", "ç": "[çc]", "í": "[íi]", "ú": "[úu]", "ý": "[ýy]",
}  # fmt: skip
_NUMBERS = ("birthNumber", "orgNumber", "accountNumber", "iban", "phone")
_PLAIN = ("address", "email", "birthDate", "postalCode")


@dataclass(frozen=True)
class Form:
    """A form of a party's name or value. What it is replaced by has the genitive's s where the form has one."""

    pattern: re.Pattern[str]
    placeholder: str


def forms_of(parties: Iterable[Party]) -> tuple[Form, ...]:
    """Return all forms of all parties, the longest first; short ones are part of long ones."""
    found = [(value, form) for party in parties for value, form in _forms(party)]
    found.sort(key=lambda one: len(one[0]), reverse=True)
    return tuple(form for _, form in found)


def registered(text: str, forms: Iterable[Form]) -> Iterator[Span]:
    """Yield where `text` has one of the forms."""
    for form in forms:
        for found in form.pattern.finditer(text):
            genitive = found.groupdict().get("genitive") or ""
            yield Span(*found.span(), placeholder=form.placeholder + ("s" if genitive else ""))


def _forms(party: Party) -> Iterator[tuple[str, Form]]:
    fields, name = party.fields, f"{party.party_id}.{{}}".format
    for field in _NUMBERS:
        if value := fields.get(field):
            yield "0" * 99 + value, Form(_number(value, field), _placeholder(name(field)))
    for field in _PLAIN:
        # A postal code alone is four digits that mean anything.
        if (value := fields.get(field)) and field != "postalCode":
            yield "0" * 50 + value, Form(_phrase(value), _placeholder(name(field)))
    if party.kind is PartyKind.ORGANISATION:
        yield from _organisation(fields.get("orgName", ""), _placeholder(name("orgName")))
        yield from _person("", fields.get("contactName", ""), "", _placeholder(name("contactName")))
    else:
        first, last = _placeholder(name("firstName")), _placeholder(name("lastName"))
        yield from _person(fields.get("firstName", ""), fields.get("lastName", ""), first, last)
    if alias := fields.get("alias"):
        yield alias, _form(_phrase_pattern(alias), _placeholder(name("alias")), alias)


def _person(given: str, family: str, first: str, last: str) -> Iterator[tuple[str, Form]]:
    """Yield the forms of a person's name; `first` and `last` are what its parts are replaced by."""
    givens, families = _tokens(given), _tokens(family)
    both = f"{first} {last}".strip()
    if givens and families:
        initials = f"{_SPACE}?".join(re.escape(token[0]) + "[.]" for token in (*givens, families[-1]))
        whole, turned = (_SPACE.join(map(_phrase_pattern, parts)) for parts in ((given, family), (family, given)))
        yield f"{given} {family}xx", _form(whole, both, family)
        yield f"{given} {family}x", _form(turned, both, family)
        yield "xxx", Form(re.compile(rf"(?<!\w){initials}(?!\w)"), both)
        letters = "|".join(re.escape(token[0]) for token in givens)
        shortened = rf"(?:(?:{letters})\.?[\s\u00a0-]*){{1,3}}"
        yield family + "xxx", _form(rf"{shortened}{_phrase_pattern(family)}", both, family)
        last_letter = re.escape(families[-1][0])
        cut_short = rf"(?<!{_LETTER}){_phrase_pattern(given)}[\s\u00a0]+{last_letter}\.(?!\w)"
        yield given + "xx", Form(re.compile(cut_short, re.IGNORECASE), both)
    for value, tokens, placeholder in ((given, givens, first), (family, families, last)):
        if len(tokens) > 1:
            yield value, _form(_phrase_pattern(value), placeholder, value)
        for token in tokens:
            if token.lower() not in PARTICLES:
                yield token, _form(_word(token), placeholder, token)


def _organisation(value: str, placeholder: str) -> Iterator[tuple[str, Form]]:
    if not value:
        return
    yield value, _form(_phrase_pattern(value), placeholder, value)
    short = _COMPANY.sub("", value)
    if short != value and short.lower() not in COMMON:
        yield short, _form(_phrase_pattern(short), placeholder, short)
    first = _tokens(short)[:1]
    if first and len(first[0]) >= 4 and first[0].lower() not in COMMON:
        alone = rf"(?<!{_LETTER})(?=[A-ZÆØÅ])(?i:{_word(first[0])})(?P<genitive>{_GENITIVE})(?!{_LETTER})"
        yield first[0], Form(re.compile(alone), placeholder)


def _form(pattern: str, placeholder: str, value: str) -> Form:
    """Return a name's form. A short one that is a word of the language too counts only with a capital."""
    short = len(value) <= 3
    lead = "(?=[A-ZÆØÅ])" if short else ""
    # A long name is found at the beginning of a compound, too: Nordmannfamilien.
    end = rf"(?!{_LETTER})" if len(value) < 6 else ""
    return Form(re.compile(rf"(?<!{_LETTER}){lead}(?i:{pattern})(?P<genitive>{_GENITIVE}){end}"), placeholder)


def _phrase_pattern(value: str) -> str:
    return _SPACE.join(_word(token) for token in _tokens(value))


def _phrase(value: str) -> re.Pattern[str]:
    parts = [re.escape(part) for part in value.split()]
    return re.compile(r"(?<!\w)" + r"[\s,]*".join(parts) + r"(?!\w)", re.IGNORECASE)


def _tokens(value: str) -> list[str]:
    return [token for token in re.split(r"[\s\u00a0.,-]+", unicodedata.normalize("NFC", value)) if token]


def _word(token: str) -> str:
    """Return a pattern of a word in its spellings, also split over lines."""
    letters = re.findall(r"aa|oe|ae|.", token.lower())
    between = _SPLIT if len(token) > 3 else ""
    return between.join(_SAME.get(letter) or re.escape(letter) for letter in letters)


def _number(value: str, field: str) -> re.Pattern[str]:
    signs = [re.escape(sign) for sign in value if sign.isalnum()]
    if field == "phone" and len(signs) > 8 and value.lstrip().startswith(("+47", "0047")):
        signs = signs[-8:]
    country = r"(?:(?:\+|00)47[\s.-]?)?" if field == "phone" else ""
    between = r"[\s\u00a0.()\u2011\u2013-]{0,3}"
    return re.compile(rf"(?<![\w+]){country}" + between.join(signs) + r"(?!\w)", re.IGNORECASE)


def _placeholder(name: str) -> str:
    return "{{" + name + "}}"
