"""Which kind of document a Lovdata document is.

Lovdata's own metadata says only whether a document stands in the series of laws (`lov/…`) or of
regulations (`forskrift/…`, which holds every decision announced in Norsk Lovtidend part I). The rule:

1. A document of the series `lov` is a **Lov**, whatever its title is: conventions and ordinances of old
   stand there because they have the force of law. Lovdata's other series follow rule 2 and 3.
2. Otherwise the title's leading noun decides: the first of its words, up to a preposition, that ends in
   one of the words below. "Midlertidig instruks for …" is an Instruks, "Eksamensreglement for …" a
   Reglement, "Delegering av myndighet …" a Vedtak; "Forskrift om instruks for …" is a Forskrift.
3. Whatever is left is a **Forskrift**.
"""

import re

from lovsvar_contracts.law import LawType

ENDINGS: tuple[tuple[str, LawType], ...] = (
    *((word, LawType.FORSKRIFT) for word in ("forskrift", "forskrifter", "forskr", "føresegn", "føresegner")),
    *((word, LawType.INSTRUKS) for word in ("instruks", "instrukser", "instruksen")),
    *((word, LawType.REGLEMENT) for word in ("reglement", "reglementet", "reglementer")),
    *((word, LawType.VEDLEGG) for word in ("vedlegg", "tillegg", "bilag")),
    *(
        (word, LawType.VEDTAK)
        for word in (
            *("vedtak", "beslutning", "resolusjon", "res", "delegering", "delegasjon", "overføring", "fullmakt"),
            *("tillatelse", "godkjenning", "anerkjennelse", "ikraftsetting", "ikraftsetjing", "ikrafttredelse"),
            *("ikrafttreding", "utvidelse", "fastsettelse", "fastsetjing", "omorganisering", "refusjon"),
        )
    ),
)
"""What the leading noun may end in, and what the document then is."""

_STOP = frozenset(
    ("om", "for", "av", "i", "til", "ved", "på", "etter", "med", "fra", "frå", "mot", "angående", "ang", "ad")
)
_WORD = re.compile(r"[^\W\d_]+")


def law_type(refid: str, title: str) -> LawType:
    """Return the law type of the document `refid` with the title `title`, by the rule above."""
    if refid.split("/", 1)[0] == "lov":
        return LawType.LOV
    for word in _WORD.findall(title.casefold()):
        if word in _STOP:
            break
        for ending, type_ in ENDINGS:
            if word.endswith(ending) and (len(ending) > 3 or word == ending):
                return type_
    return LawType.FORSKRIFT
