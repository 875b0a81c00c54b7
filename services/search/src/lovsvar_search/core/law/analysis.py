"""Norwegian text of the law: `§ 3-5`, `§ 2 A-1` and `§ 13 a` are one word each, in the index and in queries alike."""

import re

from lovsvar_legaltext.language import QUESTION_WORDS
from lovsvar_legaltext.numbers import SECTION_NUMBER
from lovsvar_search.core.retrieval.analysis import Analyzer, Compounds

_SECTION = re.compile(rf"(?<!§)§+\s*({SECTION_NUMBER})")

_NO_PARTS = """
anti bort etter fore forut fram frem gjen gjennom hver igjen imot inne innen inter mange mellom mest mindre mist
mot ned nett ober opp over rett sammen selv tilbake under unna uten utenfor vare
else elser eren erne gren heten heter inger lighet ment messig ning ninger ring sans serv skap stand visning
"""


def section_word(number: str) -> str:
    """Return the one word that a section's number is in the index: `3-5` → `xp3x5`."""
    return "xp" + "".join(number.split()).casefold().replace("-", "x").replace("–", "x")


def prepare(text: str) -> str:
    """Return `text` with each section number after a § rewritten as one word."""
    if "§" not in text:
        return text
    return _SECTION.sub(lambda match: f" {section_word(match.group(1))} ", text)


# Stemmed twice: once makes utleieren `utleier` and utleier `utlei`, so that they would not meet.
NORWEGIAN = Analyzer(
    language="norwegian",
    stemmings=2,
    asking=QUESTION_WORDS,
    compounds=Compounds(("", "s", "e"), frozenset(_NO_PARTS.split())),
    prepare=prepare,
)
spoken_words = NORWEGIAN.spoken
