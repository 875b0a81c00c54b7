"""Which acts an amendment note names: 'Endret ved lover 21 des 2005 nr. 121 (ikr. 1 jan 2006), …'."""

import re
from collections.abc import Iterable

_MONTHS = ("jan", "feb", "mar", "apr", "mai", "jun", "jul", "aug", "sep", "okt", "nov", "des")
_KIND = re.compile(r"\b(?P<kind>lov|forskrift|res|vedtak)(?:er|a|ar)?\b\.?", re.IGNORECASE)
_DATED = re.compile(
    r"\b(?P<day>\d{1,2})\.?\s+(?P<month>[a-zæøå]{3,9})\.?\s+(?P<year>\d{4})\s+nr\.?\s*(?P<number>\d+)", re.IGNORECASE
)
_ASIDE = re.compile(r"\([^()]*\)")


def amended_by(notes: Iterable[str]) -> tuple[str, ...]:
    """Return the refids of the acts and regulations that the notes name, each once, in the order they stand.

    What stands in parentheses (when it came into force, and by which resolution) is passed over.
    """
    found: dict[str, None] = {}
    for note in notes:
        plain = _ASIDE.sub(" ", note)
        kinds = [(match.start(), match["kind"].casefold()) for match in _KIND.finditer(plain)]
        for match in _DATED.finditer(plain):
            kind = next((kind for at, kind in reversed(kinds) if at < match.start()), "lov")
            month = next((n for n, m in enumerate(_MONTHS, 1) if match["month"].casefold().startswith(m)), 0)
            if month and kind in {"lov", "forskrift"}:
                date = f"{match['year']}-{month:02d}-{int(match['day']):02d}"
                found.setdefault(f"{kind}/{date}-{int(match['number'])}")
    return tuple(found)
