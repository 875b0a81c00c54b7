"""Places inside a provision, as they are written after its number: ledd, bokstav, nummer, punktum."""

import re
from dataclasses import dataclass

from lovsvar_legaltext.numbers import SECTION_NUMBER

LAST = -1
"""The ledd of «siste ledd»; its number depends on the provision."""

MAX_LISTED = 26

_ORDINALS = {
    "første": 1, "fyrste": 1, "annet": 2, "annen": 2, "andre": 2, "anna": 2, "tredje": 3, "fjerde": 4, "femte": 5,
    "sjette": 6, "sjuende": 7, "syvende": 7, "sjuande": 7, "åttende": 8, "åttande": 8, "niende": 9, "niande": 9,
    "tiende": 10, "tiande": 10, "ellevte": 11, "tolvte": 12, "trettende": 13, "trettande": 13, "fjortende": 14,
    "fjortande": 14, "femtende": 15, "femtande": 15, "sekstende": 16, "sekstande": 16, "syttende": 17, "syttande": 17,
    "attende": 18, "attande": 18, "nittende": 19, "nittande": 19, "tjuende": 20, "tjuande": 20, "tyvende": 20,
    "trettiende": 30, "trettiande": 30, "førtiende": 40, "femtiende": 50, "hundrede": 100, "siste": LAST,
    "first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8, "ninth": 9,
    "tenth": 10, "eleventh": 11, "twelfth": 12, "twentieth": 20, "last": LAST,
}  # fmt: skip

_TENS = {"tjue": 20, "tretti": 30, "førti": 40, "femti": 50}
_ORDINALS |= {
    f"{ten}{one}": tens + count
    for ten, tens in _TENS.items()
    for one, count in _ORDINALS.copy().items()
    if 0 < count < 10
}
_ORDINAL = rf"(?:{'|'.join(_ORDINALS)}|\d{{1,2}}\.|\(\d{{1,2}}\))"
_TO = r"\s*(?:,|og|eller|samt|and|or|til(?:\s+og\s+med)?|t\.o\.m\.|[-–])\s*"
_ENDS = r"(?=\s*(?:$|[.,;:?!)]|(?:i|av|jf|bokstav|litra)\b))"

_LEDD = re.compile(
    rf"(?P<list>{_ORDINAL}(?:{_TO}{_ORDINAL})*)\s*(?:ledd|paragraph|subsection)\b|(?:ledd|subsection)\s+(?P<after>\d{{1,2}})\b|(?P<bracket>\(\d{{1,2}}\)(?:{_TO}\(\d{{1,2}}\))*)",
    re.IGNORECASE,
)
_SENTENCE = re.compile(
    rf"(?P<list>{_ORDINAL}(?:{_TO}{_ORDINAL})*)\s*(?:punktum\b|pkt\b\.?)|(?:punktum|pkt\.?)\s+(?P<after>\d{{1,2}})\b",
    re.IGNORECASE,
)
_LETTER = re.compile(
    rf"(?:(?:bokstav(?:ene|ane)?|bokst\.|litt?e?ra|lit\.|letters?)\s*(?P<list>[a-zæøå](?!\w)(?:{_TO}[a-zæøå](?!\w))*)\)?"
    r"|\((?P<bracket>[a-zæøå])\)|(?P<bare>[a-zæøå])\))",
    re.IGNORECASE,
)
_BARE_LETTER = re.compile(
    rf"\s?(?P<list>[a-hj-zæø](?!\w)(?:{_TO}[a-hj-zæø](?!\w))*)(?=\s*(?:$|[.,;:?!)]|(?:og|eller|samt|jfr?)\b))",
    re.IGNORECASE,
)
"""A letter alone after a ledd or a number: «(1) a», «nr. 3 c». Not «i» and «å», which are words."""
_NUMBER = re.compile(
    rf"(?:nr\.?|nummer|numrene|no\.)\s*(?P<list>\d{{1,3}}\b(?:{_TO}\d{{1,3}}\b{_ENDS})*)", re.IGNORECASE
)
_GAP = re.compile(r"[\s,]*")
_ITEM = re.compile(r"(?P<to>til|t\.o\.m|[-–])|(?P<word>\w+)", re.IGNORECASE)
_GLUE = frozenset({"og", "eller", "samt", "med", "and", "or"})

