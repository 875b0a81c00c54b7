"""The sentences of Norwegian legal text."""

import re
from collections.abc import Iterator

_STOP = re.compile(r"[.?!][»”\"')\]]*\s+")
_LAST_WORD = re.compile(r"[^\s(«“\"]+$")
_BINDING_TEXT = """
    jf jfr nr kl f.eks prop rt rg ot.prp st.prp st.meld sec para cf
    eks kgl res kgl.res st ot prp innst dok meld bl.a dvs ca art kap evt ev pkt s sml tilsv alm hhv avd
    vedr lnr fig tab ref jan feb apr jun jul aug sep sept okt nov des
"""
_BINDING = frozenset(_BINDING_TEXT.split())
"""Abbreviations inside a sentence: 'jf. Grunnloven'."""

_CLOSING_TEXT = """
    mv m.v m.m mm osv o.l m.fl mfl pst kr a.s flg ff etc e.l o.a inkl ekskl f.o.m t.o.m
"""
_CLOSING = frozenset(_CLOSING_TEXT.split())
"""Abbreviations that end a sentence before a capital letter."""


def sentence_spans(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield (start, end) of each sentence of `text[start:end]`, without white space around it.

    A stop ends a sentence only before a capital letter, and not after an abbreviation ('jf.', 'nr.'), an initial, or an
    ordinal ('1. januar').
    """
    begin = start
    for stop in _STOP.finditer(text, start, end):
        if stop.end() < end and _ends(text[begin : stop.start() + 1], text[stop.end()]):
            yield begin, begin + len(text[begin : stop.end()].rstrip())
            begin = stop.end()
    tail = text[begin:end].rstrip()
    if tail:
        yield begin, begin + len(tail)


def _ends(before: str, following: str) -> bool:
    if not (following.isupper() or following in '«“"§' or following.isdigit()):
        return False
    if before[-1] != ".":
        return True
    match = _LAST_WORD.search(before[:-1])
    word = match.group().casefold() if match else ""
    if word in _BINDING or (word in _CLOSING and not following.isupper()):
        return False
    if len(word) == 1 and word.isalpha():
        # 'bokstav a. Kongen' ends; 'A. Hansen' does not.
        return "bokstav" in before[-14:].casefold() or "litra" in before[-14:].casefold()
    return not (following.isdigit() and word.isdigit())
