"""Amendment notes: 'Tilføyd ved lov 21 des 2005 nr. 121 (ikr. 1 jan 2006), endret ved lover …'."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date

from lovsvar_contracts.law import Provision
from lovsvar_legaltext.refids import month_number

_KIND = re.compile(r"\b(?P<kind>lov|forskrift|res|vedtak)(?:er|a|ar)?\b\.?", re.IGNORECASE)
_DAY = r"(?P<day>\d{1,2})\.?\s+(?P<month>[a-zæøå]{3,9})\.?\s+(?P<year>\d{4})"
_DATED = re.compile(rf"\b{_DAY}\s+nr\.?\s*(?P<number>\d+)", re.IGNORECASE)
_ASIDE = re.compile(r"\([^()]*\)")
_BEGINS = re.compile(rf"\s*\((?:ikr\.?|i\s+kraft|iverks\.?)\s+{_DAY}", re.IGNORECASE)
_ADDED = re.compile(r"\s*(?:tilføy|tilført|føyd til|føydd til|lagt til|ny\b|sett inn|satt inn)", re.IGNORECASE)


@dataclass(frozen=True)
class Amendment:
    """An act or regulation that a note names, and when its amendment came into force, if the note says so."""

    refid: str
    in_force_from: date | None


def amendments(notes: Iterable[str]) -> tuple[Amendment, ...]:
    """Return the amendments that the notes name, each once, in order.

    Acts in parentheses are ignored: they say when an amendment came into force, and by which resolution.
    """
    found: dict[str, Amendment] = {}
    for note in notes:
        for one in _amendments(note):
            found.setdefault(one.refid, one)
    return tuple(found.values())


def amended_by(notes: Iterable[str]) -> tuple[str, ...]:
    """Return the refids of the acts and regulations that the notes name, each once, in order."""
    return tuple(one.refid for one in amendments(notes))


def in_force_since(provision: Provision) -> date | None:
    """Return the day since which a provision is in force: its act's, or that of its note if it was added later.

    None when it was added and the note gives no date.
    """
    if not provision.notes or not _ADDED.match(provision.notes[0]):
        return provision.in_force_from
    return next((added.in_force_from for added in amendments(provision.notes[:1])), None)


def _amendments(note: str) -> Iterator[Amendment]:
    asides = [(aside.start(), aside.end()) for aside in _ASIDE.finditer(note)]
    kinds = [(match.start(), match["kind"].casefold()) for match in _KIND.finditer(note) if not _in(asides, match)]
    for match in _DATED.finditer(note):
        kind = next((kind for at, kind in reversed(kinds) if at < match.start()), "lov")
        day = _day(match)
        if day and kind in {"lov", "forskrift"} and not _in(asides, match):
            begins = _BEGINS.match(note, match.end())
            yield Amendment(f"{kind}/{day}-{int(match['number'])}", _day(begins) if begins else None)


def _in(asides: Iterable[tuple[int, int]], match: re.Match[str]) -> bool:
    return any(start <= match.start() < end for start, end in asides)


def _day(match: re.Match[str]) -> date | None:
    try:
        return date(int(match["year"]), month_number(match["month"]), int(match["day"]))
    except ValueError:
        return None
