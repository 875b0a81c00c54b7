"""The terms that a section defines, the words that define one, and questions about the meaning of a term.

The law defines terms in a few ways: «Med X menes …», or a list under a heading such as Definisjoner, where each item is
a term, a colon or quotation marks, and its meaning.
"""

import re
from collections.abc import Iterator

LONGEST_TERM = 60
"""The most characters of a term; a longer text is a sentence."""

BEGINS_WITHIN = 300
"""The characters at the start of a section that may announce a list of definitions."""

LONGEST_DEFINITION = 600
"""Characters of the words that define a term."""

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


_ENDING = r"(?:en|et|a|er|ar|ane|ene|n|r|e|s)?"
_MEANT = r"(?:menes|meines|forstås|forståes|forstår|regnes|reknes|reknast|anses)"
_DEFINES = re.compile(r"\b(?:menes|meines|meiner|forstås|forstår|definisjon\w*|definerast|defineres)\b", re.IGNORECASE)


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


def defining_words(heading: str, text: str, patterns: tuple[re.Pattern[str], re.Pattern[str]]) -> str:
    """Return the words of a section that define a term; "" when it does not. `patterns` are `definition_patterns`."""
    said, listed = patterns
    rows = text.split("\n")
    lists = bool(_DEFINES.search(f"{heading}\n{text[:2_000]}"))
    for at, row in enumerate(rows):
        if said.search(row):
            return _shortened("\n".join([row, *rows[at + 1 : at + 4]]) if row.endswith(":") else row)
        if lists and listed.search(row):
            return _shortened(row if len(row) > LONGEST_DEFINITION // 10 else "\n".join(rows[at : at + 2]))
    return ""


def definition_patterns(term: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return what a sentence that defines `term` matches, and what an item of a list of definitions matches."""
    quoted = rf"[«\"'“]?{re.escape(term.strip())}{_ENDING}[»\"'”]?"
    said = re.compile(
        rf"(?<!likt )(?<!lik )(?<!likestilt )\bmed\s+(?:\w+\s+(?:eller|og)\s+)?{quoted}(?:\s+\w+){{0,6}}\s+{_MEANT}\b"
        rf"|\bsom\s+{quoted}\s+(?:etter\s+[^.]{{1,60}}\s+)?(?:menes|regnes|reknes|reknast|anses)\b"
        rf"|(?<![\w-]){quoted}\s+(?:betyr|tyder|defineres som|betegner)\b",
        re.IGNORECASE,
    )
    marked = rf"[«\"“]{re.escape(term.strip())}{_ENDING}[»\"”](?=\s)"
    listed = re.compile(
        rf"^(?:\S{{1,4}}[.)]?\s+)?(?:{marked}|{quoted}(?:\s*\([^)]*\))?\s*(?::|,|–|-(?=\s)|\bbetyr\b|$))", re.IGNORECASE
    )
    return said, listed


def _shortened(words: str) -> str:
    return words if len(words) <= LONGEST_DEFINITION else f"{words[:LONGEST_DEFINITION].rsplit(' ', 1)[0]} …"
