"""Acts that the archive has as in force although a later act of the same name has replaced them.

Lovdata keeps such an act for a while, with its old `dateInForce`. An act counts as repealed when all of this holds:

- its short title is a name of one word that ends in "loven" or "lova", the same as the later act's: never
  "Endringslov til …" or "Lov om …", of which several are in force together;
- the later act is of a later day, in the same data set, and in force;
- the later act is in force as a whole (no future date, no decision to come), or Lovdata has removed the older one from
  its legal areas, as it does with repealed acts.

Regulations are not examined: many of one name are in force together.
"""

import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from lovsvar_ingest.core.in_force import is_partial

_NAME = re.compile(r"[^\W\d]+(?:-\s+og\s+[^\W\d]+)?(?:loven|lova)")
_ACT = re.compile(r"lov/(\d{4}-\d\d-\d\d)")


@dataclass(frozen=True, slots=True)
class Standing:
    """A document in force, with the fields that tell whether it is superseded."""

    refid: str
    short_title: str
    in_force_note: str
    has_areas: bool


def find_superseded(documents: Iterable[Standing], today: date) -> list[str]:
    """Return the refids of those `documents`, all in force, that a later one replaces."""
    named: defaultdict[str, list[tuple[str, Standing]]] = defaultdict(list)
    for document in documents:
        name, act = document.short_title.casefold(), _ACT.match(document.refid)
        if act and _NAME.fullmatch(name):
            named[name].append((act[1], document))
    return [
        older.refid
        for acts in named.values()
        for day, older in acts
        if any(
            later > day and not (older.has_areas and is_partial(newer.in_force_note, today)) for later, newer in acts
        )
    ]
