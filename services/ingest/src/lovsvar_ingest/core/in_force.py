"""Whether a document is in force, from Lovdata's `dateInForce`.

The field holds one or more dates, and words: "1995-01-01, Kongen bestemmer". The rule, in this order:

| the field says                                          | then                                        |
|---------------------------------------------------------|---------------------------------------------|
| nothing                                                 | unknown                                     |
| a span, "D1 – D2" or "D1, oppheves D2", that has ended   | repealed, from D1                           |
| at least one date that has come                         | in force, from the earliest                 |
| only dates to come                                      | not yet, from the earliest                  |
| no date, but that somebody decides it ("Kongen          | not yet, no date                            |
| fastset", "departementet bestemmer", "ikkje i kraft")    |                                             |
| no date, but a year that has come ("Inntektsåret 2014")  | in force, no date                           |
| other words                                             | unknown                                     |

A field that is not one date is kept word for word as the note.
"""

import re
from dataclasses import dataclass
from datetime import date, timedelta

from lovsvar_contracts.law import InForce

_DATE = re.compile(r"(?<!\d)(\d{4})-(\d\d)-(\d\d)(?!\d)")
_SPAN = re.compile(r"^(\d{4}-\d\d-\d\d)\s*(?:[–-]|,?\s*oppheves)\s*(\d{4}-\d\d-\d\d)$")
_UNDECIDED = re.compile(
    r"bestemmer|fastset|bestemme[rs]|avgjer|ikk(?:je|e) i kraft|trer i kraft|trår i kraft", re.IGNORECASE
)
_YEAR = re.compile(r"(?<!\d)(\d{4})(?!\d)")


@dataclass(frozen=True, slots=True)
class Force:
    """The status, its first day, and Lovdata's own words when they are more than a date."""

    status: InForce
    since: date | None = None
    note: str = ""


def read_force(field: str, today: date) -> Force:
    """Return the status that `field`, the text of `dateInForce`, gives on the day `today`."""
    if not field:
        return Force(InForce.UNKNOWN)
    note = "" if _DATE.fullmatch(field) and parse_date(field) else field
    if span := _SPAN.match(field):
        begin, end = parse_date(span[1]), parse_date(span[2])
        ended = begin and end and end < today
        return Force(InForce.REPEALED if ended else _status(begin, today), begin, note)
    if dates := [day for match in _DATE.finditer(field) if (day := parse_date(match[0]))]:
        return Force(_status(min(dates), today), min(dates), note)
    return Force(_status_in_words(field, today), None, note)


def next_turn(dates: str, today: date) -> date | None:
    """Return the first day after `today` on which the status may change: a date in `dates`, or the day after it.

    On the day itself something begins; on the day after something has ended.
    """
    tomorrow = today + timedelta(days=1)
    days = (parse_date(match[0]) for match in _DATE.finditer(dates))
    return min((max(day, tomorrow) for day in days if day and day >= today), default=None)


def is_partial(note: str, today: date) -> bool:
    """Return whether `note` leaves a part not yet in force: a future date, or a decision to come."""
    days = (parse_date(match[0]) for match in _DATE.finditer(note))
    return bool(_UNDECIDED.search(note)) or any(day > today for day in days if day)


def parse_date(text: str) -> date | None:
    """Return the first date in `text`; None without one, or for a day that does not exist."""
    match = _DATE.search(text)
    try:
        return date.fromisoformat(match[0]) if match else None
    except ValueError:
        return None


def _status_in_words(field: str, today: date) -> InForce:
    if _UNDECIDED.search(field):
        return InForce.NOT_YET
    begun = any(int(year) <= today.year for year in _YEAR.findall(field))
    return InForce.YES if begun else InForce.UNKNOWN


def _status(begin: date | None, today: date) -> InForce:
    if begin is None:
        return InForce.UNKNOWN
    return InForce.YES if begin <= today else InForce.NOT_YET
