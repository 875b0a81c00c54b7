"""The EU acts that an EEA reference names, with their addresses."""

import re
from collections.abc import Iterable

from lovsvar_contracts.message import Frozen

_KINDS = {
    **{"direktiv": "L", "forordning": "R", "vedtak": "D", "beslutning": "D", "avgjerd": "D", "rammebeslutning": "F"},
    **{"directive": "L", "regulation": "R", "decision": "D"},
}
_REGULATIONS = frozenset({"forordning", "regulation"})
_NAMED = re.compile(
    rf"\b(?P<kind>{'|'.join(_KINDS)})(?:et|en|a)?\s*(?:\((?P<before>EU|EF|EØF|EEC|EC)\)\s*)?(?:(?:nr|no)\.?\s*)?"
    r"(?P<first>\d{1,4})/(?P<second>\d{1,4})(?:/(?P<after>EU|EF|EØF|EEC|EC|JIS|Euratom))?",
    re.IGNORECASE,
)
_EUR_LEX = "https://eur-lex.europa.eu/legal-content/DA/TXT/?uri=CELEX:"
_NEW_NUMBERING = 2015
"""From this year on every EU act's number begins with the year; before, a regulation's began with its number."""


class EuAct(Frozen):
    """An EU act as it is named, with its address at EUR-Lex."""

    name: str
    celex: str
    url: str

    @property
    def usual_name(self) -> str:
        """The name by which Norwegian acts that take it in are known: «forordning (EU) 2016/679»."""
        kind = {"L": "direktiv", "R": "forordning"}.get(self.celex[5], "vedtak")
        year, number = self.celex[1:5], self.celex[6:].lstrip("0")
        if int(year) >= _NEW_NUMBERING:
            return f"{kind} (EU) {year}/{number}"
        return f"{kind} {number}/{year}" if kind == "forordning" else f"{kind} {year}/{number}"


def eu_acts(references: Iterable[str]) -> tuple[EuAct, ...]:
    """Return the directives, regulations and decisions that `references` name, each once."""
    found: dict[str, EuAct] = {}
    for match in (match for text in references for match in _NAMED.finditer(text)):
        kind, first, second = match["kind"].casefold(), int(match["first"]), int(match["second"])
        number_first = kind in _REGULATIONS and not (first >= _NEW_NUMBERING and match["before"] == "EU")
        year, number = (second, first) if number_first and _full(second) else (first, second)
        if full := _full(year):
            celex = f"3{full}{_KINDS[kind]}{number:04d}"
            found.setdefault(celex, EuAct(name=match[0], celex=celex, url=f"{_EUR_LEX}{celex}"))
    return tuple(found.values())


def eu_act_named_last(text: str) -> tuple[EuAct, int] | None:
    """Return the last EU act that `text` names, and the end of its name."""
    *_, last = (None, *_NAMED.finditer(text))
    acts = eu_acts((last[0],)) if last else ()
    return (acts[0], last.end()) if last and acts else None


def _full(year: int) -> int | None:
    """Return a year with four digits; one with two is of the last century. None for other numbers."""
    if 50 <= year <= 99:
        return 1900 + year
    return year if 1950 <= year <= 2100 else None
