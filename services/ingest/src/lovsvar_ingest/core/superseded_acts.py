"""Acts that stand in the archive as in force, and are not: a later act of the same name has taken their place.

Lovdata keeps such an act for a while, with the `dateInForce` it always had. An act counts as repealed when
all of this holds; whatever is less clear stays in force:

- its short title is a name of one word that ends in "loven" or "lova", the same as the later act's: never
  "Endringslov til …" or "Lov om …", of which several stand side by side;
- the later act is of a later day, in the same data set, and in force;
- the later act is in force whole (no date to come, nothing left for somebody to decide), or Lovdata has taken
  the older one out of its legal areas, as it does with what is repealed.

Regulations are left alone: many of one name are in force together.
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
    """What is known of a document in force."""

    refid: str
    short_title: str
    in_force_note: str
    has_areas: bool


def find_superseded(documents: Iterable[Standing], today: date) -> list[str]:
    """Return the refids of those among `documents`, all in force, whose place a later one has taken."""
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
