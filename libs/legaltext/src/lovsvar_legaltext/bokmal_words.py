"""Words of nynorsk and English as the bokmål of the law has them, so that sentences can be compared across languages.

It is no translation: one word for one, in the sense that statutes mostly have, enough to see which sentence says the
same. `data/nynorsk.tsv` has what the endings below do not turn into bokmål, `data/english.tsv` what law is about.
"""

import re
from importlib.resources import files


def _read(name: str) -> dict[str, str]:
    """Return the pairs of a file of this package: a word in lower case, a tab, and what bokmål has for it."""
    text = files("lovsvar_legaltext").joinpath("data", name).read_text(encoding="utf-8")
    return dict(line.split("\t") for line in text.splitlines())


_NYNORSK = _read("nynorsk.tsv")
_ENGLISH = _read("english.tsv")
_ONLY_ENGLISH = frozenset(
    [
        "the",
        "of",
        "you",
        "your",
        "are",
        "and",
        "must",
        "may",
        "with",
        "by",
        "shall",
        "be",
        "this",
        "that",
        "it",
        "or",
        "when",
        "if",
        "not",
        "is",
    ]
)
_ENDINGS = (
    (re.compile(r"leg(?=$|a$|e$|t$|are$|ast$|heit)"), "lig"),
    (re.compile(r"ande$"), "ende"),
    (re.compile(r"ast$"), "es"),
    (re.compile(r"heit"), "het"),
    (re.compile(r"eig(?=[aei])"), "ei"),
    (re.compile(r"(?<=[a-zæøå]{3})ane$"), "ene"),
)


def in_bokmal(words: tuple[str, ...]) -> tuple[str, ...]:
    """Return the words of a sentence, in lower case, as bokmål has them; of English only what has a word here."""
    if is_english(words):
        return tuple(_ENGLISH[word] for word in words if word in _ENGLISH)
    return tuple(map(_from_nynorsk, words))


def is_english(words: tuple[str, ...]) -> bool:
    """Whether the words of a sentence, in lower case, are English."""
    return sum(word in _ONLY_ENGLISH for word in words) >= _ENOUGH


_ENOUGH = 2
"""Words that only English has, of which Norwegian law may have one: a title, a foreign name."""


def _from_nynorsk(word: str) -> str:
    if known := _NYNORSK.get(word):
        return known
    for ending, bokmal in _ENDINGS:
        word = ending.sub(bokmal, word)
    return word
