"""Refids such as `lov/1999-03-26-17`, and dates as they are written."""

import re
from dataclasses import dataclass
from datetime import date

from lovsvar_contracts.identifiers import ANNOUNCEMENTS

MONTHS = (
    *("januar", "februar", "mars", "april", "mai", "juni", "juli", "august", "september", "oktober", "november"),
    "desember",
)

TYPES = {
    "lov": "lov", "for": "forskrift", "forskrift": "forskrift", "ved": "vedtak", "vedtak": "vedtak",
    "ins": "instruks", "instruks": "instruks", "reg": "reglement", "reglement": "reglement", "vedlegg": "vedlegg",
}  # fmt: skip
"""The type in a refid by its written forms."""

_REFID = re.compile(r"(?P<type>[a-zæøå]+)/(?P<day>\d{4}-\d\d-\d\d)(?:-(?P<number>\d+))?")
_CODES = {"forskrift": "FOR", "lov": "LOV"}


@dataclass(frozen=True, slots=True)
class Refid:
    """The parts of a refid. `number` counts the documents of a day; old ones have none."""

    type: str
    day: date
    number: int | None


def parse_refid(refid: str) -> Refid | None:
    """Return the parts at the beginning of `refid`, also of an announcement's; None without a valid day."""
    match = _REFID.match(refid.removeprefix(ANNOUNCEMENTS))
    try:
        return match and Refid(match["type"], date.fromisoformat(match["day"]), int(match["number"] or 0) or None)
    except ValueError:
        return None


def refid_code(refid: str, section: str | None = None) -> str:
    """Return Lovdata's code of a document or provision: 'LOV-1999-03-26-17-§3-5'."""
    kind, _, rest = refid.removeprefix(ANNOUNCEMENTS).partition("/")
    code = f"{_CODES.get(kind, kind.upper()[:3])}-{rest}"
    return f"{code}-{section}" if section else code


def month_number(written: str) -> int:
    """Return the number of a month written in digits, in full or by its first letters; 0 for none."""
    word = written.rstrip(".").casefold()
    if word.isdigit():
        return int(word) if int(word) <= len(MONTHS) else 0
    return next((number for number, month in enumerate(MONTHS, 1) if word.startswith(month[:3])), 0)


def written_day(day: date) -> str:
    """Return a day as it is written in Norwegian: '26. mars 1999'."""
    return f"{day.day}. {MONTHS[day.month - 1]} {day.year}"
