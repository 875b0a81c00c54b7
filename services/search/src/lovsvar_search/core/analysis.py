"""How text is prepared for the index, and which words of a question say nothing about its subject.

The index's analyzer splits at everything that is not a letter or a digit, lower-cases, drops Norwegian
stop words and stems. `§ 3-5`, `§ 2 A-1` and `§ 13 a` are therefore rewritten first into one word each,
in the index and in queries alike.
"""

import re
from dataclasses import dataclass

from lovsvar_legaltext.language import QUESTION_WORDS
from lovsvar_legaltext.numbers import SECTION_NUMBER

_SECTION = re.compile(rf"(?<!§)§+\s*({SECTION_NUMBER})")


def section_word(number: str) -> str:
    """Return the one word that stands for a section's number in the index: `3-5` → `xp3x5`."""
    return "xp" + "".join(number.split()).casefold().replace("-", "x").replace("–", "x")


def prepare(text: str) -> str:
    """Return `text` with each section number behind a § rewritten as one word."""
    if "§" not in text:
        return text
    return _SECTION.sub(lambda match: f" {section_word(match.group(1))} ", text)


@dataclass(frozen=True, slots=True)
class Spoken:
    """The words of a question in lower case: `all` of them, and those that say something of its `subject`."""

    all: tuple[str, ...]
    subject: tuple[str, ...]

    @property
    def prepared(self) -> str:
        """All words as the index's analyzer takes them."""
        return " ".join(self.all)


def spoken_words(text: str) -> Spoken:
    """Return the words of `text`, prepared; when it says nothing but words of asking, they are its subject."""
    words = tuple(re.findall(r"\w+", prepare(text).casefold()))
    return Spoken(words, tuple(word for word in words if word not in QUESTION_WORDS) or words)
