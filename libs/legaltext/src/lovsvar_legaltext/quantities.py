"""Numbers, amounts, deadlines, percentages and dates in a text, in bokmål, nynorsk and English, compared by value.

"seks måneder", "6 månader", "six months" and "et halvt år" are one quantity; so are "14 dager" and "to uker". Numbers
that name a place in the law ("§ 3-5", "annet ledd") are references and no quantities.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from lovsvar_legaltext.language import Language

_UNITS_TEXT: tuple[tuple[str, Fraction, str], ...] = (
    ("time", Fraction(1, 60), "minutt minutter minuttar minute minutes"),
    ("time", Fraction(1), "time timer timers timar timars timen timane klokketime klokketimer hour hours"),
    (
        "time",
        Fraction(24),
        "dag dager dagers dagar dagars dags dagen dagane dagene døgn døgns døgnet day days virkedag virkedager "
        "virkedagar "
        "arbeidsdag arbeidsdager arbeidsdagar yrkedag yrkedager kalenderdag kalenderdager stønadsdager",
    ),
    ("time", Fraction(168), "uke uker ukers uken ukene ukes veke veker vekers veka vekene week weeks stønadsuker"),
    (
        "months",
        Fraction(1),
        "måned måneder måneders måneden månedene månad månader månaders månaden month months mnd",
    ),
    ("months", Fraction(12), "år års året åra årene årig årige åring åringer åringar åringen year years yearly"),
    ("share", Fraction(1, 100), "prosent prosents prosenten pst percent % prosentpoeng"),
    ("share", Fraction(1, 1000), "promille ‰"),
    ("krone", Fraction(1), "krone kroner kroners kr nok kronor"),
    ("base amount", Fraction(1), "g grunnbeløp grunnbeløpet grunnbeløpets grunnbeløpa"),
    ("court fee", Fraction(1), "rettsgebyr rettsgebyret rettsgebyrer rettsgebyra"),
    ("length", Fraction(1), "meter meters metre metres m"),
    ("length", Fraction(1000), "kilometer kilometre kilometres km"),
    ("length", Fraction(1, 100), "centimeter cm centimetre"),
    ("area", Fraction(1), "m² m2 kvadratmeter kvm"),
    ("area", Fraction(1000), "dekar daa"),
    ("mass", Fraction(1), "kilo kilogram kg"),
    ("mass", Fraction(1000), "tonn"),
)
_UNITS = {word: (name, factor) for name, factor, words in _UNITS_TEXT for word in words.split()}

_NUMBERS = {
    "null": 0, "zero": 0, "én": 1, "éin": 1, "éi": 1, "ett": 1, "eitt": 1, "to": 2, "two": 2, "begge": 2,
    "tre": 3, "three": 3, "fire": 4, "four": 4, "fem": 5, "five": 5, "seks": 6, "six": 6, "sju": 7, "syv": 7,
    "seven": 7, "åtte": 8, "eight": 8, "ni": 9, "nine": 9, "ti": 10, "ten": 10, "elleve": 11, "eleven": 11,
    "tolv": 12, "twelve": 12, "tretten": 13, "thirteen": 13, "fjorten": 14, "fourteen": 14, "femten": 15,
    "fifteen": 15, "seksten": 16, "sixteen": 16, "sytten": 17, "seventeen": 17, "atten": 18, "eighteen": 18,
    "nitten": 19, "nineteen": 19, "tjue": 20, "tyve": 20, "twenty": 20, "tretti": 30, "tredve": 30, "thirty": 30,
    "førti": 40, "forty": 40, "femti": 50, "fifty": 50, "seksti": 60, "sixty": 60, "sytti": 70, "seventy": 70,
    "åtti": 80, "eighty": 80, "nitti": 90, "ninety": 90,
}  # fmt: skip
_ARTICLES = frozenset(["en", "ein", "ei", "et", "eit", "a", "an", "one"])
_NOT_ENGLISH = frozenset(["to", "fire", "third", "half", "quarter", "second", "ti", "per"])
_FIGURE = re.compile(r"\d[\d.,]*\d")
_POINTS = str.maketrans(".,", ",.")
_POWERS = {"hundre": 100, "hundred": 100, "tusen": 1_000, "thousand": 1_000, "million": 10**6, "millioner": 10**6,
           "millionar": 10**6, "mill": 10**6, "milliard": 10**9, "milliarder": 10**9}  # fmt: skip
_PARTS = {
    "halvparten": 2, "halvdelen": 2, "half": 2, "halv": 2, "halvt": 2, "halve": 2, "tredel": 3, "tredjedel": 3,
    "third": 3, "fjerdedel": 4, "firedel": 4, "quarter": 4, "kvart": 4, "femtedel": 5, "femdel": 5, "fifth": 5,
    "sjettedel": 6, "seksdel": 6, "åttedel": 8, "tidel": 10, "tiendedel": 10, "tenth": 10,
}  # fmt: skip
_PARTS |= {f"{word}{ending}": size for word, size in _PARTS.items() for ending in ("er", "ar", "en", "s", "ane", "ene")}
_ONE_AND_A_HALF = frozenset(["halvannet", "halvannen", "halvanna", "halvtanna", "halvtannan"])
_MONTHS_TEXT = """
    januar/january februar/february mars/march april mai/may juni/june juli/july august september
    oktober/october november desember/december
