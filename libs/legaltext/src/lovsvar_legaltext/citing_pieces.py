"""The pieces of a text that may cite law, each short enough to be resolved at once."""

import re

MAX_PIECE = 400
"""Characters of a piece; the resolver takes 500 and reads ten references in them."""

MAX_SIGNS = 6
"""References that a piece may plausibly hold."""

_CITES = re.compile(
    r"§|\b(?:art(?:ikkel)?\.?|kap(?:ittel)?\.?|paragraf\w*)\s*\d|\b(?:lov|forskrift|for)[\s/-]|\w(?:loven|lova|forskriften|forskrifta)\b",
    re.IGNORECASE,
)
_END = re.compile(r"(?<=[.;!?])\s+(?=[A-ZÆØÅ«\"(])|\n+")
_ABBREVIATION = re.compile(
    r"(?:\b(?:jf|jfr|nr|kap|art|mv|bl|pkt|bokst|lit|pgf|par|[a-zæøå]{2,8}l)\.)\s*$", re.IGNORECASE
)


def pieces(text: str) -> list[str]:
    """Return the parts of `text` that may cite, in reading order, each short enough to be resolved."""
    sentences: list[str] = []
    for part in _END.split(text):
        if sentences and _ABBREVIATION.search(sentences[-1]) and len(sentences[-1]) + len(part) < MAX_PIECE:
            sentences[-1] = f"{sentences[-1]} {part}"
        else:
            sentences.append(part)
    return [piece for sentence in sentences for piece in _shortened(sentence.strip()) if _CITES.search(piece)]


def _shortened(sentence: str) -> list[str]:
    if len(sentence) <= MAX_PIECE and sentence.count("§") <= MAX_SIGNS:
        return [sentence] if sentence else []
    parts = re.split(r"(?<=[,;:)])\s+|(?<!-)\s+(?=(?:og|eller|samt|jf\.?)\s)", sentence)
    found: list[str] = []
    for part in parts:
        joined = f"{found[-1]} {part}" if found else part
        if found and len(joined) <= MAX_PIECE and joined.count("§") <= MAX_SIGNS:
            found[-1] = joined
        else:
            found += [part[at : at + MAX_PIECE] for at in range(0, len(part), MAX_PIECE)]
    return found
