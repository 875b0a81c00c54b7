"""Words before a section that name no act."""

import re

from lovsvar_contracts.law import LawType

_WORD = re.compile(r"(\w[\w-]*\.?)\s*$")
_TYPE_WORDS = {
    **dict.fromkeys(("loven", "lova", "lovens", "lovas"), LawType.LOV),
    **dict.fromkeys(("forskriften", "forskrifta", "forskriftens", "forskriftas"), LawType.FORSKRIFT),
}
_OTHERS = """
at av bestemmelsen bestemmelsene både dersom eller enn er etter for fra frå følger følgjer føresegnene før gjeld gjelder
har her i innen jamfør jf jfr kan kap med mot nevnt nr når og også om paragraf pkt på reglane reglene samt se sjå skal
som til under unntak ved vil vilkårene òg
"""
NAMES_NO_ACT = frozenset((*_OTHERS.split(), *_TYPE_WORDS))


def act_before(text: str, at: int) -> tuple[str, LawType | None]:
    """Return the word right before `at` that may name an act, and the law type of «loven» or «forskriften».

    The word is empty if it cannot name an act: «jf. § 5», «loven § 5».
    """
    found = _WORD.search(text, max(0, at - 200), at)
    word = found[1] if found else ""
    plain = word.rstrip(".").casefold()
    return ("" if plain in NAMES_NO_ACT else word), _TYPE_WORDS.get(plain)