"""
_MONTHS = {name: number for number, names in enumerate(_MONTHS_TEXT.split(), 1) for name in names.split("/")}
_FILLERS_TEXT = """
    hele heile fulle full whole calendar kalender sammenhengende samanhengande consecutive working siste sist løpende
    ganger gonger times folketrygdens folketrygda ordinære påfølgende første of the av
"""
_FILLERS = frozenset(_FILLERS_TEXT.split())
"""Words that may stand between a number and its unit: "tre hele måneder", "seks ganger folketrygdens grunnbeløp"."""

_PLACE = re.compile(
    r"""
    §{1,2} \s* \d+ (?:\s?[a-z]\b)? (?:-\d+ (?:\s?[a-z]\b)?)?
        (?: \s* (?: , | og | til | eller | and | to | – ) \s* §?\s* \d+ (?:\s?[a-z]\b)? (?: -\d+ (?:\s?[a-z]\b)? )?
            (?! [\d.,]* \s* (?: % | dag | uke | veke | måne | måna | år | kron | pros | time | timar ) ) )*
  | \b(?: kapittel | kap\. | chapter | nr\.? | nummer | bokstav | punkt | pkt\. | artikkel | art\. | article | sections?
        | paragraf | ledd | vedlegg | tabell | gruppe | klasse | kategori | del | type | form )
        \s+ \d+ [a-z]? (?: [-./]\d+ )*
  | \b(?: første | fyrste | annet | andre | anna | tredje | fjerde | femte | sjette | sjuende | syvende | åttende
        | niende | tiende | first | second | third | \d+\. )
        \s+ (?: ledd | punktum | avsnitt | setning | strekpunkt | paragraph ) \w*
  | \b(?: lov | act | forskrift | regulation ) \s+ (?: av | of ) \s+ \d+\.?\s+ \w+ \s+ \d{4}
        (?: \s+ (?: nr\.? | no\. ) \s* \d+ )?
  | \b\d{4}-\d{2}-\d{2} (?: -\d+ )? \b
    """,
    re.VERBOSE | re.IGNORECASE,
)
_TOKEN = re.compile(r"\d{1,3}(?:[ \u00a0.]\d{3})+(?![\d])|\d+(?:,\d+)?|[^\W\d_]+²?|[%‰§]")
_COMPOUND = re.compile(
    rf"({'|'.join(sorted((*_NUMBERS, *_POWERS), key=len, reverse=True))})"
    r"(års|måneders?|månads?|ukers?|vekes?|dagers?|dages?|dags|timers?|timars?|kroners?|prosents?|åring|årig)"
)


@dataclass(frozen=True)
class Quantity:
    """A number and what it counts, from `start` to `end` in its text.

    `number` is as written; `dimension` is "" for a bare number. `value` is in the dimension's own unit: hours for
    times, months for months and years, 1 for 100 percent.
    """

    number: Fraction
    value: Fraction
    dimension: str
    start: int
    end: int

    def equals(self, other: "Quantity") -> bool:
        """Whether both say the same in whatever words; a bare number equals that number of anything."""
        if self.dimension and other.dimension:
            return (self.dimension, self.value) == (other.dimension, other.value)
        shares = {self.dimension, other.dimension} == {"", "share"}
        return self.number == other.number or (shares and self.value == other.value)


@dataclass(frozen=True)
class _Token:
    word: str
    start: int
    end: int


def quantities(text: str, language: Language = "nb") -> tuple[Quantity, ...]:
    """Return the quantities of `text`, in order. An article is a number only with a unit: "en måned" is one month.

    In English, "to" and "fire" are no numbers, and points and commas in figures change places.
    """
    blanked = _PLACE.sub(lambda match: " " * len(match.group()), text)
    if language == "en":
        blanked = _FIGURE.sub(lambda match: match.group().translate(_POINTS), blanked)
    tokens = [_Token(m.group().casefold(), m.start(), m.end()) for m in _TOKEN.finditer(blanked)]
    if language == "en":
        tokens = [replace(t, word="-") if t.word in _NOT_ENGLISH else t for t in tokens]
    found: list[Quantity] = []
    at = 0
    while at < len(tokens):
        for one, length in _read(tokens, at):
            found.append(one)
            at += length
            break
        else:
            at += 1
    return tuple(found)


def unsupported(claim: str, sources: Iterable[str], language: Language = "nb") -> tuple[Quantity, ...]:
    """Return the quantities of `claim`, written in `language`, that none of `sources`, in Norwegian, holds."""
    known = [quantity for source in sources for quantity in quantities(source)]
    return tuple(q for q in quantities(claim, language) if not any(q.equals(one) for one in known))


def _read(tokens: Sequence[_Token], at: int) -> Iterator[tuple[Quantity, int]]:
    """Yield the quantity that begins at a token, if one does, and how many tokens it takes."""
    if date := _date(tokens, at):
        yield date
    word = tokens[at].word
    if compound := _COMPOUND.match(word):
        counted = Fraction(_NUMBERS.get(compound[1], _POWERS.get(compound[1], 0)))
        dimension, factor = _unit(compound[2])
        yield Quantity(counted, counted * factor, dimension, tokens[at].start, tokens[at].end), 1
    number, taken = _number(tokens, at)
    if number is None:
        return
    unit, after = _unit_after(tokens, at + taken)
    if unit is None and word in _ARTICLES and taken == 1:
        return
    taken = after - at if unit else taken
    dimension, factor = unit or ("", Fraction(1))
    yield Quantity(number, number * factor, dimension, tokens[at].start, tokens[at + taken - 1].end), taken


def _number(tokens: Sequence[_Token], at: int) -> tuple[Fraction | None, int]:
    """Return the number that begins at a token and how many tokens it takes, or None."""
    value = _plain(tokens[at].word)
    after = at + 1
    word = tokens[at].word
    if word in _ONE_AND_A_HALF:
        return Fraction(3, 2), 1
    if word in _PARTS:
        return Fraction(1, _PARTS[word]), 1
    if value is None and word not in _ARTICLES:
        return None, 0
    value = Fraction(1) if value is None else value
    if after < len(tokens) and tokens[after].word in _PARTS:
        return value / _PARTS[tokens[after].word], 2
    while after < len(tokens) and (power := _POWERS.get(tokens[after].word)):
        value, after = value * power, after + 1
    following = [token.word for token in tokens[after : after + 3]]
    if (
        len(following) == 3
        and following[0] in {"og", "and"}
        and following[1] in _ARTICLES
        and _PARTS.get(following[2]) == 2
    ):
        return value + Fraction(1, 2), after + 3 - at
    return value, after - at


def _plain(word: str) -> Fraction | None:
    """Return the number that one word or figure is: "10 000", "1,5", "tjuefem", "femogtyve"."""
    if word[0].isdigit():
        return Fraction(re.sub(r"[ \u00a0.]", "", word).replace(",", "."))
    if word in _NUMBERS:
        return Fraction(_NUMBERS[word])
    if word in _POWERS:
        return Fraction(_POWERS[word])
    for tens, value in _NUMBERS.items():
        if value >= 20 and word.startswith(tens) and _NUMBERS.get(word[len(tens) :], 99) < 10:
            return Fraction(value + _NUMBERS[word[len(tens) :]])
        if value >= 20 and word.endswith(f"og{tens}") and _NUMBERS.get(word[: -len(tens) - 2], 99) < 10:
            return Fraction(value + _NUMBERS[word[: -len(tens) - 2]])
    return None


def _unit(word: str) -> tuple[str, Fraction]:
    return _UNITS.get(word) or next(
        (unit for known, unit in _UNITS.items() if len(known) > 2 and word.startswith(known)), ("", Fraction(1))
    )


def _unit_after(tokens: Sequence[_Token], at: int) -> tuple[tuple[str, Fraction] | None, int]:
    """Return the unit that follows, past filling words, and the place after it."""
    for place in range(at, min(at + 3, len(tokens))):
        if unit := _UNITS.get(tokens[place].word):
            return unit, place + 1
        if tokens[place].word not in _FILLERS:
            break
    return None, at


def _date(tokens: Sequence[_Token], at: int) -> tuple[Quantity, int] | None:
    """Return the day and month that begin at a token, as one quantity."""
    if at + 1 >= len(tokens):
        return None
    first, second = tokens[at].word, tokens[at + 1].word
    day, month = (first, second) if first.isdigit() else (second, first)
    if month not in _MONTHS or not day.isdigit() or not 1 <= int(day) <= 31:
        return None
    number = Fraction(_MONTHS[month] * 100 + int(day))
    return Quantity(number, number, "date", tokens[at].start, tokens[at + 1].end), 2
