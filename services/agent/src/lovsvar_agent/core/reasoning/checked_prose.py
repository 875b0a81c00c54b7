"""Prose after a check of what it names."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

QUOTATION = re.compile(
    r"«([^«»]+)»|“([^“”]+)”|„([^„“”]+)[“”]|\"([^\"\n]+)\"|(?<![\wæøå])['‘]([^'‘’\n]{12,})['’](?![\wæøå])"
)
"""Words between quotation marks of any nation."""


@dataclass(frozen=True)
class Vetted:
    """Prose in which what does not hold is marked or left out, and what that was.

    `omitted` are quotations; `unresolved` are references to law that the corpus does not have, `unchecked` those that
    could not be looked up, `unsourced` decisions and other authorities that no source names.
    """

    text: str
    omitted: tuple[str, ...] = ()
    unresolved: tuple[str, ...] = ()
    unchecked: tuple[str, ...] = ()
    unsourced: tuple[str, ...] = ()

    @property
    def has_faults(self) -> bool:
        """Whether it names what no source has, or what could not be looked up."""
        return bool(self.unresolved or self.unchecked or self.unsourced)


def marked(text: str, marks: Iterable[tuple[int, str]]) -> str:
    """Return `text` with each mark after a space at its offset."""
    for end, mark in sorted(dict(marks).items(), reverse=True):
        text = f"{text[:end]} {mark}{text[end:]}"
    return text