NUMBER_RANGE = re.compile(rf"\s*(?:til(?:\s+og\s+med)?|t\.o\.m\.)\s*§*\s*(?P<number>{SECTION_NUMBER})", re.IGNORECASE)
"""The words between two section numbers that make them a range."""


@dataclass(frozen=True, slots=True)
class Pinpoint:
    """A place inside a provision; unwritten parts are None. `ledd` and `sentence` count from 1, or are `LAST`."""

    ledd: int | None = None
    letter: str | None = None
    number: str | None = None
    sentence: int | None = None

    def within(self, other: "Pinpoint") -> "Pinpoint":
        """Return the place with the parts of both; of a part that both have, this one's."""
        return Pinpoint(
            self.ledd or other.ledd,
            self.letter or other.letter,
            self.number or other.number,
            self.sentence or other.sentence,
        )


NOWHERE = Pinpoint()


def read_pinpoints(text: str, at: int, *, article: bool) -> tuple[tuple[Pinpoint, ...], int]:
    """Return the places named at `at` in `text` (at least one, possibly empty), and the end of their words.

    Several places are an enumeration of one kind: «bokstav a og b», «første og annet ledd». In an article of a treaty a
    number in brackets is a number: «art. 6 (1)» is «art. 6 nr. 1».
    """
    places: tuple[Pinpoint, ...] = (NOWHERE,)
    seen: set[str] = set()
    while True:
        gap = _GAP.match(text, at)
        read = _read_one(text, gap.end() if gap else at, article=article)
        if read is None and seen & {"ledd", "number"} and (bare := _BARE_LETTER.match(text, at)):
            read = "letter", [Pinpoint(letter=letter) for letter in _letters(bare["list"])], bare.end()
        if read is None or read[0] in seen:
            return places, at
        kind, found, at = read
        seen.add(kind)
        places = tuple(place.within(more) for place in places for more in found)[:MAX_LISTED]


def _read_one(text: str, at: int, *, article: bool) -> tuple[str, list[Pinpoint], int] | None:
    if match := _SENTENCE.match(text, at):
        sentences = _counts(match["list"] or match["after"])
        return "sentence", [Pinpoint(sentence=sentence) for sentence in sentences], match.end()
    if match := _LEDD.match(text, at):
        counts = _counts(match["list"] or match["after"] or match["bracket"])
        if article and match["bracket"]:
            return "number", [Pinpoint(number=str(count)) for count in counts], match.end()
        return "ledd", [Pinpoint(ledd=count) for count in counts], match.end()
    if match := _LETTER.match(text, at):
        letters = _letters(match["list"] or match["bracket"] or match["bare"])
        return "letter", [Pinpoint(letter=letter) for letter in letters], match.end()
    if match := _NUMBER.match(text, at):
        return "number", [Pinpoint(number=str(count)) for count in _counts(match["list"])], match.end()
    return None


def _items(listed: str) -> list[str | None]:
    """Return the items of an enumeration in lower case; None before the end of a range."""
    found = [None if item["to"] else item["word"].casefold() for item in _ITEM.finditer(listed)]
    return [item for item in found if item not in _GLUE]


def _counts(listed: str) -> list[int]:
    return _spread([None if item is None else _ORDINALS.get(item) or int(item) for item in _items(listed)])


def _letters(listed: str) -> list[str]:
    return [chr(code) for code in _spread([None if item is None else ord(item) for item in _items(listed)])]


def _spread(values: list[int | None]) -> list[int]:
    """Return the values with each range (a None between two) filled in."""
    spread: list[int] = []
    for n, value in enumerate(values):
        if value is None:
            continue
        ranged = n > 0 and values[n - 1] is None and spread
        spread += range(spread[-1] + 1, min(value, spread[-1] + MAX_LISTED) + 1) if ranged else [value]
    return spread
