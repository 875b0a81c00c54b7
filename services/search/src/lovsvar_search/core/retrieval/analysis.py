"""How text of one language becomes terms, in the index and in queries alike."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

_WORDS = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Spoken:
    """The words of a question in lower case: `all` of them, and those that say something of its `subject`."""

    all: tuple[str, ...]
    subject: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Compounds:
    """How a language joins words: by any of `links`. What `no_parts` holds begins or ends many words by chance.

    `shortest` is how many letters a part has. `common` is how many items must use a part by itself, `known` how many
    what two words are put together to; a word that more than `rare` items use is known well enough as it is.
    """

    links: tuple[str, ...] = ("",)
    no_parts: frozenset[str] = frozenset()
    shortest: int = 4
    common: int = 25
    known: int = 3
    rare: int = 400


@dataclass(frozen=True)
class Analyzer:
    """Text is prepared, split at everything that is not a letter or a digit, lower-cased and stemmed.

    `language` is Snowball's English name of it ("dutch"). `stemmings` is how often a word is stemmed. Words of `asking`
    are frequent in questions and say nothing of their subject.
    """

    language: str
    stemmings: int = 1
    stop_words: bool = True
    asking: frozenset[str] = frozenset()
    compounds: Compounds | None = None
    prepare: Callable[[str], str] = str

    def spoken(self, text: str) -> Spoken:
        """Return the words of `text`; when it has none but words of asking, they are its subject."""
        words = tuple(_WORDS.findall(self.prepare(text).casefold()))
        return Spoken(words, tuple(word for word in words if word not in self.asking) or words)


class Vocabulary(Protocol):
    """The words of the corpus, as its index knows them."""

    analyzer: Analyzer
    """How its language is read."""

    items: int
    """How many items there are."""

    def analyze(self, text: str) -> Sequence[str]:
        """Return the terms of `text` as the index stores them."""

    def frequency(self, term: str) -> int:
        """Return how many items use a term."""
