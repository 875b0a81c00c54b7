"""The law type of a document.

Lovdata's metadata gives only the series: laws (`lov/…`) or regulations (`forskrift/…`, with every decision announced in
Norsk Lovtidend part I). The rule:

1. A document of the series `lov` is a **Lov**, whatever its title: old conventions have the force of law.
2. Otherwise the title's leading noun decides: its first word before a preposition that ends in one of the words below.
   "Midlertidig instruks for …" is an Instruks, "Eksamensreglement for …" a Reglement, "Delegering av myndighet …" a
   Vedtak; "Forskrift om instruks for …" is a Forskrift.
3. Any other document is a **Forskrift**.
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
"""The endings of the leading noun, and the law type of each."""

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
