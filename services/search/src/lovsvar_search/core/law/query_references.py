"""What a query names outright: acts and provisions, and a term of which it asks what it means."""

from urllib.parse import unquote

from lovsvar_legaltext.act_names import ActNames
from lovsvar_legaltext.definitions import asks_for_meaning
from lovsvar_legaltext.language import QUESTION_WORDS
from lovsvar_legaltext.references import find_references
from lovsvar_search.core.law.analysis import spoken_words
from lovsvar_search.core.retrieval.collection import Named

DEFINES = "defines"
"""The field of the terms that a provision defines."""

MAX_LOOKED_AT = 2_000
"""Characters of a query in which references are looked for."""


def read_references(text: str, names: ActNames) -> Named:
    """Return what a query names, and what it says beside that; all of it when that is nothing."""
    # As an address writes it: %C2%A7 is a §.
    text = unquote(text)
    references = find_references(text[:MAX_LOOKED_AT], names)
    rest = text
    for reference in sorted(references, key=lambda reference: -reference.start):
        if reference.refids:
            rest = f"{rest[: reference.start]} {rest[reference.end :]}"
    if all(word in QUESTION_WORDS for word in spoken_words(rest).all):
        rest = text
    term = asks_for_meaning(rest)
    return Named(
        rest=term or rest,
        groups=tuple(refid for reference in references for refid in reference.refids),
        items=tuple((refid, key) for one in references for refid in one.refids for key in one.sections),
        field="" if term is None else DEFINES,
    )
