"""The terms that a section defines, and questions about the meaning of a term.

The law defines terms in a few ways: «Med X menes …», or a list under a heading such as Definisjoner, where each item is
a term, a colon or quotation marks, and its meaning.
"""

import re
from collections.abc import Iterator

LONGEST_TERM = 60
"""The most characters of a term; a longer text is a sentence."""

BEGINS_WITHIN = 300
"""The characters at the start of a section that may announce a list of definitions."""

_SIGNS = ("menes", "meines", "meinast", "meint", "meiner ein", "forstås", "siktes", "betyr", "definisj")
"""Every definition has one of these; looking for them first is much faster than the patterns."""

_VERB = r"(?:menes|meines|meinast|forstås|meiner ein|er meint|siktes det til)"
_SAYS = re.compile(rf"\b(?:{_VERB}|betyr)\b", re.IGNORECASE)
_TERM = (
    r"(?:begrepet\s+|omgrepet\s+|uttrykket\s+|ordet\s+)?"
    rf"[«\"“]?(?P<term>[^\W_][^.:;«»\"“”\n]{{1,{LONGEST_TERM}}}?)[»\"”]?"
)
_OF_THIS_ACT = r"(?:,?\s+(?:her|(?:i|etter)\s+(?:denne|dette)\s+\w+))?,?\s+$"
_BEFORE = (
    # A sentence that begins with the preposition, else the last preposition.
    re.compile(rf".*\b(?:Med|Ved)\s+{_TERM}{_OF_THIS_ACT}", re.DOTALL),
    re.compile(rf".*\b(?:med|ved)\s+{_TERM}{_OF_THIS_ACT}", re.DOTALL),
    re.compile(rf".*\b(?:[Oo]rdet|[Uu]ttrykket|[Bb]egrepet|[Oo]mgrepet)\s+{_TERM}\s+$", re.DOTALL),
    re.compile(rf".*[«\"“](?P<term>[^«»\"“”\n]{{2,{LONGEST_TERM}}})[»\"”](?:\s+\([^)]*\))?\s+$", re.DOTALL),
)
_BEGINS_LIST = re.compile(
    rf"\b(?:{_VERB}\s+(?:her\s+|videre\s+)?(?:med|ved)|betyr\s*:|følg[ej]nde\s+definisj)", re.IGNORECASE
)
_HEADED = re.compile(r"definisj|\bbegrep|\bomgrep|ordforklar", re.IGNORECASE)
_ITEM = re.compile(
    rf"(?:^|(?<=[.;] ))\s*(?:\(?(?:\d+|[a-zæøå]{{1,2}})[.)]\s*|[-–]\s*)?"
    rf"(?:[«\"“](?P<quoted>[^«»\"“”\n]{{2,{LONGEST_TERM}}})[»\"”]|(?P<plain>[^\W_][^:.;\n]{{1,{LONGEST_TERM}}}?)\s*:\s)",
    re.MULTILINE | re.IGNORECASE,
)
_NO_TERM = re.compile(rf"\b(?:{_VERB}|betyr|følg[ej]nde|gjelder|denne|dette)\b", re.IGNORECASE)

_MEANING = re.compile(
    r"^\W*(?:og\s+)?(?:"
    r"(?:hva|kva)\s+(?:menes|meines|meinast|meiner\s+ein|betyr|betyder|tyder|er\s+meint|forstås|ligger|ligg|regnes|er)\b"
    r"|what\s+(?:is|are|does)\b(?:\s+meant)?"
    r"|(?:legal\s+)?(?:definisjon(?:en)?|definition|meaning|betydning(?:en|a)?)\s+(?:av|på|of)\b"
    r")(?:\s+(?:med|ved|i|som|by|the|uttrykket|begrepet|omgrepet|ordet)\b)*",
    re.IGNORECASE,
)


def defined_terms(heading: str, text: str) -> Iterator[str]:
    """Yield the terms that a section of this heading and text defines, none for most sections."""
    if not (any(sign in text for sign in _SIGNS) or _HEADED.search(heading)):
        return
    for says in _SAYS.finditer(text):
        before = text[max(0, says.start() - 2 * LONGEST_TERM) : says.start()]
        is_verb = says[0].casefold() != "betyr"
        match = next(filter(None, (one.match(before) for one in (_BEFORE if is_verb else _BEFORE[2:]))), None)
        if match and not _NO_TERM.search(match["term"]):
            yield match["term"]
    if _HEADED.search(heading) or _BEGINS_LIST.search(text, 0, BEGINS_WITHIN):
        for match in _ITEM.finditer(text):
            term = match["quoted"] or match["plain"]
            if not _NO_TERM.search(term):
                yield term


def asks_for_meaning(text: str) -> str | None:
    """Return the term whose meaning `text` asks for; None for other texts."""
    term = text[match.end() :] if (match := _MEANING.match(text)) else ""
    return term if re.search(r"\w", term) else None
